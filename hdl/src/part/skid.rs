//! `weft_*_skid`: a block's output register and one more word, so that the pipeline's enable is a register.

use crate::prelude::*;

/// A block's output register and one more word, so that the pipeline's enable is a register: `run` falls in
/// the clock after the skid had to store a second word.
///
/// # Parameters
///
/// Words of `W` bits.
#[derive(LogicBlock, Default)]
pub struct Skid<const W: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline delivers a word.
    pub in_valid: Signal<In, Bit>,
    /// The word.
    pub in_word: Signal<In, Bits<W>>,
    /// The pipeline moves; a register.
    pub run: Signal<Out, Bit>,
    /// The next value of `run`, unless reset: for enables of the pipeline's modules.
    pub next_run: Signal<Out, Bit>,
    /// A word is offered; a register.
    pub out_valid: Signal<Out, Bit>,
    /// The word. A register without reset, which keeps its value until the queue offers the next word.
    pub out_word: Signal<Out, Bits<W>>,
    /// The word is accepted.
    pub out_ready: Signal<In, Bit>,

    running: Enable,
    held_word: Pipe<Bits<W>>,
    offered: Reg<Bit>,
    offered_word: Pipe<Bits<W>>,
    free: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
}

impl<const W: usize> Logic for Skid<W> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.free.next = self.out_ready.val() | !self.offered.q.val();
        self.some.next = self.in_valid.val() | !self.running.q.val();

        // Keep the word back until the offered one is accepted.
        self.moves.next = !self.some.val() | self.free.val();
        wire!(self.running.* <- self.*: clk, rst);
        self.running.next_run.next = self.moves.val();
        self.held_word.pipe = when(self.running.q.val(), self.in_word.val());

        self.offered.reg = when(self.free.val(), self.some.val());
        self.offered_word.pipe = when(
            self.free.val() & self.some.val(),
            if self.running.q.val() { self.in_word.val() } else { self.held_word.q.val() },
        );

        self.run.next = self.running.q.val();
        self.next_run.next = self.moves.val();
        self.out_valid.next = self.offered.q.val();
        self.out_word.next = self.offered_word.q.val();
    }
}
