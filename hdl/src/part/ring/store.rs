//! `weft_*_store`: a ring for every connection, read and written by one event per clock for any connection pattern.

use crate::part::context::Context;
use crate::prelude::*;

/// A ring for every connection, read and written by one event per clock for any connection pattern.
///
/// # Parameters
///
/// `A` bits of connection number, `P` slots. The stages are those of [`Context`].
#[derive(LogicBlock, BlockDefault)]
pub struct Store<const A: usize, const P: usize = 256> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. The rings are undefined until written.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 1: an event.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: connection of the event.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 4: bits that it sets. (`set` and `before` are words of C++ and SystemVerilog.)
    pub mark: Signal<In, Bits<P>>,
    /// Stage 4: bits that it clears, unless it marks them.
    pub clear: Signal<In, Bits<P>>,
    /// Stage 4: the ring before the event.
    pub prior: Signal<Out, Bits<P>>,
    /// Stage 5: the ring after the event; a register.
    pub after: Signal<Out, Bits<P>>,

    rings: Context<Bits<P>, A>,
}

impl<const A: usize, const P: usize> Logic for Store<A, P> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.rings.* <- self.*: clk, rst, next_run, in_live, in_id);
        self.rings.word.next = (self.rings.prior.val() & !self.clear.val()) | self.mark.val();
        wire!(self.* <- self.rings.*: prior, after);
    }
}
