//! `weft_sack_rx_cover`: stages 5 to 20, which PSNs the bitmap covers in windows above 256 PSNs.

use crate::part::ring::Extent;
use crate::prelude::*;

/// Stages 5 to 20: the 256 PSNs that the bitmap covers in a window above 256 PSNs. They begin with the cumulative PSN or,
/// if the packet's PSN is far, 255 PSNs before that.
///
/// # Parameters
///
/// Those of [`Window`](super::window::Window).
#[derive(LogicBlock, BlockDefault)]
pub struct Cover<
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 5: the packet's PSN.
    pub s5_psn: Signal<In, Bits<24>>,
    /// Stage 5: its slot.
    pub s5_slot: Signal<In, Bits<S>>,
    /// Stage 13: slot of the published cumulative PSN.
    pub s13_from: Signal<In, Bits<S>>,
    /// Stage 13: PSNs from there to the new cumulative one.
    pub s13_run: Signal<In, Bits<N>>,
    /// Stage 14: the new cumulative PSN.
    pub s14_expected: Signal<In, Bits<24>>,
    /// Stage 16: the PSNs received beyond it.
    pub s16_beyond: Signal<In, Bits<P>>,
    /// Stage 16: those of them that the bitmap covers, by slot modulo 256.
    pub s16_covered: Signal<Out, Bits<256>>,
    /// Stage 16: the turn that brings the first of them to bit 0.
    pub s16_amount: Signal<Out, Bits<8>>,
    /// Stage 20: the packet's PSN is far.
    pub s20_far: Signal<Out, Bit>,

    run: Enable,
    extent: Extent<S, N, P, G, H, E>,
    #[new(9)]
    s14_psn: Delay<Bits<24>>,
    #[new(9)]
    s14_slot: Delay<Bits<S>>,
    s14_first: Pipe<Bits<S>>,
    ahead: Signal<Local, Bits<24>>,
    s15_far: Pipe<Bit>,
    s15_first: Pipe<Bits<S>>,
    s15_last: Pipe<Bits<S>>,
    first: Signal<Local, Bits<S>>,
    s16_turn: Pipe<Bits<S>>,
    covered: Signal<Local, Bits<P>>,
    folded: Signal<Local, Bits<256>>,
    #[new(5)]
    s20_line: Delay<Bit>,
}

impl<
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
> Logic for Cover<S, N, P, G, H, E, X>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Stage 14: whether the PSN is 256 or more beyond the cumulative one, and in the window.
        self.s14_psn.delay = self.s5_psn.val();
        self.s14_slot.delay = self.s5_slot.val();
        self.s14_first.pipe = self.s13_from.val() + self.s13_run.val().get_bits::<S>(0);
        self.ahead.next = self.s14_psn.q.val() - self.s14_expected.val();
        for s in S..N {
            self.s15_far.pipe =
                self.ahead.val().get_bits::<16>(8).any() & !self.ahead.val().get_bits::<16>(s).any();
        }
        self.s15_first.pipe = self.s14_first.q.val();
        self.s15_last.pipe = self.s14_slot.q.val();

        // Stage 15: the slot of the bitmap's first PSN, and 256 slots from there on.
        self.first.next =
            if self.s15_far.q.val() { self.s15_last.q.val() - 255 } else { self.s15_first.q.val() };
        self.extent.clk.next = self.clk.val();
        self.extent.run.next = self.run.q.val();
        self.extent.start.next = self.first.val();
        self.extent.length.next = 256.into();
        self.s16_turn.pipe = bits::<S>(0) - self.first.val();

        // Stage 16: no two of them are the same modulo 256.
        self.covered.next = self.s16_beyond.val() & self.extent.mask.val();
        self.folded.next = self.covered.val().get_bits::<256>(0);
        for x in 0..X {
            self.folded.next = self.folded.val() | self.covered.val().get_bits::<256>(256 * x + 256);
        }
        self.s16_covered.next = self.folded.val();
        self.s16_amount.next = self.s16_turn.q.val().get_bits::<8>(0);
        self.s20_line.delay = self.s15_far.q.val();
        self.s20_far.next = self.s20_line.q.val();
    }
}
