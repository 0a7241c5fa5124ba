//! `weft_*_skid`: a block's output register and one more word, so that the pipeline's enable is a register.

use crate::prelude::*;

/// A block's output register and one more word, so that the pipeline's enable is a register: `run` falls in the
/// clock after a word had to be kept back.
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
    /// What `run` is in the next clock, unless it is reset: for copies of it.
    pub next_run: Signal<Out, Bit>,
    /// A word is offered; a register.
    pub out_valid: Signal<Out, Bit>,
    /// The word; a register that holds its value while none is offered.
    pub out_word: Signal<Out, Bits<W>>,
    /// The word is taken.
    pub out_ready: Signal<In, Bit>,

    running: Copies<1>,
    held_word: Pipe<Bits<W>>,
    offered: Reg<Bit>,
    offered_word: Reg<Bits<W>>,
    moves: Signal<Local, Bit>,
    free: Signal<Local, Bit>,
    some: Signal<Local, Bit>,
}

impl<const W: usize> Logic for Skid<W> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.moves.next = self.running.q.val().get_bit(0);
        self.free.next = self.out_ready.val() | !self.offered.q.val();
        self.some.next = self.in_valid.val() | !self.moves.val();

        // Keep the word back while the offered one is not taken.
        wire!(self.running.* <- self.*: clk, rst);
        self.running.d.next = !self.some.val() | self.free.val();
        self.held_word.pipe = when(self.moves.val(), self.in_word.val());

        self.offered.reg = when(self.free.val(), self.some.val());
        self.offered_word.reg = when(
            self.free.val() & self.some.val(),
            if self.moves.val() { self.in_word.val() } else { self.held_word.q.val() },
        );

        self.run.next = self.moves.val();
        self.next_run.next = self.running.d.val();
        self.out_valid.next = self.offered.q.val();
        self.out_word.next = self.offered_word.q.val();
    }
}
