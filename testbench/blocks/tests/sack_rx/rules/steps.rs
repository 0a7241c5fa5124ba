//! Lists of events, each with the outcome that the page's rules require.

use std::collections::HashMap;
use weft_nic::block::sack_rx::{Event, Kind, Outcome, Response, Verdict};

/// Connection of a step that names none.
pub(crate) const CONNECTION: u32 = 5;

/// One event, and the required answer of the block.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    event: Event,
    accepted: bool,
    verdict: Verdict,
    response: Response,
    /// Cumulative PSN, completed messages, and PSNs received beyond the cumulative one as distances from it.
    /// `None`: unchanged.
    expected: Option<u32>,
    messages: Option<u32>,
    beyond: Option<&'static [u16]>,
}

fn step(kind: Kind, psn: u32) -> Step {
    Step {
        event: Event { tag: psn ^ 0xA5A5_5A5A, ..Event::new(kind, CONNECTION, psn) },
        accepted: true,
        verdict: Verdict::None,
        response: Response::None,
        expected: None,
        messages: None,
        beyond: None,
    }
}

/// OPEN with this first PSN.
pub(crate) fn open(psn: u32) -> Step {
    step(Kind::Open, psn).to(psn).messages(0).beyond(&[])
}

/// CLOSE. A closed connection's outcomes are all 0.
pub(crate) fn close() -> Step {
    step(Kind::Close, 99).to(0).messages(0).beyond(&[])
}

/// A new packet of 256 bytes, which is placed and acknowledged.
pub(crate) fn data(psn: u32) -> Step {
    let step = step(Kind::Data, psn).is(Verdict::Placed).says(Response::Ack);
    step.bytes(256)
}

/// A packet without its payload, which the receiver requests again.
pub(crate) fn trimmed(psn: u32) -> Step {
    step(Kind::Trimmed, psn).is(Verdict::Trimmed).says(Response::Nack).bytes(256)
}

/// The ACK timer.
pub(crate) fn flush() -> Step {
    step(Kind::Flush, 98)
}

/// The sender requests an ACK.
pub(crate) fn probe() -> Step {
    step(Kind::Probe, 97).says(Response::Ack)
}

/// A random event with all flags set.
pub(crate) fn any(kind: Kind, psn: u32) -> Step {
    step(kind, psn).bytes(0xFFFF).ce().request().last()
}

impl Step {
    /// Moves the step to another connection.
    pub(crate) fn of(self, connection: u32) -> Self {
        Self { event: Event { connection, ..self.event }, ..self }
    }

    /// Sets the bytes of the packet.
    pub(crate) fn bytes(self, bytes: u16) -> Self {
        Self { event: Event { bytes, ..self.event }, ..self }
    }

    /// Marks the packet by ECN.
    pub(crate) fn ce(self) -> Self {
        Self { event: Event { ce: true, ..self.event }, ..self }
    }

    /// The packet requests an ACK.
    pub(crate) fn request(self) -> Self {
        Self { event: Event { request: true, ..self.event }, ..self }
    }

    /// The packet ends a message.
    pub(crate) fn last(self) -> Self {
        Self { event: Event { last: true, ..self.event }, ..self }
    }

    /// Required verdict on the packet.
    pub(crate) fn is(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// Required response.
    pub(crate) fn says(self, response: Response) -> Self {
        Self { response, ..self }
    }

    /// No response is sent.
    pub(crate) fn gathers(self) -> Self {
        self.says(Response::None)
    }

    /// The packet arrived before, so the receiver acknowledges it again.
    pub(crate) fn again(self) -> Self {
        self.is(Verdict::Duplicate).says(Response::Ack)
    }

    /// The packet is beyond the window, so it is not acknowledged.
    pub(crate) fn outside(self) -> Self {
        self.is(Verdict::Outside).says(Response::Nack)
    }

    /// Cumulative PSN after the step.
    pub(crate) fn to(self, expected: u32) -> Self {
        Self { expected: Some(expected & 0xFF_FFFF), ..self }
    }

    /// Messages completed since OPEN.
    pub(crate) fn messages(self, messages: u32) -> Self {
        Self { messages: Some(messages), ..self }
    }

    /// PSNs received beyond the cumulative one, as distances from it.
    pub(crate) fn beyond(self, beyond: &'static [u16]) -> Self {
        Self { beyond: Some(beyond), ..self }
    }

    /// The outcome must report that the event did not count.
    pub(crate) fn refused(self) -> Self {
        Self { accepted: false, verdict: Verdict::None, response: Response::None, ..self }
    }
}

/// Event of a step, with its complete outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    pub(crate) event: Event,
    pub(crate) outcome: Outcome,
}

/// State that carries over from one step of a connection to the next.
#[derive(Clone, Copy, Default)]
struct Line {
    expected: u32,
    messages: u32,
    beyond: &'static [u16],
    /// Bytes of the packets that were placed.
    bytes: u64,
    /// Packets that wait for an ACK.
    waiting: u8,
}

/// Fills in fields that steps leave as before.
#[derive(Default)]
pub(crate) struct Ledger {
    lines: HashMap<u32, Line>,
}

impl Ledger {
    pub(crate) fn place(&mut self, step: &Step) -> Expectation {
        let Step { event, accepted, verdict, response, expected, messages, beyond } = *step;
        let line = self.lines.entry(event.connection).or_default();
        let (before, waiting) = (line.messages, line.waiting);
        *line = Line {
            expected: expected.unwrap_or(line.expected),
            messages: messages.unwrap_or(before),
            beyond: beyond.unwrap_or(line.beyond),
            waiting: match (response, verdict) {
                (Response::Ack, _) => 0,
                (_, Verdict::Placed) => waiting.saturating_add(1),
                _ => waiting,
            },
            bytes: line.bytes + if verdict == Verdict::Placed { u64::from(event.bytes) } else { 0 },
        };
        if matches!(event.kind, Kind::Open | Kind::Close) {
            (line.bytes, line.waiting) = (0, 0);
        }
        let control = matches!(event.kind, Kind::Open | Kind::Close);
        let mut outcome = Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted,
            verdict,
            response,
            ce: event.ce,
            bitmap: [0; 4],
            expected: line.expected,
            psn: event.psn,
            messages: line.messages,
            received: (line.bytes.div_ceil(256) & 0xFF_FFFF) as u32,
            tag: event.tag,
            completed: line.messages.saturating_sub(before) as u16,
            out_of_order: 0,
            waited: if accepted && !control { waiting } else { 0 },
        };
        for &bit in line.beyond {
            outcome.bitmap[usize::from(bit / 64)] |= 1 << (bit % 64);
            outcome.out_of_order += 1;
        }
        Expectation { event, outcome }
    }
}
