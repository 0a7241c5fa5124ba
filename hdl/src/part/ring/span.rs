//! `weft_*_span`: consecutive slots of a ring as a mask.

use super::extent::Extent;
use crate::prelude::*;

/// Consecutive slots of a ring as a mask.
#[derive(LogicBlock, Default)]
pub struct Span {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// The first slot.
    pub start: Signal<In, Bits<8>>,
    /// How many slots, 0 to 256.
    pub length: Signal<In, Bits<9>>,
    /// Two clocks later: the slots `start`, `start` + 1, ... modulo 256.
    pub mask: Signal<Out, Bits<256>>,

    extent: Extent,
    out: Pipe<Bits<256>>,
}

impl Logic for Span {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.extent.* <- self.*: clk, run, start, length);
        self.out.pipe = self.extent.mask.val();
        self.mask.next = self.out.q.val();
    }
}
