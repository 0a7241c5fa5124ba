//! `weft_receiver_ahead`: what waits in a queue ahead of a close.

use crate::prelude::*;

/// Counts what is in a queue, and what of it is ahead of a close: that is out when nothing is.
#[derive(LogicBlock, Default)]
pub struct Ahead {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// A word goes into the queue.
    pub word_in: Signal<In, Bit>,
    /// A word leaves it.
    pub word_out: Signal<In, Bit>,
    /// A close comes behind all that is in it.
    pub closes: Signal<In, Bit>,
    /// The close is taken.
    pub taken: Signal<In, Bit>,
    /// A close has come, and all that was ahead of it is out; a function of registers.
    pub out: Signal<Out, Bit>,

    held: Reg<Bits<6>>,
    less: Signal<Local, Bits<6>>,
    waits: Reg<Bit>,
    left: Reg<Bits<6>>,
}

impl Logic for Ahead {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.less.next = self.held.q.val() - bit_cast::<6, 1>(self.word_out.val().into());
        self.held.reg = self.less.val() + bit_cast::<6, 1>(self.word_in.val().into());
        self.waits.reg = when(self.closes.val() | self.taken.val(), self.closes.val());
        self.left.reg = when(
            self.closes.val() | (self.word_out.val() & self.left.q.val().any()),
            if self.closes.val() { self.less.val() } else { self.left.q.val() - 1 },
        );
        self.out.next = self.waits.q.val() & !self.left.q.val().any();
    }
}
