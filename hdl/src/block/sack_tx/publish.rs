//! `weft_sack_tx_publish`: stages 21 to 23, the state for the next event, the scheduler and the scanner.

use super::words::{Card, Flow, Prospect, Seen, Tally, Timer, Turn, View};
use crate::part::context::Context;
use crate::prelude::*;

/// Stages 21 to 23: the state for the next event, the scheduler and the scanner.
///
/// # Parameters
///
/// `A` bits of connection number; `N` bits of a number of packets, `Y` of the bytes in flight.
#[derive(LogicBlock, BlockDefault)]
pub struct Publish<const A: usize, const N: usize = 9, const Y: usize = 24> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// CSR: the RTO of each class doubles so often at most.
    pub backoff_limit: Signal<In, Bits<12>>,
    /// CSR: shortest epoch of each class.
    pub epoch: Signal<In, Bits<60>>,
    /// Stage 19: an event or a close of the sweep.
    pub s19_live: Signal<In, Bit>,
    /// Stage 19: connection of the event.
    pub s19_id: Signal<In, Bits<A>>,
    /// Stage 21: the connection after the event.
    pub flow: Signal<In, Flow<N>>,
    /// Stage 21: numbers of packets of the connection that wait.
    pub tally: Signal<In, Tally<N>>,
    /// Stage 21: the queue has accepted a message.
    pub posted: Signal<In, Bit>,
    /// Stage 21: possible next actions of the connection.
    pub prospect: Signal<In, Prospect<Y>>,
    /// Stage 23: state for the next event.
    pub s23_seen: Signal<Out, Seen<N>>,
    /// Stage 23: word for the scheduler.
    pub s23_card: Signal<Out, Card>,
    /// Stage 23: the connection is to enter the queue of those that want to send.
    pub s23_enqueue: Signal<Out, Bit>,
    /// Stage 23: the timer.
    pub s23_timer: Signal<Out, Timer>,
    /// Stage 23: view of software.
    pub s23_view: Signal<Out, View<N>>,
    /// Stage 23: the queue has accepted a message.
    pub s23_posted: Signal<Out, Bit>,
    /// Stage 23: place of the message.
    pub s23_post_at: Signal<Out, Bits<4>>,
    /// Stage 23: packets of the message.
    pub s23_post_packets: Signal<Out, Bits<16>>,

    run: Enable,
    turns: Context<Turn, A>,
    result_seen: Signal<Local, Seen<N>>,
    open: Signal<Local, Bit>,
    gate: Signal<Local, Bit>,
    fits_both: Signal<Local, Bit>,
    again: Signal<Local, Bit>,
    messages: Signal<Local, Bit>,
    s22_ready: Pipe<Bit>,
    s22_again: Pipe<Bit>,
    s22_pair: Pipe<Bit>,
    s22_seen: Pipe<Seen<N>>,
    s22_left: Pipe<Bits<16>>,
    s22_head: Pipe<Bits<4>>,
    s22_lost_psn: Pipe<Bits<24>>,
    s22_cwnd: Pipe<Bits<26>>,
    s22_unacked: Pipe<Bits<N>>,
    s22_lost: Pipe<Bits<N>>,
    s22_armed: Pipe<Bit>,
    s22_since: Pipe<Bits<24>>,
    s22_retries: Pipe<Bits<10>>,
    s22_probes: Pipe<Bits<3>>,
    s22_begun: Pipe<Bits<16>>,
    pace: Signal<Local, Bits<15>>,
    class_now: Signal<Local, Bits<2>>,
    limits: Signal<Local, Bits<6>>,
    epochs: Signal<Local, Bits<30>>,
    wide: Signal<Local, Bits<16>>,
    s22_shortest: Pipe<Bits<15>>,
    s22_backoff_limit: Pipe<Bits<3>>,
    s22_stretched: Pipe<Bits<15>>,
    next_epoch: Signal<Local, Bits<15>>,
    s23_epoch: Pipe<Bits<15>>,
    view: Signal<Local, View<N>>,
    s23_viewed: Reg<View<N>>,
    s22_posted: Pipe<Bit>,
    s22_post_at: Pipe<Bits<4>>,
    s22_post_packets: Pipe<Bits<16>>,
    s22_ours: Pipe<Bit>,
    s22_opening: Pipe<Bit>,
    s22_sweep: Pipe<Bit>,
    turn: Signal<Local, Turn>,
    still_queued: Signal<Local, Bit>,
    next_turn: Signal<Local, Turn>,
    s23_plain: Pipe<Seen<N>>,
    s23_enqueue_reg: Pipe<Bit>,
    made: Signal<Local, Card>,
    s23_made: Pipe<Card>,
    watch: Signal<Local, Timer>,
    s23_watch: Pipe<Timer>,
    s23_posted_reg: Pipe<Bit>,
    s23_post_at_reg: Pipe<Bits<4>>,
    s23_post_packets_reg: Pipe<Bits<16>>,
    turned: Signal<Local, Turn>,
    shown: Signal<Local, Seen<N>>,
    watched: Signal<Local, Timer>,
}
impl<const A: usize, const N: usize, const Y: usize> Logic for Publish<A, N, Y> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);
        // Stage 21: does it want to send? Lost packets first. The congestion window does not bound the only packet in flight, or a probe's.
        self.result_seen.next = self.flow.val().seen;
        self.open.next = self.result_seen.val().open;
        self.gate.next = self.prospect.val().exempt
            | (bit_cast::<26, Y>(self.prospect.val().bytes) <= self.flow.val().cwnd);
        self.fits_both.next = bit_cast::<26, Y>(self.prospect.val().both) <= self.flow.val().cwnd;
        self.again.next = self.tally.val().lost.any();
        self.messages.next = self.flow.val().left.any() | (self.flow.val().head != self.flow.val().tail);
        self.s22_ready.pipe = self.open.val()
            & self.gate.val()
            & (self.again.val() | (self.messages.val() & self.prospect.val().room));
        self.s22_again.pipe = self.again.val();
        self.s22_pair.pipe = !self.again.val() & self.fits_both.val() & self.prospect.val().room_for_both;
        self.s22_seen.pipe = self.result_seen.val();
        self.s22_left.pipe = self.flow.val().left;
        self.s22_head.pipe = self.flow.val().head.get_bits::<4>(0);
        self.s22_lost_psn.pipe = self.prospect.val().lost_psn;
        self.s22_cwnd.pipe = self.flow.val().cwnd;
        self.s22_unacked.pipe = self.tally.val().unacked;
        self.s22_lost.pipe = self.tally.val().lost;
        self.s22_armed.pipe = self.open.val() & self.tally.val().unacked.any();
        self.s22_since.pipe = self.flow.val().since;
        self.s22_retries.pipe = self.flow.val().retries;
        self.s22_probes.pipe = self.flow.val().probes;
        self.s22_begun.pipe = self.flow.val().begun;
        self.pace.next = self.result_seen.val().epoch;
        self.class_now.next = self.result_seen.val().class;
        self.limits.next = if self.class_now.val().get_bit(1) {
            self.backoff_limit.val().get_bits::<6>(6)
        } else {
            self.backoff_limit.val().get_bits::<6>(0)
        };
        self.s22_backoff_limit.pipe = if self.class_now.val().get_bit(0) {
            self.limits.val().get_bits::<3>(3)
        } else {
            self.limits.val().get_bits::<3>(0)
        };
        self.epochs.next = if self.class_now.val().get_bit(1) {
            self.epoch.val().get_bits::<30>(30)
        } else {
            self.epoch.val().get_bits::<30>(0)
        };
        self.s22_shortest.pipe = if self.class_now.val().get_bit(0) {
            self.epochs.val().get_bits::<15>(15)
        } else {
            self.epochs.val().get_bits::<15>(0)
        };
        self.wide.next = bit_cast::<16, 15>(self.pace.val()) + (bit_cast::<16, 15>(self.pace.val()) >> 1);
        self.s22_stretched.pipe = self.wide.val().get_bits::<15>(1);
        self.s22_posted.pipe = self.posted.val();
        self.s22_post_at.pipe = self.prospect.val().post_at;
        self.s22_post_packets.pipe = self.prospect.val().post_packets;
        self.s22_ours.pipe = self.prospect.val().ours;
        self.s22_opening.pipe = self.prospect.val().opening;
        self.s22_sweep.pipe = self.prospect.val().sweep;

        // Stage 22: whose turn it is. A connection that ends stays in the queue.
        wire!(self.turns.* <- self.*: clk, rst, next_run);
        wire!(self.turns.in_* <- self.s19_*: live, id);
        self.turn.next = self.turns.prior.val();
        self.still_queued.next = self.turn.val().queued & !self.s22_ours.q.val();
        self.next_turn.next.queued =
            (self.still_queued.val() | self.s22_ready.q.val()) & !self.s22_sweep.q.val();
        self.next_turn.next.forfeit = if self.s22_opening.q.val() {
            self.turn.val().queued
        } else {
            self.turn.val().forfeit & !self.s22_ours.q.val() & !self.s22_sweep.q.val()
        };
        self.turns.word.next = self.next_turn.val();
        self.s23_plain.pipe = self.s22_seen.q.val();
        self.s23_enqueue_reg.pipe = self.s22_ready.q.val() & !self.still_queued.val();
        self.made.next.ready = self.s22_ready.q.val();
        self.made.next.fresh = !self.s22_again.q.val();
        self.made.next.pair = self.s22_ready.q.val() & self.s22_pair.q.val();
        self.made.next.psn =
            if !self.s22_again.q.val() { self.s22_seen.q.val().upcoming } else { self.s22_lost_psn.q.val() };
        self.made.next.left = self.s22_left.q.val();
        self.made.next.head = self.s22_head.q.val();
        self.s23_made.pipe = self.made.val();
        self.watch.next.armed = self.s22_armed.q.val();
        self.watch.next.since = self.s22_since.q.val();
        self.watch.next.doublings =
            if self.s22_retries.q.val() > bit_cast::<10, 3>(self.s22_backoff_limit.q.val()) {
                self.s22_backoff_limit.q.val()
            } else {
                self.s22_retries.q.val().get_bits::<3>(0)
            };
        self.watch.next.probes = self.s22_probes.q.val();
        self.watch.next.begun = self.s22_begun.q.val();
        self.watch.next.epoch = 0.into();
        self.watch.next.class = self.s22_seen.q.val().class;
        self.next_epoch.next = if self.s22_shortest.q.val() < self.s22_stretched.q.val() {
            self.s22_stretched.q.val()
        } else {
            self.s22_shortest.q.val()
        };
        self.s23_epoch.pipe = self.next_epoch.val();
        self.view.next.cwnd = self.s22_cwnd.q.val();
        self.view.next.una = self.s22_seen.q.val().una;
        self.view.next.upcoming = self.s22_seen.q.val().upcoming;
        self.view.next.in_flight = self.s22_unacked.q.val() - self.s22_lost.q.val();
        self.view.next.unacked = self.s22_unacked.q.val();
        self.view.next.epoch = self.next_epoch.val();
        self.view.next.retries = self.s22_retries.q.val();
        self.view.next.class = self.s22_seen.q.val().class;
        // The words of a closed connection mean nothing.
        self.s23_viewed.clk.next = self.clk.val();
        self.s23_viewed.rst.next = self.run.q.val() & !self.s22_seen.q.val().open;
        self.s23_viewed.en.next = self.run.q.val();
        self.s23_viewed.d.next = self.view.val();
        self.s23_watch.pipe = self.watch.val();
        self.s23_posted_reg.pipe = self.s22_posted.q.val();
        self.s23_post_at_reg.pipe = self.s22_post_at.q.val();
        self.s23_post_packets_reg.pipe = self.s22_post_packets.q.val();

        // Stage 23: what others are to know of it.
        self.turned.next = self.turns.after.val();
        self.shown.next = self.s23_plain.q.val();
        self.shown.next.forfeit = self.turned.val().forfeit;
        self.shown.next.epoch = self.s23_epoch.q.val();
        self.watched.next = self.s23_watch.q.val();
        self.watched.next.epoch = self.s23_epoch.q.val();
        self.s23_seen.next = self.shown.val();
        self.s23_card.next = self.s23_made.q.val();
        self.s23_enqueue.next = self.s23_enqueue_reg.q.val();
        self.s23_timer.next = self.watched.val();
        self.s23_view.next = self.s23_viewed.q.val();
        self.s23_posted.next = self.s23_posted_reg.q.val();
        self.s23_post_at.next = self.s23_post_at_reg.q.val();
        self.s23_post_packets.next = self.s23_post_packets_reg.q.val();
    }
}
