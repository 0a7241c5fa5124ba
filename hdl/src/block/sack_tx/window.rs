//! `weft_sack_tx_window`: stages 5 to 16, the rings of the window and what they say after an event.
//!
//! The rings are exact for every event; the PSNs that they are seen from, the published ones, may lag.

use super::words::Placed;
use crate::part::ring::{Below, Count, Find, Hot, Rotate, Span, Store};
use crate::prelude::*;

/// Stages 5 to 16: the rings of the window and what they say after an event. The rings are exact for every
/// event; the PSNs that they are seen from, the published ones, may lag.
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
    /// Stage 7: an event or a close of the sweep.
    pub s7_live: Signal<In, Bit>,
    /// Stage 7: its connection.
    pub s7_id: Signal<In, Bits<A>>,
    /// Stage 5: the bitmap of an ACK.
    pub s5_bitmap: Signal<In, Bits<256>>,
    /// Stage 5: the slot where it begins.
    pub s5_slot: Signal<In, Bits<8>>,
    /// Stage 7: what the event means.
    pub placed: Signal<In, Placed>,
    /// Stage 12: the bitmap spoke of PSNs never sent.
    pub s12_beyond: Signal<Out, Bit>,
    /// Stage 16: PSNs to the lowest that is not acknowledged.
    pub s16_first: Signal<Out, Bits<8>>,
    /// Stage 16: there is one.
    pub s16_some: Signal<Out, Bit>,
    /// Stage 16: PSNs that are not acknowledged.
    pub s16_unacked: Signal<Out, Bits<9>>,
    /// Stage 16: PSNs to the lowest lost one.
    pub s16_first_lost: Signal<Out, Bits<8>>,
    /// Stage 16: lost PSNs.
    pub s16_lost: Signal<Out, Bits<9>>,

    run: Enable,
    run_10: Enable,
    acked: Store<A>,
    lost: Store<A>,
    age_low: Store<A>,
    age_high: Store<A>,
    rotate: Rotate,
    below: Below,
    spoken: Span,
    cumulative: Span,
    losing: Span,
    sent: Span,
    hot: Hot,
    find: Find,
    find_lost: Find,
    count: Count,
    count_lost: Count,
    #[new(2)]
    s9_turn: Delay<Bit>,
    #[new(2)]
    s9_current: Delay<Bit>,
    #[new(3)]
    s10_opening: Delay<Bit>,
    #[new(3)]
    s10_gap: Delay<Bit>,
    #[new(3)]
    s10_judges: Delay<Bit>,
    #[new(3)]
    s10_epoch: Delay<Bit>,
    low: Signal<Local, Bits<256>>,
    high: Signal<Local, Bits<256>>,
    open_to: Signal<Local, Bits<256>>,
    old: Signal<Local, Bits<256>>,
    s8_lost_start: Pipe<Bits<8>>,
    s8_lost_length: Pipe<Bits<9>>,
    #[new(2)]
    s9_slot: Delay<Bits<8>>,
    #[new(2)]
    s9_send: Delay<Bit>,
    #[new(2)]
    s9_una: Delay<Bits<8>>,
    #[new(2)]
    s9_window: Delay<Bits<9>>,
    said: Signal<Local, Bits<256>>,
    covered: Signal<Local, Bits<256>>,
    bits: Signal<Local, Bits<256>>,
    turns: Signal<Local, Bits<256>>,
    s10_acked: Pipe<Bits<256>>,
    s10_turns: Pipe<Bits<256>>,
    unsent: Signal<Local, Bits<256>>,
    group: Signal<Local, Bits<16>>,
    hits: Signal<Local, Bits<16>>,
    s10_hits: Pipe<Bits<16>>,
    s10_current: Pipe<Bit>,
    s11_beyond: Pipe<Bit>,
    s12_beyond_reg: Pipe<Bit>,
    s11_turns: Pipe<Bits<256>>,
    waiting: Signal<Local, Bits<256>>,
    s12_waiting: Pipe<Bits<256>>,
    s12_missing: Pipe<Bits<256>>,
    #[new(3)]
    s12_una: Delay<Bits<8>>,
    #[new(4)]
    s16_una: Delay<Bits<8>>,
}
impl<const A: usize> Logic for Window<A> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_10.* <- self.*: clk, rst, next_run);
        wire!(
            self.rotate.*, self.below.*, self.spoken.*, self.cumulative.*, self.losing.*, self.sent.*,
            self.hot.*, self.find.*, self.find_lost.*, self.count.*, self.count_lost.*
            <- self.*: clk, rst, next_run,
        );

        // Stages 5 to 9: the bitmap to its slots; what an ACK speaks of; the turns of the window.
        self.rotate.vec.next = self.s5_bitmap.val();
        self.rotate.amount.next = self.s5_slot.val();
        self.below.index.next = self.placed.val().una;
        self.spoken.start.next = self.placed.val().una;
        self.spoken.length.next = self.placed.val().spoken;
        self.cumulative.start.next = self.placed.val().una;
        self.cumulative.length.next = self.placed.val().cumulative;
        self.s9_turn.delay = self.placed.val().turn;
        self.s9_current.delay = self.placed.val().current;
        self.s10_opening.delay = self.placed.val().opening;
        self.s10_gap.delay = self.placed.val().gap;
        self.s10_judges.delay = self.placed.val().judges;
        self.s10_epoch.delay = self.placed.val().epoch;
        self.s8_lost_start.pipe = self.placed.val().lost_start;
        self.s8_lost_length.pipe = self.placed.val().lost_length;
        self.losing.start.next = self.s8_lost_start.q.val();
        self.losing.length.next = self.s8_lost_length.q.val();
        self.s9_slot.delay = self.placed.val().slot;
        self.s9_send.delay = self.placed.val().send;
        self.hot.index.next = self.s9_slot.q.val();
        self.hot.en.next = self.s9_send.q.val();
        self.s9_una.delay = self.placed.val().una;
        self.s9_window.delay = self.placed.val().window;
        self.sent.start.next = self.s9_una.q.val();
        self.sent.length.next = self.s9_window.q.val();

        // Stage 9: what it acknowledges.
        self.said.next = self.spoken.mask.val();
        self.covered.next = self.cumulative.mask.val();
        self.bits.next = self.rotate.turned.val();
        self.turns.next = self.below.mask.val();
        self.s10_acked.pipe = self.said.val() & (self.covered.val() | self.bits.val());
        self.s10_turns.pipe = if self.s9_turn.q.val() { !self.turns.val() } else { self.turns.val() };
        self.unsent.next = self.bits.val() & !(self.said.val() & !self.covered.val());
        self.group.next = 0.into();
        self.hits.next = 0.into();
        for g in 0..16 {
            self.group.next = self.unsent.val().get_bits::<16>(16 * g);
            self.hits.next =
                (self.hits.val() >> 1) | (bit_cast::<16, 1>(self.group.val().any().into()) << 15);
        }
        self.s10_hits.pipe = self.hits.val();
        self.s10_current.pipe = self.s9_current.q.val();
        self.s11_beyond.pipe = self.s10_hits.q.val().any() & self.s10_current.q.val();
        self.s12_beyond_reg.pipe = self.s11_beyond.q.val();
        self.s12_beyond.next = self.s12_beyond_reg.q.val();

        // Stage 10: the rings. An open makes every slot the one of a PSN that is not acknowledged.
        enable!(run_10.q);
        wire!(self.acked.*, self.lost.*, self.age_low.*, self.age_high.* <- self.*: clk, rst, next_run);
        wire!(self.acked.in_* <- self.s7_*: live, id);
        self.acked.mark.next = self.s10_acked.q.val() & self.s10_turns.q.val();
        self.acked.clear.next = self.s10_acked.q.val() & !self.s10_turns.q.val();
        if self.s10_opening.q.val() {
            self.acked.mark.next = self.s10_turns.q.val() | !self.s10_turns.q.val();
        }
        wire!(self.lost.in_*, self.age_low.in_*, self.age_high.in_* <- self.s7_*: live, id);
        self.low.next = self.age_low.prior.val();
        self.high.next = self.age_high.prior.val();
        self.open_to.next =
            if self.s10_gap.q.val() { self.high.val() } else { self.high.val() | !self.high.val() };
        self.old.next = if self.s10_judges.q.val() { self.high.val() & self.low.val() } else { 0.into() };
        self.lost.mark.next = (self.losing.mask.val() & self.open_to.val()) | self.old.val();
        self.lost.clear.next = self.hot.one.val();

        // An epoch makes ages one more, up to 3; what leaves has age 0.
        self.age_low.mark.next = 0.into();
        self.age_low.clear.next = self.hot.one.val();
        self.age_high.mark.next = 0.into();
        self.age_high.clear.next = self.hot.one.val();
        if self.s10_epoch.q.val() {
            self.age_low.mark.next = !self.low.val() | self.high.val();
            self.age_low.clear.next = self.low.val();
            self.age_high.mark.next = self.low.val();
        }
        self.s11_turns.pipe = self.s10_turns.q.val();

        // Stage 11: what was sent and is not acknowledged, and what is lost of it.
        self.waiting.next = (self.acked.after.val() ^ self.s11_turns.q.val()) & self.sent.mask.val();
        self.s12_waiting.pipe = self.waiting.val();
        self.s12_missing.pipe = self.waiting.val() & self.lost.after.val();
        self.s12_una.delay = self.s9_una.q.val();

        // Stage 12: first and count of both, four clocks.
        self.find.vec.next = self.s12_waiting.q.val();
        self.find.start.next = self.s12_una.q.val();
        self.find_lost.vec.next = self.s12_missing.q.val();
        self.find_lost.start.next = self.s12_una.q.val();
        self.count.vec.next = self.s12_waiting.q.val();
        self.count_lost.vec.next = self.s12_missing.q.val();
        self.s16_una.delay = self.s12_una.q.val();
        self.s16_first.next = self.find.index.val() - self.s16_una.q.val();
        self.s16_some.next = self.find.found.val();
        self.s16_unacked.next = self.count.total.val();
        self.s16_first_lost.next = self.find_lost.index.val() - self.s16_una.q.val();
        self.s16_lost.next = self.count_lost.total.val();
    }
}
