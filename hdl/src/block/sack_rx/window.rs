//! `weft_sack_rx_window`: stages 1 to 20, where a packet lies in its connection's window and how far that moves.
//!
//! The rings are exact for every event; the cumulative PSN, the published one, may lag. What the event makes of the
//! window is a function of both, so nothing but the rings is read and written in one clock.

use super::words::{Event, Judged, Seen};
use crate::part::published::Published;
use crate::part::ring::{Below, Count, Find, Hot, Rotate, Span, Store};
use crate::prelude::*;

/// Stages 1 to 20: where a packet lies in its connection's window and how far that moves. The rings are exact
/// for every event; the cumulative PSN, the published one, may lag.
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
    /// Stage 1: an event or a close of the sweep.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: its connection.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 18: an event or a close of the sweep.
    pub s18_live: Signal<Out, Bit>,
    /// Stage 18: its connection.
    pub s18_id: Signal<Out, Bits<A>>,
    /// Stage 20: what has been decided.
    pub s20_judged: Signal<Out, Judged>,
    /// Stage 21: messages completed since the connection was opened.
    pub s21_messages: Signal<Out, Bits<24>>,
    /// Stage 22: an event or a close of the sweep.
    pub s22_live: Signal<Out, Bit>,
    /// Stage 22: its connection.
    pub s22_id: Signal<Out, Bits<A>>,
    /// Stage 22: the event.
    pub s22_event: Signal<Out, Event>,
    /// Stage 22: what the next event finds.
    pub s22_seen: Signal<Out, Seen>,
    /// Stage 22: what has been received beyond the cumulative PSN.
    pub s22_bitmap: Signal<Out, Bits<256>>,

    published: Published<Seen, A>,
    received: Store<A>,
    last: Store<A>,
    hot: Hot,
    last_hot: Hot,
    below: Below,
    find: Find,
    span: Span,
    count: Count,
    rotate: Rotate,
    lives: Reg<Bits<21>>,
    s3_id: Delay<Bits<A>>,
    s11_id: Delay<Bits<A>>,
    s18_line: Delay<Bits<A>>,
    s22_line: Delay<Bits<A>>,
    s3_event: Delay<Event>,
    s3_seen: Signal<Local, Seen>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    opened: Signal<Local, Seen>,
    s4_event: Pipe<Event>,
    s4_seen: Pipe<Seen>,
    s4_accepted: Pipe<Bit>,
    s4_opening: Pipe<Bit>,
    s4_clear: Pipe<Bit>,
    s4_ahead: Pipe<Bits<24>>,
    s4_offset: Pipe<Bits<9>>,
    is_data: Signal<Local, Bit>,
    packet: Signal<Local, Bit>,
    s5_event: Pipe<Event>,
    s5_seen: Pipe<Seen>,
    s5_accepted: Pipe<Bit>,
    s5_opening: Pipe<Bit>,
    s5_clear: Pipe<Bit>,
    s5_packet: Pipe<Bit>,
    s5_data: Pipe<Bit>,
    s5_old: Pipe<Bit>,
    s5_inside: Pipe<Bit>,
    s5_offset: Pipe<Bits<9>>,
    s5_from: Pipe<Bits<9>>,
    s6_opening: Pipe<Bit>,
    s6_turn: Pipe<Bit>,
    s6_marks: Pipe<Bit>,
    s6_clears: Pipe<Bit>,
    s7_from_turn: Delay<Bit>,
    one: Signal<Local, Bits<256>>,
    here: Signal<Local, Bits<256>>,
    hits: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<16>>,
    s7_hits: Pipe<Bits<16>>,
    s7_turn: Pipe<Bit>,
    turned: Signal<Local, Bits<256>>,
    s8_missing: Pipe<Bits<256>>,
    s7_packet: Delay<Bit>,
    s7_data: Delay<Bit>,
    s7_old: Delay<Bit>,
    s7_inside: Delay<Bit>,
    s8_before: Pipe<Bit>,
    s8_packet: Pipe<Bit>,
    s8_data: Pipe<Bit>,
    s8_outside: Pipe<Bit>,
    s8_event: Delay<Event>,
    s8_accepted: Delay<Bit>,
    s8_opening: Delay<Bit>,
    s8_clear: Delay<Bit>,
    fresh: Signal<Local, Bit>,
    nack: Signal<Local, Bit>,
    judged: Signal<Local, Judged>,
    s9_judged: Pipe<Judged>,
    s20_judged_line: Delay<Judged>,
    s8_from: Delay<Bits<8>>,
    s12_from: Delay<Bits<8>>,
    s13_run: Pipe<Bits<9>>,
    s13_from: Pipe<Bits<8>>,
    s13_seen: Delay<Seen>,
    s14_seen: Pipe<Seen>,
    s14_expected: Pipe<Bits<24>>,
    s14_amount: Pipe<Bits<8>>,
    s13_slot: Delay<Bits<8>>,
    s13_fresh: Delay<Bit>,
    s14_event: Delay<Event>,
    s15_missing: Delay<Bits<256>>,
    s15_seen: Pipe<Seen>,
    s16_seen: Pipe<Seen>,
    s16_beyond: Pipe<Bits<256>>,
    s16_ended: Pipe<Bits<256>>,
    s16_amount: Delay<Bits<8>>,
    s20_seen: Delay<Seen>,
    s21_total: Pipe<Bits<24>>,
    s22_total: Pipe<Bits<24>>,
    s22_now: Delay<Seen>,
    s22_expected: Delay<Bits<24>>,
    s22_bits: Delay<Bits<256>>,
    s22_line_event: Delay<Event>,
    publish: Signal<Local, Seen>,
}
impl<const A: usize> Default for Window<A> {
    fn default() -> Self {
        Window {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            in_live: Default::default(),
            in_id: Default::default(),
            in_event: Default::default(),
            s18_live: Default::default(),
            s18_id: Default::default(),
            s20_judged: Default::default(),
            s21_messages: Default::default(),
            s22_live: Default::default(),
            s22_id: Default::default(),
            s22_event: Default::default(),
            s22_seen: Default::default(),
            s22_bitmap: Default::default(),
            published: Default::default(),
            received: Default::default(),
            last: Default::default(),
            hot: Default::default(),
            last_hot: Default::default(),
            below: Default::default(),
            find: Default::default(),
            span: Default::default(),
            count: Default::default(),
            rotate: Default::default(),
            lives: Default::default(),
            s3_id: Delay::new(2),
            s11_id: Delay::new(8),
            s18_line: Delay::new(7),
            s22_line: Delay::new(4),
            s3_event: Delay::new(2),
            s3_seen: Default::default(),
            opening: Default::default(),
            closing: Default::default(),
            opened: Default::default(),
            s4_event: Default::default(),
            s4_seen: Default::default(),
            s4_accepted: Default::default(),
            s4_opening: Default::default(),
            s4_clear: Default::default(),
            s4_ahead: Default::default(),
            s4_offset: Default::default(),
            is_data: Default::default(),
            packet: Default::default(),
            s5_event: Default::default(),
            s5_seen: Default::default(),
            s5_accepted: Default::default(),
            s5_opening: Default::default(),
            s5_clear: Default::default(),
            s5_packet: Default::default(),
            s5_data: Default::default(),
            s5_old: Default::default(),
            s5_inside: Default::default(),
            s5_offset: Default::default(),
            s5_from: Default::default(),
            s6_opening: Default::default(),
            s6_turn: Default::default(),
            s6_marks: Default::default(),
            s6_clears: Default::default(),
            s7_from_turn: Delay::new(2),
            one: Default::default(),
            here: Default::default(),
            hits: Default::default(),
            group: Default::default(),
            s7_hits: Default::default(),
            s7_turn: Default::default(),
            turned: Default::default(),
            s8_missing: Default::default(),
            s7_packet: Delay::new(2),
            s7_data: Delay::new(2),
            s7_old: Delay::new(2),
            s7_inside: Delay::new(2),
            s8_before: Default::default(),
            s8_packet: Default::default(),
            s8_data: Default::default(),
            s8_outside: Default::default(),
            s8_event: Delay::new(3),
            s8_accepted: Delay::new(3),
            s8_opening: Delay::new(3),
            s8_clear: Delay::new(3),
            fresh: Default::default(),
            nack: Default::default(),
            judged: Default::default(),
            s9_judged: Default::default(),
            s20_judged_line: Delay::new(11),
            s8_from: Delay::new(3),
            s12_from: Delay::new(4),
            s13_run: Default::default(),
            s13_from: Default::default(),
            s13_seen: Delay::new(8),
            s14_seen: Default::default(),
            s14_expected: Default::default(),
            s14_amount: Default::default(),
            s13_slot: Delay::new(8),
            s13_fresh: Delay::new(4),
            s14_event: Delay::new(6),
            s15_missing: Delay::new(7),
            s15_seen: Default::default(),
            s16_seen: Default::default(),
            s16_beyond: Default::default(),
            s16_ended: Default::default(),
            s16_amount: Delay::new(2),
            s20_seen: Delay::new(4),
            s21_total: Default::default(),
            s22_total: Default::default(),
            s22_now: Delay::new(2),
            s22_expected: Delay::new(8),
            s22_bits: Delay::new(2),
            s22_line_event: Delay::new(8),
            publish: Default::default(),
        }
    }
}

impl<const A: usize> Logic for Window<A> {
    #[hdl_gen]
    fn update(&mut self) {
        self.hot.clk.next = self.clk.val();
        self.hot.run.next = self.run.val();
        self.last_hot.clk.next = self.clk.val();
        self.last_hot.run.next = self.run.val();
        self.below.clk.next = self.clk.val();
        self.below.run.next = self.run.val();
        self.find.clk.next = self.clk.val();
        self.find.run.next = self.run.val();
        self.span.clk.next = self.clk.val();
        self.span.run.next = self.run.val();
        self.count.clk.next = self.clk.val();
        self.count.run.next = self.run.val();
        self.rotate.clk.next = self.clk.val();
        self.rotate.run.next = self.run.val();

        // Bit i: an event, or a close of the sweep, is in stage i + 2.
        self.lives.clk.next = self.clk.val();
        self.lives.rst.next = self.rst.val();
        self.lives.en.next = self.run.val();
        self.lives.d.next = (self.lives.q.val() << 1) | bit_cast::<21, 1>(self.in_live.val().into());
        self.s3_id.clk.next = self.clk.val();
        self.s3_id.en.next = self.run.val();
        self.s3_id.d.next = self.in_id.val();
        self.s11_id.clk.next = self.clk.val();
        self.s11_id.en.next = self.run.val();
        self.s11_id.d.next = self.s3_id.q.val();
        self.s18_line.clk.next = self.clk.val();
        self.s18_line.en.next = self.run.val();
        self.s18_line.d.next = self.s11_id.q.val();
        self.s22_line.clk.next = self.clk.val();
        self.s22_line.en.next = self.run.val();
        self.s22_line.d.next = self.s18_line.q.val();

        // Stages 1 to 3: what is published.
        self.published.clk.next = self.clk.val();
        self.published.run.next = self.run.val();
        self.published.raddr.next = self.in_id.val();
        self.s3_event.clk.next = self.clk.val();
        self.s3_event.en.next = self.run.val();
        self.s3_event.d.next = self.in_event.val();
        self.s3_seen.next = self.published.rdata.val();
        self.opening.next = self.s3_event.q.val().kind == 4;
        self.closing.next = self.s3_event.q.val().kind == 5;
        self.opened.next = self.s3_seen.val();
        if self.opening.val() {
            self.opened.next.open = true;
            self.opened.next.origin = self.s3_event.q.val().psn.get_bits::<9>(0);
            self.opened.next.expected = self.s3_event.q.val().psn;
            self.opened.next.messages = 0.into();
        } else if self.closing.val() {
            self.opened.next.open = false;
            self.opened.next.origin = 0.into();
            self.opened.next.expected = 0.into();
            self.opened.next.messages = 0.into();
        }
        self.s4_event.clk.next = self.clk.val();
        self.s4_event.en.next = self.run.val();
        self.s4_event.d.next = self.s3_event.q.val();
        self.s4_seen.clk.next = self.clk.val();
        self.s4_seen.en.next = self.run.val();
        self.s4_seen.d.next = self.opened.val();
        self.s4_accepted.clk.next = self.clk.val();
        self.s4_accepted.en.next = self.run.val();
        self.s4_accepted.d.next = self.s3_seen.val().open | self.opening.val();
        self.s4_opening.clk.next = self.clk.val();
        self.s4_opening.en.next = self.run.val();
        self.s4_opening.d.next = self.opening.val();
        self.s4_clear.clk.next = self.clk.val();
        self.s4_clear.en.next = self.run.val();
        self.s4_clear.d.next = self.opening.val() | self.closing.val();
        self.s4_ahead.clk.next = self.clk.val();
        self.s4_ahead.en.next = self.run.val();
        self.s4_ahead.d.next = self.s3_event.q.val().psn - self.s3_seen.val().expected;
        self.s4_offset.clk.next = self.clk.val();
        self.s4_offset.en.next = self.run.val();
        self.s4_offset.d.next = self.s3_event.q.val().psn.get_bits::<9>(0) - self.s3_seen.val().origin;

        // Stage 4: where the PSN lies, and where the window begins.
        self.is_data.next = self.s4_event.q.val().kind == 0;
        self.packet.next =
            self.s4_seen.q.val().open & (self.is_data.val() | (self.s4_event.q.val().kind == 1));
        self.s5_event.clk.next = self.clk.val();
        self.s5_event.en.next = self.run.val();
        self.s5_event.d.next = self.s4_event.q.val();
        self.s5_seen.clk.next = self.clk.val();
        self.s5_seen.en.next = self.run.val();
        self.s5_seen.d.next = self.s4_seen.q.val();
        self.s5_accepted.clk.next = self.clk.val();
        self.s5_accepted.en.next = self.run.val();
        self.s5_accepted.d.next = self.s4_accepted.q.val();
        self.s5_opening.clk.next = self.clk.val();
        self.s5_opening.en.next = self.run.val();
        self.s5_opening.d.next = self.s4_opening.q.val();
        self.s5_clear.clk.next = self.clk.val();
        self.s5_clear.en.next = self.run.val();
        self.s5_clear.d.next = self.s4_clear.q.val();
        self.s5_packet.clk.next = self.clk.val();
        self.s5_packet.en.next = self.run.val();
        self.s5_packet.d.next = self.packet.val();
        self.s5_data.clk.next = self.clk.val();
        self.s5_data.en.next = self.run.val();
        self.s5_data.d.next = self.packet.val() & self.is_data.val();
        self.s5_old.clk.next = self.clk.val();
        self.s5_old.en.next = self.run.val();
        self.s5_old.d.next = self.packet.val() & self.s4_ahead.q.val().get_bit(23);
        self.s5_inside.clk.next = self.clk.val();
        self.s5_inside.en.next = self.run.val();
        self.s5_inside.d.next = self.packet.val() & !self.s4_ahead.q.val().get_bits::<16>(8).any();
        self.s5_offset.clk.next = self.clk.val();
        self.s5_offset.en.next = self.run.val();
        self.s5_offset.d.next = self.s4_offset.q.val();
        self.s5_from.clk.next = self.clk.val();
        self.s5_from.en.next = self.run.val();
        self.s5_from.d.next = self.s4_seen.q.val().expected.get_bits::<9>(0) - self.s4_seen.q.val().origin;

        // Stage 5: the slot as a mask, the slots before the window's first.
        self.hot.index.next = self.s5_offset.q.val().get_bits::<8>(0);
        self.hot.en.next = self.s5_inside.q.val();
        self.below.index.next = self.s5_from.q.val().get_bits::<8>(0);
        self.s6_opening.clk.next = self.clk.val();
        self.s6_opening.en.next = self.run.val();
        self.s6_opening.d.next = self.s5_opening.q.val();
        self.s6_turn.clk.next = self.clk.val();
        self.s6_turn.en.next = self.run.val();
        self.s6_turn.d.next = self.s5_offset.q.val().get_bit(8);
        self.s6_marks.clk.next = self.clk.val();
        self.s6_marks.en.next = self.run.val();
        self.s6_marks.d.next = self.s5_data.q.val() & self.s5_offset.q.val().get_bit(8);
        self.s6_clears.clk.next = self.clk.val();
        self.s6_clears.en.next = self.run.val();
        self.s6_clears.d.next = self.s5_data.q.val() & !self.s5_offset.q.val().get_bit(8);
        self.s7_from_turn.clk.next = self.clk.val();
        self.s7_from_turn.en.next = self.run.val();
        self.s7_from_turn.d.next = self.s5_from.q.val().get_bit(8);

        // Stage 6: the ring of turns takes the packet's; an open makes every slot one of a PSN that has not come.
        self.received.clk.next = self.clk.val();
        self.received.rst.next = self.rst.val();
        self.received.run.next = self.run.val();
        self.received.in_live.next = self.lives.q.val().get_bit(1);
        self.received.in_id.next = self.s3_id.q.val();
        self.one.next = self.hot.one.val();
        self.received.mark.next = 0.into();
        if self.s6_opening.q.val() {
            self.received.mark.next = self.one.val() | !self.one.val();
        } else if self.s6_marks.q.val() {
            self.received.mark.next = self.one.val();
        }
        self.received.clear.next = 0.into();
        if self.s6_clears.q.val() {
            self.received.clear.next = self.one.val();
        }
        self.here.next = self.received.prior.val() & self.one.val();
        self.hits.next = 0.into();
        self.group.next = 0.into();
        for g in 0..16 {
            self.group.next = self.here.val().get_bits::<16>(16 * g);
            self.hits.next =
                (self.hits.val() >> 1) | (bit_cast::<16, 1>(self.group.val().any().into()) << 15);
        }
        self.s7_hits.clk.next = self.clk.val();
        self.s7_hits.en.next = self.run.val();
        self.s7_hits.d.next = self.hits.val();
        self.s7_turn.clk.next = self.clk.val();
        self.s7_turn.en.next = self.run.val();
        self.s7_turn.d.next = self.s6_turn.q.val();

        // Stage 7: what is missing, seen from the published PSN; whether the packet's PSN had come before.
        self.turned.next = self.received.after.val() ^ self.below.mask.val();
        self.s8_missing.clk.next = self.clk.val();
        self.s8_missing.en.next = self.run.val();
        self.s8_missing.d.next = self.turned.val();
        if self.s7_from_turn.q.val() {
            self.s8_missing.d.next = !self.turned.val();
        }
        self.s7_packet.clk.next = self.clk.val();
        self.s7_packet.en.next = self.run.val();
        self.s7_packet.d.next = self.s5_packet.q.val();
        self.s7_data.clk.next = self.clk.val();
        self.s7_data.en.next = self.run.val();
        self.s7_data.d.next = self.s5_data.q.val();
        self.s7_old.clk.next = self.clk.val();
        self.s7_old.en.next = self.run.val();
        self.s7_old.d.next = self.s5_old.q.val();
        self.s7_inside.clk.next = self.clk.val();
        self.s7_inside.en.next = self.run.val();
        self.s7_inside.d.next = self.s5_inside.q.val();
        self.s8_before.clk.next = self.clk.val();
        self.s8_before.en.next = self.run.val();
        self.s8_before.d.next = self.s7_old.q.val()
            | (self.s7_inside.q.val() & (self.s7_hits.q.val().any() == self.s7_turn.q.val()));
        self.s8_packet.clk.next = self.clk.val();
        self.s8_packet.en.next = self.run.val();
        self.s8_packet.d.next = self.s7_packet.q.val();
        self.s8_data.clk.next = self.clk.val();
        self.s8_data.en.next = self.run.val();
        self.s8_data.d.next = self.s7_data.q.val();
        self.s8_outside.clk.next = self.clk.val();
        self.s8_outside.en.next = self.run.val();
        self.s8_outside.d.next = self.s7_packet.q.val() & !self.s7_old.q.val() & !self.s7_inside.q.val();

        // Stage 8: verdict; the first PSN that is missing, four clocks.
        self.s8_event.clk.next = self.clk.val();
        self.s8_event.en.next = self.run.val();
        self.s8_event.d.next = self.s5_event.q.val();
        self.s8_accepted.clk.next = self.clk.val();
        self.s8_accepted.en.next = self.run.val();
        self.s8_accepted.d.next = self.s5_accepted.q.val();
        self.s8_opening.clk.next = self.clk.val();
        self.s8_opening.en.next = self.run.val();
        self.s8_opening.d.next = self.s5_opening.q.val();
        self.s8_clear.clk.next = self.clk.val();
        self.s8_clear.en.next = self.run.val();
        self.s8_clear.d.next = self.s5_clear.q.val();
        self.fresh.next = self.s8_data.q.val() & !self.s8_before.q.val() & !self.s8_outside.q.val();
        self.nack.next = self.s8_outside.q.val()
            | (self.s8_packet.q.val() & !self.s8_data.q.val() & !self.s8_before.q.val());
        self.judged.next.accepted = self.s8_accepted.q.val();
        self.judged.next.opening = self.s8_opening.q.val();
        self.judged.next.clear = self.s8_clear.q.val();
        self.judged.next.fresh = self.fresh.val();
        self.judged.next.flush = self.s8_accepted.q.val() & (self.s8_event.q.val().kind == 2);
        self.judged.next.at_once = (self.s8_data.q.val()
            & !self.s8_outside.q.val()
            & (self.s8_event.q.val().ce | self.s8_event.q.val().request | self.s8_event.q.val().last))
            | (self.s8_packet.q.val() & self.s8_before.q.val())
            | (self.s8_accepted.q.val() & (self.s8_event.q.val().kind == 3));
        self.judged.next.nack = self.nack.val();
        self.judged.next.verdict = 0.into();
        if self.s8_outside.q.val() {
            self.judged.next.verdict = 3.into();
        } else if self.s8_packet.q.val() & self.s8_before.q.val() {
            self.judged.next.verdict = 2.into();
        } else if self.nack.val() {
            self.judged.next.verdict = 4.into();
        } else if self.fresh.val() {
            self.judged.next.verdict = 1.into();
        }
        self.judged.next.counted = self.s8_event.q.val().bytes;
        if !self.s8_event.q.val().bytes.get_bits::<6>(10).any() {
            self.judged.next.counted = 1024.into();
        }
        self.judged.next.bytes = self.s8_event.q.val().bytes;
        self.judged.next.psn = self.s8_event.q.val().psn.get_bits::<8>(0);
        self.s9_judged.clk.next = self.clk.val();
        self.s9_judged.en.next = self.run.val();
        self.s9_judged.d.next = self.judged.val();
        self.s20_judged_line.clk.next = self.clk.val();
        self.s20_judged_line.en.next = self.run.val();
        self.s20_judged_line.d.next = self.s9_judged.q.val();
        self.s8_from.clk.next = self.clk.val();
        self.s8_from.en.next = self.run.val();
        self.s8_from.d.next = self.s5_from.q.val().get_bits::<8>(0);
        self.find.vec.next = self.s8_missing.q.val();
        self.find.start.next = self.s8_from.q.val();
        self.s12_from.clk.next = self.clk.val();
        self.s12_from.en.next = self.run.val();
        self.s12_from.d.next = self.s8_from.q.val();

        // Stage 12: how many PSNs have come from the published one on.
        self.s13_run.clk.next = self.clk.val();
        self.s13_run.en.next = self.run.val();
        self.s13_run.d.next = 256.into();
        if self.find.found.val() {
            self.s13_run.d.next = bit_cast::<9, 8>(self.find.index.val() - self.s12_from.q.val());
        }
        self.s13_from.clk.next = self.clk.val();
        self.s13_from.en.next = self.run.val();
        self.s13_from.d.next = self.s12_from.q.val();

        // Stage 13: these PSNs as a mask; the cumulative PSN; the end of a message is kept with its packet.
        self.span.start.next = self.s13_from.q.val();
        self.span.length.next = self.s13_run.q.val();
        self.s13_seen.clk.next = self.clk.val();
        self.s13_seen.en.next = self.run.val();
        self.s13_seen.d.next = self.s5_seen.q.val();
        self.s14_seen.clk.next = self.clk.val();
        self.s14_seen.en.next = self.run.val();
        self.s14_seen.d.next = self.s13_seen.q.val();
        self.s14_expected.clk.next = self.clk.val();
        self.s14_expected.en.next = self.run.val();
        self.s14_expected.d.next = 0.into();
        if self.s13_seen.q.val().open {
            self.s14_expected.d.next =
                self.s13_seen.q.val().expected + bit_cast::<24, 9>(self.s13_run.q.val());
        }
        self.s14_amount.clk.next = self.clk.val();
        self.s14_amount.en.next = self.run.val();
        self.s14_amount.d.next =
            bits::<8>(0) - (self.s13_from.q.val() + self.s13_run.q.val().get_bits::<8>(0));
        self.s13_slot.clk.next = self.clk.val();
        self.s13_slot.en.next = self.run.val();
        self.s13_slot.d.next = self.s5_offset.q.val().get_bits::<8>(0);
        self.s13_fresh.clk.next = self.clk.val();
        self.s13_fresh.en.next = self.run.val();
        self.s13_fresh.d.next = self.s9_judged.q.val().fresh;
        self.s14_event.clk.next = self.clk.val();
        self.s14_event.en.next = self.run.val();
        self.s14_event.d.next = self.s8_event.q.val();
        self.last_hot.index.next = self.s13_slot.q.val();
        self.last_hot.en.next = self.s13_fresh.q.val();

        // Stage 14: the ring of ends.
        self.last.clk.next = self.clk.val();
        self.last.rst.next = self.rst.val();
        self.last.run.next = self.run.val();
        self.last.in_live.next = self.lives.q.val().get_bit(9);
        self.last.in_id.next = self.s11_id.q.val();
        self.last.mark.next = 0.into();
        self.last.clear.next = 0.into();
        if self.s14_event.q.val().last {
            self.last.mark.next = self.last_hot.one.val();
        } else {
            self.last.clear.next = self.last_hot.one.val();
        }

        // Stage 15: what has come beyond the cumulative PSN, and which of the PSNs before it end a message.
        self.s15_missing.clk.next = self.clk.val();
        self.s15_missing.en.next = self.run.val();
        self.s15_missing.d.next = self.s8_missing.q.val();
        self.s15_seen.clk.next = self.clk.val();
        self.s15_seen.en.next = self.run.val();
        self.s15_seen.d.next = self.s14_seen.q.val();
        self.s16_seen.clk.next = self.clk.val();
        self.s16_seen.en.next = self.run.val();
        self.s16_seen.d.next = self.s15_seen.q.val();
        self.s16_beyond.clk.next = self.clk.val();
        self.s16_beyond.en.next = self.run.val();
        self.s16_beyond.d.next = 0.into();
        if self.s15_seen.q.val().open {
            self.s16_beyond.d.next = !self.s15_missing.q.val() & !self.span.mask.val();
        }
        self.s16_ended.clk.next = self.clk.val();
        self.s16_ended.en.next = self.run.val();
        self.s16_ended.d.next = self.last.after.val() & self.span.mask.val();
        self.s16_amount.clk.next = self.clk.val();
        self.s16_amount.en.next = self.run.val();
        self.s16_amount.d.next = self.s14_amount.q.val();

        // Stage 16: count and turn them, four clocks.
        self.count.vec.next = self.s16_ended.q.val();
        self.rotate.vec.next = self.s16_beyond.q.val();
        self.rotate.amount.next = self.s16_amount.q.val();
        self.s20_seen.clk.next = self.clk.val();
        self.s20_seen.en.next = self.run.val();
        self.s20_seen.d.next = self.s16_seen.q.val();

        // Stage 20: messages.
        self.s21_total.clk.next = self.clk.val();
        self.s21_total.en.next = self.run.val();
        self.s21_total.d.next = 0.into();
        if self.s20_seen.q.val().open {
            self.s21_total.d.next =
                self.s20_seen.q.val().messages + bit_cast::<24, 9>(self.count.total.val());
        }
        self.s22_total.clk.next = self.clk.val();
        self.s22_total.en.next = self.run.val();
        self.s22_total.d.next = self.s21_total.q.val();
        self.s22_now.clk.next = self.clk.val();
        self.s22_now.en.next = self.run.val();
        self.s22_now.d.next = self.s20_seen.q.val();
        self.s22_expected.clk.next = self.clk.val();
        self.s22_expected.en.next = self.run.val();
        self.s22_expected.d.next = self.s14_expected.q.val();
        self.s22_bits.clk.next = self.clk.val();
        self.s22_bits.en.next = self.run.val();
        self.s22_bits.d.next = self.rotate.turned.val();
        self.s22_line_event.clk.next = self.clk.val();
        self.s22_line_event.en.next = self.run.val();
        self.s22_line_event.d.next = self.s14_event.q.val();

        // Stage 22: publish.
        self.publish.next = self.s22_now.q.val();
        self.publish.next.expected = self.s22_expected.q.val();
        self.publish.next.messages = self.s22_total.q.val();
        self.published.we.next = self.run.val() & self.lives.q.val().get_bit(20);
        self.published.waddr.next = self.s22_line.q.val();
        self.published.wdata.next = self.publish.val();

        self.s18_live.next = self.lives.q.val().get_bit(16);
        self.s18_id.next = self.s18_line.q.val();
        self.s20_judged.next = self.s20_judged_line.q.val();
        self.s21_messages.next = self.s21_total.q.val();
        self.s22_live.next = self.lives.q.val().get_bit(20);
        self.s22_id.next = self.s22_line.q.val();
        self.s22_event.next = self.s22_line_event.q.val();
        self.s22_seen.next = self.publish.val();
        self.s22_bitmap.next = self.s22_bits.q.val();
    }
}
