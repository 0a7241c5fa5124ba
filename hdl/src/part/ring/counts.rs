//! `weft_*_counts`: the number of bits of a ring that are set beyond its first 256 slots.

use super::count::Count;
use crate::prelude::*;

/// The number of bits of a ring that are set beyond its first 256 slots.
///
/// # Parameters
///
/// `N` bits of a number of slots, `P` slots, `X` blocks of 256 beyond the first.
#[derive(LogicBlock, BlockDefault)]
pub struct Counts<const N: usize, const P: usize, const X: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The ring.
    pub vec: Signal<In, Bits<P>>,
    /// Four clocks later: the number.
    pub total: Signal<Out, Bits<N>>,

    counts: [Count; X],
    sum: Signal<Local, Bits<N>>,
}

impl<const N: usize, const P: usize, const X: usize> Logic for Counts<N, P, X> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = 0.into();
        for x in 0..X {
            wire!(self.counts[x].* <- self.*: clk, rst, next_run);
            self.counts[x].vec.next = self.vec.val().get_bits::<256>(256 * x + 256);
            self.sum.next = self.sum.val() + self.counts[x].total.val().get_bits::<N>(0);
        }
        self.total.next = self.sum.val();
    }
}
