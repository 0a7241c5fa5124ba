//! `weft_*_span`: consecutive slots of a ring as a mask.

use super::extent::Extent;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask.
#[derive(LogicBlock, Default)]
pub struct Span {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The first slot.
    pub start: Signal<In, Bits<8>>,
    /// Number of slots, 0 to 256.
    pub length: Signal<In, Bits<9>>,
    /// Two clocks later: the slots `start`, `start` + 1, ... modulo 256.
    pub mask: Signal<Out, Bits<256>>,

    run: Enable,
    extent: Extent,
    out: Pipe<Bits<256>>,
}

impl Logic for Span {
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
