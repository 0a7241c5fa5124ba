//! The clocked view, with any stimulus: the outcome of every event equals the oracle's outcome for an event
//! that sees all events a fixed number of clocks earlier. If events are far apart, the outcome equals that of
//! the transaction view.

use std::collections::{HashMap, VecDeque};
use weft_blocks::sack_tx::oracle::{ALL, Oracle};
use weft_blocks::sack_tx::outcome;
use weft_blocks::sack_tx::stimulus::{Feedback, Stimulus};
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, LATENCY, Outcome, PUBLISHED_AFTER, SackTx};
use weft_params::{SackParams, SackTxCsr};
use weft_random::Rng;

/// Maximum number of clocks from the read of a connection's card to the SEND that the card's published state
/// decides, with the delays by opens and closes.
const DECISION: u64 = 400;

/// Coverage of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) events: u64,
    pub(crate) sends: u64,
    pub(crate) timeouts: u64,
    pub(crate) probes: u64,
    pub(crate) epochs: u64,
    /// Epochs that lost packets, late in a silence.
    pub(crate) late: u64,
    /// Events that entered before the event before them was published.
    pub(crate) blind: u64,
    /// Packets that left directly after another packet of their connection.
    pub(crate) seconds: u64,
}

/// Source of events.
pub(crate) trait Source {
    /// Advances by a clock. Returns the time in ticks.
    fn tick(&mut self) -> u64;
    /// Event of this clock, if any.
    fn event(&mut self) -> Option<Event>;
    /// Notes an outcome of the block.
    fn learn(&mut self, outcome: &Outcome);
}

impl Source for Stimulus {
    fn tick(&mut self) -> u64 {
        Stimulus::tick(self);
        self.now()
    }

    fn event(&mut self) -> Option<Event> {
        Stimulus::event(self)
    }

    fn learn(&mut self, outcome: &Outcome) {
        Stimulus::learn(self, Feedback::from(outcome));
    }
}

/// Event that entered in this clock.
fn taken(entered: &mut VecDeque<(u64, Event)>, at: u64) -> Option<Event> {
    let (_, event) = *entered.front().filter(|(clock, _)| *clock == at)?;
    entered.pop_front();
    Some(event)
}

/// Events of a connection that other events may not see yet.
#[derive(Default)]
struct Recent {
    /// Clocks in which the events entered, and their numbers.
    events: VecDeque<(u64, u64)>,
    /// Last clock after which the connection could send.
    ready: u64,
}

/// Drives a block at full speed and compares every outcome with the oracle.
pub(crate) fn follow(
    source: &mut impl Source,
    params: SackParams,
    csr: SackTxCsr,
    clocks: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let (mut clocked, mut oracle) = (<Clocked>::new(params, csr), Oracle::new(csr));
    let mut offered: Option<Event> = None;
    // Events that entered, with their clocks; and the times of all clocks whose outcome is pending.
    let mut entered: VecDeque<(u64, Event)> = VecDeque::new();
    let mut times: VecDeque<u64> = VecDeque::new();
    let mut recent: HashMap<u32, Recent> = HashMap::new();
    let mut sent: Option<(u32, u64)> = None;
    for clock in 0..clocks {
        let time = source.tick();
        times.push_back(time);
        if times.len() > LATENCY + 1 {
            times.pop_front();
        }
        let outputs = *clocked.outputs();
        if outputs.outcome_valid {
            let outcome = outcome(&outputs);
            let (at, now) = (clock - LATENCY as u64, times[0]);
            let fail = |error: String| format!("clock {clock}: {outcome:?}: {error}");
            let recent = recent.entry(outcome.connection).or_default();
            while recent.events.front().is_some_and(|(entered, _)| entered + PUBLISHED_AFTER as u64 <= at) {
                recent.events.pop_front();
            }
            let horizon = recent.events.front().map_or(ALL, |(_, number)| *number);
            recent.events.push_back((at, oracle.events()));
            tally.events += 1;
            tally.blind += u64::from(horizon < ALL);
            let mine = taken(&mut entered, at);
            let expected = match (mine, outcome.kind) {
                (Some(event), _) => {
                    let event = Event { now_ticks: now as u32 & 0xFF_FFFF, ..event };
                    oracle.step_seeing(&event, now, horizon)
                }
                (None, Kind::Send) => {
                    tally.sends += u64::from(outcome.send);
                    let before = sent.replace((outcome.connection, at));
                    let near = |(connection, before)| {
                        connection == outcome.connection && before + PUBLISHED_AFTER as u64 > at
                    };
                    tally.seconds += u64::from(outcome.send && before.is_some_and(near));
                    if outcome.send && at > recent.ready + DECISION {
                        return Err(fail("it was not ready for long".into()));
                    }
                    oracle.follow_send(&outcome, now, horizon).map_err(fail)?
                }
                (None, kind @ (Kind::Timeout | Kind::Probe | Kind::Epoch)) => {
                    tally.timeouts += u64::from(kind == Kind::Timeout);
                    tally.probes += u64::from(kind == Kind::Probe);
                    tally.epochs += u64::from(kind == Kind::Epoch);
                    // The outcome shows the scanner's view of the silence some clocks ago.
                    let late = outcome.lost > 0;
                    tally.late += u64::from(kind == Kind::Epoch && late);
                    oracle.timer_found(outcome.connection, kind, late, now, horizon)
                }
                (None, _) => return Err(fail("no such event entered".into())),
            };
            if outcome != expected {
                return Err(fail(format!("the oracle {expected:?}")));
            }
            source.learn(&outcome);
        }
        for (&connection, recent) in &mut recent {
            if oracle.connection(connection).is_some_and(|open| open.wants_to_send()) {
                recent.ready = clock;
            }
        }
        offered = offered.or_else(|| source.event());
        let now = time as u32 & 0xFF_FFFF;
        let mut inputs = Inputs { now, outcome_ready: true, ..Inputs::default() };
        if let Some(event) = offered {
            inputs = Inputs { now, ..inputs.with_event(&event) };
            if outputs.event_ready {
                entered.push_back((clock, event));
                offered = None;
            }
        }
        clocked.clock(&inputs);
    }
    Ok(())
}

/// Opens and messages without end, most of them of one connection, while timers expire all the time. Cards
/// then wait while their connections are opened again and again.
pub(crate) struct Storm {
    pub(crate) rng: Rng,
    pub(crate) now: u64,
}

impl Source for Storm {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn event(&mut self) -> Option<Event> {
        let connection = if self.rng.below(2) == 0 { 0 } else { self.rng.below(64) };
        let opening = self.rng.below(256) < 100;
        let kind = if opening { Kind::Open } else { Kind::Post };
        Some(Event { psn: 100, packets: 2, cwnd_bytes: 1 << 20, ..Event::new(kind, connection) })
    }

    fn learn(&mut self, _outcome: &Outcome) {}
}

/// Minimum number of clocks without any event before one from outside, so that earlier events are published.
const QUIET: u64 = PUBLISHED_AFTER as u64 + 4;
/// Ticks before a timeout in which no event is begun.
const MARGIN: u32 = 400;

/// Drives a block with events far apart and compares every outcome with the transaction view.
pub(crate) fn far_apart(
    source: &mut impl Source,
    params: SackParams,
    csr: SackTxCsr,
    clocks: u64,
    tally: &mut Tally,
) -> Result<(), String> {
    let (mut clocked, mut view) = (<Clocked>::new(params, csr), <SackTx>::new(params, csr));
    let mut offered: Option<Event> = None;
    let mut quiet = 0;
    let mut entered: VecDeque<(u64, Event)> = VecDeque::new();
    let mut times: VecDeque<u32> = VecDeque::new();
    let mut last: HashMap<u32, (u64, Kind)> = HashMap::new();
    for clock in 0..clocks {
        let now = source.tick() as u32 & 0xFF_FFFF;
        times.push_back(now);
        if times.len() > LATENCY + 1 {
            times.pop_front();
        }
        let outputs = *clocked.outputs();
        if outputs.outcome_valid {
            let (outcome, at) = (outcome(&outputs), clock - LATENCY as u64);
            tally.events += 1;
            // An epoch that loses no packet has no visible effect, except in an ACK.
            let blind = outcome.kind == Kind::Epoch && outcome.lost == 0;
            let before = if blind { None } else { last.insert(outcome.connection, (at, outcome.kind)) };
            let near = before.filter(|(before, _)| before + PUBLISHED_AFTER as u64 > at);
            let second = outcome.kind == Kind::Send && near.is_some_and(|(_, kind)| kind == Kind::Send);
            if near.is_some() && !second {
                // A packet that left just before a timeout is not far apart. `follow` covers that case.
                return Ok(());
            }
            let expected = match (taken(&mut entered, at), outcome.kind) {
                (Some(event), _) => Some(view.step(&Event { now_ticks: times[0], ..event })),
                (None, kind @ (Kind::Timeout | Kind::Probe | Kind::Epoch)) => {
                    tally.timeouts += u64::from(kind == Kind::Timeout);
                    tally.probes += u64::from(kind == Kind::Probe);
                    tally.epochs += u64::from(kind == Kind::Epoch);
                    tally.late += u64::from(kind == Kind::Epoch && outcome.lost > 0);
                    Some(view.timer_found(outcome.connection, kind, outcome.lost > 0, times[0]))
                }
                _ => {
                    tally.sends += u64::from(outcome.send);
                    if second { view.send_of(outcome.connection, times[0]) } else { view.send(times[0]) }
                }
            };
            if expected != Some(outcome) {
                return Err(format!("clock {clock}: {outcome:?}: the transaction view {expected:?}"));
            }
            source.learn(&outcome);
        }
        offered = offered.or_else(|| source.event());
        let mut inputs = Inputs { now, outcome_ready: true, ..Inputs::default() };
        if let Some(event) = offered {
            let tx = clocked.tx();
            let due = tx.due_in(event.connection, now);
            let calm = tx.flow(event.connection).queued.value() == 0 && due.is_none_or(|due| due > MARGIN);
            quiet = if calm { quiet + 1 } else { 0 };
            if quiet > QUIET {
                inputs = Inputs { now, ..inputs.with_event(&event) };
                if outputs.event_ready {
                    entered.push_back((clock, event));
                    (offered, quiet) = (None, 0);
                }
            }
        }
        clocked.clock(&inputs);
    }
    Ok(())
}
