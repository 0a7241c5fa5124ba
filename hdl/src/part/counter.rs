//! `weft_*_counter`: a counter of 16 bits, modulo 2^16.

use crate::prelude::*;

/// Counts the clocks in which `one` is set, in 16 bits, modulo 2^16.
#[derive(LogicBlock, Default)]
pub struct Counter {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to 0.
    pub rst: Signal<In, Bit>,
    /// Count.
    pub one: Signal<In, Bit>,
    /// The count; a register.
    pub count: Signal<Out, Bits<16>>,

    total: Reg<Bits<16>>,
}

impl Logic for Counter {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.total.reg = when(self.one.val(), self.total.q.val() + 1);
        self.count.next = self.total.q.val();
    }
}
