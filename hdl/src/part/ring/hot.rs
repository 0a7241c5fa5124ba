//! `weft_*_hot`: one slot of a ring as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// One slot of a ring as a mask: a register with one bit set, or none.
///
/// # Parameters
///
/// `S` bits of a slot's number, `P` slots, `G = P / 16` groups, `H = S - 4` bits of a group's number, `E` = 1 for
/// rings above 256 slots, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Hot<
    const S: usize = 8,
    const P: usize = 256,
    const G: usize = 16,
    const H: usize = 4,
    const E: usize = 0,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The slot.
    pub index: Signal<In, Bits<S>>,
    /// Set its bit.
    pub en: Signal<In, Bit>,
    /// One clock later: the mask.
    pub one: Signal<Out, Bits<P>>,

    run: Enable,
    slots: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<G>>,
    gather: Gather<P, G, E>,
    mask: Pipe<Bits<P>>,
}

impl<const S: usize, const P: usize, const G: usize, const H: usize, const E: usize> Logic
    for Hot<S, P, G, H, E>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Groups of 16 slots and slots in the group, then both: a decoder of two small ones.
        self.slots.next = bits::<16>(1) << self.index.val().get_bits::<4>(0);
        self.group.next = bit_cast::<G, 1>(self.en.val().into()) << self.index.val().get_bits::<H>(4);
        for g in 0..G {
            self.gather.groups[g].next =
                if self.group.val().get_bit(g) { self.slots.val() } else { 0.into() };
        }
        self.mask.pipe = self.gather.ring.val();
        self.one.next = self.mask.q.val();
    }
}
