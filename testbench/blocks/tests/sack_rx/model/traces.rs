//! Traces of events for model and oracle: single operations that shrink, and long runs with their coverage.

use proptest::prelude::*;
use weft_blocks::sack_rx::oracle::Oracle;
use weft_blocks::sack_rx::stimulus::{Feedback, Stimulus};
use weft_nic::block::sack_rx::{Event, Kind, Outcome, Response, SackRx, Verdict};
use weft_params::{SackParams, SackRxCsr};
use weft_random::Rng;

/// An operation. PSNs of packets are distances from the cumulative one, so that a trace keeps its meaning
/// when it shrinks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Packet {
        kind: Kind,
        connection: u32,
        ahead: i32,
        bytes: u16,
        ce: bool,
        request: bool,
        last: bool,
    },
    Control {
        kind: Kind,
        connection: u32,
        psn: u32,
    },
    /// Packets up to a distance, the farthest first.
    Backwards {
        connection: u32,
        from: u32,
        to: u32,
        last: bool,
    },
}

impl Op {
    /// Events of the operation. `expected` returns the cumulative PSN of a connection.
    pub(crate) fn events(self, expected: impl Fn(u32) -> u64) -> Vec<Event> {
        let at =
            |connection, ahead: i32| (expected(connection) as u32).wrapping_add_signed(ahead) & 0xFF_FFFF;
        match self {
            Op::Packet { kind, connection, ahead, bytes, ce, request, last } => {
                let event = Event::new(kind, connection, at(connection, ahead));
                vec![Event { bytes, ce, request, last, tag: ahead as u32, ..event }]
            }
            Op::Control { kind, connection, psn } => vec![Event::new(kind, connection, psn)],
            Op::Backwards { connection, from, to, last } => (from..to)
                .rev()
                .map(|ahead| Event {
                    last,
                    ..Event::new(Kind::Data, connection, at(connection, ahead as i32))
                })
                .collect(),
        }
    }
}

/// A random operation, mostly a packet inside the window.
pub(crate) fn op() -> impl Strategy<Value = Op> {
    const HALF: i32 = 1 << 23;
    let ahead = prop_oneof![
        6 => Just(0),
        4 => 0..4,
        6 => 0..256,
        2 => prop::sample::select(vec![-1, 254, 255, 256, 257, 511, 512, 513]),
        1 => prop::sample::select(vec![-HALF, 1 - HALF, HALF - 1, HALF, HALF + 1]),
        1 => -600..600,
        1 => -HALF..HALF,
    ];
    let kind = prop_oneof![5 => Just(Kind::Data), 1 => Just(Kind::Trimmed)];
    let bytes = prop_oneof![Just(0), 1_000u16..1_050, any::<u16>()];
    let seldom = || prop::bool::weighted(0.1);
    let packet = (kind, 0u32..2, ahead, bytes, seldom(), seldom(), prop::bool::weighted(0.3));
    let kinds = [Kind::Flush, Kind::Probe, Kind::Open, Kind::Close, Kind::Reserved6, Kind::Reserved7];
    prop_oneof![
        40 => packet.prop_map(|(kind, connection, ahead, bytes, ce, request, last)| {
            Op::Packet { kind, connection, ahead, bytes, ce, request, last }
        }),
        4 => (prop::sample::select(kinds.to_vec()), 0u32..3, 0u32..1 << 24)
            .prop_map(|(kind, connection, psn)| Op::Control { kind, connection, psn }),
        1 => (0u32..2, 0u32..3, 200u32..258, any::<bool>())
            .prop_map(|(connection, from, to, last)| Op::Backwards { connection, from, to, last }),
    ]
}

/// Coverage of long runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Coverage {
    events: u64,
    kinds: [u64; 8],
    verdicts: [u64; 5],
    responses: [u64; 3],
    not_open: u64,
    /// Packets without an answer.
    gathered: u64,
    /// Packets that moved the window by all its 256 PSNs.
    windows: u64,
    /// 256 messages completed at once.
    whole: u64,
    /// PSNs that wrapped.
    wraps: u64,
    /// Trimmed packets whose PSNs had arrived.
    trimmed_again: u64,
}

impl Coverage {
    fn count(&mut self, outcome: &Outcome, before: u64, after: u64) {
        self.events += 1;
        self.kinds[outcome.kind as usize] += 1;
        self.verdicts[outcome.verdict as usize] += 1;
        self.responses[outcome.response as usize] += 1;
        self.not_open += u64::from(!outcome.accepted);
        self.whole += u64::from(outcome.completed == 256);
        if outcome.verdict == Verdict::Placed {
            self.gathered += u64::from(outcome.response == Response::None);
            self.windows += u64::from(after - before == 256);
            self.wraps += u64::from(before >> 24 != after >> 24);
        }
        self.trimmed_again +=
            u64::from(outcome.kind == Kind::Trimmed && outcome.verdict == Verdict::Duplicate);
    }

    /// Fails if a case never happened.
    pub(crate) fn check(&self) {
        let Self { events, not_open, gathered, windows, whole, wraps, trimmed_again, .. } = *self;
        let all = self.kinds.iter().chain(&self.verdicts).chain(&self.responses);
        assert!(all.min() > Some(&1_000), "{self:?}");
        let least = [not_open, gathered, trimmed_again].into_iter().min();
        assert!(least > Some(1_000) && windows.min(whole).min(wraps) > 200, "{self:?}");
        assert!(events > 5_000_000, "{self:?}");
    }
}

/// Runs random events through model and oracle. The first difference is the error.
pub(crate) fn compare(
    mut rng: Rng,
    params: SackParams,
    csr: SackRxCsr,
    obedient: bool,
    events: u64,
    coverage: &mut Coverage,
) -> Result<(), String> {
    let mut stimulus = Stimulus::new(Rng::new(rng.draw()), params, obedient);
    let (mut model, mut oracle) = (<SackRx>::new(params, csr), Oracle::new(csr));
    for index in 0..events {
        let Some(event) = stimulus.event() else { continue };
        let before = oracle.expected(event.connection);
        let (got, expected) = (model.step(&event), oracle.step(&event));
        if got != expected {
            return Err(format!("event {index} {event:?}: model {got:?}, oracle {expected:?}"));
        }
        stimulus.learn(Feedback::from(&got));
        coverage.count(&got, before, oracle.expected(event.connection));
    }
    Ok(())
}
