//! `weft_*_hot`: one slot of a ring as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// One slot of a ring as a mask: a register with at most one bit set.
#[derive(LogicBlock, Default)]
pub struct Hot {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The slot.
    pub index: Signal<In, Bits<8>>,
    /// Set its bit.
    pub en: Signal<In, Bit>,
    /// One clock later: the mask.
    pub one: Signal<Out, Bits<256>>,

    run: Enable,
    slots: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<16>>,
    gather: Gather,
    mask: Pipe<Bits<256>>,
}

impl Logic for Hot {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Groups of 16 slots and slots in the group, then both: a decoder of two small ones.
        self.slots.next = bits::<16>(1) << self.index.val().get_bits::<4>(0);
        self.group.next = bit_cast::<16, 1>(self.en.val().into()) << self.index.val().get_bits::<4>(4);
        for g in 0..16 {
            self.gather.groups[g].next =
                if self.group.val().get_bit(g) { self.slots.val() } else { 0.into() };
        }
        self.mask.pipe = self.gather.ring.val();
        self.one.next = self.mask.q.val();
    }
}
