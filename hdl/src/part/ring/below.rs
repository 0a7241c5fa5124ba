//! `weft_*_below`: the slots of a ring below a number, as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// The slots of a ring below a number, as a mask. The registers hold groups of 16 slots and the slots of one group; what
/// uses a bit of the mask finds three of them in one LUT.
#[derive(LogicBlock, Default)]
pub struct Below {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The number.
    pub index: Signal<In, Bits<8>>,
    /// Two clocks later: the slots 0 to `index` - 1, each bit of three registers.
    pub mask: Signal<Out, Bits<256>>,

    number: Pipe<Bits<8>>,
    low: Signal<Local, Bits<4>>,
    high: Signal<Local, Bits<4>>,
    full: Pipe<Bits<16>>,
    last: Pipe<Bits<16>>,
    slots: Pipe<Bits<16>>,
    gather: Gather,
}

impl Logic for Below {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Clock 1: the number.
        self.number.pipe = self.index.val();

        // Clock 2: the groups below, the group of the number, the slots below in it.
        self.low.next = self.number.q.val().get_bits::<4>(0);
        self.high.next = self.number.q.val().get_bits::<4>(4);
        self.full.pipe = !(bits::<16>(0xFFFF) << self.high.val());
        self.last.pipe = bits::<16>(1) << self.high.val();
        self.slots.pipe = !(bits::<16>(0xFFFF) << self.low.val());

        // The mask.
        for g in 0..16 {
            self.gather.groups[g].next = if self.full.q.val().get_bit(g) {
                0xFFFF.into()
            } else if self.last.q.val().get_bit(g) {
                self.slots.q.val()
            } else {
                0.into()
            };
        }
        self.mask.next = self.gather.ring.val();
    }
}
