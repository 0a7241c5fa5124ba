//! `weft_*_point`: one slot of a ring as a mask that is not registered.

use super::gather::Gather;
use crate::prelude::*;

/// One slot of a ring as a mask: registers of its group of 16 slots and of its place in the group; a bit of the mask
/// is one of each.
///
/// # Parameters
///
/// `S` bits of a slot's number, `P` slots, `G = P / 16` groups, `H = S - 4` bits of a group's number, `E` = 1 for
/// rings above 256 slots, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Point<
    const S: usize = 8,
    const P: usize = 256,
    const G: usize = 16,
    const H: usize = 4,
    const E: usize = 0,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The slot.
    pub index: Signal<In, Bits<S>>,
    /// Set its bit.
    pub en: Signal<In, Bit>,
    /// One clock later: the mask.
    pub one: Signal<Out, Bits<P>>,

    slots: Pipe<Bits<16>>,
    group: Pipe<Bits<G>>,
    gather: Gather<P, G, E>,
}

impl<const S: usize, const P: usize, const G: usize, const H: usize, const E: usize> Logic
    for Point<S, P, G, H, E>
{
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.slots.pipe = bits::<16>(1) << self.index.val().get_bits::<4>(0);
        self.group.pipe = bit_cast::<G, 1>(self.en.val().into()) << self.index.val().get_bits::<H>(4);
        for g in 0..G {
            self.gather.groups[g].next =
                if self.group.q.val().get_bit(g) { self.slots.q.val() } else { 0.into() };
        }
        self.one.next = self.gather.ring.val();
    }
}
