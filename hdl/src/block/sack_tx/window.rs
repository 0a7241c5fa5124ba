//! `weft_sack_tx_window`: stages 5 to 16, the rings of the window and their contents after an event.
//!
//! The rings are exact for every event. The published PSNs, relative to which the block reads the rings, may
//! be older.

use super::words::Placed;
use crate::part::ring::{Count, Counts, Extent, Find, Finds, Point, Rotate, Span, Store};
use crate::prelude::*;

/// Stages 5 to 16: the rings of the window and their contents after an event. The rings are exact for every
/// event. The published PSNs, relative to which the block reads the rings, may be older.
///
/// # Parameters
///
/// `A` bits of connection number; `S` bits of a slot's number, `N = S + 1`, `P` PSNs, `G = P / 16`, `H = S - 4`. Windows
/// above 256 PSNs: `E` = 1, `X` blocks of 256 beside the first, `K = X + 1`, `B = S - 8`; else 0, 0, 1, 1.
#[derive(LogicBlock, BlockDefault)]
pub struct Window<
    const A: usize,
    const S: usize = 8,
    const N: usize = 9,
    const P: usize = 256,
    const G: usize = 16,
    const H: usize = 4,
    const E: usize = 0,
    const X: usize = 0,
    const K: usize = 1,
    const B: usize = 1,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 8: an event or a close of the sweep.
    pub s8_live: Signal<In, Bit>,
    /// Stage 8: connection of the event.
    pub s8_id: Signal<In, Bits<A>>,
    /// Stage 5: the bitmap of an ACK.
    pub s5_bitmap: Signal<In, Bits<256>>,
    /// Stage 5: slot at which the bitmap begins.
    pub s5_slot: Signal<In, Bits<S>>,
    /// Stage 5: that slot, modulo 256.
    pub s5_from: [Signal<In, Bits<8>>; E],
    /// Stage 7: the interpretation of the event.
    pub placed: Signal<In, Placed<S, N>>,
    /// Stage 12: the bitmap acknowledged PSNs never sent.
    pub s12_beyond: Signal<Out, Bit>,
    /// Stage 16: PSNs to the lowest that is not acknowledged.
    pub s16_first: Signal<Out, Bits<S>>,
    /// Stage 16: there is one.
    pub s16_some: Signal<Out, Bit>,
    /// Stage 16: PSNs that are not acknowledged.
    pub s16_unacked: Signal<Out, Bits<N>>,
    /// Stage 16: PSNs to the lowest lost one.
    pub s16_first_lost: Signal<Out, Bits<S>>,
    /// Stage 16: lost PSNs.
    pub s16_lost: Signal<Out, Bits<N>>,

    run: Enable,
    run_11: Enable,
    waiting: Store<A, P>,
    lost: Store<A, P>,
    age_low: Store<A, P>,
    age_high: Store<A, P>,
    rotate: Rotate,
    told: Extent<S, N, P, G, H, E>,
    cumulative: Extent<S, N, P, G, H, E>,
    judged: Span<S, N, P, G, H, E>,
    here: Point<S, P, G, H, E>,
    leaving: Point<S, P, G, H, E>,
    newest: Point<S, P, G, H, E>,
    find: Find,
    find_lost: Find,
    count: Count,
    count_lost: Count,
    finds: [Finds<S, P, B, K, X>; E],
    finds_lost: [Finds<S, P, B, K, X>; E],
    counts: [Counts<N, P, X>; E],
    counts_lost: [Counts<N, P, X>; E],
    tiled: [Signal<Local, Bits<P>>; E],
    s8_told_start: Pipe<Bits<S>>,
    s8_told_length: Pipe<Bits<N>>,
    bits: Signal<Local, Bits<256>>,
    s10_bits: Pipe<Bits<256>>,
    s10_told: Pipe<Bits<P>>,
    #[new(2)]
    s9_una: Delay<Bits<S>>,
    #[new(2)]
    s9_cumulative: Delay<Bits<N>>,
    #[new(2)]
    s9_judged: Delay<Bits<N>>,
    s11_acked: Pipe<Bits<P>>,
    untold: Signal<Local, Bits<256>>,
    s11_hits: Pipe<Bits<86>>,
    #[new(4)]
    s11_current: Delay<Bit>,
    s12_beyond_reg: Pipe<Bit>,
    #[new(3)]
    s10_slot: Delay<Bits<S>>,
    #[new(3)]
    s10_send: Delay<Bit>,
    #[new(3)]
    s10_loses: Delay<Bit>,
    #[new(3)]
    s10_fresh: Delay<Bit>,
    s11_send: Pipe<Bit>,
    #[new(4)]
    s11_judges: Delay<Bit>,
    #[new(4)]
    s11_epoch: Delay<Bit>,
    low: Signal<Local, Bits<P>>,
    high: Signal<Local, Bits<P>>,
    old: Signal<Local, Bits<P>>,
    hit: Signal<Local, Bits<P>>,
    still: Signal<Local, Bits<P>>,
    #[new(3)]
    s12_una: Delay<Bits<S>>,
    #[new(4)]
    s16_una: Delay<Bits<S>>,
}
impl<
    const A: usize,
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
    const K: usize,
    const B: usize,
> Logic for Window<A, S, N, P, G, H, E, X, K, B>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_11.* <- self.*: clk, rst, next_run);
        wire!(
            self.rotate.*, self.judged.*, self.find.*, self.find_lost.*, self.count.*, self.count_lost.*
            <- self.*: clk, rst, next_run,
        );
        wire!(
            self.told.*, self.cumulative.*, self.here.*, self.leaving.*, self.newest.* <- self.*: clk,
        );
        self.told.run.next = self.run.q.val();
        self.cumulative.run.next = self.run.q.val();
        self.here.run.next = self.run.q.val();
        self.leaving.run.next = self.run.q.val();
        self.newest.run.next = self.run.q.val();

        // Stages 5 to 10: the bitmap to its slots; the part of it that may count.
        self.rotate.vec.next = self.s5_bitmap.val();
        self.rotate.amount.next = self.s5_slot.val().get_bits::<8>(0);
        for e in 0..E {
            self.rotate.amount.next = self.s5_from[e].val();
        }
        self.bits.next = self.rotate.turned.val();
        self.s8_told_start.pipe = self.placed.val().told_start;
        self.s8_told_length.pipe = self.placed.val().told_length;
        self.told.start.next = self.s8_told_start.q.val();
        self.told.length.next = self.s8_told_length.q.val();
        self.s10_bits.pipe = self.bits.val();
        self.s10_told.pipe = bit_cast::<P, 256>(self.bits.val()) & self.told.mask.val();
        for e in 0..E {
            self.tiled[e].next = bit_cast::<P, 256>(self.bits.val());
            for _block in 0..X {
                self.tiled[e].next = (self.tiled[e].val() << 256) | bit_cast::<P, 256>(self.bits.val());
            }
            self.s10_told.d.next = self.tiled[e].val() & self.told.mask.val();
        }

        // Stages 10 to 12: the acknowledged PSNs; whether the bitmap had more than may count.
        self.s9_una.delay = self.placed.val().una;
        self.s9_cumulative.delay = self.placed.val().cumulative;
        self.cumulative.start.next = self.s9_una.q.val();
        self.cumulative.length.next = self.s9_cumulative.q.val();
        enable!(run_11.q);
        self.s11_acked.pipe = self.s10_told.q.val() | self.cumulative.mask.val();
        self.untold.next = self.s10_bits.q.val() & !self.s10_told.q.val().get_bits::<256>(0);
        for x in 0..X {
            self.untold.next = self.untold.val() & !self.s10_told.q.val().get_bits::<256>(256 * x + 256);
        }
        self.s11_hits.pipe = self.untold.val().get_bits::<86>(0)
            | self.untold.val().get_bits::<86>(86)
            | self.untold.val().get_bits::<86>(172);
        self.s11_current.delay = self.placed.val().current;
        self.s12_beyond_reg.pipe = self.s11_hits.q.val().any() & self.s11_current.q.val();
        self.s12_beyond.next = self.s12_beyond_reg.q.val();

        // Stages 9 to 11: what is judged, lost or sent.
        self.s9_judged.delay = self.placed.val().judged;
        self.judged.start.next = self.s9_una.q.val();
        self.judged.length.next = self.s9_judged.q.val();
        self.s10_slot.delay = self.placed.val().slot;
        self.s10_send.delay = self.placed.val().send;
        self.s10_loses.delay = self.placed.val().loses;
        self.s10_fresh.delay = self.placed.val().fresh;
        self.here.index.next = self.s10_slot.q.val();
        self.here.en.next = self.s10_send.q.val() | self.s10_loses.q.val();
        self.leaving.index.next = self.s10_slot.q.val();
        self.leaving.en.next = self.s10_send.q.val();
        self.newest.index.next = self.s10_slot.q.val();
        self.newest.en.next = self.s10_fresh.q.val();
        self.s11_send.pipe = self.s10_send.q.val();
        self.s11_judges.delay = self.placed.val().judges;
        self.s11_epoch.delay = self.placed.val().epoch;

        // Stage 11: the rings. A packet that leaves is no longer lost; any other that is hit and waits is lost.
        wire!(self.waiting.*, self.lost.*, self.age_low.*, self.age_high.* <- self.*: clk, rst, next_run);
        wire!(self.waiting.in_*, self.lost.in_*, self.age_low.in_*, self.age_high.in_* <- self.s8_*: live, id);
        self.waiting.mark.next = self.newest.one.val();
        self.waiting.clear.next = self.s11_acked.q.val();
        self.still.next = (self.waiting.prior.val() & !self.s11_acked.q.val()) | self.newest.one.val();
        self.low.next = self.age_low.prior.val();
        self.high.next = self.age_high.prior.val();
        self.old.next = if self.s11_judges.q.val() { self.low.val() } else { 0.into() };
        self.hit.next = (self.high.val() & (self.judged.mask.val() | self.old.val())) | self.here.one.val();
        self.lost.mark.next = 0.into();
        self.lost.clear.next = !self.still.val();
        if self.s11_send.q.val() {
            self.lost.clear.next = !self.still.val() | self.hit.val();
        } else {
            self.lost.mark.next = self.still.val() & self.hit.val();
        }

        // An epoch makes ages one more, up to 3; what leaves has age 0.
        self.age_low.mark.next = 0.into();
        self.age_low.clear.next = self.leaving.one.val();
        self.age_high.mark.next = 0.into();
        self.age_high.clear.next = self.leaving.one.val();
        if self.s11_epoch.q.val() {
            self.age_low.mark.next = !self.low.val() | self.high.val();
            self.age_low.clear.next = self.low.val();
            self.age_high.mark.next = self.low.val();
        }

        // Stage 12: first and count of what waits and of what is lost, four clocks.
        self.s12_una.delay = self.s9_una.q.val();
        self.find.vec.next = self.waiting.after.val().get_bits::<256>(0);
        self.find.start.next = self.s12_una.q.val().get_bits::<8>(0);
        self.find_lost.vec.next = self.lost.after.val().get_bits::<256>(0);
        self.find_lost.start.next = self.s12_una.q.val().get_bits::<8>(0);
        self.count.vec.next = self.waiting.after.val().get_bits::<256>(0);
        self.count_lost.vec.next = self.lost.after.val().get_bits::<256>(0);
        self.s16_una.delay = self.s12_una.q.val();
        self.s16_first.next = bit_cast::<S, 8>(self.find.index.val()) - self.s16_una.q.val();
        self.s16_some.next = self.find.found.val();
        self.s16_unacked.next = bit_cast::<N, 9>(self.count.total.val());
        self.s16_first_lost.next = bit_cast::<S, 8>(self.find_lost.index.val()) - self.s16_una.q.val();
        self.s16_lost.next = bit_cast::<N, 9>(self.count_lost.total.val());
        for e in 0..E {
            wire!(
                self.finds[e].*, self.finds_lost[e].*, self.counts[e].*, self.counts_lost[e].*
                <- self.*: clk, rst, next_run,
            );
            self.finds[e].vec.next = self.waiting.after.val();
            self.finds[e].start.next = self.s12_una.q.val();
            self.find.start.next = self.finds[e].first_start.val();
            wire!(self.finds[e].first_* <- self.find.*: found, index);
            self.finds_lost[e].vec.next = self.lost.after.val();
            self.finds_lost[e].start.next = self.s12_una.q.val();
            self.find_lost.start.next = self.finds_lost[e].first_start.val();
            wire!(self.finds_lost[e].first_* <- self.find_lost.*: found, index);
            self.counts[e].vec.next = self.waiting.after.val();
            self.counts_lost[e].vec.next = self.lost.after.val();
            self.s16_first.next = self.finds[e].index.val() - self.s16_una.q.val();
            self.s16_some.next = self.finds[e].found.val();
            self.s16_unacked.next = self.count.total.val().get_bits::<N>(0) + self.counts[e].total.val();
            self.s16_first_lost.next = self.finds_lost[e].index.val() - self.s16_una.q.val();
            self.s16_lost.next =
                self.count_lost.total.val().get_bits::<N>(0) + self.counts_lost[e].total.val();
        }
    }
}
