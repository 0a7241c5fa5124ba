//! The clocked view against the oracle: the effect of an event's clock on its outcome.

use std::collections::VecDeque;
use weft_blocks::sack_rx::oracle::Oracle;
use weft_blocks::sack_rx::stimulus::{Feedback, Stimulus, random_csr};
use weft_nic::block::sack_rx::{Clocked, Event, Inputs, LATENCY, Outcome, PUBLISHED_AFTER, SackRx};
use weft_params::SackParams;
use weft_random::Rng;

/// Events of a run, and their spacing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Events of senders that obey the window they learned, in any clock.
    Obedient,
    /// Random events, far apart.
    Spaced,
    /// Random events in any clock.
    Any,
}

/// Outcome in the form of the ports.
type Ports = (u32, [u64; 7], u16);

fn ports(outcome: &Outcome) -> Ports {
    (outcome.connection, outcome.data(), outcome.user())
}

/// Cumulative PSNs after the events of one connection, and the clock in which each event was accepted.
#[derive(Clone, Default)]
struct History {
    /// Published value for an event that arrives now.
    published: u64,
    coming: VecDeque<(u64, u64)>,
}

impl History {
    fn published_at(&mut self, clock: u64) -> u64 {
        while let Some(&(_, expected)) =
            self.coming.front().filter(|(accepted, _)| accepted + PUBLISHED_AFTER as u64 <= clock)
        {
            self.published = expected;
            self.coming.pop_front();
        }
        self.published
    }
}

/// Runs `clocks` clocks without back-pressure and compares every outcome. Returns the number of packets that
/// were refused only because of the published window.
pub(crate) fn compare(seed: u64, spacing: Spacing, clocks: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let params = SackParams { connections: [4, 16, 64][(seed % 3) as usize] };
    let csr = random_csr(&mut rng);
    let mut stimulus = Stimulus::new(Rng::new(rng.draw()), params, spacing == Spacing::Obedient);
    let mut clocked = <Clocked>::new(params, csr);
    let (mut transactions, mut oracle) = (<SackRx>::new(params, csr), Oracle::new(csr));
    let mut histories = vec![History::default(); params.connections as usize];
    let mut awaited: VecDeque<(u64, Event, Ports)> = VecDeque::new();
    let (mut offered, mut refused, mut quiet_until) = (None, 0, 0);
    let idle = [0, 0, 30, 200][rng.below(4) as usize];
    for clock in 0..clocks {
        let outputs = *clocked.outputs();
        if outputs.outcome_valid {
            let (accepted, event, expected) = awaited.pop_front().expect("an outcome of an event");
            let got = (outputs.outcome_id, outputs.outcome_data, outputs.outcome_user);
            assert_eq!(got, expected, "ports (left), expected (right): {spacing:?}, seed {seed}, {event:?}");
            assert_eq!(clock - accepted, LATENCY as u64, "the latency");
            stimulus.learn(Feedback::from(&outputs));
        }
        if offered.is_none() && clock >= quiet_until && rng.below(256) >= idle {
            offered = stimulus.event();
        }
        let mut inputs = Inputs { outcome_ready: true, ..Inputs::default() };
        if let Some(event) = &offered {
            inputs = inputs.with_event(event);
        }
        if let Some(event) = offered.take_if(|_| outputs.event_ready) {
            let history = &mut histories[event.connection as usize];
            let published = history.published_at(clock);
            let exact = oracle.expected(event.connection);
            let at_leisure = (spacing != Spacing::Any).then(|| transactions.step(&event));
            let outcome = oracle.step_seeing(&event, published);
            let expected = at_leisure.unwrap_or(outcome);
            // If events are far apart, the oracle needs no earlier window.
            assert_eq!(ports(&outcome), ports(&expected), "{spacing:?}, seed {seed}, {event:?}");
            let inside = (event.psn.wrapping_sub(exact as u32) & 0xFF_FFFF) < 256;
            refused += u64::from(outcome.verdict == weft_nic::block::sack_rx::Verdict::Outside && inside);
            history.coming.push_back((clock, oracle.expected(event.connection)));
            awaited.push_back((clock, event, ports(&expected)));
            if spacing == Spacing::Spaced {
                quiet_until = clock + PUBLISHED_AFTER as u64;
            }
        }
        clocked.clock(&inputs);
    }
    refused
}
