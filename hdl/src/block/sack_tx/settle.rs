//! `weft_sack_tx_settle`: stages 16 to 23, everything that a connection remembers besides its rings.

use super::words::{Card, Event, Flow, Placed, Seen, Settled, Timer, Turn};
use crate::part::context::Context;
use crate::prelude::*;

/// Stages 16 to 23: everything that a connection remembers besides its rings.
///
/// # Parameters
///
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
    /// Stage 19: an event or a close of the sweep.
    pub s19_live: Signal<In, Bit>,
    /// Stage 19: its connection.
    pub s19_id: Signal<In, Bits<A>>,
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
    /// Stage 23: what the next event finds.
    pub s23_seen: Signal<Out, Seen>,
    /// Stage 23: what the scheduler is to know.
    pub s23_card: Signal<Out, Card>,
    /// Stage 23: the connection is to enter the queue of those that want to send.
    pub s23_enqueue: Signal<Out, Bit>,
    /// Stage 23: the timer.
    pub s23_timer: Signal<Out, Timer>,
    /// Stage 23: a message was taken into the queue.
    pub s23_posted: Signal<Out, Bit>,
    /// Stage 23: where it is put.
    pub s23_post_at: Signal<Out, Bits<4>>,
    /// Stage 23: its packets.
    pub s23_post_packets: Signal<Out, Bits<16>>,

    flows: Context<Flow, A>,
    turns: Context<Turn, A>,
    in_bytes: Mul<9, 14, 23>,
    placed_seen: Signal<Local, Seen>,
    s17_run: Pipe<Bits<9>>,
    s17_window: Pipe<Bits<9>>,
    s17_una: Pipe<Bits<24>>,
    s17_lost_psn: Pipe<Bits<24>>,
    s17_flight: Pipe<Bits<9>>,
    s17_none: Pipe<Bit>,
    s20_none: Delay<Bit>,
    s20_lost: Delay<Bits<9>>,
    s21_lost_psn: Delay<Bits<24>>,
    s19_unacked: Delay<Bits<9>>,
    s19_event: Delay<Event>,
    s19_placed: Delay<Placed>,
    s20_beyond: Delay<Bit>,
    s20_bytes: Pipe<Bits<24>>,
    s20_more: Pipe<Bits<24>>,
    s18_una: Pipe<Bits<24>>,
    s18_span: Pipe<Bits<9>>,
    s20_una: Delay<Bits<24>>,
    s20_span: Delay<Bits<9>>,
    early: Signal<Local, Event>,
    aim: Signal<Local, Placed>,
    aim_seen: Signal<Local, Seen>,
    s20_event: Pipe<Event>,
    s20_placed: Pipe<Placed>,
    s20_live: Pipe<Bit>,
    s20_ours: Pipe<Bit>,
    s20_timeout: Pipe<Bit>,
    s20_window: Pipe<Bit>,
    s20_posts: Pipe<Bit>,
    s20_packets: Pipe<Bit>,
    s20_left: Pipe<Bits<16>>,
    s20_some: Pipe<Bit>,
    s20_unacked: Pipe<Bits<9>>,
    s20_unacked_more: Pipe<Bits<9>>,
    s20_rest: Pipe<Bits<9>>,
    s20_rest_more: Pipe<Bits<9>>,
    s20_parity: Pipe<Bit>,
    now: Signal<Local, Event>,
    place: Signal<Local, Placed>,
    prior: Signal<Local, Flow>,
    there: Signal<Local, Seen>,
    had: Signal<Local, Seen>,
    unseen: Signal<Local, Bit>,
    rest: Signal<Local, Bits<9>>,
    unacked_now: Signal<Local, Bits<9>>,
    bytes_now: Signal<Local, Bits<24>>,
    live: Signal<Local, Bit>,
    progress: Signal<Local, Bit>,
    timeout: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    posted: Signal<Local, Bit>,
    lead: Signal<Local, Bits<24>>,
    seen: Signal<Local, Seen>,
    after: Signal<Local, Flow>,
    became: Signal<Local, Settled>,
    s21_became: Pipe<Settled>,
    s21_una_before: Pipe<Bits<24>>,
    s21_none: Pipe<Bit>,
    s21_bytes: Pipe<Bits<24>>,
    s21_room: Pipe<Bit>,
    s21_post_at: Pipe<Bits<4>>,
    s21_post_packets: Pipe<Bits<16>>,
    s21_ours: Pipe<Bit>,
    s21_opening: Pipe<Bit>,
    s21_sweep: Pipe<Bit>,
    result: Signal<Local, Flow>,
    result_seen: Signal<Local, Seen>,
    open: Signal<Local, Bit>,
    gate: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    messages: Signal<Local, Bit>,
    s22_ready: Pipe<Bit>,
    s22_again: Pipe<Bit>,
    s22_seen: Pipe<Seen>,
    s22_left: Pipe<Bits<16>>,
    s22_head: Pipe<Bits<4>>,
    s22_lost_psn: Pipe<Bits<24>>,
    s22_armed: Pipe<Bit>,
    s22_since: Pipe<Bits<24>>,
    s22_retries: Pipe<Bits<4>>,
    s22_posted: Pipe<Bit>,
    s22_post_at: Pipe<Bits<4>>,
    s22_post_packets: Pipe<Bits<16>>,
    s22_ours: Pipe<Bit>,
    s22_opening: Pipe<Bit>,
    s22_sweep: Pipe<Bit>,
    turn: Signal<Local, Turn>,
    still_queued: Signal<Local, Bit>,
    next_turn: Signal<Local, Turn>,
    s23_seen_reg: Pipe<Seen>,
    s23_enqueue_reg: Pipe<Bit>,
    made: Signal<Local, Card>,
    s23_made: Pipe<Card>,
    watch: Signal<Local, Timer>,
    s23_watch: Pipe<Timer>,
    s23_posted_reg: Pipe<Bit>,
    s23_post_at_reg: Pipe<Bits<4>>,
    s23_post_packets_reg: Pipe<Bits<16>>,
    turned: Signal<Local, Turn>,
    shown: Signal<Local, Seen>,
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
            s19_live: Default::default(),
            s19_id: Default::default(),
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
            s23_seen: Default::default(),
            s23_card: Default::default(),
            s23_enqueue: Default::default(),
            s23_timer: Default::default(),
            s23_posted: Default::default(),
            s23_post_at: Default::default(),
            s23_post_packets: Default::default(),
            flows: Default::default(),
            turns: Default::default(),
            in_bytes: Mul::new(2),
            placed_seen: Default::default(),
            s17_run: Default::default(),
            s17_window: Default::default(),
            s17_una: Default::default(),
            s17_lost_psn: Default::default(),
            s17_flight: Default::default(),
            s17_none: Default::default(),
            s20_none: Delay::new(3),
            s20_lost: Delay::new(4),
            s21_lost_psn: Delay::new(4),
            s19_unacked: Delay::new(3),
            s19_event: Delay::new(3),
            s19_placed: Delay::new(3),
            s20_beyond: Delay::new(4),
            s20_bytes: Default::default(),
            s20_more: Default::default(),
            s18_una: Default::default(),
            s18_span: Default::default(),
            s20_una: Delay::new(2),
            s20_span: Delay::new(2),
            early: Default::default(),
            aim: Default::default(),
            aim_seen: Default::default(),
            s20_event: Default::default(),
            s20_placed: Default::default(),
            s20_live: Default::default(),
            s20_ours: Default::default(),
            s20_timeout: Default::default(),
            s20_window: Default::default(),
            s20_posts: Default::default(),
            s20_packets: Default::default(),
            s20_left: Default::default(),
            s20_some: Default::default(),
            s20_unacked: Default::default(),
            s20_unacked_more: Default::default(),
            s20_rest: Default::default(),
            s20_rest_more: Default::default(),
            s20_parity: Default::default(),
            now: Default::default(),
            place: Default::default(),
            prior: Default::default(),
            there: Default::default(),
            had: Default::default(),
            unseen: Default::default(),
            rest: Default::default(),
            unacked_now: Default::default(),
            bytes_now: Default::default(),
            live: Default::default(),
            progress: Default::default(),
            timeout: Default::default(),
            failed: Default::default(),
            full: Default::default(),
            posted: Default::default(),
            lead: Default::default(),
            seen: Default::default(),
            after: Default::default(),
            became: Default::default(),
            s21_became: Default::default(),
            s21_una_before: Default::default(),
            s21_none: Default::default(),
            s21_bytes: Default::default(),
            s21_room: Default::default(),
            s21_post_at: Default::default(),
            s21_post_packets: Default::default(),
            s21_ours: Default::default(),
            s21_opening: Default::default(),
            s21_sweep: Default::default(),
            result: Default::default(),
            result_seen: Default::default(),
            open: Default::default(),
            gate: Default::default(),
            again: Default::default(),
            messages: Default::default(),
            s22_ready: Default::default(),
            s22_again: Default::default(),
            s22_seen: Default::default(),
            s22_left: Default::default(),
            s22_head: Default::default(),
            s22_lost_psn: Default::default(),
            s22_armed: Default::default(),
            s22_since: Default::default(),
            s22_retries: Default::default(),
            s22_posted: Default::default(),
            s22_post_at: Default::default(),
            s22_post_packets: Default::default(),
            s22_ours: Default::default(),
            s22_opening: Default::default(),
            s22_sweep: Default::default(),
            turn: Default::default(),
            still_queued: Default::default(),
            next_turn: Default::default(),
            s23_seen_reg: Default::default(),
            s23_enqueue_reg: Default::default(),
            made: Default::default(),
            s23_made: Default::default(),
            watch: Default::default(),
            s23_watch: Default::default(),
            s23_posted_reg: Default::default(),
            s23_post_at_reg: Default::default(),
            s23_post_packets_reg: Default::default(),
            turned: Default::default(),
            shown: Default::default(),
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
        self.s20_lost.clk.next = self.clk.val();
        self.s20_lost.en.next = self.run.val();
        self.s20_lost.d.next = self.lost.val();
        self.s21_lost_psn.clk.next = self.clk.val();
        self.s21_lost_psn.en.next = self.run.val();
        self.s21_lost_psn.d.next = self.s17_lost_psn.q.val();
        self.s19_unacked.clk.next = self.clk.val();
        self.s19_unacked.en.next = self.run.val();
        self.s19_unacked.d.next = self.unacked.val();
        self.s19_event.clk.next = self.clk.val();
        self.s19_event.en.next = self.run.val();
        self.s19_event.d.next = self.entry.val();
        self.s19_placed.clk.next = self.clk.val();
        self.s19_placed.en.next = self.run.val();
        self.s19_placed.d.next = self.placed.val();
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

        // Stage 19: all that needs no state. "One more" counts a packet that is in the block and was not published.
        self.early.next = self.s19_event.q.val();
        self.aim.next = self.s19_placed.q.val();
        self.aim_seen.next = self.aim.val().seen;
        self.s20_event.clk.next = self.clk.val();
        self.s20_event.en.next = self.run.val();
        self.s20_event.d.next = self.early.val();
        self.s20_placed.clk.next = self.clk.val();
        self.s20_placed.en.next = self.run.val();
        self.s20_placed.d.next = self.aim.val();
        self.s20_live.clk.next = self.clk.val();
        self.s20_live.en.next = self.run.val();
        self.s20_live.d.next = self.aim.val().accepted & !self.aim.val().opening & !self.aim.val().closing;
        self.s20_ours.clk.next = self.clk.val();
        self.s20_ours.en.next = self.run.val();
        self.s20_ours.d.next = self.early.val().own & (self.early.val().kind == 6);
        self.s20_timeout.clk.next = self.clk.val();
        self.s20_timeout.en.next = self.run.val();
        self.s20_timeout.d.next =
            self.aim.val().accepted & self.early.val().own & (self.early.val().kind == 7);
        self.s20_window.clk.next = self.clk.val();
        self.s20_window.en.next = self.run.val();
        self.s20_window.d.next = (self.early.val().kind == 3) | self.aim.val().opening;
        self.s20_posts.clk.next = self.clk.val();
        self.s20_posts.en.next = self.run.val();
        self.s20_posts.d.next = self.aim.val().accepted & (self.early.val().kind == 0);
        self.s20_packets.clk.next = self.clk.val();
        self.s20_packets.en.next = self.run.val();
        self.s20_packets.d.next = self.early.val().packets.any();
        self.s20_left.clk.next = self.clk.val();
        self.s20_left.en.next = self.run.val();
        self.s20_left.d.next = self.early.val().packets - 1;
        self.s20_some.clk.next = self.clk.val();
        self.s20_some.en.next = self.run.val();
        self.s20_some.d.next = self.s19_unacked.q.val().any();
        self.s20_unacked.clk.next = self.clk.val();
        self.s20_unacked.en.next = self.run.val();
        self.s20_unacked.d.next = self.s19_unacked.q.val();
        self.s20_unacked_more.clk.next = self.clk.val();
        self.s20_unacked_more.en.next = self.run.val();
        self.s20_unacked_more.d.next = self.s19_unacked.q.val() + 1;
        self.s20_rest.clk.next = self.clk.val();
        self.s20_rest.en.next = self.run.val();
        self.s20_rest.d.next = self.s19_unacked.q.val() - bit_cast::<9, 1>(self.aim.val().fresh.into());
        self.s20_rest_more.clk.next = self.clk.val();
        self.s20_rest_more.en.next = self.run.val();
        self.s20_rest_more.d.next =
            self.s19_unacked.q.val() + 1 - bit_cast::<9, 1>(self.aim.val().fresh.into());
        self.s20_parity.clk.next = self.clk.val();
        self.s20_parity.en.next = self.run.val();
        self.s20_parity.d.next = self.aim_seen.val().upcoming.get_bit(0) ^ self.aim.val().fresh;

        // Stage 20: the connection. Words of a closed one mean nothing.
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
        self.unseen.next =
            (self.had.val().upcoming.get_bit(0) ^ self.s20_parity.q.val()) & self.s20_live.q.val();
        self.rest.next = self.s20_rest.q.val();
        self.unacked_now.next = self.s20_unacked.q.val();
        self.bytes_now.next = self.s20_bytes.q.val();
        if self.unseen.val() {
            self.rest.next = self.s20_rest_more.q.val();
            self.unacked_now.next = self.s20_unacked_more.q.val();
            self.bytes_now.next = self.s20_more.q.val();
        }
        self.live.next = self.had.val().open & self.s20_live.q.val();
        self.progress.next = self.s20_live.q.val() & (self.prior.val().unacked != self.rest.val());
        self.timeout.next = self.s20_timeout.q.val() & (self.s20_some.q.val() | self.unseen.val());
        self.failed.next =
            self.had.val().open & self.timeout.val() & (self.retry_limit.val() <= self.prior.val().retries);
        self.full.next = (self.prior.val().tail ^ self.prior.val().head) == 16;
        self.posted.next =
            self.s20_posts.q.val() & self.had.val().open & !self.full.val() & self.s20_packets.q.val();
        self.lead.next = self.there.val().judged - self.had.val().judged;

        self.seen.next = self.there.val();
        self.seen.next.open = self.place.val().opening | (self.live.val() & !self.failed.val());
        self.seen.next.una = self.s20_una.q.val();
        self.seen.next.forfeit = false;
        self.after.next = self.prior.val();
        if self.place.val().fresh {
            self.after.next.left = self.s20_left.q.val();
        }
        self.after.next.head =
            self.prior.val().head + bit_cast::<5, 1>((self.place.val().fresh & self.now.val().taken).into());
        self.after.next.tail = self.prior.val().tail + bit_cast::<5, 1>(self.posted.val().into());
        if self.s20_window.q.val() {
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
        if self.place.val().opening {
            self.after.next.left = 0.into();
            self.after.next.head = 0.into();
            self.after.next.tail = 0.into();
            self.after.next.since = self.now.val().now;
            self.after.next.retries = 0.into();
            self.after.next.unacked = 0.into();
            self.after.next.lost = 0.into();
        } else {
            self.seen.next.upcoming =
                self.had.val().upcoming + bit_cast::<24, 1>(self.place.val().fresh.into());
            if self.lead.val().get_bit(23) {
                self.seen.next.judged = self.had.val().judged;
            }
        }
        self.after.next.seen = self.seen.val();
        self.flows.word.next = self.after.val();

        self.became.next.kind = self.now.val().kind;
        self.became.next.accepted =
            (self.place.val().accepted & self.had.val().open) | self.place.val().opening;
        self.became.next.ends = self.place.val().opening | self.place.val().closing | self.failed.val();
        self.became.next.send = self.live.val() & self.place.val().send;
        self.became.next.fresh = self.live.val() & self.place.val().fresh;
        self.became.next.last = self.live.val() & self.place.val().fresh & (self.now.val().packets == 1);
        self.became.next.failed = self.failed.val();
        self.became.next.reason = 0.into();
        if self.s20_posts.q.val() & self.had.val().open & !self.posted.val() {
            self.became.next.reason = 3.into();
        } else if self.live.val() {
            self.became.next.reason = self.place.val().reason;
        }
        self.became.next.beyond = self.s20_beyond.q.val() & self.live.val();
        self.became.next.posted = self.posted.val();
        self.became.next.acked = 0.into();
        self.became.next.lost = 0.into();
        if self.live.val() {
            self.became.next.acked = self.prior.val().unacked - self.rest.val();
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
        self.s21_none.clk.next = self.clk.val();
        self.s21_none.en.next = self.run.val();
        self.s21_none.d.next = self.s20_none.q.val() & !self.unseen.val();
        self.s21_bytes.clk.next = self.clk.val();
        self.s21_bytes.en.next = self.run.val();
        self.s21_bytes.d.next = self.bytes_now.val();
        self.s21_room.clk.next = self.clk.val();
        self.s21_room.en.next = self.run.val();
        self.s21_room.d.next = !self.s20_span.q.val().get_bit(8)
            & !(self.unseen.val() & self.s20_span.q.val().get_bits::<8>(0).all());
        self.s21_post_at.clk.next = self.clk.val();
        self.s21_post_at.en.next = self.run.val();
        self.s21_post_at.d.next = self.prior.val().tail.get_bits::<4>(0);
        self.s21_post_packets.clk.next = self.clk.val();
        self.s21_post_packets.en.next = self.run.val();
        self.s21_post_packets.d.next = self.now.val().packets;
        self.s21_ours.clk.next = self.clk.val();
        self.s21_ours.en.next = self.run.val();
        self.s21_ours.d.next = self.s20_ours.q.val();
        self.s21_opening.clk.next = self.clk.val();
        self.s21_opening.en.next = self.run.val();
        self.s21_opening.d.next = self.place.val().opening;
        self.s21_sweep.clk.next = self.clk.val();
        self.s21_sweep.en.next = self.run.val();
        self.s21_sweep.d.next = self.now.val().sweep;

        // Stage 21: does it want to send? Lost packets first, and one packet whatever the congestion window.
        self.result.next = self.flows.after.val();
        self.result_seen.next = self.result.val().seen;
        self.open.next = self.result_seen.val().open;
        self.settled.next = self.s21_became.q.val();
        self.una_before.next = self.s21_una_before.q.val();
        self.flow.next = self.result.val();
        self.gate.next =
            self.s21_none.q.val() | (bit_cast::<26, 24>(self.s21_bytes.q.val()) <= self.result.val().cwnd);
        self.again.next = self.result.val().lost.any();
        self.messages.next =
            self.result.val().left.any() | (self.result.val().head != self.result.val().tail);
        self.s22_ready.clk.next = self.clk.val();
        self.s22_ready.en.next = self.run.val();
        self.s22_ready.d.next = self.open.val()
            & self.gate.val()
            & (self.again.val() | (self.messages.val() & self.s21_room.q.val()));
        self.s22_again.clk.next = self.clk.val();
        self.s22_again.en.next = self.run.val();
        self.s22_again.d.next = self.again.val();
        self.s22_seen.clk.next = self.clk.val();
        self.s22_seen.en.next = self.run.val();
        self.s22_seen.d.next = self.result_seen.val();
        self.s22_left.clk.next = self.clk.val();
        self.s22_left.en.next = self.run.val();
        self.s22_left.d.next = self.result.val().left;
        self.s22_head.clk.next = self.clk.val();
        self.s22_head.en.next = self.run.val();
        self.s22_head.d.next = self.result.val().head.get_bits::<4>(0);
        self.s22_lost_psn.clk.next = self.clk.val();
        self.s22_lost_psn.en.next = self.run.val();
        self.s22_lost_psn.d.next = self.s21_lost_psn.q.val();
        self.s22_armed.clk.next = self.clk.val();
        self.s22_armed.en.next = self.run.val();
        self.s22_armed.d.next = self.open.val() & self.result.val().unacked.any();
        self.s22_since.clk.next = self.clk.val();
        self.s22_since.en.next = self.run.val();
        self.s22_since.d.next = self.result.val().since;
        self.s22_retries.clk.next = self.clk.val();
        self.s22_retries.en.next = self.run.val();
        self.s22_retries.d.next = self.result.val().retries;
        self.s22_posted.clk.next = self.clk.val();
        self.s22_posted.en.next = self.run.val();
        self.s22_posted.d.next = self.s21_became.q.val().posted;
        self.s22_post_at.clk.next = self.clk.val();
        self.s22_post_at.en.next = self.run.val();
        self.s22_post_at.d.next = self.s21_post_at.q.val();
        self.s22_post_packets.clk.next = self.clk.val();
        self.s22_post_packets.en.next = self.run.val();
        self.s22_post_packets.d.next = self.s21_post_packets.q.val();
        self.s22_ours.clk.next = self.clk.val();
        self.s22_ours.en.next = self.run.val();
        self.s22_ours.d.next = self.s21_ours.q.val();
        self.s22_opening.clk.next = self.clk.val();
        self.s22_opening.en.next = self.run.val();
        self.s22_opening.d.next = self.s21_opening.q.val();
        self.s22_sweep.clk.next = self.clk.val();
        self.s22_sweep.en.next = self.run.val();
        self.s22_sweep.d.next = self.s21_sweep.q.val();

        // Stage 22: whose turn it is. What ends a connection does not take it out of the queue.
        self.turns.clk.next = self.clk.val();
        self.turns.rst.next = self.rst.val();
        self.turns.run.next = self.run.val();
        self.turns.in_live.next = self.s19_live.val();
        self.turns.in_id.next = self.s19_id.val();
        self.turn.next = self.turns.prior.val();
        self.still_queued.next = self.turn.val().queued & !self.s22_ours.q.val();
        self.next_turn.next.queued =
            (self.still_queued.val() | self.s22_ready.q.val()) & !self.s22_sweep.q.val();
        self.next_turn.next.forfeit =
            self.turn.val().forfeit & !self.s22_ours.q.val() & !self.s22_sweep.q.val();
        if self.s22_opening.q.val() {
            self.next_turn.next.forfeit = self.turn.val().queued;
        }
        self.turns.word.next = self.next_turn.val();
        self.s23_seen_reg.clk.next = self.clk.val();
        self.s23_seen_reg.en.next = self.run.val();
        self.s23_seen_reg.d.next = self.s22_seen.q.val();
        self.s23_enqueue_reg.clk.next = self.clk.val();
        self.s23_enqueue_reg.en.next = self.run.val();
        self.s23_enqueue_reg.d.next = self.s22_ready.q.val() & !self.still_queued.val();
        self.made.next.ready = self.s22_ready.q.val();
        self.made.next.fresh = !self.s22_again.q.val();
        self.made.next.psn = self.s22_lost_psn.q.val();
        if !self.s22_again.q.val() {
            self.made.next.psn = self.s22_seen.q.val().upcoming;
        }
        self.made.next.left = self.s22_left.q.val();
        self.made.next.head = self.s22_head.q.val();
        self.s23_made.clk.next = self.clk.val();
        self.s23_made.en.next = self.run.val();
        self.s23_made.d.next = self.made.val();
        self.watch.next.armed = self.s22_armed.q.val();
        self.watch.next.since = self.s22_since.q.val();
        self.watch.next.retries = self.s22_retries.q.val();
        self.s23_watch.clk.next = self.clk.val();
        self.s23_watch.en.next = self.run.val();
        self.s23_watch.d.next = self.watch.val();
        self.s23_posted_reg.clk.next = self.clk.val();
        self.s23_posted_reg.en.next = self.run.val();
        self.s23_posted_reg.d.next = self.s22_posted.q.val();
        self.s23_post_at_reg.clk.next = self.clk.val();
        self.s23_post_at_reg.en.next = self.run.val();
        self.s23_post_at_reg.d.next = self.s22_post_at.q.val();
        self.s23_post_packets_reg.clk.next = self.clk.val();
        self.s23_post_packets_reg.en.next = self.run.val();
        self.s23_post_packets_reg.d.next = self.s22_post_packets.q.val();

        // Stage 23: what others are to know of it.
        self.turned.next = self.turns.after.val();
        self.shown.next = self.s23_seen_reg.q.val();
        self.shown.next.forfeit = self.turned.val().forfeit;
        self.s23_seen.next = self.shown.val();
        self.s23_card.next = self.s23_made.q.val();
        self.s23_enqueue.next = self.s23_enqueue_reg.q.val();
        self.s23_timer.next = self.s23_watch.q.val();
        self.s23_posted.next = self.s23_posted_reg.q.val();
        self.s23_post_at.next = self.s23_post_at_reg.q.val();
        self.s23_post_packets.next = self.s23_post_packets_reg.q.val();
    }
}
