//! The clocked view: whatever it is offered, every event's outcome is what the oracle says of an event that sees what
//! entered so many clocks before it; and with events far apart, what the transaction view says.

use std::collections::{HashMap, VecDeque};
use weft_cosim::blocks::reps::stimulus::Rng;
use weft_cosim::blocks::sack_tx::oracle::Oracle;
use weft_cosim::blocks::sack_tx::stimulus::{Feedback, Stimulus};
use weft_nic::sack_tx::{Clocked, Event, Inputs, Kind, LATENCY, Outcome, Outputs, PUBLISHED_AFTER, Reason, SackTx};
use weft_params::{SackParams, SackTxCsr};

/// A send is decided by what was published when its connection's card was read. Clocks from there until it enters,
/// with opens and closes that hold it up, at most.
const DECISION: u64 = 400;

/// What a run met.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) sends: u64,
    /// Events that entered before the one before them was published.
    pub(crate) blind: u64,
    /// Of these, events of which the oracle would say something else with nothing hidden.
    pub(crate) different: u64,
}

/// The outcome on the ports.
fn taken(outputs: &Outputs) -> Outcome {
    let Outputs { outcome_id, outcome_data: [a, b, c], outcome_user, .. } = *outputs;
    let flag = |bit: u32| outcome_user >> bit & 1 == 1;
    let word = u128::from(b) << 64 | u128::from(a);
    let number = |bit: u32| (word >> bit) as u16;
    Outcome {
        kind: Kind::ALL[usize::from(outcome_user & 7)],
        connection: outcome_id,
        accepted: flag(3),
        send: flag(4),
        fresh: flag(5),
        last: flag(6),
        failed: flag(7),
        reason: Reason::ALL[usize::from(outcome_user >> 8 & 3)],
        beyond: flag(10),
        psn: a as u32 & 0xFF_FFFF,
        acked: number(24),
        lost: number(40),
        completed: number(56),
        errors: number(72),
        unacked: number(88),
        in_flight: number(104),
        tag: (word >> 120) as u32 | (c as u32) << 8,
    }
}

/// An event that entered.
#[derive(Clone, Copy)]
struct Entered {
    clock: u64,
    event: Event,
}

/// Drives a block as fast as it goes and asks the oracle about every outcome.
pub(crate) fn follow(
    mut rng: Rng,
    params: SackParams,
    csr: SackTxCsr,
    clocks: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut stimulus = Stimulus::new(Rng::new(rng.draw()), params, &csr);
    let (mut clocked, mut oracle) = (Clocked::new(params, csr), Oracle::new(csr));
    let idle = [0, 0, 128][rng.below(3) as usize];
    let mut offered: Option<Event> = None;
    let mut entered: VecDeque<Entered> = VecDeque::new();
    // Of each connection, the number of its events by the clock in which they entered; and when it could send last.
    let mut history: HashMap<u32, VecDeque<(u64, u64)>> = HashMap::new();
    let mut ready: HashMap<u32, u64> = HashMap::new();
    // The time of every clock whose outcome is still to come.
    let mut times: VecDeque<u64> = VecDeque::new();
    for clock in 0..clocks {
        stimulus.tick();
        times.push_back(stimulus.now());
        if times.len() > LATENCY + 1 {
            times.pop_front();
        }
        let outputs = *clocked.outputs();
        if outputs.outcome_valid {
            let outcome = taken(&outputs);
            let at = clock - LATENCY as u64;
            let fail = |error: String| format!("clock {clock}: {outcome:?}: {error}");
            let mine = entered.pop_front_if(|first| first.clock == at);
            let connection = outcome.connection;
            let past = history.entry(connection).or_default();
            while past.front().is_some_and(|(entered, _)| entered + PUBLISHED_AFTER as u64 <= at) {
                past.pop_front();
            }
            let horizon = past.front().map_or(u64::MAX, |(_, number)| *number);
            past.push_back((at, oracle.events()));
            tally.events += 1;
            tally.blind += u64::from(horizon < u64::MAX);
            let now = times[0];
            let expected = match (mine, outcome.kind) {
                (Some(Entered { event, .. }), _) => {
                    let event = Event { now_ticks: now as u32 & 0xFF_FFFF, ..event };
                    oracle.step_seeing(&event, now, horizon)
                }
                (None, Kind::Send) => {
                    if outcome.send && at - ready.get(&connection).copied().unwrap_or(0) > DECISION {
                        return Err(fail("it was not ready for long".into()));
                    }
                    tally.sends += u64::from(outcome.send);
                    oracle.follow_send(&outcome, now, horizon).map_err(fail)?
                }
                (None, Kind::Timeout) => oracle.timeout(connection, now, horizon),
                (None, _) => return Err(fail("no such event entered".into())),
            };
            if outcome != expected {
                return Err(fail(format!("the oracle {expected:?}")));
            }
            if oracle.connection(connection).is_some_and(|open| open.wants_to_send()) {
                ready.insert(connection, u64::MAX);
            } else if ready.get(&connection) == Some(&u64::MAX) {
                ready.insert(connection, at);
            }
            stimulus.learn(Feedback::from(&outcome));
        }
        if offered.is_none() && rng.below(256) >= idle {
            offered = stimulus.event();
        }
        let now = stimulus.now() as u32 & 0xFF_FFFF;
        let mut inputs = Inputs { now, outcome_ready: true, ..Inputs::default() };
        if let Some(event) = offered {
            inputs = Inputs { now, ..inputs.with_event(&event) };
            if outputs.event_ready {
                entered.push_back(Entered { clock, event });
                offered = None;
            }
        }
        clocked.clock(&inputs);
    }
    Ok(())
}
