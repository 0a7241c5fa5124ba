//! `weft_*_point`: one slot of a ring as a mask that is not registered.

use super::gather::Gather;
use crate::prelude::*;

/// One slot of a ring as a mask, from two registers: its group of 16 slots, and its place in the group. A bit
/// of the mask is the AND of one bit of each.
#[derive(LogicBlock, Default)]
pub struct Point {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The slot.
    pub index: Signal<In, Bits<8>>,
    /// Set its bit.
    pub en: Signal<In, Bit>,
    /// One clock later: the mask.
    pub one: Signal<Out, Bits<256>>,

    slots: Pipe<Bits<16>>,
    group: Pipe<Bits<16>>,
    gather: Gather,
}

impl Logic for Point {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.slots.pipe = bits::<16>(1) << self.index.val().get_bits::<4>(0);
        self.group.pipe = bit_cast::<16, 1>(self.en.val().into()) << self.index.val().get_bits::<4>(4);
        for g in 0..16 {
            self.gather.groups[g].next =
                if self.group.q.val().get_bit(g) { self.slots.q.val() } else { 0.into() };
        }
        self.one.next = self.gather.ring.val();
    }
}
