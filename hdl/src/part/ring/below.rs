//! `weft_*_below`: the slots of a ring below a number, as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// The slots of a ring below a number, as a mask. Decodes the number in groups of 16 slots, then combines group
/// and slot: one LUT a bit in each clock.
#[derive(LogicBlock, Default)]
pub struct Below {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The number.
    pub index: Signal<In, Bits<8>>,
    /// Two clocks later: the slots 0 to `index` - 1.
    pub mask: Signal<Out, Bits<256>>,

    run: Enable,
    full: Pipe<Bits<16>>,
    last: Pipe<Bits<16>>,
    slots: Pipe<Bits<16>>,
    low: Signal<Local, Bits<4>>,
    high: Signal<Local, Bits<4>>,
    gather: Gather,
    out: Pipe<Bits<256>>,
}

impl Logic for Below {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Clock 1: the groups below, the group of the number, the slots below in it.
        self.low.next = self.index.val().get_bits::<4>(0);
        self.high.next = self.index.val().get_bits::<4>(4);
        self.full.pipe = !(bits::<16>(0xFFFF) << self.high.val());
        self.last.pipe = bits::<16>(1) << self.high.val();
        self.slots.pipe = !(bits::<16>(0xFFFF) << self.low.val());

        // Clock 2: the mask.
        for g in 0..16 {
            self.gather.groups[g].next = if self.full.q.val().get_bit(g) {
                0xFFFF.into()
            } else if self.last.q.val().get_bit(g) {
                self.slots.q.val()
            } else {
                0.into()
            };
        }
        self.out.pipe = self.gather.ring.val();
        self.mask.next = self.out.q.val();
    }
}
