//! Lists of events, each with the answer that the page's rules require.

use std::collections::HashMap;
use weft_nic::block::smartt::{Case, Event, Kind, Outcome};

/// Connection of a step that names none.
pub(crate) const CONNECTION: u32 = 5;

/// One event, and the required answer of the block.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    kind: Kind,
    connection: u32,
    class: u8,
    ecn: bool,
    packets: u8,
    bytes: u32,
    rtt: u16,
    in_flight: u32,
    at: Option<u64>,
    accepted: bool,
    case: Case,
    /// Window in whole bytes. `None`: as before.
    window: Option<u32>,
}

fn step(kind: Kind, bytes: u32) -> Step {
    Step {
        kind,
        connection: CONNECTION,
        class: 0,
        ecn: false,
        packets: 1,
        bytes,
        rtt: 0,
        in_flight: 0,
        at: None,
        accepted: true,
        case: Case::None,
        window: None,
    }
}

/// OPEN, with this window.
pub(crate) fn open(window: u32) -> Step {
    step(Kind::Open, 0).gives(Case::None, window)
}

pub(crate) fn close() -> Step {
    step(Kind::Close, 0).gives(Case::None, 0)
}

/// An unmarked ACK with this RTT.
pub(crate) fn ack(bytes: u32, rtt: u16) -> Step {
    Step { rtt, ..step(Kind::Ack, bytes) }
}

/// A marked ACK with this RTT.
pub(crate) fn marked(bytes: u32, rtt: u16) -> Step {
    Step { ecn: true, ..ack(bytes, rtt) }
}

/// A trimmed packet. The step's case is a loss unless the step sets another case.
pub(crate) fn trim(bytes: u32) -> Step {
    Step { case: Case::Loss, ..step(Kind::Trim, bytes) }
}

/// A timeout. The step's case is a loss unless the step sets another case.
pub(crate) fn timeout(bytes: u32) -> Step {
    Step { case: Case::Loss, ..step(Kind::Timeout, bytes) }
}

/// A random event with all flags set.
pub(crate) fn any(kind: Kind) -> Step {
    Step { kind, in_flight: 7, case: Case::None, ..marked(4_096, 200) }
}

impl Step {
    /// Moves the step to another connection.
    pub(crate) fn of(self, connection: u32) -> Self {
        Self { connection, ..self }
    }

    /// Sets the RTT class.
    pub(crate) fn class(self, class: u8) -> Self {
        Self { class, ..self }
    }

    /// Sets the time in ticks. Default: the time of the step before.
    pub(crate) fn at(self, ticks: u64) -> Self {
        Self { at: Some(ticks), ..self }
    }

    /// Sets the number of packets of the ACK.
    pub(crate) fn packets(self, packets: u8) -> Self {
        Self { packets, ..self }
    }

    pub(crate) fn in_flight(self, bytes: u32) -> Self {
        Self { in_flight: bytes, ..self }
    }

    /// Required case and window of the answer.
    pub(crate) fn gives(self, case: Case, window: u32) -> Self {
        Self { case, window: Some(window), ..self }
    }

    /// Required window of the answer.
    pub(crate) fn leaves(self, window: u32) -> Self {
        Self { window: Some(window), ..self }
    }

    /// Required case of the answer. The window stays.
    pub(crate) fn is(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The answer must report that the event did not count, and the window stays.
    pub(crate) fn refused(self) -> Self {
        Self { accepted: false, case: Case::None, window: None, ..self }
    }
}

/// A step on the time line, with its complete answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    pub(crate) event: Event,
    /// Time, not wrapped.
    pub(crate) now: u64,
    pub(crate) outcome: Outcome,
}

/// Gives every event its time, and every answer the window that a step leaves unchanged.
#[derive(Default)]
pub(crate) struct TimeLine {
    now: u64,
    windows: HashMap<u32, u32>,
}

impl TimeLine {
    pub(crate) fn place(&mut self, step: &Step) -> Expectation {
        let Step { kind, connection, class, ecn, packets, bytes, rtt, in_flight, at, accepted, case, window } =
            *step;
        self.now = at.unwrap_or(self.now);
        let held = self.windows.entry(connection).or_default();
        *held = window.unwrap_or(*held);
        let outcome = Outcome { kind, connection, accepted, case, cwnd_bytes: *held };
        let event = Event {
            kind,
            connection,
            class,
            ecn,
            packets,
            bytes,
            rtt_ticks: rtt,
            in_flight_bytes: in_flight,
            now_ticks: self.now as u32,
        };
        Expectation { event, now: self.now, outcome }
    }
}
