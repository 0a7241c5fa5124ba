//! `weft_*_sum`: a counter of amounts in 24 bits, modulo 2^24.

use crate::prelude::*;

/// Adds the amounts of the clocks in which `add` is set, in 24 bits, modulo 2^24.
#[derive(LogicBlock, Default)]
pub struct Sum {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to 0.
    pub rst: Signal<In, Bit>,
    /// Add the amount.
    pub add: Signal<In, Bit>,
    /// The amount.
    pub amount: Signal<In, Bits<14>>,
    /// The sum; a register.
    pub sum: Signal<Out, Bits<24>>,

    total: Reg<Bits<24>>,
}

impl Logic for Sum {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.total.reg = when(self.add.val(), self.total.q.val() + bit_cast::<24, 14>(self.amount.val()));
        self.sum.next = self.total.q.val();
    }
}
