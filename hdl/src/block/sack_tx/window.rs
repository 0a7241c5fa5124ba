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
#[derive(LogicBlock)]
pub struct Window<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
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

    acked: Store<A>,
    lost: Store<A>,
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
    s9_turn: Delay<Bit>,
    s9_current: Delay<Bit>,
    s10_opening: Delay<Bit>,
    s8_lost_start: Pipe<Bits<8>>,
    s8_lost_length: Pipe<Bits<9>>,
    s9_slot: Delay<Bits<8>>,
    s9_send: Delay<Bit>,
    s9_una: Delay<Bits<8>>,
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
    s12_una: Delay<Bits<8>>,
    s16_una: Delay<Bits<8>>,
}
impl<const A: usize> Default for Window<A> {
    fn default() -> Self {
        Window {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            s7_live: Default::default(),
            s7_id: Default::default(),
            s5_bitmap: Default::default(),
            s5_slot: Default::default(),
            placed: Default::default(),
            s12_beyond: Default::default(),
            s16_first: Default::default(),
            s16_some: Default::default(),
            s16_unacked: Default::default(),
            s16_first_lost: Default::default(),
            s16_lost: Default::default(),
            acked: Default::default(),
            lost: Default::default(),
            rotate: Default::default(),
            below: Default::default(),
            spoken: Default::default(),
            cumulative: Default::default(),
            losing: Default::default(),
            sent: Default::default(),
            hot: Default::default(),
            find: Default::default(),
            find_lost: Default::default(),
            count: Default::default(),
            count_lost: Default::default(),
            s9_turn: Delay::new(2),
            s9_current: Delay::new(2),
            s10_opening: Delay::new(3),
            s8_lost_start: Default::default(),
            s8_lost_length: Default::default(),
            s9_slot: Delay::new(2),
            s9_send: Delay::new(2),
            s9_una: Delay::new(2),
            s9_window: Delay::new(2),
            said: Default::default(),
            covered: Default::default(),
            bits: Default::default(),
            turns: Default::default(),
            s10_acked: Default::default(),
            s10_turns: Default::default(),
            unsent: Default::default(),
            group: Default::default(),
            hits: Default::default(),
            s10_hits: Default::default(),
            s10_current: Default::default(),
            s11_beyond: Default::default(),
            s12_beyond_reg: Default::default(),
            s11_turns: Default::default(),
            waiting: Default::default(),
            s12_waiting: Default::default(),
            s12_missing: Default::default(),
            s12_una: Delay::new(3),
            s16_una: Delay::new(4),
        }
    }
}

impl<const A: usize> Logic for Window<A> {
    #[hdl_gen]
    fn update(&mut self) {
        self.rotate.clk.next = self.clk.val();
        self.rotate.run.next = self.run.val();
        self.below.clk.next = self.clk.val();
        self.below.run.next = self.run.val();
        self.spoken.clk.next = self.clk.val();
        self.spoken.run.next = self.run.val();
        self.cumulative.clk.next = self.clk.val();
        self.cumulative.run.next = self.run.val();
        self.losing.clk.next = self.clk.val();
        self.losing.run.next = self.run.val();
        self.sent.clk.next = self.clk.val();
        self.sent.run.next = self.run.val();
        self.hot.clk.next = self.clk.val();
        self.hot.run.next = self.run.val();
        self.find.clk.next = self.clk.val();
        self.find.run.next = self.run.val();
        self.find_lost.clk.next = self.clk.val();
        self.find_lost.run.next = self.run.val();
        self.count.clk.next = self.clk.val();
        self.count.run.next = self.run.val();
        self.count_lost.clk.next = self.clk.val();
        self.count_lost.run.next = self.run.val();

        // Stages 5 to 9: the bitmap to its slots; what an ACK speaks of; the turns of the window.
        self.rotate.vec.next = self.s5_bitmap.val();
        self.rotate.amount.next = self.s5_slot.val();
        self.below.index.next = self.placed.val().una;
        self.spoken.start.next = self.placed.val().una;
        self.spoken.length.next = self.placed.val().spoken;
        self.cumulative.start.next = self.placed.val().una;
        self.cumulative.length.next = self.placed.val().cumulative;
        self.s9_turn.clk.next = self.clk.val();
        self.s9_turn.en.next = self.run.val();
        self.s9_turn.d.next = self.placed.val().turn;
        self.s9_current.clk.next = self.clk.val();
        self.s9_current.en.next = self.run.val();
        self.s9_current.d.next = self.placed.val().current;
        self.s10_opening.clk.next = self.clk.val();
        self.s10_opening.en.next = self.run.val();
        self.s10_opening.d.next = self.placed.val().opening;
        self.s8_lost_start.clk.next = self.clk.val();
        self.s8_lost_start.en.next = self.run.val();
        self.s8_lost_start.d.next = self.placed.val().lost_start;
        self.s8_lost_length.clk.next = self.clk.val();
        self.s8_lost_length.en.next = self.run.val();
        self.s8_lost_length.d.next = self.placed.val().lost_length;
        self.losing.start.next = self.s8_lost_start.q.val();
        self.losing.length.next = self.s8_lost_length.q.val();
        self.s9_slot.clk.next = self.clk.val();
        self.s9_slot.en.next = self.run.val();
        self.s9_slot.d.next = self.placed.val().slot;
        self.s9_send.clk.next = self.clk.val();
        self.s9_send.en.next = self.run.val();
        self.s9_send.d.next = self.placed.val().send;
        self.hot.index.next = self.s9_slot.q.val();
        self.hot.en.next = self.s9_send.q.val();
        self.s9_una.clk.next = self.clk.val();
        self.s9_una.en.next = self.run.val();
        self.s9_una.d.next = self.placed.val().una;
        self.s9_window.clk.next = self.clk.val();
        self.s9_window.en.next = self.run.val();
        self.s9_window.d.next = self.placed.val().window;
        self.sent.start.next = self.s9_una.q.val();
        self.sent.length.next = self.s9_window.q.val();

        // Stage 9: what it acknowledges.
        self.said.next = self.spoken.mask.val();
        self.covered.next = self.cumulative.mask.val();
        self.bits.next = self.rotate.turned.val();
        self.turns.next = self.below.mask.val();
        self.s10_acked.clk.next = self.clk.val();
        self.s10_acked.en.next = self.run.val();
        self.s10_acked.d.next = self.said.val() & (self.covered.val() | self.bits.val());
        self.s10_turns.clk.next = self.clk.val();
        self.s10_turns.en.next = self.run.val();
        self.s10_turns.d.next = self.turns.val();
        if self.s9_turn.q.val() {
            self.s10_turns.d.next = !self.turns.val();
        }
        self.unsent.next = self.bits.val() & !(self.said.val() & !self.covered.val());
        self.group.next = 0.into();
        self.hits.next = 0.into();
        for g in 0..16 {
            self.group.next = self.unsent.val().get_bits::<16>(16 * g);
            self.hits.next =
                (self.hits.val() >> 1) | (bit_cast::<16, 1>(self.group.val().any().into()) << 15);
        }
        self.s10_hits.clk.next = self.clk.val();
        self.s10_hits.en.next = self.run.val();
        self.s10_hits.d.next = self.hits.val();
        self.s10_current.clk.next = self.clk.val();
        self.s10_current.en.next = self.run.val();
        self.s10_current.d.next = self.s9_current.q.val();
        self.s11_beyond.clk.next = self.clk.val();
        self.s11_beyond.en.next = self.run.val();
        self.s11_beyond.d.next = self.s10_hits.q.val().any() & self.s10_current.q.val();
        self.s12_beyond_reg.clk.next = self.clk.val();
        self.s12_beyond_reg.en.next = self.run.val();
        self.s12_beyond_reg.d.next = self.s11_beyond.q.val();
        self.s12_beyond.next = self.s12_beyond_reg.q.val();

        // Stage 10: the rings. An open makes every slot the one of a PSN that is not acknowledged.
        self.acked.clk.next = self.clk.val();
        self.acked.rst.next = self.rst.val();
        self.acked.run.next = self.run.val();
        self.acked.in_live.next = self.s7_live.val();
        self.acked.in_id.next = self.s7_id.val();
        self.acked.mark.next = self.s10_acked.q.val() & self.s10_turns.q.val();
        self.acked.clear.next = self.s10_acked.q.val() & !self.s10_turns.q.val();
        if self.s10_opening.q.val() {
            self.acked.mark.next = self.s10_turns.q.val() | !self.s10_turns.q.val();
        }
        self.lost.clk.next = self.clk.val();
        self.lost.rst.next = self.rst.val();
        self.lost.run.next = self.run.val();
        self.lost.in_live.next = self.s7_live.val();
        self.lost.in_id.next = self.s7_id.val();
        self.lost.mark.next = self.losing.mask.val();
        self.lost.clear.next = self.hot.one.val();
        self.s11_turns.clk.next = self.clk.val();
        self.s11_turns.en.next = self.run.val();
        self.s11_turns.d.next = self.s10_turns.q.val();

        // Stage 11: what was sent and is not acknowledged, and what is lost of it.
        self.waiting.next = (self.acked.after.val() ^ self.s11_turns.q.val()) & self.sent.mask.val();
        self.s12_waiting.clk.next = self.clk.val();
        self.s12_waiting.en.next = self.run.val();
        self.s12_waiting.d.next = self.waiting.val();
        self.s12_missing.clk.next = self.clk.val();
        self.s12_missing.en.next = self.run.val();
        self.s12_missing.d.next = self.waiting.val() & self.lost.after.val();
        self.s12_una.clk.next = self.clk.val();
        self.s12_una.en.next = self.run.val();
        self.s12_una.d.next = self.s9_una.q.val();

        // Stage 12: first and count of both, four clocks.
        self.find.vec.next = self.s12_waiting.q.val();
        self.find.start.next = self.s12_una.q.val();
        self.find_lost.vec.next = self.s12_missing.q.val();
        self.find_lost.start.next = self.s12_una.q.val();
        self.count.vec.next = self.s12_waiting.q.val();
        self.count_lost.vec.next = self.s12_missing.q.val();
        self.s16_una.clk.next = self.clk.val();
        self.s16_una.en.next = self.run.val();
        self.s16_una.d.next = self.s12_una.q.val();
        self.s16_first.next = self.find.index.val() - self.s16_una.q.val();
        self.s16_some.next = self.find.found.val();
        self.s16_unacked.next = self.count.total.val();
        self.s16_first_lost.next = self.find_lost.index.val() - self.s16_una.q.val();
        self.s16_lost.next = self.count_lost.total.val();
    }
}
