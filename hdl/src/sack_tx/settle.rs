//! `weft_sack_tx_settle`: stages 16 to 21, everything that a connection remembers besides its rings.

use super::words::{Card, Event, Flow, Placed, Seen, Settled, Timer};
use crate::context::Context;
use crate::prelude::*;

/// `A` bits of connection number.
#[derive(LogicBlock)]
pub struct Settle<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// CSR: bytes that a packet in flight counts.
    pub mtu: Signal<In, Bits<14>>,
    /// CSR: timeouts in a row that a connection survives.
    pub retry_limit: Signal<In, Bits<4>>,
    /// Stage 17: an event or a close of the sweep.
    pub s17_live: Signal<In, Bit>,
    /// Stage 17: its connection.
    pub s17_id: Signal<In, Bits<A>>,
    /// Stage 16: the event.
    pub entry: Signal<In, Event>,
    /// Stage 16: what it means.
    pub placed: Signal<In, Placed>,
    /// Stage 16: its bitmap spoke of PSNs never sent.
    pub beyond: Signal<In, Bit>,
    /// Stage 16: PSNs to the lowest that is not acknowledged.
    pub first: Signal<In, Bits<8>>,
    /// Stage 16: there is one.
    pub some: Signal<In, Bit>,
    /// Stage 16: PSNs that are not acknowledged.
    pub unacked: Signal<In, Bits<9>>,
    /// Stage 16: PSNs to the lowest lost one.
    pub first_lost: Signal<In, Bits<8>>,
    /// Stage 16: lost PSNs.
    pub lost: Signal<In, Bits<9>>,
    /// Stage 21: the connection after the event.
    pub flow: Signal<Out, Flow>,
    /// Stage 21: what has become of the event.
    pub settled: Signal<Out, Settled>,
    /// Stage 21: the lowest PSN that was not acknowledged before the event.
    pub una_before: Signal<Out, Bits<24>>,
    /// Stage 21: what the scheduler is to know.
    pub card: Signal<Out, Card>,
    /// Stage 21: the connection is to enter the queue of those that want to send.
    pub enqueue: Signal<Out, Bit>,
    /// Stage 21: the timer.
    pub timer: Signal<Out, Timer>,
    /// Stage 21: where a message is put.
    pub post_at: Signal<Out, Bits<4>>,
    /// Stage 21: its packets.
    pub post_packets: Signal<Out, Bits<16>>,

    flows: Context<Flow, A>,
    in_bytes: Mul<9, 14, 23>,
    placed_seen: Signal<Local, Seen>,
    s17_run: Pipe<Bits<9>>,
    s17_window: Pipe<Bits<9>>,
    s17_una: Pipe<Bits<24>>,
    s17_lost_psn: Pipe<Bits<24>>,
    s17_flight: Pipe<Bits<9>>,
    s17_none: Pipe<Bit>,
    s20_none: Delay<Bit>,
    s20_unacked: Delay<Bits<9>>,
    s20_lost: Delay<Bits<9>>,
    s20_lost_psn: Delay<Bits<24>>,
    s20_event: Delay<Event>,
    s20_placed: Delay<Placed>,
    s20_beyond: Delay<Bit>,
    s20_bytes: Pipe<Bits<24>>,
    s20_more: Pipe<Bits<24>>,
    s18_una: Pipe<Bits<24>>,
    s18_span: Pipe<Bits<9>>,
    s20_una: Delay<Bits<24>>,
    s20_span: Delay<Bits<9>>,
    now: Signal<Local, Event>,
    place: Signal<Local, Placed>,
    prior: Signal<Local, Flow>,
    there: Signal<Local, Seen>,
    had: Signal<Local, Seen>,
    live: Signal<Local, Bit>,
    ours: Signal<Local, Bit>,
    unseen: Signal<Local, Bit>,
    unacked_now: Signal<Local, Bits<9>>,
    sent_before: Signal<Local, Bits<9>>,
    acked_now: Signal<Local, Bits<9>>,
    progress: Signal<Local, Bit>,
    timeout: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    post: Signal<Local, Bit>,
    queue: Signal<Local, Bits<5>>,
    none: Signal<Local, Bit>,
    posted: Signal<Local, Bit>,
    refused: Signal<Local, Bit>,
    keep: Signal<Local, Bit>,
    lead: Signal<Local, Bits<24>>,
    after: Signal<Local, Flow>,
    seen: Signal<Local, Seen>,
    bytes: Signal<Local, Bits<24>>,
    gate: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    messages: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    still_queued: Signal<Local, Bit>,
    word_seen: Signal<Local, Seen>,
    word: Signal<Local, Flow>,
    became: Signal<Local, Settled>,
    s21_became: Pipe<Settled>,
    s21_una_before: Pipe<Bits<24>>,
    s21_ready: Pipe<Bit>,
    s21_fresh: Pipe<Bit>,
    s21_lost_psn: Pipe<Bits<24>>,
    s21_enqueue: Pipe<Bit>,
    s21_post_at: Pipe<Bits<4>>,
    s21_post_packets: Pipe<Bits<16>>,
    result: Signal<Local, Flow>,
    result_seen: Signal<Local, Seen>,
}
impl<const A: usize> Default for Settle<A> {
    fn default() -> Self {
        Settle {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            mtu: Default::default(),
            retry_limit: Default::default(),
            s17_live: Default::default(),
            s17_id: Default::default(),
            entry: Default::default(),
            placed: Default::default(),
            beyond: Default::default(),
            first: Default::default(),
            some: Default::default(),
            unacked: Default::default(),
            first_lost: Default::default(),
            lost: Default::default(),
            flow: Default::default(),
            settled: Default::default(),
            una_before: Default::default(),
            card: Default::default(),
            enqueue: Default::default(),
            timer: Default::default(),
            post_at: Default::default(),
            post_packets: Default::default(),
            flows: Default::default(),
            in_bytes: Mul::new(2),
            placed_seen: Default::default(),
            s17_run: Default::default(),
            s17_window: Default::default(),
            s17_una: Default::default(),
            s17_lost_psn: Default::default(),
            s17_flight: Default::default(),
            s17_none: Default::default(),
            s20_none: Delay::new(3),
            s20_unacked: Delay::new(4),
            s20_lost: Delay::new(4),
            s20_lost_psn: Delay::new(3),
            s20_event: Delay::new(4),
            s20_placed: Delay::new(4),
            s20_beyond: Delay::new(4),
            s20_bytes: Default::default(),
            s20_more: Default::default(),
            s18_una: Default::default(),
            s18_span: Default::default(),
            s20_una: Delay::new(2),
            s20_span: Delay::new(2),
            now: Default::default(),
            place: Default::default(),
            prior: Default::default(),
            there: Default::default(),
            had: Default::default(),
            live: Default::default(),
            ours: Default::default(),
            unseen: Default::default(),
            unacked_now: Default::default(),
            sent_before: Default::default(),
            acked_now: Default::default(),
            progress: Default::default(),
            timeout: Default::default(),
            failed: Default::default(),
            post: Default::default(),
            queue: Default::default(),
            none: Default::default(),
            posted: Default::default(),
            refused: Default::default(),
            keep: Default::default(),
            lead: Default::default(),
            after: Default::default(),
            seen: Default::default(),
            bytes: Default::default(),
            gate: Default::default(),
            room: Default::default(),
            messages: Default::default(),
            again: Default::default(),
            ready: Default::default(),
            still_queued: Default::default(),
            word_seen: Default::default(),
            word: Default::default(),
            became: Default::default(),
            s21_became: Default::default(),
            s21_una_before: Default::default(),
            s21_ready: Default::default(),
            s21_fresh: Default::default(),
            s21_lost_psn: Default::default(),
            s21_enqueue: Default::default(),
            s21_post_at: Default::default(),
            s21_post_packets: Default::default(),
            result: Default::default(),
            result_seen: Default::default(),
        }
    }
}

impl<const A: usize> Logic for Settle<A> {
    #[hdl_gen]
    fn update(&mut self) {
        self.placed_seen.next = self.placed.val().seen;
        // Stage 16: the run of acknowledged PSNs, packets in flight and one more.
        self.s17_run.clk.next = self.clk.val();
        self.s17_run.en.next = self.run.val();
        self.s17_run.d.next = self.placed.val().window;
        if self.some.val() {
            self.s17_run.d.next = bit_cast::<9, 8>(self.first.val());
        }
        self.s17_window.clk.next = self.clk.val();
        self.s17_window.en.next = self.run.val();
        self.s17_window.d.next = self.placed.val().window;
        self.s17_una.clk.next = self.clk.val();
        self.s17_una.en.next = self.run.val();
        self.s17_una.d.next = self.placed_seen.val().una;
        self.s17_lost_psn.clk.next = self.clk.val();
        self.s17_lost_psn.en.next = self.run.val();
        self.s17_lost_psn.d.next = self.placed_seen.val().una + bit_cast::<24, 8>(self.first_lost.val());
        self.s17_flight.clk.next = self.clk.val();
        self.s17_flight.en.next = self.run.val();
        self.s17_flight.d.next = self.unacked.val() - self.lost.val() + 1;
        self.s17_none.clk.next = self.clk.val();
        self.s17_none.en.next = self.run.val();
        self.s17_none.d.next = self.unacked.val() == self.lost.val();
        self.s20_none.clk.next = self.clk.val();
        self.s20_none.en.next = self.run.val();
        self.s20_none.d.next = self.s17_none.q.val();
        self.s20_unacked.clk.next = self.clk.val();
        self.s20_unacked.en.next = self.run.val();
        self.s20_unacked.d.next = self.unacked.val();
        self.s20_lost.clk.next = self.clk.val();
        self.s20_lost.en.next = self.run.val();
        self.s20_lost.d.next = self.lost.val();
        self.s20_lost_psn.clk.next = self.clk.val();
        self.s20_lost_psn.en.next = self.run.val();
        self.s20_lost_psn.d.next = self.s17_lost_psn.q.val();
        self.s20_event.clk.next = self.clk.val();
        self.s20_event.en.next = self.run.val();
        self.s20_event.d.next = self.entry.val();
        self.s20_placed.clk.next = self.clk.val();
        self.s20_placed.en.next = self.run.val();
        self.s20_placed.d.next = self.placed.val();
        self.s20_beyond.clk.next = self.clk.val();
        self.s20_beyond.en.next = self.run.val();
        self.s20_beyond.d.next = self.beyond.val();

        // Stages 17 to 19: their bytes; with one more, should a packet be in the block that was not published.
        self.in_bytes.clk.next = self.clk.val();
        self.in_bytes.en.next = self.run.val();
        self.in_bytes.a.next = self.s17_flight.q.val();
        self.in_bytes.b.next = self.mtu.val();
        self.s20_bytes.clk.next = self.clk.val();
        self.s20_bytes.en.next = self.run.val();
        self.s20_bytes.d.next = bit_cast::<24, 23>(self.in_bytes.p.val());
        self.s20_more.clk.next = self.clk.val();
        self.s20_more.en.next = self.run.val();
        self.s20_more.d.next = bit_cast::<24, 23>(self.in_bytes.p.val()) + bit_cast::<24, 14>(self.mtu.val());
        self.s18_una.clk.next = self.clk.val();
        self.s18_una.en.next = self.run.val();
        self.s18_una.d.next = self.s17_una.q.val() + bit_cast::<24, 9>(self.s17_run.q.val());
        self.s18_span.clk.next = self.clk.val();
        self.s18_span.en.next = self.run.val();
        self.s18_span.d.next = self.s17_window.q.val() - self.s17_run.q.val();
        self.s20_una.clk.next = self.clk.val();
        self.s20_una.en.next = self.run.val();
        self.s20_una.d.next = self.s18_una.q.val();
        self.s20_span.clk.next = self.clk.val();
        self.s20_span.en.next = self.run.val();
        self.s20_span.d.next = self.s18_span.q.val();

        // Stage 20: the connection.
        self.flows.clk.next = self.clk.val();
        self.flows.rst.next = self.rst.val();
        self.flows.run.next = self.run.val();
        self.flows.in_live.next = self.s17_live.val();
        self.flows.in_id.next = self.s17_id.val();
        self.now.next = self.s20_event.q.val();
        self.place.next = self.s20_placed.q.val();
        self.prior.next = self.flows.prior.val();
        self.there.next = self.place.val().seen;
        self.had.next = self.prior.val().seen;
        self.live.next = self.place.val().accepted
            & self.had.val().open
            & !self.place.val().opening
            & !self.place.val().closing;
        self.ours.next = self.now.val().own & (self.now.val().kind == 6);
        self.unseen.next = (self.had.val().upcoming.get_bit(0)
            ^ self.there.val().upcoming.get_bit(0)
            ^ self.place.val().fresh)
            & self.live.val();
        self.unacked_now.next = self.s20_unacked.q.val() + bit_cast::<9, 1>(self.unseen.val().into());
        self.sent_before.next = self.prior.val().unacked + bit_cast::<9, 1>(self.place.val().fresh.into());
        self.acked_now.next = self.sent_before.val() - self.unacked_now.val();
        self.progress.next = self.live.val() & (self.sent_before.val() != self.unacked_now.val());
        self.timeout.next =
            self.live.val() & self.now.val().own & (self.now.val().kind == 7) & self.unacked_now.val().any();
        self.failed.next = self.timeout.val() & (self.retry_limit.val() <= self.prior.val().retries);
        self.post.next = self.live.val() & (self.now.val().kind == 0);
        self.queue.next = self.prior.val().tail - self.prior.val().head;
        self.none.next = !self.now.val().packets.any();
        self.posted.next = self.post.val() & (self.queue.val() != 16) & !self.none.val();
        self.refused.next = self.post.val() & ((self.queue.val() == 16) | self.none.val());
        self.keep.next = self.live.val() & !self.failed.val();
        self.lead.next = self.there.val().judged - self.had.val().judged;

        // A connection that ends keeps only whether it waits to send.
        self.after.next = self.prior.val();
        self.seen.next = self.had.val();
        self.seen.next.open = self.place.val().opening | self.keep.val();
        self.seen.next.forfeit = self.had.val().forfeit & !self.ours.val();
        self.seen.next.una = self.s20_una.q.val();
        self.seen.next.upcoming = self.had.val().upcoming + bit_cast::<24, 1>(self.place.val().fresh.into());
        self.seen.next.judged = self.there.val().judged;
        if self.lead.val().get_bit(23) {
            self.seen.next.judged = self.had.val().judged;
        }
        self.seen.next.origin = self.there.val().origin;
        if self.place.val().fresh {
            self.after.next.left = self.now.val().packets - 1;
        }
        self.after.next.head =
            self.prior.val().head + bit_cast::<5, 1>((self.place.val().fresh & self.now.val().taken).into());
        self.after.next.tail = self.prior.val().tail + bit_cast::<5, 1>(self.posted.val().into());
        if self.now.val().kind == 3 {
            self.after.next.cwnd = self.now.val().second;
        }
        if self.progress.val()
            | self.timeout.val()
            | (self.place.val().fresh & !self.prior.val().unacked.any())
        {
            self.after.next.since = self.now.val().now;
        }
        if self.progress.val() {
            self.after.next.retries = 0.into();
        } else if self.timeout.val() {
            self.after.next.retries = self.prior.val().retries + 1;
        }
        self.after.next.unacked = self.unacked_now.val();
        self.after.next.lost = self.s20_lost.q.val();
        if !self.keep.val() {
            self.seen.next.origin = 0.into();
            self.seen.next.una = 0.into();
            self.seen.next.upcoming = 0.into();
            self.seen.next.judged = 0.into();
            self.after.next.left = 0.into();
            self.after.next.head = 0.into();
            self.after.next.tail = 0.into();
            self.after.next.cwnd = 0.into();
            self.after.next.since = 0.into();
            self.after.next.retries = 0.into();
            self.after.next.unacked = 0.into();
            self.after.next.lost = 0.into();
        }
        if self.place.val().opening {
            self.seen.next.forfeit = self.prior.val().queued;
            self.seen.next.origin = self.there.val().origin;
            self.seen.next.una = self.there.val().una;
            self.seen.next.upcoming = self.there.val().upcoming;
            self.seen.next.judged = self.there.val().judged;
            self.after.next.cwnd = self.now.val().second;
            self.after.next.since = self.now.val().now;
        }

        // Does it want to send? Lost packets first, and one packet whatever the congestion window.
        self.bytes.next = self.s20_bytes.q.val();
        if self.unseen.val() {
            self.bytes.next = self.s20_more.q.val();
        }
        self.gate.next = (self.s20_none.q.val() & !self.unseen.val())
            | (bit_cast::<26, 24>(self.bytes.val()) <= self.after.val().cwnd);
        self.room.next = !self.s20_span.q.val().get_bit(8)
            & !(self.unseen.val() & self.s20_span.q.val().get_bits::<8>(0).all());
        self.messages.next = self.after.val().left.any() | (self.after.val().head != self.after.val().tail);
        self.again.next = self.s20_lost.q.val().any();
        self.ready.next =
            self.keep.val() & self.gate.val() & (self.again.val() | (self.messages.val() & self.room.val()));
        self.still_queued.next = self.prior.val().queued & !self.ours.val();
        self.word_seen.next = self.seen.val();
        self.word_seen.next.forfeit = self.seen.val().forfeit & !self.now.val().sweep;
        self.word.next = self.after.val();
        self.word.next.queued = (self.still_queued.val() | self.ready.val()) & !self.now.val().sweep;
        self.word.next.seen = self.word_seen.val();
        self.flows.word.next = self.word.val();

        self.became.next.kind = self.now.val().kind;
        self.became.next.accepted =
            (self.place.val().accepted & self.had.val().open) | self.place.val().opening;
        self.became.next.ends = self.place.val().opening | self.place.val().closing | self.failed.val();
        self.became.next.send = self.live.val() & self.place.val().send;
        self.became.next.fresh = self.live.val() & self.place.val().fresh;
        self.became.next.last = self.live.val() & self.place.val().fresh & (self.now.val().packets == 1);
        self.became.next.failed = self.failed.val();
        self.became.next.reason = 0.into();
        if self.refused.val() {
            self.became.next.reason = 3.into();
        } else if self.live.val() {
            self.became.next.reason = self.place.val().reason;
        }
        self.became.next.beyond = self.s20_beyond.q.val() & self.live.val();
        self.became.next.posted = self.posted.val();
        self.became.next.acked = 0.into();
        self.became.next.lost = 0.into();
        if self.live.val() {
            self.became.next.acked = self.acked_now.val();
            if self.prior.val().lost < self.s20_lost.q.val() {
                self.became.next.lost = self.s20_lost.q.val() - self.prior.val().lost;
            }
        }
        self.became.next.psn = self.now.val().psn;
        self.became.next.tag = self.now.val().tag;
        self.s21_became.clk.next = self.clk.val();
        self.s21_became.en.next = self.run.val();
        self.s21_became.d.next = self.became.val();
        self.s21_una_before.clk.next = self.clk.val();
        self.s21_una_before.en.next = self.run.val();
        self.s21_una_before.d.next = self.had.val().una;
        self.s21_ready.clk.next = self.clk.val();
        self.s21_ready.en.next = self.run.val();
        self.s21_ready.d.next = self.ready.val();
        self.s21_fresh.clk.next = self.clk.val();
        self.s21_fresh.en.next = self.run.val();
        self.s21_fresh.d.next = !self.again.val();
        self.s21_lost_psn.clk.next = self.clk.val();
        self.s21_lost_psn.en.next = self.run.val();
        self.s21_lost_psn.d.next = self.s20_lost_psn.q.val();
        self.s21_enqueue.clk.next = self.clk.val();
        self.s21_enqueue.en.next = self.run.val();
        self.s21_enqueue.d.next = self.ready.val() & !self.still_queued.val();
        self.s21_post_at.clk.next = self.clk.val();
        self.s21_post_at.en.next = self.run.val();
        self.s21_post_at.d.next = self.prior.val().tail.get_bits::<4>(0);
        self.s21_post_packets.clk.next = self.clk.val();
        self.s21_post_packets.en.next = self.run.val();
        self.s21_post_packets.d.next = self.now.val().packets;

        // Stage 21: what others are to know of it.
        self.result.next = self.flows.after.val();
        self.result_seen.next = self.result.val().seen;
        self.flow.next = self.result.val();
        self.settled.next = self.s21_became.q.val();
        self.una_before.next = self.s21_una_before.q.val();
        self.card.next.ready = self.s21_ready.q.val();
        self.card.next.fresh = self.s21_fresh.q.val();
        self.card.next.psn = self.s21_lost_psn.q.val();
        if self.s21_fresh.q.val() {
            self.card.next.psn = self.result_seen.val().upcoming;
        }
        self.card.next.left = self.result.val().left;
        self.card.next.head = self.result.val().head.get_bits::<4>(0);
        self.enqueue.next = self.s21_enqueue.q.val();
        self.timer.next.armed = self.result.val().unacked.any();
        self.timer.next.since = self.result.val().since;
        self.timer.next.retries = self.result.val().retries;
        self.post_at.next = self.s21_post_at.q.val();
        self.post_packets.next = self.s21_post_packets.q.val();
    }
}
