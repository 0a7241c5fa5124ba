//! `weft_*_gather`: a ring of its 16 groups.

use crate::prelude::*;

/// A ring of its 16 groups: wiring.
#[derive(LogicBlock, Default)]
pub struct Gather {
    /// Groups of 16 slots, from slot 0 on.
    pub groups: [Signal<In, Bits<16>>; 16],
    /// The ring.
    pub ring: Signal<Out, Bits<256>>,

    quarters: [Signal<Local, Bits<64>>; 4],
}

impl Logic for Gather {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.quarters[i].next = self.groups[4 * i].val().get_bits::<64>(0)
                | (self.groups[4 * i + 1].val().get_bits::<64>(0) << 16)
                | (self.groups[4 * i + 2].val().get_bits::<64>(0) << 32)
                | (self.groups[4 * i + 3].val().get_bits::<64>(0) << 48);
        }
        self.ring.next = bit_cast::<256, 64>(self.quarters[0].val())
            | (bit_cast::<256, 64>(self.quarters[1].val()) << 64)
            | (bit_cast::<256, 64>(self.quarters[2].val()) << 128)
            | (bit_cast::<256, 64>(self.quarters[3].val()) << 192);
    }
}
