//! `weft_*_below`: the slots of a ring below a number, as a mask.

use super::gather::Gather;
use crate::prelude::*;

/// The slots of a ring below a number, as a mask. Decodes the number in groups of 16 slots, then combines group
/// and slot: one LUT a bit in each clock.
///
/// # Parameters
///
/// `S` bits of a slot's number, `P` slots, `G = P / 16` groups, `H = S - 4` bits of a group's number, `E` = 1 for rings
/// above 256 slots, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Below<
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
    /// The number.
    pub index: Signal<In, Bits<S>>,
    /// Two clocks later: the slots 0 to `index` - 1.
    pub mask: Signal<Out, Bits<P>>,

    run: Enable,
    full: Pipe<Bits<G>>,
    last: Pipe<Bits<G>>,
    slots: Pipe<Bits<16>>,
    low: Signal<Local, Bits<4>>,
    high: Signal<Local, Bits<H>>,
    gather: Gather<P, G, E>,
    out: Pipe<Bits<P>>,
}

impl<const S: usize, const P: usize, const G: usize, const H: usize, const E: usize> Logic
    for Below<S, P, G, H, E>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Clock 1: the groups below, the group of the number, the slots below in it.
        self.low.next = self.index.val().get_bits::<4>(0);
        self.high.next = self.index.val().get_bits::<H>(4);
        self.full.pipe = !(bits::<G>(0xFFFF) << self.high.val());
        for _larger in 0..E {
            self.full.d.next = !(!bits::<G>(0) << self.high.val());
        }
        self.last.pipe = bits::<G>(1) << self.high.val();
        self.slots.pipe = !(bits::<16>(0xFFFF) << self.low.val());

        // Clock 2: the mask.
        for g in 0..G {
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
