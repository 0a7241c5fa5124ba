//! `weft_sack_tx_settle`: stages 16 to 21, all state of a connection except its rings.

use super::words::{Aim, Base, Event, Flow, Prospect, Seen, Settled, Tally};
use crate::part::context::Context;
use crate::prelude::*;

/// Stages 16 to 21: all state of a connection except its rings.
///
/// # Parameters
///
/// `A` bits of connection number; `S` bits of a slot's number, `N = S + 1`, `E` = 1 for windows above 256 PSNs, else 0;
/// `V = N + 14`, `Y` bits of the bytes in flight.
#[derive(LogicBlock, BlockDefault)]
pub struct Settle<
    const A: usize,
    const S: usize = 8,
    const N: usize = 9,
    const E: usize = 0,
    const V: usize = 23,
    const Y: usize = 24,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// CSR: bytes that a packet in flight counts.
    pub mtu: Signal<In, Bits<14>>,
    /// CSR: timeouts in a row that a connection of each class survives.
    pub retry_limit: Signal<In, Bits<40>>,
    /// CSR: lowest round-trip time of congestion of each class.
    pub high: Signal<In, Bits<60>>,
    /// Stage 16: an event or a close of the sweep.
    pub s16_live: Signal<In, Bit>,
    /// Stage 16: connection of the event.
    pub s16_id: Signal<In, Bits<A>>,
    /// Stage 17: an event or a close of the sweep.
    pub s17_live: Signal<In, Bit>,
    /// Stage 17: connection of the event.
    pub s17_id: Signal<In, Bits<A>>,
    /// Stage 16: the published state after the event.
    pub base: Signal<In, Base<N>>,
    /// Stage 18: the event.
    pub entry: Signal<In, Event>,
    /// Stage 19: the interpretation of the event.
    pub aim: Signal<In, Aim<N>>,
    /// Stage 16: the bitmap acknowledged PSNs never sent.
    pub beyond: Signal<In, Bit>,
    /// Stage 16: PSNs to the lowest that is not acknowledged.
    pub first: Signal<In, Bits<S>>,
    /// Stage 16: there is one.
    pub some: Signal<In, Bit>,
    /// Stage 16: PSNs that are not acknowledged.
    pub unacked: Signal<In, Bits<N>>,
    /// Stage 16: PSNs to the lowest lost one.
    pub first_lost: Signal<In, Bits<S>>,
    /// Stage 16: lost PSNs.
    pub lost: Signal<In, Bits<N>>,
    /// Stage 21: the connection after the event.
    pub flow: Signal<Out, Flow<N>>,
    /// Stage 21: numbers of packets of the connection that wait.
    pub tally: Signal<Out, Tally<N>>,
    /// Stage 21: the result of the event.
    pub settled: Signal<Out, Settled<N>>,
    /// Stage 21: the lowest PSN that was not acknowledged before the event.
    pub una_before: Signal<Out, Bits<24>>,
    /// Stage 21: possible next actions of the connection.
    pub prospect: Signal<Out, Prospect<Y>>,

    run: Enable,
    run_19: Enable,
    #[new(((1u64 << S) - 1).to_bits())]
    less_1: Constant<Bits<N>>,
    #[new(((1u64 << S) - 2).to_bits())]
    less_2: Constant<Bits<N>>,
    #[new(((1u64 << S) - 3).to_bits())]
    less_3: Constant<Bits<N>>,
    flows: Context<Flow<N>, A>,
    tallies: Context<Tally<N>, A>,
    #[new(2)]
    in_bytes: Mul<N, 14, V>,
    s17_run: Pipe<Bits<N>>,
    s17_window: Pipe<Bits<N>>,
    s17_una: Pipe<Bits<24>>,
    s17_lost_psn: Pipe<Bits<24>>,
    s17_flight: Pipe<Bits<N>>,
    s17_none: Pipe<Bit>,
    #[new(3)]
    s20_none: Delay<Bit>,
    #[new(2)]
    s18_lost: Delay<Bits<N>>,
    s19_lost: Pipe<Bits<N>>,
    s19_lost_less: Pipe<Bits<N>>,
    #[new(3)]
    s20_lost_psn: Delay<Bits<24>>,
    #[new(3)]
    s19_unacked: Delay<Bits<N>>,
    s19_event: Pipe<Event>,
    #[new(4)]
    s20_beyond: Delay<Bit>,
    s20_bytes: Pipe<Bits<Y>>,
    s20_more: Pipe<Bits<Y>>,
    s18_una: Pipe<Bits<24>>,
    s18_span: Pipe<Bits<N>>,
    #[new(2)]
    s20_una: Delay<Bits<24>>,
    s19_span: Pipe<Bits<N>>,
    s20_below_256: Pipe<Bit>,
    s20_below_255: Pipe<Bit>,
    s20_below_254: Pipe<Bit>,
    s20_below_253: Pipe<Bit>,
    early: Signal<Local, Event>,
    s20_event: Pipe<Event>,
    s20_aim: Pipe<Aim<N>>,
    s20_live: Pipe<Bit>,
    s20_ours: Pipe<Bit>,
    s20_timeout: Pipe<Bit>,
    s20_probe: Pipe<Bit>,
    s20_turn: Pipe<Bit>,
    s20_ack: Pipe<Bit>,
    s20_nacked: Pipe<Bit>,
    s20_back: Pipe<Bits<24>>,
    s20_rtt: Pipe<Bits<15>>,
    #[new(2)]
    s18_class: Delay<Bits<2>>,
    highs: Signal<Local, Bits<30>>,
    s19_high: Pipe<Bits<15>>,
    limits: Signal<Local, Bits<20>>,
    s19_retry_limit: Pipe<Bits<10>>,
    rtt: Signal<Local, Bits<15>>,
    s20_high: Pipe<Bits<15>>,
    s20_retry_limit: Pipe<Bits<10>>,
    s20_long: Pipe<Bit>,
    counted: Signal<Local, Tally<N>>,
    rest: Signal<Local, Bits<N>>,
    more_lost: Signal<Local, Bit>,
    tally_now: Signal<Local, Tally<N>>,
    s20_differs: Pipe<Bit>,
    s20_acked: Pipe<Bits<N>>,
    s20_idle: Pipe<Bit>,
    s20_one: Pipe<Bit>,
    s20_two: Pipe<Bit>,
    s20_lost: Pipe<Bits<N>>,
    s21_tally: Pipe<Tally<N>>,
    s20_denied: Pipe<Bit>,
    s20_window: Pipe<Bit>,
    s20_posts: Pipe<Bit>,
    s20_packets: Pipe<Bit>,
    s20_left: Pipe<Bits<16>>,
    s20_some: Pipe<Bit>,
    s20_upcoming: Pipe<Bits<2>>,
    now: Signal<Local, Event>,
    place: Signal<Local, Aim<N>>,
    prior: Signal<Local, Flow<N>>,
    had: Signal<Local, Seen<N>>,
    one_unseen: Signal<Local, Bit>,
    two_unseen: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    room_for_both: Signal<Local, Bit>,
    live: Signal<Local, Bit>,
    progress: Signal<Local, Bit>,
    timeout: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    posted: Signal<Local, Bit>,
    probe: Signal<Local, Bit>,
    behind: Signal<Local, Bits<24>>,
    leaves: Signal<Local, Bit>,
    begins: Signal<Local, Bit>,
    answers: Signal<Local, Bit>,
    raised: Signal<Local, Bit>,
    congested: Signal<Local, Bit>,
    one: Signal<Local, Bit>,
    two: Signal<Local, Bit>,
    enough: Signal<Local, Bit>,
    nacked: Signal<Local, Bit>,
    judged: Signal<Local, Bits<2>>,
    s20_lap: Pipe<Bits<9>>,
    same: Signal<Local, Bit>,
    swung: Signal<Local, Bit>,
    swung_far: Signal<Local, Bit>,
    older: Signal<Local, Bits<2>>,
    newer: Signal<Local, Bits<2>>,
    beyond_mark: Signal<Local, Bits<N>>,
    reached: Signal<Local, Bit>,
    upcoming: Signal<Local, Bits<24>>,
    seen: Signal<Local, Seen<N>>,
    after: Signal<Local, Flow<N>>,
    became: Signal<Local, Settled<N>>,
    s21_became: Pipe<Settled<N>>,
    was: Signal<Local, Settled<N>>,
    s21_una_before: Pipe<Bits<24>>,
    plans: Signal<Local, Prospect<Y>>,
    s21_prospect: Pipe<Prospect<Y>>,
    result: Signal<Local, Flow<N>>,
}
impl<const A: usize, const S: usize, const N: usize, const E: usize, const V: usize, const Y: usize> Logic
    for Settle<A, S, N, E, V, Y>
{
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_19.* <- self.*: clk, rst, next_run);

        // Stage 16: the run of acknowledged PSNs, packets in flight and one more.
        self.s17_run.pipe =
            if self.some.val() { bit_cast::<N, S>(self.first.val()) } else { self.base.val().window };
        self.s17_window.pipe = self.base.val().window;
        self.s17_una.pipe = self.base.val().una;
        self.s17_lost_psn.pipe = self.base.val().una + bit_cast::<24, S>(self.first_lost.val());
        self.s17_flight.pipe = self.unacked.val() - self.lost.val() + 1;
        self.s17_none.pipe = self.unacked.val() == self.lost.val();
        self.s20_none.delay = self.s17_none.q.val();
        self.s18_lost.delay = self.lost.val();
        self.s19_lost.pipe = self.s18_lost.q.val();
        self.s19_lost_less.pipe = self.s18_lost.q.val() - 1;
        self.s20_lost_psn.delay = self.s17_lost_psn.q.val();
        self.s19_unacked.delay = self.unacked.val();
        self.s19_event.pipe = self.entry.val();
        self.s20_beyond.delay = self.beyond.val();

        // Stages 17 to 19: their bytes, and with one more; how many PSNs the window has.
        self.in_bytes.mul = (self.s17_flight.q.val(), self.mtu.val());
        self.s20_bytes.pipe = bit_cast::<Y, V>(self.in_bytes.p.val());
        self.s20_more.pipe = bit_cast::<Y, V>(self.in_bytes.p.val()) + bit_cast::<Y, 14>(self.mtu.val());
        self.s18_una.pipe = self.s17_una.q.val() + bit_cast::<24, N>(self.s17_run.q.val());
        self.s18_span.pipe = self.s17_window.q.val() - self.s17_run.q.val();
        self.s20_una.delay = self.s18_una.q.val();
        self.s19_span.pipe = self.s18_span.q.val();
        for s in S..N {
            self.s20_below_256.pipe = !self.s19_span.q.val().get_bit(s);
        }
        self.s20_below_255.pipe = self.s19_span.q.val() < 255;
        self.s20_below_254.pipe = self.s19_span.q.val() < 254;
        self.s20_below_253.pipe = self.s19_span.q.val() < 253;
        for _larger in 0..E {
            self.s20_below_255.d.next = self.s19_span.q.val() < self.less_1.val();
            self.s20_below_254.d.next = self.s19_span.q.val() < self.less_2.val();
            self.s20_below_253.d.next = self.s19_span.q.val() < self.less_3.val();
        }

        // Stage 18: what the registers say of its class.
        self.s18_class.delay = self.base.val().class;
        self.highs.next = if self.s18_class.q.val().get_bit(1) {
            self.high.val().get_bits::<30>(30)
        } else {
            self.high.val().get_bits::<30>(0)
        };
        self.s19_high.pipe = if self.s18_class.q.val().get_bit(0) {
            self.highs.val().get_bits::<15>(15)
        } else {
            self.highs.val().get_bits::<15>(0)
        };
        self.limits.next = if self.s18_class.q.val().get_bit(1) {
            self.retry_limit.val().get_bits::<20>(20)
        } else {
            self.retry_limit.val().get_bits::<20>(0)
        };
        self.s19_retry_limit.pipe = if self.s18_class.q.val().get_bit(0) {
            self.limits.val().get_bits::<10>(10)
        } else {
            self.limits.val().get_bits::<10>(0)
        };

        // Stage 19: all that needs no state.
        enable!(run_19.q);
        self.early.next = self.s19_event.q.val();
        self.s20_event.pipe = self.early.val();
        self.s20_lap.pipe = self.early.val().now.get_bits::<9>(15) - 1;
        self.s20_aim.pipe = self.aim.val();
        self.s20_live.pipe = self.aim.val().accepted & !self.aim.val().opening & !self.aim.val().closing;
        self.s20_ours.pipe = self.early.val().own & (self.early.val().kind == 6) & !self.early.val().more;
        self.s20_timeout.pipe = self.aim.val().accepted & self.early.val().own & (self.early.val().kind == 7);
        self.s20_probe.pipe = self.aim.val().accepted & self.early.val().own & (self.early.val().kind == 9);
        self.s20_turn.pipe = self.aim.val().accepted & self.early.val().own & (self.early.val().kind == 8);
        self.s20_ack.pipe = self.aim.val().accepted & (self.early.val().kind == 1);
        self.s20_nacked.pipe = self.aim.val().nacked;
        self.s20_back.pipe = self.early.val().now - bit_cast::<24, 15>(self.aim.val().epoch);
        self.rtt.next = self.early.val().tag.get_bits::<15>(16);
        self.s20_rtt.pipe = self.rtt.val();
        self.s20_high.pipe = self.s19_high.q.val();
        self.s20_retry_limit.pipe = self.s19_retry_limit.q.val();
        self.s20_long.pipe = self.aim.val().answers & (self.rtt.val() >= self.s19_high.q.val());
        self.s20_denied.pipe = self.aim.val().denied;
        self.s20_window.pipe = (self.early.val().kind == 3) | self.aim.val().opening;
        self.s20_posts.pipe = self.aim.val().accepted & (self.early.val().kind == 0);
        self.s20_packets.pipe = self.early.val().packets.any();
        self.s20_left.pipe = self.early.val().packets - 1;
        self.s20_some.pipe = self.s19_unacked.q.val().any();

        // How many waited before the event, and wait after it.
        wire!(self.tallies.* <- self.*: clk, rst, next_run);
        wire!(self.tallies.in_* <- self.s16_*: live, id);
        self.counted.next = self.tallies.prior.val();
        self.rest.next = self.s19_unacked.q.val() - bit_cast::<N, 1>(self.aim.val().fresh.into());
        self.s20_differs.pipe = self.counted.val().unacked != self.rest.val();
        self.s20_acked.pipe = self.counted.val().unacked - self.rest.val();
        self.s20_idle.pipe = !self.counted.val().unacked.any();
        self.more_lost.next = self.counted.val().lost < self.s19_lost.q.val();
        self.s20_one.pipe = self.more_lost.val();
        self.s20_two.pipe =
            self.s19_lost.q.val().any() & (self.counted.val().lost < self.s19_lost_less.q.val());
        self.s20_lost.pipe = 0.into();
        if self.more_lost.val() {
            self.s20_lost.d.next = self.s19_lost.q.val() - self.counted.val().lost;
        }
        self.tally_now.next.unacked = 0.into();
        self.tally_now.next.lost = 0.into();
        if !self.aim.val().opening {
            self.tally_now.next.unacked = self.s19_unacked.q.val();
            self.tally_now.next.lost = self.s19_lost.q.val();
        }
        self.tallies.word.next = self.tally_now.val();
        self.s20_upcoming.pipe =
            self.aim.val().upcoming.get_bits::<2>(0) - bit_cast::<2, 1>(self.aim.val().fresh.into());

        // Stage 20: the connection. Words of a closed one mean nothing.
        wire!(self.flows.* <- self.*: clk, rst, next_run);
        wire!(self.flows.in_* <- self.s17_*: live, id);
        self.now.next = self.s20_event.q.val();
        self.place.next = self.s20_aim.q.val();
        self.prior.next = self.flows.prior.val();
        self.had.next = self.prior.val().seen;
        // The block has up to two packets that are not published.
        self.one_unseen.next = (self.had.val().upcoming.get_bit(0) ^ self.s20_upcoming.q.val().get_bit(0))
            & self.s20_live.q.val();
        self.two_unseen.next = !(self.had.val().upcoming.get_bit(0) ^ self.s20_upcoming.q.val().get_bit(0))
            & (self.had.val().upcoming.get_bit(1) ^ self.s20_upcoming.q.val().get_bit(1))
            & self.s20_live.q.val();
        self.room.next = self.s20_below_256.q.val();
        self.room_for_both.next = self.s20_below_255.q.val();
        if self.one_unseen.val() {
            self.room.next = self.s20_below_255.q.val();
            self.room_for_both.next = self.s20_below_254.q.val();
        } else if self.two_unseen.val() {
            self.room.next = self.s20_below_254.q.val();
            self.room_for_both.next = self.s20_below_253.q.val();
        }
        self.live.next = self.had.val().open & self.s20_live.q.val();
        self.progress.next = self.s20_live.q.val() & self.s20_differs.q.val();
        self.timeout.next = self.s20_timeout.q.val() & self.s20_some.q.val();
        self.failed.next = self.had.val().open
            & (self.s20_denied.q.val()
                | (self.timeout.val() & (self.s20_retry_limit.q.val() <= self.prior.val().retries)));
        self.full.next = (self.prior.val().tail ^ self.prior.val().head) == 16;
        self.posted.next =
            self.s20_posts.q.val() & self.had.val().open & !self.full.val() & self.s20_packets.q.val();
        // An epoch that loses a packet counts as a probe.
        self.probe.next =
            (self.s20_probe.q.val() & self.s20_some.q.val()) | (self.s20_turn.q.val() & self.s20_one.q.val());
        // The silence beyond one epoch.
        self.behind.next = self.prior.val().since - self.s20_back.q.val();
        self.leaves.next = self.had.val().open & self.place.val().send;
        self.begins.next = self.had.val().open & self.place.val().fresh & self.s20_idle.q.val();

        // The peak, and what ACKs lost in this epoch and the one before.
        self.answers.next = self.place.val().answers;
        self.raised.next = self.answers.val() & (self.prior.val().peak < self.s20_rtt.q.val());
        self.congested.next = (self.prior.val().peak >= self.s20_high.q.val()) | self.s20_long.q.val();
        self.one.next = self.s20_ack.q.val() & self.s20_one.q.val();
        self.two.next = self.s20_ack.q.val() & self.s20_two.q.val();
        self.enough.next = self.two.val()
            | (self.one.val() & (self.prior.val().verdicts.any() | self.prior.val().verdicts_before.any()));
        self.nacked.next = self.prior.val().nacked | self.s20_nacked.q.val();
        self.judged.next = self.prior.val().verdicts;
        if self.two.val() | (self.one.val() & self.prior.val().verdicts.any()) {
            self.judged.next = 2.into();
        } else if self.one.val() {
            self.judged.next = 1.into();
        }

        // How old the window's packets may be.
        self.same.next = self.now.val().now.get_bits::<9>(15) == self.prior.val().phase;
        self.swung.next = self.s20_lap.q.val() == self.prior.val().phase;
        self.swung_far.next = !self.same.val() & !self.swung.val();
        self.older.next = self.prior.val().older
            + bit_cast::<2, 1>((self.swung.val() & !self.prior.val().older.get_bit(1)).into());
        self.newer.next = self.prior.val().newer
            + bit_cast::<2, 1>((self.swung.val() & !self.prior.val().newer.get_bit(1)).into());
        if self.swung_far.val() {
            self.older.next = 2.into();
            self.newer.next = 2.into();
        }
        self.beyond_mark.next = self.s20_una.q.val().get_bits::<N>(0) - self.prior.val().mark;
        for s in S..N {
            self.reached.next = !self.beyond_mark.val().get_bit(s);
        }
        self.upcoming.next = self.place.val().upcoming
            + (bit_cast::<24, 1>(self.one_unseen.val().into())
                | (bit_cast::<24, 1>(self.two_unseen.val().into()) << 1));

        self.seen.next.origin = self.place.val().origin;
        self.seen.next.upcoming = self.upcoming.val();
        self.seen.next.class = self.place.val().class;
        self.seen.next.open = self.place.val().opening | (self.live.val() & !self.failed.val());
        self.seen.next.una = self.s20_una.q.val();
        self.seen.next.forfeit = false;
        self.after.next = self.prior.val();
        if self.place.val().fresh {
            self.after.next.left = self.s20_left.q.val();
        }
        self.after.next.head =
            self.prior.val().head + bit_cast::<5, 1>((self.place.val().fresh & self.now.val().taken).into());
        if self.posted.val() {
            self.after.next.tail = self.prior.val().tail + 1;
        }
        if self.s20_window.q.val() {
            self.after.next.cwnd = self.now.val().second;
        }
        if self.begins.val()
            | (self.leaves.val() & !self.older.val().get_bit(1))
            | self.timeout.val()
            | self.probe.val()
        {
            self.after.next.since = self.now.val().now;
        } else if self.progress.val() & self.behind.val().get_bit(23) {
            self.after.next.since = self.s20_back.q.val();
        }
        if self.progress.val() {
            self.after.next.retries = 0.into();
        } else if self.timeout.val() {
            self.after.next.retries = self.prior.val().retries + 1;
        }
        if self.progress.val() | self.timeout.val() {
            self.after.next.probes = 0.into();
        } else if self.probe.val() & !self.prior.val().probes.all() {
            self.after.next.probes = self.prior.val().probes + 1;
        }
        if self.raised.val() {
            self.after.next.peak = self.s20_rtt.q.val();
        }
        self.after.next.verdicts = self.judged.val();
        self.after.next.nacked = self.nacked.val();
        self.seen.next.epoch = self.had.val().epoch;
        self.seen.next.past = self.had.val().past;
        if self.begins.val() | self.s20_turn.q.val() {
            self.after.next.begun = self.now.val().now.get_bits::<16>(0);
        }
        if self.s20_turn.q.val() {
            self.seen.next.epoch = self.prior.val().peak;
            self.seen.next.past =
                bit_cast::<16, 15>(self.place.val().epoch) + bit_cast::<16, 15>(self.prior.val().former);
            self.after.next.former = self.place.val().epoch;
            self.after.next.peak = self.prior.val().peak - (self.prior.val().peak >> 4);
            self.after.next.verdicts = 0.into();
            self.after.next.verdicts_before = self.prior.val().verdicts;
            self.after.next.nacked = false;
            self.after.next.nacked_before = self.prior.val().nacked;
        }
        self.after.next.phase = self.now.val().now.get_bits::<9>(15);
        self.after.next.older = self.older.val();
        self.after.next.newer = self.newer.val();
        if self.reached.val() | self.begins.val() {
            self.after.next.mark = self.upcoming.val().get_bits::<N>(0);
            self.after.next.older = if self.begins.val() { 0.into() } else { self.newer.val() };
            self.after.next.newer = 0.into();
        }
        if self.place.val().opening {
            self.after.next.left = 0.into();
            self.after.next.head = 0.into();
            self.after.next.tail = 0.into();
            self.after.next.since = self.now.val().now;
            self.after.next.retries = 0.into();
            self.after.next.probes = 0.into();
            self.after.next.begun = 0.into();
            self.after.next.peak = 0.into();
            self.after.next.former = 0.into();
            self.after.next.verdicts = 0.into();
            self.after.next.verdicts_before = 0.into();
            self.after.next.nacked = false;
            self.after.next.nacked_before = false;
            self.after.next.mark = self.place.val().upcoming.get_bits::<N>(0);
            self.after.next.older = 0.into();
            self.after.next.newer = 0.into();
            self.seen.next.epoch = 0.into();
            self.seen.next.past = 0.into();
        }
        self.after.next.seen = self.seen.val();
        self.flows.word.next = self.after.val();

        self.became.next.kind = self.now.val().kind;
        self.became.next.accepted =
            (self.place.val().accepted & self.had.val().open) | self.place.val().opening;
        self.became.next.ends = self.place.val().opening | self.place.val().closing;
        self.became.next.send = self.live.val() & self.place.val().send;
        self.became.next.fresh = self.live.val() & self.place.val().fresh;
        self.became.next.last = self.live.val() & self.place.val().fresh & (self.now.val().packets == 1);
        self.became.next.failed = self.failed.val();
        self.became.next.reason = if self.s20_posts.q.val() & self.had.val().open & !self.posted.val() {
            3.into()
        } else if self.live.val() {
            self.place.val().reason
        } else {
            0.into()
        };
        self.became.next.beyond = self.s20_beyond.q.val() & self.live.val();
        self.became.next.congested = self.congested.val() & self.live.val();
        self.became.next.failure =
            self.enough.val() & self.live.val() & !self.nacked.val() & !self.prior.val().nacked_before;
        self.became.next.unsure = self.live.val()
            & self.s20_ack.q.val()
            & (self.older.val().get_bit(1) | (self.progress.val() & !self.answers.val()));
        self.became.next.posted = self.posted.val();
        self.became.next.acked = 0.into();
        self.became.next.lost = 0.into();
        if self.live.val() {
            self.became.next.acked = self.s20_acked.q.val();
            self.became.next.lost = self.s20_lost.q.val();
        }
        wire!(self.became.next.* <- self.now.val().*: psn, tag);
        self.s21_became.pipe = self.became.val();
        self.s21_una_before.pipe = self.had.val().una;
        self.plans.next.exempt = self.s20_none.q.val() | self.probe.val();
        self.plans.next.bytes = self.s20_bytes.q.val();
        self.plans.next.both = self.s20_more.q.val();
        self.plans.next.room = self.room.val();
        self.plans.next.room_for_both = self.room_for_both.val();
        self.plans.next.lost_psn = self.s20_lost_psn.q.val();
        self.plans.next.post_at = self.prior.val().tail.get_bits::<4>(0);
        self.plans.next.post_packets = self.now.val().packets;
        self.plans.next.ours = self.s20_ours.q.val();
        self.plans.next.opening = self.place.val().opening;
        self.plans.next.sweep = self.now.val().sweep;
        self.s21_prospect.pipe = self.plans.val();

        // Stage 21: the result; what failed ends, and nothing failed if it was congestion.
        self.result.next = self.flows.after.val();
        self.flow.next = self.result.val();
        self.s21_tally.pipe = self.tallies.after.val();
        self.tally.next = self.s21_tally.q.val();
        self.was.next = self.s21_became.q.val();
        self.settled.next = self.was.val();
        self.settled.next.ends = self.was.val().ends | self.was.val().failed;
        self.settled.next.failure = self.was.val().failure & !self.was.val().congested;
        self.una_before.next = self.s21_una_before.q.val();
        self.prospect.next = self.s21_prospect.q.val();
    }
}
