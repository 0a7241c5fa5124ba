//! `weft_sender_lists`: the lists of ACKs. A list stays from the acceptance of its ACK to the report of the
//! ACK's outcome.

use super::words::{Listing, Value};
use crate::part::fifo::Fifo;
use crate::part::ring::first::First;
use crate::prelude::*;
use crate::word::Acknowledgement;

/// With this number of entries in the queue, the block accepts no further ACK: the remaining places are for
/// the entries of one ACK.
const LIMIT: u64 = 480;

/// The lists of ACKs, from the acceptance of an ACK to the report of its outcome. One queue has the length of
/// each list; another queue has the entries one by one.
#[derive(LogicBlock, BlockDefault)]
pub struct Lists {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: the lists are empty.
    pub rst: Signal<In, Bit>,
    /// The list has space for an ACK or NACK; a function of registers.
    pub ready: Signal<Out, Bit>,
    /// An ACK or NACK is accepted.
    pub taken: Signal<In, Bit>,
    /// The ACK or NACK.
    pub ack: Signal<In, Acknowledgement>,
    /// The outcome of an ACK is accepted.
    pub outcome: Signal<In, Bit>,
    /// Counts of that ACK's list.
    pub listing: Signal<Out, Listing>,
    /// The next entry is reported or dropped.
    pub entry_ready: Signal<In, Bit>,
    /// The next entry.
    pub entry: Signal<Out, Value>,

    #[new(LIMIT.to_bits())]
    limit: Constant<Bits<10>>,
    #[new(true)]
    room: Reg<Bit>,
    answer: Signal<Local, Acknowledgement>,
    there: Signal<Local, Bits<16>>,
    some: Reg<Bit>,
    lowest: First,
    left: Reg<Bits<16>>,
    rest: Signal<Local, Bits<16>>,
    counting: Reg<Bit>,
    held_marks: Pipe<Bits<16>>,
    held_evs: Pipe<Bits<256>>,
    s2_some: Reg<Bit>,
    s2_begins: Reg<Bit>,
    s2_ends: Reg<Bit>,
    s2_index: Pipe<Bits<4>>,
    mark: Signal<Local, Bit>,
    s3_some: Reg<Bit>,
    s3_begins: Reg<Bit>,
    s3_ends: Reg<Bit>,
    s3_mark: Pipe<Bit>,
    listed: Pipe<Bits<5>>,
    marked: Pipe<Bits<5>>,
    count: Signal<Local, Listing>,
    picked_at: Signal<Local, Bits<8>>,
    next: Signal<Local, Value>,
    entries: Fifo<Value, 9, 10>,
    counts: Fifo<Listing, 5, 6>,
}

impl Logic for Lists {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.room.reg = self.entries.level.val() < self.limit.val();
        self.ready.next = !self.some.q.val() & self.room.q.val();

        // The ACK that is accepted, and the entry that is offered while the list before is used up; a NACK
        // has no list.
        self.answer.next = self.ack.val();
        self.there.next = if self.answer.val().nack { 0.into() } else { self.answer.val().there };
        self.held_marks.pipe = when(!self.some.q.val(), self.answer.val().marked);
        self.held_evs.pipe = when(!self.some.q.val(), self.answer.val().evs);

        // Entries of the list, the lowest first, one per clock.
        self.lowest.vec.next = self.left.q.val();
        self.rest.next = self.left.q.val() & (self.left.q.val() - 1);
        self.left.reg = if self.taken.val() { self.there.val() } else { self.rest.val() };
        self.some.reg = if self.taken.val() { self.there.val().any() } else { self.rest.val().any() };
        self.counting.reg = if self.taken.val() {
            !self.answer.val().nack
        } else {
            self.counting.q.val() & self.some.q.val()
        };
        self.s2_some.reg = self.some.q.val();
        self.s2_index.pipe = self.lowest.index.val();
        self.s2_begins.reg = self.taken.val();
        self.s2_ends.reg = self.counting.q.val() & !self.some.q.val();

        // The next ACK is not held before the clock behind the last entry's.
        self.picked_at.next = bit_cast::<8, 4>(self.s2_index.q.val()) << 4;
        self.mark.next =
            self.s2_some.q.val() & self.held_marks.q.val().get_bit(self.s2_index.q.val().index());
        self.next.next.ev = (self.held_evs.q.val() >> self.picked_at.val()).get_bits::<16>(0);
        self.next.next.ce = self.mark.val();

        // Number of entries, and of those with a mark: known when the last entry is in the queue.
        self.s3_some.reg = self.s2_some.q.val();
        self.s3_begins.reg = self.s2_begins.q.val();
        self.s3_ends.reg = self.s2_ends.q.val();
        self.s3_mark.pipe = self.mark.val();
        self.listed.pipe = if self.s3_begins.q.val() {
            0.into()
        } else {
            self.listed.q.val() + bit_cast::<5, 1>(self.s3_some.q.val().into())
        };
        self.marked.pipe = if self.s3_begins.q.val() {
            0.into()
        } else {
            self.marked.q.val() + bit_cast::<5, 1>(self.s3_mark.q.val().into())
        };
        self.count.next.listed = self.listed.q.val();
        self.count.next.marked = self.marked.q.val();
        wire!(self.entries.*, self.counts.* <- self.*: clk, rst);
        self.entries.in_valid.next = self.s2_some.q.val();
        self.entries.in_word.next = self.next.val();
        self.entries.in_commit.next = true;
        self.entries.in_rollback.next = false;
        self.entries.out_ready.next = self.entry_ready.val();
        self.entry.next = self.entries.out_word.val();

        self.counts.in_valid.next = self.s3_ends.q.val();
        self.counts.in_word.next = self.count.val();
        self.counts.in_commit.next = true;
        self.counts.in_rollback.next = false;
        self.counts.out_ready.next = self.outcome.val();
        self.listing.next = self.counts.out_word.val();
    }
}
