//! Lists of events, each with the decision that the page's rules require.

use std::collections::HashSet;
use weft_nic::block::reps::{Event, Kind, Outcome, Source};

/// Connection of a step that names none.
pub(crate) const CONNECTION: u32 = 5;

/// One event, and the required answer of the block.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    kind: Kind,
    connection: u32,
    ev: u16,
    ecn: bool,
    rtt: u16,
    at: Option<u64>,
    accepted: bool,
    source: Source,
    decided: u16,
    /// Freezing mode begins (`true`) or ends.
    turns: Option<bool>,
}

fn step(kind: Kind) -> Step {
    Step {
        kind,
        connection: CONNECTION,
        ev: 0,
        ecn: false,
        rtt: 0,
        at: None,
        accepted: true,
        source: Source::Given,
        decided: 0,
        turns: None,
    }
}

/// A packet leaves. The decision must take `ev` from `source`.
pub(crate) fn send(source: Source, ev: u16) -> Step {
    Step { source, decided: ev, ..step(Kind::Send) }
}

/// An unmarked ACK.
pub(crate) fn ack(ev: u16) -> Step {
    Step { ev, ..step(Kind::Ack) }
}

/// An ECN-marked ACK.
pub(crate) fn marked(ev: u16) -> Step {
    Step { ecn: true, ..ack(ev) }
}

pub(crate) fn timeout() -> Step {
    step(Kind::Timeout)
}

pub(crate) fn path_ok() -> Step {
    step(Kind::PathOk)
}

pub(crate) fn idle() -> Step {
    step(Kind::Idle)
}

pub(crate) fn open() -> Step {
    step(Kind::Open)
}

/// OPEN of a fixed connection.
pub(crate) fn open_with(ev: u16) -> Step {
    Step { ev, ..open() }
}

pub(crate) fn close() -> Step {
    step(Kind::Close)
}

pub(crate) fn seed(seed: u32) -> Step {
    Step { ev: seed as u16, rtt: (seed >> 16) as u16, ..step(Kind::Seed) }
}

impl Step {
    /// Moves the step to another connection.
    pub(crate) fn of(self, connection: u32) -> Self {
        Self { connection, ..self }
    }

    /// Sets the time in ticks. Default: the time of the step before.
    pub(crate) fn at(self, ticks: u64) -> Self {
        Self { at: Some(ticks), ..self }
    }

    /// Sets the round-trip time.
    pub(crate) fn rtt(self, ticks: u16) -> Self {
        Self { rtt: ticks, ..self }
    }

    /// The decision must report that the event did not count.
    pub(crate) fn refused(self) -> Self {
        Self { accepted: false, ..self }
    }

    /// Freezing mode must begin.
    pub(crate) fn freezes(self) -> Self {
        Self { turns: Some(true), ..self }
    }

    /// Freezing mode must end.
    pub(crate) fn thaws(self) -> Self {
        Self { turns: Some(false), ..self }
    }
}

/// A step on the time line, with its complete decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    pub(crate) event: Event,
    /// Time, not wrapped.
    pub(crate) now: u64,
    pub(crate) outcome: Outcome,
}

/// Gives every event its time, and every decision the freezing state of its connection: frozen from a step
/// that freezes to a step that thaws, opens or closes.
#[derive(Default)]
pub(crate) struct TimeLine {
    now: u64,
    frozen: HashSet<u32>,
}

impl TimeLine {
    pub(crate) fn place(&mut self, step: &Step) -> Expectation {
        let Step { kind, connection, ev, ecn, rtt, at, accepted, source, decided, turns } = *step;
        self.now = at.unwrap_or(self.now);
        match turns {
            Some(true) => assert!(self.frozen.insert(connection), "frozen already"),
            Some(false) => assert!(self.frozen.remove(&connection), "not frozen"),
            None if matches!(kind, Kind::Open | Kind::Close) => _ = self.frozen.remove(&connection),
            None => {}
        }
        let frozen = kind != Kind::Seed && self.frozen.contains(&connection);
        let event = Event { kind, connection, ev, ecn, rtt_ticks: rtt, now_ticks: self.now as u32 };
        let outcome =
            Outcome { kind, connection, accepted, source, ev: decided, frozen, turned: turns.is_some() };
        Expectation { event, now: self.now, outcome }
    }
}
