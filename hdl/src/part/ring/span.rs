//! `weft_*_span`: consecutive slots of a ring as a mask.

use super::extent::Extent;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask.
///
/// # Parameters
///
/// Those of [`Extent`].
#[derive(LogicBlock, BlockDefault)]
pub struct Span<
    const S: usize = 8,
    const N: usize = 9,
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
    /// The first slot.
    pub start: Signal<In, Bits<S>>,
    /// Number of slots, 0 to 256.
    pub length: Signal<In, Bits<N>>,
    /// Two clocks later: the slots `start`, `start` + 1, ... modulo 256.
    pub mask: Signal<Out, Bits<P>>,

    run: Enable,
    extent: Extent<S, N, P, G, H, E>,
    out: Pipe<Bits<P>>,
}

impl<const S: usize, const N: usize, const P: usize, const G: usize, const H: usize, const E: usize> Logic
    for Span<S, N, P, G, H, E>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);
        wire!(self.extent.* <- self.*: clk, start, length);
        self.extent.run.next = self.run.q.val();
        self.out.pipe = self.extent.mask.val();
        self.mask.next = self.out.q.val();
    }
}
