//! `weft_*_gather`: a ring of its groups of 16 slots.

use crate::prelude::*;

/// A ring of its 16 groups: wiring.
///
/// # Parameters
///
/// `P` slots, `G = P / 16` groups, `E` = 1 for rings above 256 slots, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Gather<const P: usize = 256, const G: usize = 16, const E: usize = 0> {
    /// Groups of 16 slots, from slot 0 on.
    pub groups: [Signal<In, Bits<16>>; G],
    /// The ring.
    pub ring: Signal<Out, Bits<P>>,

    #[new((P as u64 - 16).to_bits())]
    top: Constant<Bits<16>>,
    all: [Signal<Local, Bits<P>>; E],
    quarters: [Signal<Local, Bits<64>>; 4],
}

impl<const P: usize, const G: usize, const E: usize> Logic for Gather<P, G, E> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.quarters[i].next = self.groups[4 * i].val().get_bits::<64>(0)
                | (self.groups[4 * i + 1].val().get_bits::<64>(0) << 16)
                | (self.groups[4 * i + 2].val().get_bits::<64>(0) << 32)
                | (self.groups[4 * i + 3].val().get_bits::<64>(0) << 48);
        }
        self.ring.next = bit_cast::<P, 64>(self.quarters[0].val())
            | (bit_cast::<P, 64>(self.quarters[1].val()) << 64)
            | (bit_cast::<P, 64>(self.quarters[2].val()) << 128)
            | (bit_cast::<P, 64>(self.quarters[3].val()) << 192);
        for e in 0..E {
            self.all[e].next = 0.into();
            for g in 0..G {
                self.all[e].next =
                    (self.all[e].val() >> 16) | (self.groups[g].val().get_bits::<P>(0) << self.top.val());
            }
            self.ring.next = self.all[e].val();
        }
    }
}
