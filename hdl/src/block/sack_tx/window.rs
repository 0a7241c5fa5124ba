//! `weft_sack_tx_window`: stages 5 to 16, the rings of the window and their contents after an event.
//!
//! The rings are exact for every event. The published PSNs, relative to which the block reads the rings, may
//! be older.

use super::words::Placed;
use crate::part::ring::{Count, Extent, Find, Point, Rotate, Span, Store};
use crate::prelude::*;

/// Stages 5 to 16: the rings of the window and their contents after an event. The rings are exact for every
/// event. The published PSNs, relative to which the block reads the rings, may be older.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Window<const A: usize> {
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
    pub s5_slot: Signal<In, Bits<8>>,
    /// Stage 7: the interpretation of the event.
    pub placed: Signal<In, Placed>,
    /// Stage 12: the bitmap acknowledged PSNs never sent.
    pub s12_beyond: Signal<Out, Bit>,
    /// Stage 16: PSNs to the lowest that is not acknowledged.
    pub s16_first: Signal<Out, Bits<8>>,
    /// Stage 16: such a PSN exists.
    pub s16_some: Signal<Out, Bit>,
    /// Stage 16: PSNs that are not acknowledged.
    pub s16_unacked: Signal<Out, Bits<9>>,
    /// Stage 16: PSNs to the lowest lost one.
    pub s16_first_lost: Signal<Out, Bits<8>>,
    /// Stage 16: lost PSNs.
    pub s16_lost: Signal<Out, Bits<9>>,

    run: Enable,
    run_11: Enable,
    waiting: Store<A>,
    lost: Store<A>,
    age_low: Store<A>,
    age_high: Store<A>,
    rotate: Rotate,
    told: Extent,
    cumulative: Extent,
    judged: Span,
    here: Point,
    leaving: Point,
    newest: Point,
    find: Find,
    find_lost: Find,
    count: Count,
    count_lost: Count,
    s8_told_start: Pipe<Bits<8>>,
    s8_told_length: Pipe<Bits<9>>,
    bits: Signal<Local, Bits<256>>,
    s10_bits: Pipe<Bits<256>>,
    s10_told: Pipe<Bits<256>>,
    #[new(2)]
    s9_una: Delay<Bits<8>>,
    #[new(2)]
    s9_cumulative: Delay<Bits<9>>,
    #[new(2)]
    s9_judged: Delay<Bits<9>>,
    s11_acked: Pipe<Bits<256>>,
    untold: Signal<Local, Bits<256>>,
    s11_hits: Pipe<Bits<86>>,
    #[new(4)]
    s11_current: Delay<Bit>,
    s12_beyond_reg: Pipe<Bit>,
    #[new(3)]
    s10_slot: Delay<Bits<8>>,
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
    low: Signal<Local, Bits<256>>,
    high: Signal<Local, Bits<256>>,
    old: Signal<Local, Bits<256>>,
    hit: Signal<Local, Bits<256>>,
    still: Signal<Local, Bits<256>>,
    #[new(3)]
    s12_una: Delay<Bits<8>>,
    #[new(4)]
    s16_una: Delay<Bits<8>>,
}
impl<const A: usize> Logic for Window<A> {
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
        self.rotate.amount.next = self.s5_slot.val();
        self.bits.next = self.rotate.turned.val();
        self.s8_told_start.pipe = self.placed.val().told_start;
        self.s8_told_length.pipe = self.placed.val().told_length;
        self.told.start.next = self.s8_told_start.q.val();
        self.told.length.next = self.s8_told_length.q.val();
        self.s10_bits.pipe = self.bits.val();
        self.s10_told.pipe = self.bits.val() & self.told.mask.val();

        // Stages 10 to 12: the acknowledged PSNs; whether the bitmap had more than may count.
        self.s9_una.delay = self.placed.val().una;
        self.s9_cumulative.delay = self.placed.val().cumulative;
        self.cumulative.start.next = self.s9_una.q.val();
        self.cumulative.length.next = self.s9_cumulative.q.val();
        enable!(run_11.q);
        self.s11_acked.pipe = self.s10_told.q.val() | self.cumulative.mask.val();
        self.untold.next = self.s10_bits.q.val() & !self.s10_told.q.val();
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
        self.find.vec.next = self.waiting.after.val();
        self.find.start.next = self.s12_una.q.val();
        self.find_lost.vec.next = self.lost.after.val();
        self.find_lost.start.next = self.s12_una.q.val();
        self.count.vec.next = self.waiting.after.val();
        self.count_lost.vec.next = self.lost.after.val();
        self.s16_una.delay = self.s12_una.q.val();
        self.s16_first.next = self.find.index.val() - self.s16_una.q.val();
        self.s16_some.next = self.find.found.val();
        self.s16_unacked.next = self.count.total.val();
        self.s16_first_lost.next = self.find_lost.index.val() - self.s16_una.q.val();
        self.s16_lost.next = self.count_lost.total.val();
    }
}
