//! `weft_egress_choice`: choice of the next frame, and of the beat that is made in this clock.

use super::words::{Size, Slot};
use crate::prelude::*;

/// Stages 0 to 2: choice of the next frame, and of its beat that is made in this clock. One beat per clock,
/// no clock between frames. Signals with long routes are registers.
#[derive(LogicBlock, Default)]
pub struct Choice {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// A reply waits.
    pub reply_valid: Signal<In, Bit>,
    /// Size of its frame.
    pub reply_size: Signal<In, Size>,
    /// The frame of the reply begins.
    pub reply_taken: Signal<Out, Bit>,
    /// An order waits.
    pub order_valid: Signal<In, Bit>,
    /// The order's read data is discarded.
    pub order_drop: Signal<In, Bit>,
    /// Size of its frame.
    pub order_size: Signal<In, Size>,
    /// Beats of the frame, or words to discard; minus one.
    pub order_left: Signal<In, Bits<8>>,
    /// The frame of the order begins.
    pub order_taken: Signal<Out, Bit>,
    /// A frame of other software waits.
    pub other_valid: Signal<In, Bit>,
    /// The frame of other software begins.
    pub other_taken: Signal<Out, Bit>,
    /// The first word of other software is the last of its frame.
    pub other_last: Signal<In, Bit>,
    /// Stage 2: there is a beat.
    pub valid: Signal<Out, Bit>,
    /// Stage 2: the kind of the beat.
    pub slot: Signal<Out, Slot>,
    /// Stage 2: size of the frame.
    pub size_now: Signal<Out, Size>,
    /// Stage 2: the beat uses a word of payload.
    pub fills: Signal<Out, Bit>,
    /// Stage 2: number of bytes of that word; 0: all.
    pub cut: Signal<Out, Bits<6>>,
    /// Stage 2: egress accepts a word of read data.
    pub pull_read: Signal<Out, Bit>,
    /// Stage 1: egress accepts a word of other software.
    pub pull_other: Signal<Out, Bit>,
    ends: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    answer: Signal<Local, Bit>,
    ordered: Signal<Local, Bit>,
    foreign: Signal<Local, Bit>,
    order_turn: Reg<Bit>,
    busy: Reg<Bit>,
    other: Pipe<Bit>,
    dropped: Pipe<Bit>,
    size: Pipe<Size>,
    first: Pipe<Bit>,
    second: Pipe<Bit>,
    left: Pipe<Bits<8>>,
    done: Pipe<Bit>,
    sized: Signal<Local, Size>,
    more: Pipe<Bits<2>>,
    more_words: Signal<Local, Bit>,
    words: Pipe<Bits<8>>,
    takes: Signal<Local, Bit>,
    alone: Signal<Local, Bit>,
    made: Signal<Local, Slot>,
    s2_valid: Reg<Bit>,
    s2_slot: Pipe<Slot>,
    s2_size: Pipe<Size>,
    s2_fills: Pipe<Bit>,
    s2_cut: Pipe<Bits<6>>,
    s2_pulls: Reg<Bit>,
}

impl Logic for Choice {
    #[clocked(en = free)]
    #[hdl_gen]
    fn update(&mut self) {
        // Replies first; orders and frames of other software in turns.
        self.ends.next = !self.busy.q.val()
            | (self.other.q.val() & self.other_last.val())
            | (!self.other.q.val() & self.done.q.val());
        self.free.next = self.run.val() & self.ends.val();
        self.answer.next = self.free.val() & self.reply_valid.val();
        self.ordered.next = self.free.val()
            & !self.reply_valid.val()
            & self.order_valid.val()
            & (self.order_turn.q.val() | !self.other_valid.val());
        self.foreign.next = self.free.val()
            & !self.reply_valid.val()
            & self.other_valid.val()
            & !(self.order_valid.val() & self.order_turn.q.val());
        self.reply_taken.next = self.answer.val();
        self.order_taken.next = self.ordered.val();
        self.other_taken.next = self.foreign.val();
        self.order_turn.reg = when(self.ordered.val() | self.foreign.val(), self.foreign.val());

        // Stage 1: the beat.
        self.busy.reg = self.answer.val() | self.ordered.val() | self.foreign.val();
        self.other.pipe = self.foreign.val();
        self.dropped.pipe = self.ordered.val() & self.order_drop.val();
        self.sized.next = if self.reply_valid.val() { self.reply_size.val() } else { self.order_size.val() };
        self.size.pipe = self.sized.val();
        // A code of two bits from registers, so that the rotation takes one LUT a bit.
        self.more.pipe = if self.foreign.val() {
            3.into()
        } else {
            bit_cast::<2, 1>(self.sized.val().tagged.into())
                + bit_cast::<2, 1>(self.sized.val().immediate.into())
        };
        self.first.pipe = when(self.run.val(), self.ends.val());
        self.second.pipe = when(self.run.val(), self.first.q.val());
        self.left.pipe = when(self.run.val(), self.left.q.val() - 1);
        self.done.pipe = when(self.run.val(), self.left.q.val() == 1);
        self.more_words.next = self.words.q.val().any();
        self.words.pipe = when(
            self.run.val(),
            if self.more_words.val() & !self.first.q.val() {
                self.words.q.val() - 1
            } else {
                self.words.q.val()
            },
        );
        if self.ends.val() {
            self.left.d.next = self.order_left.val();
            self.done.d.next = !self.order_left.val().any();
            self.words.d.next = self.order_size.val().words;
            if self.reply_valid.val() {
                self.left.d.next = self.reply_size.val().quads.get_bits::<8>(4);
                self.done.d.next = false;
                self.words.d.next = 0.into();
            }
        }
        self.takes.next = self.busy.q.val()
            & !self.other.q.val()
            & !self.dropped.q.val()
            & !self.first.q.val()
            & self.more_words.val();
        self.pull_other.next = self.run.val() & self.busy.q.val() & self.other.q.val();

        // With 64 n + 2 bytes, the last two are in a word of their own.
        self.alone.next = !self.size.q.val().quads.get_bits::<4>(0).any();
        self.made.next.bypass = self.other.q.val();
        self.made.next.first = self.first.q.val();
        self.made.next.second = self.second.q.val();
        self.made.next.last = self.ends.val();
        self.made.next.ends =
            if self.alone.val() { self.left.q.val() == 1 } else { self.done.q.val() & !self.alone.val() };
        self.made.next.spill = self.done.q.val() & self.alone.val();
        if self.other.q.val() {
            self.made.next.ends = false;
            self.made.next.spill = false;
        }
        wire!(self.made.next.* <- self.size.q.val().*: v6, tagged);
        self.made.next.more = self.more.q.val();
        self.made.next.quads = self.size.q.val().quads.get_bits::<4>(0);

        // Stage 2.
        self.s2_valid.reg = when(self.run.val(), self.busy.q.val() & !self.dropped.q.val());
        self.s2_slot.pipe = when(self.run.val(), self.made.val());
        self.s2_size.pipe = when(self.run.val(), self.size.q.val());
        self.s2_fills.pipe = when(self.run.val(), self.takes.val());
        self.s2_cut.pipe =
            when(self.run.val(), if self.words.q.val() == 1 { self.size.q.val().cut } else { 0.into() });
        self.s2_pulls.reg =
            when(self.run.val(), self.takes.val() | (self.busy.q.val() & self.dropped.q.val()));
        self.valid.next = self.s2_valid.q.val();
        self.slot.next = self.s2_slot.q.val();
        self.size_now.next = self.s2_size.q.val();
        self.fills.next = self.s2_fills.q.val();
        self.cut.next = self.s2_cut.q.val();
        self.pull_read.next = self.run.val() & self.s2_pulls.q.val();
    }
}
