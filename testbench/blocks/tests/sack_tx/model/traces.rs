//! Traces of events for model and oracle: single operations that shrink, and long runs with their coverage.

use crate::model::pair::Pair;
use proptest::prelude::*;
use weft_blocks::sack_tx::stimulus::{Feedback, Stimulus};
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Reason};
use weft_params::{SackParams, SackTxCsr};
use weft_random::Rng;

/// An operation. PSNs are distances from the lowest one that is not acknowledged, so that a trace keeps its
/// meaning when it shrinks.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Open {
        connection: u32,
        psn: u32,
        cwnd_bytes: u32,
    },
    Post {
        connection: u32,
        packets: u16,
        times: u32,
    },
    Ack {
        connection: u32,
        ahead: i32,
        trigger: i32,
        bitmap: [u64; 4],
        rtt: u16,
    },
    Nack {
        connection: u32,
        ahead: i32,
    },
    Window {
        connection: u32,
        cwnd_bytes: u32,
    },
    /// Kinds that no outside source sends, and CLOSE.
    Other {
        kind: Kind,
        connection: u32,
    },
    Sends {
        times: u32,
    },
    /// Time passes, and timers expire.
    Ticks(u32),
}

/// First tick. The time wraps soon after.
const START: u64 = (1 << 24) - 40;

impl Op {
    /// Runs the operation on model and oracle.
    pub(crate) fn run(self, pair: &mut Pair) -> Result<(), String> {
        let now = START + pair.ticks;
        let at = |connection, ahead: i32, pair: &Pair| {
            let una = pair.oracle.connection(connection).map_or(0, |open| open.una());
            (una as u32).wrapping_add_signed(ahead) & 0xFF_FFFF
        };
        let (event, times) = match self {
            Op::Open { connection, psn, cwnd_bytes } => {
                (Event { psn, cwnd_bytes, ..Event::new(Kind::Open, connection) }, 1)
            }
            Op::Post { connection, packets, times } => {
                (Event { packets, ..Event::new(Kind::Post, connection) }, times)
            }
            Op::Ack { connection, ahead, trigger, bitmap, rtt } => {
                let (psn, trigger) = (at(connection, ahead, pair), at(connection, trigger, pair));
                let tag = u32::from(rtt) << 16 | 0x8000_0001;
                (Event { psn, trigger, bitmap, tag, ..Event::new(Kind::Ack, connection) }, 1)
            }
            Op::Nack { connection, ahead } => {
                (Event { psn: at(connection, ahead, pair), ..Event::new(Kind::Nack, connection) }, 1)
            }
            Op::Window { connection, cwnd_bytes } => {
                (Event { cwnd_bytes, ..Event::new(Kind::Window, connection) }, 1)
            }
            Op::Other { kind, connection } => (Event::new(kind, connection), 1),
            Op::Sends { times } => {
                for _ in 0..times {
                    pair.send(now)?;
                }
                return Ok(());
            }
            Op::Ticks(ticks) => {
                pair.ticks += u64::from(ticks);
                return pair.timers(now + u64::from(ticks));
            }
        };
        for _ in 0..times {
            pair.step(&Event { now_ticks: now as u32 & 0xFF_FFFF, ..event }, now)?;
        }
        Ok(())
    }
}

/// A random operation, with frequencies at which windows fill and empty.
pub(crate) fn op() -> impl Strategy<Value = Op> {
    const HALF: i32 = 1 << 23;
    let ahead = || {
        prop_oneof![
            4 => Just(0),
            6 => 0..8,
            6 => 0..257,
            2 => prop::sample::select(vec![-1, 254, 255, 256, 257, -255, -256, -257, 512]),
            1 => prop::sample::select(vec![-HALF, 1 - HALF, HALF - 1, HALF, HALF + 1]),
            1 => -600..600,
            1 => -HALF..HALF,
        ]
    };
    let word = || prop_oneof![3 => Just(0u64), 1 => Just(u64::MAX), 1 => any::<u64>(), 1 => 0u64..16];
    let bitmap = [word(), word(), word(), word()];
    let psn = prop_oneof![0u32..2, (1u32 << 24) - 600..1 << 24, Just(1 << 23), 0u32..1 << 24];
    let cwnd = || prop_oneof![0u32..8, 100u32..700, Just((1 << 26) - 1)];
    let rtt = prop_oneof![6 => 0u16..20, 2 => 0u16..200, 1 => 0u16..0x8000, 1 => Just(0x7FFF)];
    let others = [Kind::Close, Kind::Send, Kind::Timeout];
    let connection = || 0u32..2;
    prop_oneof![
        2 => (connection(), psn, cwnd())
            .prop_map(|(connection, psn, cwnd_bytes)| Op::Open { connection, psn, cwnd_bytes }),
        4 => (connection(), prop_oneof![0u16..5, 0u16..700], 1u32..20)
            .prop_map(|(connection, packets, times)| Op::Post { connection, packets, times }),
        8 => (connection(), ahead(), ahead(), bitmap, rtt).prop_map(
            |(connection, ahead, trigger, bitmap, rtt)| Op::Ack { connection, ahead, trigger, bitmap, rtt }
        ),
        3 => (connection(), ahead()).prop_map(|(connection, ahead)| Op::Nack { connection, ahead }),
        1 => (connection(), cwnd()).prop_map(|(connection, cwnd_bytes)| Op::Window { connection, cwnd_bytes }),
        1 => (prop::sample::select(others.to_vec()), 0u32..3)
            .prop_map(|(kind, connection)| Op::Other { kind, connection }),
        8 => prop_oneof![1u32..20, 100u32..600].prop_map(|times| Op::Sends { times }),
        6 => (1u32..20).prop_map(Op::Ticks),
        2 => prop_oneof![1u32..200, 30_000u32..40_000].prop_map(Op::Ticks),
    ]
}

/// Coverage of long runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    events: u64,
    kinds: [u64; 10],
    reasons: [u64; 4],
    not_open: u64,
    beyond: u64,
    fresh: u64,
    again: u64,
    /// Turns to send without a packet.
    idle: u64,
    lasts: u64,
    completed: u64,
    errors: u64,
    failed: u64,
    /// ACKs that lost packets.
    verdicts: u64,
    /// Outcomes of a congested network, failures, unsure round-trip times.
    congested: u64,
    failures: u64,
    unsure: u64,
    /// Windows of 256 PSNs that were full; windows of 256 PSNs that one ACK acknowledged.
    full: u64,
    whole: u64,
    /// 10 or more messages at once.
    many: u64,
    /// PSNs that wrapped.
    wraps: u64,
    /// Stale ACKs that acknowledged a packet.
    useful: u64,
    /// Maximum number of timeouts in a row.
    retries: u32,
}

impl Coverage {
    fn count(&mut self, outcome: &Outcome, pair: &Pair) {
        let Outcome { kind, reason, accepted, beyond, send, fresh, .. } = *outcome;
        let count = |counter: &mut u64, one: bool| *counter += u64::from(one);
        self.events += 1;
        self.kinds[kind as usize] += 1;
        self.reasons[reason as usize] += 1;
        count(&mut self.not_open, !accepted);
        count(&mut self.beyond, beyond);
        count(&mut self.fresh, fresh);
        count(&mut self.again, send && !fresh);
        count(&mut self.idle, kind == Kind::Send && !send);
        count(&mut self.lasts, outcome.last);
        count(&mut self.failed, outcome.failed);
        count(&mut self.verdicts, kind == Kind::Ack && outcome.lost > 0);
        count(&mut self.congested, outcome.congested);
        count(&mut self.failures, outcome.failure);
        count(&mut self.unsure, outcome.unsure);
        count(&mut self.whole, outcome.acked == 256);
        count(&mut self.many, outcome.completed >= 10);
        count(&mut self.wraps, fresh && outcome.psn == 0);
        count(&mut self.useful, reason == Reason::Stale && outcome.acked > 0);
        self.completed += u64::from(outcome.completed);
        self.errors += u64::from(outcome.errors);
        if let Some(open) = pair.oracle.connection(outcome.connection) {
            count(&mut self.full, fresh && open.next_psn() - open.una() == 256);
            self.retries = self.retries.max(open.retries());
        }
    }

    /// Fails if a case hardly ever happened in `runs` runs.
    pub(crate) fn check(&self, runs: u64) {
        let Self { events, not_open, beyond, fresh, again, idle, lasts, .. } = *self;
        let Self { completed, errors, failed, verdicts, full, whole, many, wraps, useful, retries, .. } =
            *self;
        let Self { congested, failures, unsure, .. } = *self;
        // Counts are of 400 runs.
        let least = |times: u64| times * runs / 400;
        assert!([congested, failures, failed, unsure].into_iter().min() > Some(least(300)), "{self:?}");
        assert!(self.kinds.iter().chain(&self.reasons).min() > Some(&least(500)), "{self:?}");
        let often = [not_open, beyond, fresh, again, idle, lasts, completed, errors, verdicts, useful];
        assert!(often.into_iter().min() > Some(least(1_000)), "{self:?}");
        assert!([full, whole, many, wraps].into_iter().min() > Some(least(50)), "{self:?}");
        assert!(events > least(2_000_000) && retries > 15, "{self:?}");
    }
}

/// Runs random events through model and oracle. The first difference is the error.
pub(crate) fn compare(
    mut rng: Rng,
    params: SackParams,
    csr: SackTxCsr,
    clocks: u64,
    coverage: &mut Coverage,
) -> Result<(), String> {
    let mut stimulus = Stimulus::new(Rng::new(rng.draw()), params, &csr);
    let mut pair = Pair::new(params, csr);
    let clocks_of_a_send = [2, 8, 30][rng.below(3) as usize];
    // A scanner that reads one timer per clock.
    for clock in 0..clocks {
        stimulus.tick();
        let at = |error| format!("clock {clock}: {error}");
        let scanned = (clock % u64::from(params.connections)) as u32;
        let mut outcomes = [None; 3];
        outcomes[0] = pair.timer(scanned, stimulus.now()).map_err(at)?;
        if rng.below(clocks_of_a_send) == 0 {
            outcomes[1] = pair.send(stimulus.now()).map_err(at)?;
        }
        if let Some(event) = stimulus.event() {
            outcomes[2] = Some(pair.step(&event, stimulus.now()).map_err(at)?);
        }
        for outcome in outcomes.into_iter().flatten() {
            coverage.count(&outcome, &pair);
            stimulus.learn(Feedback::from(&outcome));
        }
    }
    Ok(())
}
