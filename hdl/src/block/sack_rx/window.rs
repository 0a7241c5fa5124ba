//! `weft_sack_rx_window`: stages 1 to 20, which find the place of a packet in its connection's window and move the
//! window.
//!
//! The rings are exact for every event; the published cumulative PSN may be older. The window after the event
//! is a function of both, so only the rings are read and written in one clock.

use super::cover::Cover;
use super::words::{Along, Event, Judged, Seen};
use crate::part::published::Published;
use crate::part::ring::{Below, Count, Counts, Find, Finds, Hot, Rotate, Span, Store};
use crate::part::wait::Wait;
use crate::prelude::*;

/// Stages 1 to 20: the place of a packet in its connection's window, and how far the window moves. The rings
/// are exact for every event; the published cumulative PSN may be older.
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
    /// Stage 1: an event or a close of the sweep.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: connection of the event.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 18: an event or a close of the sweep.
    pub s18_live: Signal<Out, Bit>,
    /// Stage 18: connection of the event.
    pub s18_id: Signal<Out, Bits<A>>,
    /// Stage 20: the decisions so far.
    pub s20_judged: Signal<Out, Judged<S>>,
    /// Stage 20: the PSN is far.
    pub s20_far: [Signal<Out, Bit>; E],
    /// Stage 21: messages completed since the connection was opened.
    pub s21_messages: Signal<Out, Bits<24>>,
    /// Stage 22: an event or a close of the sweep.
    pub s22_live: Signal<Out, Bit>,
    /// Stage 22: connection of the event.
    pub s22_id: Signal<Out, Bits<A>>,
    /// Stage 22: the fields that passed by the rings.
    pub s22_along: Signal<Out, Along<N>>,
    /// Stage 22: the state for the next event.
    pub s22_seen: Signal<Out, Seen<N>>,
    /// Stage 22: the PSNs received beyond the cumulative PSN.
    pub s22_bitmap: Signal<Out, Bits<256>>,

    run: Enable,
    run_8: Enable,
    run_15: Enable,
    run_20: Enable,
    published: Published<Seen<N>, A>,
    received: Store<A, P>,
    last: Store<A, P>,
    hot: Hot<S, P, G, H, E>,
    last_hot: Hot<S, P, G, H, E>,
    below: Below<S, P, G, H, E>,
    find: Find,
    span: Span<S, N, P, G, H, E>,
    count: Count,
    rotate: Rotate,
    finds: [Finds<S, P, B, K, X>; E],
    counts: [Counts<N, P, X>; E],
    cover: [Cover<S, N, P, G, H, E, X>; E],
    #[new((P as u64).to_bits())]
    whole: Constant<Bits<N>>,
    lives: Reg<Bits<21>>,
    #[new(2)]
    s3_id: Delay<Bits<A>>,
    #[new(8)]
    s11_id: Delay<Bits<A>>,
    #[new(7)]
    s18_line: Delay<Bits<A>>,
    #[new(4)]
    s22_line: Delay<Bits<A>>,
    #[new(2)]
    s3_event: Delay<Event>,
    s3_seen: Signal<Local, Seen<N>>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    opened: Signal<Local, Seen<N>>,
    s4_event: Pipe<Event>,
    s4_seen: Pipe<Seen<N>>,
    s4_accepted: Pipe<Bit>,
    s4_opening: Pipe<Bit>,
    s4_clear: Pipe<Bit>,
    s4_ahead: Pipe<Bits<24>>,
    s4_offset: Pipe<Bits<N>>,
    is_data: Signal<Local, Bit>,
    packet: Signal<Local, Bit>,
    s5_event: Pipe<Event>,
    s5_seen: Pipe<Seen<N>>,
    s5_accepted: Pipe<Bit>,
    s5_opening: Pipe<Bit>,
    s5_clear: Pipe<Bit>,
    s5_packet: Pipe<Bit>,
    s5_data: Pipe<Bit>,
    s5_old: Pipe<Bit>,
    s5_inside: Pipe<Bit>,
    s5_offset: Pipe<Bits<N>>,
    s5_from: Pipe<Bits<N>>,
    s6_opening: Pipe<Bit>,
    s6_turn: Pipe<Bit>,
    s6_marks: Pipe<Bit>,
    s6_clears: Pipe<Bit>,
    #[new(2)]
    s7_from_turn: Delay<Bit>,
    one: Signal<Local, Bits<P>>,
    here: Signal<Local, Bits<P>>,
    hits: Signal<Local, Bits<16>>,
    group: Signal<Local, Bits<16>>,
    s7_hits: Pipe<Bits<16>>,
    s7_turn: Pipe<Bit>,
    turned: Signal<Local, Bits<P>>,
    s8_missing: Pipe<Bits<P>>,
    #[new(2)]
    s7_packet: Delay<Bit>,
    #[new(2)]
    s7_data: Delay<Bit>,
    #[new(2)]
    s7_old: Delay<Bit>,
    #[new(2)]
    s7_inside: Delay<Bit>,
    s8_before: Pipe<Bit>,
    s8_packet: Pipe<Bit>,
    s8_data: Pipe<Bit>,
    s8_outside: Pipe<Bit>,
    #[new(2)]
    s7_event: Delay<Event>,
    s8_event: Pipe<Event>,
    #[new(3)]
    s8_accepted: Delay<Bit>,
    #[new(3)]
    s8_opening: Delay<Bit>,
    #[new(3)]
    s8_clear: Delay<Bit>,
    fresh: Signal<Local, Bit>,
    nack: Signal<Local, Bit>,
    judged: Signal<Local, Judged<S>>,
    s9_judged: Pipe<Judged<S>>,
    s20_judgement: Wait<Judged<S>>,
    #[new(3)]
    s8_from: Delay<Bits<S>>,
    #[new(4)]
    s12_from: Delay<Bits<S>>,
    s13_run: Pipe<Bits<N>>,
    s13_from: Pipe<Bits<S>>,
    along: Signal<Local, Along<N>>,
    s20_along: Wait<Along<N>>,
    late: Signal<Local, Along<N>>,
    #[new(8)]
    s13_open: Delay<Bit>,
    #[new(8)]
    s13_expected: Delay<Bits<24>>,
    #[new(2)]
    s15_open: Delay<Bit>,
    s14_expected: Pipe<Bits<24>>,
    s14_amount: Pipe<Bits<S>>,
    #[new(8)]
    s13_slot: Delay<Bits<S>>,
    #[new(4)]
    s13_fresh: Delay<Bit>,
    #[new(6)]
    s14_last: Delay<Bit>,
    s15_missing: Wait<Bits<P>>,
    s16_beyond: Pipe<Bits<P>>,
    s16_ended: Pipe<Bits<P>>,
    #[new(2)]
    s16_amount: Delay<Bits<S>>,
    s21_total: Pipe<Bits<24>>,
    s22_total: Pipe<Bits<24>>,
    s21_now: Pipe<Along<N>>,
    s22_now: Pipe<Along<N>>,
    #[new(8)]
    s22_expected: Delay<Bits<24>>,
    #[new(2)]
    s22_bits: Delay<Bits<256>>,
    publish: Signal<Local, Seen<N>>,
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
        wire!(self.run.*, self.run_8.*, self.run_15.*, self.run_20.* <- self.*: clk, rst, next_run);
        wire!(
            self.hot.*, self.last_hot.*, self.below.*, self.find.*, self.span.*, self.count.*, self.rotate.*
            <- self.*: clk, rst, next_run,
        );

        // Bit i: an event, or a close of the sweep, is in stage i + 2.
        self.lives.reg = (self.lives.q.val() << 1) | bit_cast::<21, 1>(self.in_live.val().into());
        self.s3_id.delay = self.in_id.val();

        // Stages 1 to 3: the published state.
        self.published.clk.next = self.clk.val();
        self.published.run.next = self.run.q.val();
        self.published.raddr.next = self.in_id.val();
        self.s3_event.delay = self.in_event.val();
        self.s3_seen.next = self.published.rdata.val();
        self.opening.next = self.s3_event.q.val().kind == 4;
        self.closing.next = self.s3_event.q.val().kind == 5;
        self.opened.next = self.s3_seen.val();
        if self.opening.val() {
            self.opened.next.open = true;
            self.opened.next.origin = self.s3_event.q.val().psn.get_bits::<N>(0);
            self.opened.next.expected = self.s3_event.q.val().psn;
            self.opened.next.messages = 0.into();
        } else if self.closing.val() {
            self.opened.next.open = false;
            self.opened.next.origin = 0.into();
            self.opened.next.expected = 0.into();
            self.opened.next.messages = 0.into();
        }
        // By another enable than the registers around it: those that always load together would become a shift register,
        // which takes a LUT a bit.
        self.s4_event.pipe = when(self.run_8.q.val(), self.s3_event.q.val());
        self.s4_seen.pipe = self.opened.val();
        self.s4_accepted.pipe = self.s3_seen.val().open | self.opening.val();
        self.s4_opening.pipe = self.opening.val();
        self.s4_clear.pipe = self.opening.val() | self.closing.val();
        self.s4_ahead.pipe = self.s3_event.q.val().psn - self.s3_seen.val().expected;
        self.s4_offset.pipe = self.s3_event.q.val().psn.get_bits::<N>(0) - self.s3_seen.val().origin;

        // Stage 4: where the PSN lies, and where the window begins.
        self.is_data.next = self.s4_event.q.val().kind == 0;
        self.packet.next =
            self.s4_seen.q.val().open & (self.is_data.val() | (self.s4_event.q.val().kind == 1));
        self.s5_event.pipe = when(self.run_15.q.val(), self.s4_event.q.val());
        self.s5_seen.pipe = self.s4_seen.q.val();
        self.s5_accepted.pipe = self.s4_accepted.q.val();
        self.s5_opening.pipe = self.s4_opening.q.val();
        self.s5_clear.pipe = self.s4_clear.q.val();
        self.s5_packet.pipe = self.packet.val();
        self.s5_data.pipe = self.packet.val() & self.is_data.val();
        self.s5_old.pipe = self.packet.val() & self.s4_ahead.q.val().get_bit(23);
        for s in S..N {
            self.s5_inside.pipe = self.packet.val() & !self.s4_ahead.q.val().get_bits::<16>(s).any();
        }
        self.s5_offset.pipe = self.s4_offset.q.val();
        self.s5_from.pipe = self.s4_seen.q.val().expected.get_bits::<N>(0) - self.s4_seen.q.val().origin;

        // Stage 5: the slot as a mask, the slots before the window's first.
        self.hot.index.next = self.s5_offset.q.val().get_bits::<S>(0);
        self.hot.en.next = self.s5_inside.q.val();
        self.below.index.next = self.s5_from.q.val().get_bits::<S>(0);
        self.s6_opening.pipe = self.s5_opening.q.val();
        for s in S..N {
            self.s6_turn.pipe = self.s5_offset.q.val().get_bit(s);
            self.s6_marks.pipe = self.s5_data.q.val() & self.s5_offset.q.val().get_bit(s);
            self.s6_clears.pipe = self.s5_data.q.val() & !self.s5_offset.q.val().get_bit(s);
            self.s7_from_turn.delay = self.s5_from.q.val().get_bit(s);
        }

        // Stage 6: the ring of turns takes the packet's; an open makes every slot one of a PSN that has not
        // arrived.
        wire!(self.received.* <- self.*: clk, rst, next_run);
        self.received.in_live.next = self.lives.q.val().get_bit(1);
        self.received.in_id.next = self.s3_id.q.val();
        self.one.next = self.hot.one.val();
        self.received.mark.next = if self.s6_opening.q.val() {
            self.one.val() | !self.one.val()
        } else if self.s6_marks.q.val() {
            self.one.val()
        } else {
            0.into()
        };
        self.received.clear.next = if self.s6_clears.q.val() { self.one.val() } else { 0.into() };
        self.here.next = self.received.prior.val() & self.one.val();
        self.hits.next = 0.into();
        self.group.next = 0.into();
        for g in 0..16 {
            self.group.next = self.here.val().get_bits::<16>(16 * g);
            for x in 0..X {
                self.group.next = self.group.val() | self.here.val().get_bits::<16>(256 * x + 16 * g + 256);
            }
            self.hits.next =
                (self.hits.val() >> 1) | (bit_cast::<16, 1>(self.group.val().any().into()) << 15);
        }
        self.s7_hits.pipe = self.hits.val();
        self.s7_turn.pipe = self.s6_turn.q.val();

        // Stage 7: the missing PSNs, seen from the published PSN; whether the packet's PSN had arrived
        // before.
        self.turned.next = self.received.after.val() ^ self.below.mask.val();
        self.s8_missing.pipe = if self.s7_from_turn.q.val() { !self.turned.val() } else { self.turned.val() };
        self.s7_packet.delay = self.s5_packet.q.val();
        self.s7_data.delay = self.s5_data.q.val();
        self.s7_old.delay = self.s5_old.q.val();
        self.s7_inside.delay = self.s5_inside.q.val();
        self.s8_before.pipe = self.s7_old.q.val()
            | (self.s7_inside.q.val() & (self.s7_hits.q.val().any() == self.s7_turn.q.val()));
        self.s8_packet.pipe = self.s7_packet.q.val();
        self.s8_data.pipe = self.s7_data.q.val();
        self.s8_outside.pipe = self.s7_packet.q.val() & !self.s7_old.q.val() & !self.s7_inside.q.val();

        // Stage 8: verdict; the first PSN that is missing, four clocks.
        self.s7_event.delay = self.s5_event.q.val();
        enable!(run_8.q);
        self.s11_id.delay = self.s3_id.q.val();
        self.s18_line.delay = self.s11_id.q.val();
        self.s22_line.delay = self.s18_line.q.val();
        self.s8_event.pipe = self.s7_event.q.val();
        self.s8_accepted.delay = self.s5_accepted.q.val();
        self.s8_opening.delay = self.s5_opening.q.val();
        self.s8_clear.delay = self.s5_clear.q.val();
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
        self.judged.next.verdict = if self.s8_outside.q.val() {
            3.into()
        } else if self.s8_packet.q.val() & self.s8_before.q.val() {
            2.into()
        } else if self.nack.val() {
            4.into()
        } else if self.fresh.val() {
            1.into()
        } else {
            0.into()
        };
        self.judged.next.counted = if !self.s8_event.q.val().bytes.get_bits::<6>(10).any() {
            1024.into()
        } else {
            self.s8_event.q.val().bytes
        };
        self.judged.next.bytes = self.s8_event.q.val().bytes;
        self.judged.next.psn = self.s8_event.q.val().psn.get_bits::<S>(0);
        self.s9_judged.pipe = self.judged.val();
        wire!(self.s20_judgement.* <- self.*: clk, rst);
        self.s20_judgement.en.next = self.run_8.q.val();
        self.s20_judgement.clocks.next = 11.into();
        self.s20_judgement.word.next = self.s9_judged.q.val();
        self.s8_from.delay = self.s5_from.q.val().get_bits::<S>(0);
        self.find.vec.next = self.s8_missing.q.val().get_bits::<256>(0);
        self.find.start.next = self.s8_from.q.val().get_bits::<8>(0);
        self.s12_from.delay = self.s8_from.q.val();
        for e in 0..E {
            wire!(self.finds[e].* <- self.*: clk, rst, next_run);
            self.finds[e].vec.next = self.s8_missing.q.val();
            self.finds[e].start.next = self.s8_from.q.val();
            self.find.start.next = self.finds[e].first_start.val();
            wire!(self.finds[e].first_* <- self.find.*: found, index);
        }

        // Stage 12: how many PSNs have come from the published one on.
        self.s13_run.pipe = if self.find.found.val() {
            bit_cast::<N, S>(bit_cast::<S, 8>(self.find.index.val()) - self.s12_from.q.val())
        } else {
            256.into()
        };
        for e in 0..E {
            self.s13_run.d.next = self.whole.val();
            if self.finds[e].found.val() {
                self.s13_run.d.next = (self.finds[e].index.val() - self.s12_from.q.val()).get_bits::<N>(0);
            }
        }
        self.s13_from.pipe = self.s12_from.q.val();

        // Stage 13: these PSNs as a mask; the cumulative PSN; the end of a message is kept with its packet.
        self.span.start.next = self.s13_from.q.val();
        self.span.length.next = self.s13_run.q.val();
        self.s13_open.delay = self.s5_seen.q.val().open;
        self.s13_expected.delay = self.s5_seen.q.val().expected;
        self.s14_expected.pipe = if self.s13_open.q.val() {
            self.s13_expected.q.val() + bit_cast::<24, N>(self.s13_run.q.val())
        } else {
            0.into()
        };
        self.s14_amount.pipe = bits::<S>(0) - (self.s13_from.q.val() + self.s13_run.q.val().get_bits::<S>(0));
        self.s13_slot.delay = self.s5_offset.q.val().get_bits::<S>(0);
        self.s13_fresh.delay = self.s9_judged.q.val().fresh;
        self.s14_last.delay = self.s8_event.q.val().last;
        self.last_hot.index.next = self.s13_slot.q.val();
        self.last_hot.en.next = self.s13_fresh.q.val();

        // Stage 14: the ring of ends.
        wire!(self.last.* <- self.*: clk, rst, next_run);
        self.last.in_live.next = self.lives.q.val().get_bit(9);
        self.last.in_id.next = self.s11_id.q.val();
        self.last.mark.next = 0.into();
        self.last.clear.next = 0.into();
        if self.s14_last.q.val() {
            self.last.mark.next = self.last_hot.one.val();
        } else {
            self.last.clear.next = self.last_hot.one.val();
        }

        // Stage 15: the PSNs received beyond the cumulative PSN, and those before it that end a message.
        enable!(run_15.q);
        wire!(self.s15_missing.* <- self.*: clk, rst);
        self.s15_missing.en.next = self.run_15.q.val();
        self.s15_missing.clocks.next = 7.into();
        self.s15_missing.word.next = self.s8_missing.q.val();
        self.s15_open.delay = self.s13_open.q.val();
        self.s16_beyond.pipe = if self.s15_open.q.val() {
            !self.s15_missing.late.val() & !self.span.mask.val()
        } else {
            0.into()
        };
        self.s16_ended.pipe = self.last.after.val() & self.span.mask.val();
        self.s16_amount.delay = self.s14_amount.q.val();

        // Stage 16: count and turn them, four clocks.
        self.count.vec.next = self.s16_ended.q.val().get_bits::<256>(0);
        self.rotate.vec.next = self.s16_beyond.q.val().get_bits::<256>(0);
        self.rotate.amount.next = self.s16_amount.q.val().get_bits::<8>(0);
        for e in 0..E {
            wire!(self.cover[e].*, self.counts[e].* <- self.*: clk, rst, next_run);
            self.counts[e].vec.next = self.s16_ended.q.val();
            self.cover[e].s5_psn.next = self.s5_event.q.val().psn;
            self.cover[e].s5_slot.next = self.s5_offset.q.val().get_bits::<S>(0);
            self.cover[e].s13_from.next = self.s13_from.q.val();
            self.cover[e].s13_run.next = self.s13_run.q.val();
            self.cover[e].s14_expected.next = self.s14_expected.q.val();
            self.cover[e].s16_beyond.next = self.s16_beyond.q.val();
            self.rotate.vec.next = self.cover[e].s16_covered.val();
            self.rotate.amount.next = self.cover[e].s16_amount.val();
            self.s20_far[e].next = self.cover[e].s20_far.val();
        }

        // Stage 20: messages.
        enable!(run_20.q);
        wire!(self.along.next.* <- self.s5_event.q.val().*: kind, ce, psn, tag);
        wire!(self.along.next.* <- self.s5_seen.q.val().*: open, origin, messages);
        wire!(self.s20_along.* <- self.*: clk, rst);
        self.s20_along.en.next = self.run_20.q.val();
        self.s20_along.clocks.next = 15.into();
        self.s20_along.word.next = self.along.val();
        self.late.next = self.s20_along.late.val();
        self.s21_total.pipe = if self.late.val().open {
            self.late.val().messages + bit_cast::<24, 9>(self.count.total.val())
        } else {
            0.into()
        };
        for e in 0..E {
            if self.late.val().open {
                self.s21_total.d.next = self.late.val().messages
                    + self.count.total.val().get_bits::<24>(0)
                    + self.counts[e].total.val().get_bits::<24>(0);
            }
        }
        self.s22_total.pipe = self.s21_total.q.val();
        // By another enable than the registers around it, so that they are no shift register.
        self.s21_now.pipe = when(self.run_15.q.val(), self.late.val());
        self.s22_now.pipe = self.s21_now.q.val();
        self.s22_expected.delay = self.s14_expected.q.val();
        self.s22_bits.delay = self.rotate.turned.val();

        // Stage 22: publish.
        wire!(self.publish.next.* <- self.s22_now.q.val().*: open, origin);
        self.publish.next.expected = self.s22_expected.q.val();
        self.publish.next.messages = self.s22_total.q.val();
        self.published.write = when(
            self.run.q.val() & self.lives.q.val().get_bit(20),
            (self.s22_line.q.val(), self.publish.val()),
        );

        self.s18_live.next = self.lives.q.val().get_bit(16);
        self.s18_id.next = self.s18_line.q.val();
        self.s20_judged.next = self.s20_judgement.late.val();
        self.s21_messages.next = self.s21_total.q.val();
        self.s22_live.next = self.lives.q.val().get_bit(20);
        self.s22_id.next = self.s22_line.q.val();
        self.s22_along.next = self.s22_now.q.val();
        self.s22_seen.next = self.publish.val();
        self.s22_bitmap.next = self.s22_bits.q.val();
    }
}
