//! `weft_registers_ticks`: the time.

use crate::prelude::*;

/// The time: counts a tick every 2^shift clocks.
#[derive(LogicBlock)]
pub struct Ticks {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset to 0.
    pub rst: Signal<In, Bit>,
    /// A tick has 2 to the power of this clocks.
    pub shift: Signal<In, Bits<4>>,
    /// The time; a register.
    pub now: Signal<Out, Bits<32>>,

    ones: Constant<Bits<15>>,
    above: Reg<Bits<15>>,
    clocks: Reg<Bits<15>>,
    tick: Reg<Bit>,
    count: Reg<Bits<32>>,
}

impl Default for Ticks {
    fn default() -> Self {
        Ticks {
            clk: Default::default(),
            rst: Default::default(),
            shift: Default::default(),
            now: Default::default(),
            ones: Constant::new(0x7FFFu64.to_bits()),
            above: Default::default(),
            clocks: Default::default(),
            tick: Default::default(),
            count: Default::default(),
        }
    }
}

impl Logic for Ticks {
    #[hdl_gen]
    fn update(&mut self) {
        // The clocks' bits that do not count.
        self.above.clk.next = self.clk.val();
        self.above.rst.next = self.rst.val();
        self.above.en.next = true;
        self.above.d.next = self.ones.val() << self.shift.val();
        self.clocks.clk.next = self.clk.val();
        self.clocks.rst.next = self.rst.val();
        self.clocks.en.next = true;
        self.clocks.d.next = self.clocks.q.val() + 1;
        self.tick.clk.next = self.clk.val();
        self.tick.rst.next = self.rst.val();
        self.tick.en.next = true;
        self.tick.d.next = (self.clocks.q.val() | self.above.q.val()).all();
        self.count.clk.next = self.clk.val();
        self.count.rst.next = self.rst.val();
        self.count.en.next = self.tick.q.val();
        self.count.d.next = self.count.q.val() + 1;
        self.now.next = self.count.q.val();
    }
}
