//! `weft_registers_ticks`: the time.

use crate::prelude::*;

/// The time: counts a tick every 2^shift clocks.
#[derive(LogicBlock, BlockDefault)]
pub struct Ticks {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to 0.
    pub rst: Signal<In, Bit>,
    /// A tick has 2 to the power of this clocks.
    pub shift: Signal<In, Bits<4>>,
    /// The time; a register.
    pub now: Signal<Out, Bits<32>>,

    #[new(0x7FFFu64.to_bits())]
    ones: Constant<Bits<15>>,
    above: Reg<Bits<15>>,
    clocks: Reg<Bits<15>>,
    tick: Reg<Bit>,
    count: Reg<Bits<32>>,
}

impl Logic for Ticks {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // The clocks' bits that do not count.
        self.above.reg = self.ones.val() << self.shift.val();
        self.clocks.reg = self.clocks.q.val() + 1;
        self.tick.reg = (self.clocks.q.val() | self.above.q.val()).all();
        self.count.reg = when(self.tick.q.val(), self.count.q.val() + 1);
        self.now.next = self.count.q.val();
    }
}
