//! `weft_egress_others`: frames of other software, stored until they are complete.

use super::words::Beat;
use crate::part::fifo::Fifo;
use crate::prelude::*;

/// Stores frames of other software, 512 words, until they are complete. Outputs are registers or functions of
/// registers.
#[derive(LogicBlock, Default)]
pub struct Others {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// A word is offered.
    pub in_valid: Signal<In, Bit>,
    /// The word is accepted.
    pub in_ready: Signal<Out, Bit>,
    /// The word.
    pub in_word: Signal<In, Beat>,
    /// A frame is complete and waits for its turn; a register.
    pub some: Signal<Out, Bit>,
    /// The turn of the frame has arrived.
    pub taken: Signal<In, Bit>,
    /// Stage 1: the first word that is still in the queue is the last of its frame.
    pub last: Signal<Out, Bit>,
    /// Stage 2: the word.
    pub word: Signal<Out, Beat>,
    /// Stage 1: the word leaves the queue.
    pub pull: Signal<In, Bit>,
    /// A frame of more than 256 words has ended and is dropped.
    pub overflow: Signal<Out, Bit>,

    run: Enable,
    words: Fifo<Beat, 9, 10>,
    first: Signal<Local, Beat>,
    s2_word: Pipe<Beat>,
    ready: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    excess: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    stored: Reg<Bits<9>>,
    ended: Reg<Bit>,
    waiting: Reg<Bits<10>>,
    waits: Reg<Bit>,
}

impl Logic for Others {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = !self.words.full.val();
        self.in_ready.next = self.ready.val();
        self.accept.next = self.in_valid.val() & self.ready.val();

        // A frame of more than 256 words is dropped.
        self.excess.next = self.stored.q.val().get_bit(8);
        self.ends.next = self.accept.val() & self.in_word.val().last & !self.excess.val();
        self.overflow.next = self.accept.val() & self.in_word.val().last & self.excess.val();
        self.stored.reg = when(
            self.accept.val(),
            if self.in_word.val().last {
                0.into()
            } else if !self.excess.val() {
                self.stored.q.val() + 1
            } else {
                self.stored.q.val()
            },
        );
        wire!(self.words.* <- self.*: clk, rst);
        wire!(self.run.* <- self.*: clk, rst, next_run);
        // The queue ignores words when it is full, so this input need not depend on its level.
        self.words.in_valid.next = self.in_valid.val() & !self.excess.val();
        self.words.in_word.next = self.in_word.val();
        self.words.in_commit.next = self.ends.val();
        self.words.in_rollback.next = self.accept.val() & self.excess.val();
        self.words.out_ready.next = self.pull.val();
        self.first.next = self.words.out_word.val();
        self.last.next = self.first.val().last;
        self.s2_word.pipe = when(self.run.q.val(), self.first.val());
        self.word.next = self.s2_word.q.val();

        // A frame counts from the clock in which its first word, if no frame is before it, can be at the exit in time.
        self.ended.reg = self.ends.val();
        self.waiting.reg = if self.ended.q.val() & !self.taken.val() {
            self.waiting.q.val() + 1
        } else if !self.ended.q.val() & self.taken.val() {
            self.waiting.q.val() - 1
        } else {
            self.waiting.q.val()
        };
        self.waits.reg = if self.taken.val() & !self.ended.q.val() {
            self.waiting.q.val() != 1
        } else {
            self.ended.q.val() | self.waiting.q.val().any()
        };
        self.some.next = self.waits.q.val();
    }
}
