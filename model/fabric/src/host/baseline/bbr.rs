//! BBR, version 1 (Cardwell et al., "BBR: Congestion-Based Congestion Control", CACM 60(2), 2017): a model of the
//! path, its rate and its round trip, sets the pace and the window of a flow. Names of rules are those of
//! draft-cardwell-iccrg-bbr-congestion-control-00; rates are measured as in
//! draft-cheng-iccrg-delivery-rate-estimation-00.

use super::Answer;
use super::settings;
use std::collections::VecDeque;

/// The least gain that doubles the rate in each round trip: 2 / ln 2.
const HIGH: f64 = 2.0 / std::f64::consts::LN_2;
/// Gains of the pace in turn, one round trip each, after startup.
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
/// Gain of the window after startup.
const CRUISE: f64 = 2.0;
/// Number of round trips in which the greatest rate counts.
const RATE_ROUNDS: u64 = 10;
/// Round trips without growth by a quarter, after which the path is full.
const FULL_ROUNDS: u32 = 3;
const FULL_GROWTH: f64 = 1.25;
/// Packets in flight while the round trip is measured, and the least window at any time.
const LEAST: f64 = 4.0;

/// The departure of a packet.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    at_ps: u64,
    /// The state at this departure: number of packets that had arrived, time of the last arrival, and
    /// departure time of the packet that arrived last.
    delivered: u64,
    delivered_ps: u64,
    first_ps: u64,
}

/// The state of a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// The rate doubles in each round trip.
    Startup,
    /// The queue of startup empties.
    Drain,
    /// The phase of the cycle, and the time at which it began.
    ProbeBw(usize, u64),
    /// The state while few packets are in flight, to measure the round trip: the previous window; the time of
    /// the end, once few packets are in flight; and whether a round trip has passed since.
    ProbeRtt(f64, Option<u64>, bool),
}

/// The model of a path. Rates are in packets per ps.
#[derive(Clone, Debug)]
pub(super) struct Bbr {
    settings: settings::Bbr,
    base_ps: f64,
    /// The phase with which the cycle begins.
    phase: usize,
    state: State,
    sent: Vec<Sent>,
    delivered: u64,
    delivered_ps: u64,
    first_ps: u64,
    /// Number of round trips, and the number of packets whose arrival ends the current round trip.
    round: u64,
    round_end: u64,
    /// Candidates for the greatest rate, with their round trips: each rate is greater than the rates after
    /// it.
    rates: VecDeque<(u64, f64)>,
    /// The least round trip, and the time of its measurement.
    rtt_ps: u64,
    rtt_since_ps: u64,
    /// The greatest rate at its last growth, the round trips since then, and whether the path has been full.
    grown: f64,
    stale: u32,
    is_full: bool,
    /// Whether a packet was lost in the current phase of the cycle.
    has_lost: bool,
    pace: f64,
}

impl Bbr {
    /// Makes the state of a flow over paths; the longest path has the base round trip `base_ps`. `draw`
    /// selects the first phase of the cycle: any phase but the draining one.
    pub(super) fn new(settings: &settings::Bbr, base_ps: u64, packets: u32, draw: u32) -> Self {
        let base_ps = base_ps as f64;
        Self {
            settings: *settings,
            base_ps,
            phase: [0, 2, 3, 4, 5, 6, 7][draw as usize % 7],
            state: State::Startup,
            sent: vec![Sent::default(); packets as usize],
            delivered: 0,
            delivered_ps: 0,
            first_ps: 0,
            round: 0,
            round_end: 0,
            rates: VecDeque::new(),
            rtt_ps: u64::MAX,
            rtt_since_ps: 0,
            grown: 0.0,
            stale: 0,
            is_full: false,
            has_lost: false,
            pace: HIGH * f64::from(settings.first_packets) / base_ps,
        }
    }

    /// A packet leaves, with `under_way` other packets in flight. Returns the time until the next packet may
    /// leave.
    pub(super) fn send(&mut self, number: u32, now_ps: u64, under_way: u32) -> u64 {
        if under_way == 0 {
            (self.first_ps, self.delivered_ps) = (now_ps, now_ps);
        }
        let Self { delivered, delivered_ps, first_ps, .. } = *self;
        self.sent[number as usize] = Sent { at_ps: now_ps, delivered, delivered_ps, first_ps };
        (1.0 / self.pace) as u64
    }

    /// The window after an answer, with `under_way` packets in flight.
    pub(super) fn answer(&mut self, window: f64, answer: &Answer, (now_ps, under_way): (u64, u32)) -> f64 {
        let starts_round = self.measure(answer, now_ps);
        let has_expired = self.measure_rtt(now_ps - answer.sent_ps, now_ps);
        if starts_round && !self.is_full {
            self.look_for_full();
        }
        let window = match self.state {
            State::ProbeRtt(..) => window,
            _ if has_expired => {
                self.state = State::ProbeRtt(window, None, false);
                window
            }
            _ => {
                self.advance(now_ps, under_way);
                window
            }
        };
        let window = self.probe_rtt(window, starts_round, (now_ps, under_way));
        let pace = self.gains()[0] * self.rate();
        if self.is_full || pace > self.pace {
            self.pace = pace;
        }
        self.resize(window)
    }

    /// A packet was lost: this ends a phase that probes for more bandwidth, and changes no rate.
    pub(super) fn lose(&mut self) {
        self.has_lost = true;
    }

    /// The greatest rate of the last round trips; 0 before the first arrival.
    fn rate(&self) -> f64 {
        self.rates.front().map_or(0.0, |it| it.1)
    }

    /// Packets in flight at a gain.
    fn inflight(&self, gain: f64) -> f64 {
        gain * self.rate() * self.rtt_ps as f64
    }

    /// Gains of the pace and of the window.
    fn gains(&self) -> [f64; 2] {
        match self.state {
            State::Startup => [HIGH; 2],
            State::Drain => [1.0 / HIGH, HIGH],
            State::ProbeBw(phase, _) => [CYCLE[phase], CRUISE],
            State::ProbeRtt(..) => [1.0; 2],
        }
    }

    /// An arrival: the rate since the packet left, and the round trips. Returns whether a round trip begins.
    fn measure(&mut self, answer: &Answer, now_ps: u64) -> bool {
        self.delivered += 1;
        self.delivered_ps = now_ps;
        let sent = self.sent[answer.number as usize];
        // A late answer to a packet that has left again says nothing about the packet's last departure.
        if sent.at_ps != answer.sent_ps {
            return false;
        }
        self.first_ps = sent.at_ps;
        let starts_round = sent.delivered >= self.round_end;
        if starts_round {
            self.round_end = self.delivered;
            self.round += 1;
        }
        // Neither packets that left nor answers that came in a burst make the path faster.
        let took_ps = (sent.at_ps - sent.first_ps).max(now_ps - sent.delivered_ps).max(1);
        let rate = (self.delivered - sent.delivered) as f64 / took_ps as f64;
        while self.rates.back().is_some_and(|it| it.1 <= rate) {
            self.rates.pop_back();
        }
        self.rates.push_back((self.round, rate));
        while self.rates.front().is_some_and(|it| it.0 + RATE_ROUNDS <= self.round) {
            self.rates.pop_front();
        }
        starts_round
    }

    /// The least round trip. Returns whether the last measurement is too old.
    fn measure_rtt(&mut self, rtt_ps: u64, now_ps: u64) -> bool {
        let lasts_ps = (self.settings.rtt_window * self.base_ps) as u64;
        let has_expired = self.rtt_ps < u64::MAX && now_ps > self.rtt_since_ps + lasts_ps;
        if rtt_ps <= self.rtt_ps || has_expired {
            (self.rtt_ps, self.rtt_since_ps) = (rtt_ps, now_ps);
        }
        has_expired
    }

    /// Checks at the start of a round trip whether the rate still grows.
    fn look_for_full(&mut self) {
        if self.rate() >= self.grown * FULL_GROWTH {
            (self.grown, self.stale) = (self.rate(), 0);
        } else {
            self.stale += 1;
            self.is_full = self.stale >= FULL_ROUNDS;
        }
    }

    /// Moves from startup to the cycle, and around the cycle.
    fn advance(&mut self, now_ps: u64, under_way: u32) {
        let under_way = f64::from(under_way);
        if self.state == State::Startup && self.is_full {
            self.state = State::Drain;
        }
        if self.state == State::Drain && under_way <= self.inflight(1.0) {
            self.state = State::ProbeBw(self.phase, now_ps);
        }
        if let State::ProbeBw(phase, since_ps) = self.state {
            let (gain, is_over) = (CYCLE[phase], now_ps > since_ps + self.rtt_ps);
            let ends = if gain > 1.0 {
                is_over && (self.has_lost || under_way + 1.0 >= self.inflight(gain))
            } else {
                is_over || gain < 1.0 && under_way <= self.inflight(1.0)
            };
            if ends {
                self.state = State::ProbeBw((phase + 1) % CYCLE.len(), now_ps);
                self.has_lost = false;
            }
        }
    }

    /// The measurement of the round trip ends after a time and a round trip with few packets in flight.
    /// Returns the window, which is restored to its previous value.
    fn probe_rtt(&mut self, window: f64, starts_round: bool, (now_ps, under_way): (u64, u32)) -> f64 {
        let State::ProbeRtt(before, end_ps, is_round) = self.state else { return window };
        let is_round = is_round || (end_ps.is_some() && starts_round);
        self.state = match end_ps {
            None if f64::from(under_way) <= LEAST => {
                self.round_end = self.delivered;
                State::ProbeRtt(before, Some(now_ps + (self.settings.probe_rtt * self.base_ps) as u64), false)
            }
            Some(end_ps) if is_round && now_ps > end_ps => {
                self.rtt_since_ps = now_ps;
                self.state = if self.is_full { State::ProbeBw(self.phase, now_ps) } else { State::Startup };
                return window.max(before);
            }
            _ => State::ProbeRtt(before, end_ps, is_round),
        };
        window
    }

    /// The window follows the gain by a packet for each answer.
    fn resize(&self, window: f64) -> f64 {
        let target = self.inflight(self.gains()[1]).max(LEAST);
        match self.state {
            State::ProbeRtt(..) => window.min(LEAST),
            _ if self.is_full => (window + 1.0).min(target),
            _ if window < target || self.delivered < u64::from(self.settings.first_packets) => window + 1.0,
            _ => window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;
    const PACKETS: u32 = 200_000;

    fn bbr(draw: u32) -> Bbr {
        Bbr::new(&settings::Bbr::default(), 10 * US, PACKETS, draw)
    }

    fn answer(number: u32, sent_ps: u64) -> Answer {
        Answer { flow: 0, number, next: 0, is_nack: false, is_marked: false, sent_ps }
    }

    /// A flow over one link with a queue that loses nothing. `path` gives the time of a packet on the link
    /// and the base round trip at a time; `see` gets the model after each answer, the time, and the packets
    /// in flight.
    fn drive(
        it: &mut Bbr,
        until_us: u64,
        path: impl Fn(u64) -> [u64; 2],
        mut see: impl FnMut(&Bbr, u64, u32),
    ) {
        let (mut now_ps, mut free_ps, mut link_ps, mut next, mut under_way, mut window) =
            (0, 0, 0, 0, 0, 10.0);
        let mut answers = VecDeque::new();
        while now_ps < until_us * US {
            let [gap_ps, rtt_ps] = path(now_ps);
            while f64::from(under_way + 1) <= window && free_ps <= now_ps {
                free_ps = now_ps + it.send(next, now_ps, under_way);
                link_ps = now_ps.max(link_ps) + gap_ps;
                answers.push_back((link_ps - gap_ps + rtt_ps, answer(next, now_ps)));
                (next, under_way) = (next + 1, under_way + 1);
            }
            let can_send = f64::from(under_way + 1) <= window;
            let (at_ps, of) = *answers.front().expect("something is under way");
            now_ps = if can_send { at_ps.min(free_ps) } else { at_ps };
            if at_ps <= now_ps {
                answers.pop_front();
                under_way -= 1;
                window = it.answer(window, &of, (now_ps, under_way));
                see(it, now_ps, under_way);
            }
        }
    }

    /// A packet each 0.1 us, and round trips of 10 us: a BDP of 100 packets.
    const LINK: [u64; 2] = [US / 10, 10 * US];

    /// Computed by hand. Packets 0 and 1 leave at 0 and 100 ps and arrive 1,000 ps later: one packet in 1,000
    /// ps, then two packets in 1,100 ps. Packet 2 leaves with the first answer: packets 1 and 2 arrive in the
    /// 1,000 ps after this answer.
    #[test]
    fn a_rate_is_what_arrived_since_the_packet_left() {
        let mut it = bbr(0);
        it.send(0, 0, 0);
        it.send(1, 100, 1);
        it.measure(&answer(0, 0), 1_000);
        assert_eq!(it.rate(), 1.0 / 1_000.0);
        it.send(2, 1_000, 1);
        it.measure(&answer(1, 100), 1_100);
        assert_eq!(it.rate(), 2.0 / 1_100.0);
        it.measure(&answer(2, 1_000), 2_000);
        assert_eq!(it.rate(), 2.0 / 1_000.0);
    }

    /// CACM, "Single BBR flow startup behavior": the rate doubles in each round trip until the link is full,
    /// after log2 of a BDP of round trips. Three round trips without growth end startup, with a queue of one
    /// to two BDP. Drain empties the queue.
    #[test]
    fn startup_doubles_and_drain_empties_the_queue() {
        let mut it = bbr(0);
        let (mut rates, mut peak, mut ends) = (vec![], 0, [0; 2]);
        drive(
            &mut it,
            300,
            |_| LINK,
            |it, now_ps, under_way| {
                if rates.len() < it.round as usize {
                    rates.push(it.rate() * US as f64);
                }
                peak = peak.max(under_way);
                match it.state {
                    State::Startup => ends[0] = now_ps / US,
                    State::Drain => ends[1] = now_ps / US,
                    _ => {}
                }
            },
        );
        // The link carries ten packets a microsecond; the first answer measures one packet only.
        let growing: Vec<f64> =
            rates[1..].windows(2).filter(|it| it[1] < 9.0).map(|it| it[1] / it[0]).collect();
        assert!(growing.len() >= 2 && growing.iter().all(|it| (1.7..2.1).contains(it)), "{rates:?}");
        assert!((9.5..10.5).contains(&(it.rate() * US as f64)), "{rates:?}");
        assert!((200..=300).contains(&peak), "{peak}");
        // The flow fills the link in three to four round trips, its queue grows for three, and then drains at a third of the rate.
        assert!((60..150).contains(&ends[0]) && ends[1] > ends[0] && ends[1] < 200, "{ends:?}");
    }

    /// The gains of the pace in turn, 1.25, 0.75 and six of 1, each for a round trip; the gain of 1.25 makes
    /// a queue of a quarter of a BDP, which the gain of 0.75 empties. The cycle begins with any gain but
    /// 0.75.
    #[test]
    fn gains_take_turns() {
        let mut firsts = vec![];
        for draw in 0..7 {
            let mut it = bbr(draw);
            let (mut phases, mut flight) = (vec![], vec![]);
            drive(
                &mut it,
                1_000,
                |_| LINK,
                |it, now_ps, under_way| {
                    let State::ProbeBw(phase, since_ps) = it.state else { return };
                    if phases.last().is_none_or(|last| *last != (phase, since_ps)) {
                        phases.push((phase, since_ps));
                    }
                    if now_ps > 500 * US {
                        flight.push(under_way);
                    }
                },
            );
            firsts.push(phases[0].0);
            assert_eq!(it.phase, phases[0].0);
            for pair in phases.windows(2) {
                let [(phase, since_ps), (next, end_ps)] = [pair[0], pair[1]];
                assert_eq!(next, (phase + 1) % 8);
                let rounds = (end_ps - since_ps) as f64 / (10 * US) as f64;
                // The phase that drains may end when the queue is empty.
                let most = if phase == 0 { 1.3 } else { 1.1 };
                assert!(rounds <= most && (rounds >= 1.0 || phase == 1), "{phase}: {rounds}");
            }
            let [least, most] = [flight.iter().min(), flight.iter().max()].map(|it| *it.expect("some"));
            assert!(least >= 90 && (115..=135).contains(&most), "{least} {most}");
        }
        assert_eq!(firsts, [0, 2, 3, 4, 5, 6, 7]);
    }

    /// The phase that probes for more bandwidth lasts until a quarter more than a BDP, 125 packets, is in
    /// flight, or a packet is lost.
    #[test]
    fn a_probe_ends_with_a_queue_or_a_loss() {
        let mut it = bbr(0);
        (it.rtt_ps, it.state) = (10 * US, State::ProbeBw(0, 0));
        it.rates.push_back((0, 10.0 / US as f64));
        let phase = |it: &Bbr| if let State::ProbeBw(phase, _) = it.state { phase } else { 9 };
        it.advance(10 * US, 130);
        it.advance(11 * US, 123);
        assert_eq!(phase(&it), 0);
        let mut other = it.clone();
        it.advance(12 * US, 124);
        other.lose();
        other.advance(12 * US, 50);
        assert_eq!((phase(&it), phase(&other)), (1, 1));
    }

    /// CACM, "Bandwidth change". If the link's rate doubles, the flow gains a quarter in each cycle of eight
    /// round trips, so it needs three to five cycles. If the link's rate halves, the flow follows when the
    /// window of ten round trips has forgotten the former rate.
    #[test]
    fn a_new_rate_is_found() {
        let mut it = bbr(0);
        let path = |now_ps| if (500 * US..1_500 * US).contains(&now_ps) { [US / 20, 10 * US] } else { LINK };
        let (mut more_us, mut less_us) = (0, 0);
        drive(&mut it, 2_500, path, |it, now_ps, _| {
            let rate = it.rate() * US as f64;
            if more_us == 0 && rate > 19.0 {
                more_us = now_ps / US - 500;
            }
            if now_ps > 1_500 * US && less_us == 0 && rate < 10.5 {
                less_us = now_ps / US - 1_500;
            }
        });
        assert!((160..=400).contains(&more_us), "{more_us}");
        // Round trips are longer in that time: the queue is a BDP of the former rate.
        assert!((100..=400).contains(&less_us), "{less_us}");
    }

    /// The flow measures a longer path when the least round trip is 100 base round trips old: then four
    /// packets are in flight for two round trips. Afterwards the former window applies again.
    #[test]
    fn a_longer_round_trip_is_found() {
        let mut it = bbr(0);
        let path = |now_ps| if now_ps < 300 * US { LINK } else { [US / 10, 15 * US] };
        let (mut times, mut back_us) = (vec![], 0);
        drive(&mut it, 2_000, path, |it, now_ps, under_way| {
            if let State::ProbeRtt(_, Some(_), _) = it.state {
                assert!(under_way <= 4);
                times.push(now_ps / US);
            } else if !times.is_empty() && back_us == 0 && under_way > 100 {
                back_us = now_ps / US;
            }
        });
        let [first, last] = [times[0], times[times.len() - 1]];
        // The phase that drains measures the least round trip in each cycle of 80 us.
        assert!((1_200..1_400).contains(&first), "{first}");
        // The last answer before the end is a round trip of 15 us after the first, the end with the next.
        assert!((15..=20).contains(&(last - first)), "{first} {last}");
        assert!(back_us > last && back_us < last + 40, "{last} {back_us}");
        assert_eq!(it.rtt_ps, 15 * US);
        assert!((135.0..165.0).contains(&it.inflight(1.0)), "{}", it.inflight(1.0));
    }
}
