//! Lists of events, each with the outcome that the page's rules require. The block's own events, sends and
//! timeouts, are in the list where the rules require them.

use std::collections::HashMap;
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Reason};

/// Connection of a step that names none.
pub(crate) const CONNECTION: u32 = 5;

/// Action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The test offers the event.
    Offer(Event),
    /// The block sends.
    Send,
    /// A timer causes an event: an epoch, a probe, a timeout.
    Timer(Kind),
    /// No event happens before this time.
    Calm,
}

/// One event, and the required answer of the block.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    act: Act,
    connection: u32,
    at: Option<u64>,
    accepted: bool,
    send: Option<u32>,
    fresh: bool,
    last: bool,
    failed: bool,
    beyond: bool,
    congested: bool,
    failure: bool,
    unsure: bool,
    acked: u16,
    completed: u16,
    errors: u16,
    /// Lowest PSN that is not acknowledged, and number of lost packets, after the step. `None`: as before.
    una: Option<u32>,
    lost: Option<u16>,
    reason: Reason,
}

fn step(act: Act) -> Step {
    Step {
        act,
        connection: CONNECTION,
        at: None,
        accepted: true,
        send: None,
        fresh: false,
        last: false,
        failed: false,
        beyond: false,
        congested: false,
        failure: false,
        unsure: false,
        acked: 0,
        completed: 0,
        errors: 0,
        una: None,
        lost: None,
        reason: Reason::None,
    }
}

fn offer(kind: Kind) -> Event {
    Event { tag: 0xA5A5_5A5A ^ kind as u32, ..Event::new(kind, CONNECTION) }
}

/// OPEN with this first PSN, and a congestion window for all packets of a ring.
pub(crate) fn open(psn: u32) -> Step {
    open_with(psn, 1 << 24)
}

/// OPEN with this first PSN and this congestion window.
pub(crate) fn open_with(psn: u32, cwnd_bytes: u32) -> Step {
    step(Act::Offer(Event { psn, cwnd_bytes, ..offer(Kind::Open) })).una(psn).lost(0)
}

/// CLOSE. A closed connection's outcomes are all 0.
pub(crate) fn close() -> Step {
    step(Act::Offer(offer(Kind::Close))).una(0).lost(0)
}

/// A message of `packets` packets.
pub(crate) fn post(packets: u16) -> Step {
    step(Act::Offer(Event { packets, ..offer(Kind::Post) }))
}

/// An ACK: all packets before `psn` have arrived, and so have the PSNs `ahead` of it. The ACK answers the
/// last of these, or the PSN before `psn`, and its round trip took no time.
pub(crate) fn ack(psn: u32, ahead: &[u32]) -> Step {
    let mut bitmap = [0; 4];
    for &bit in ahead {
        bitmap[bit as usize / 64] |= 1 << (bit % 64);
    }
    let trigger = ahead.last().map_or(psn.wrapping_sub(1), |bit| psn + bit) & 0xFF_FFFF;
    step(Act::Offer(Event { psn, trigger, bitmap, tag: 0x8000_5A5A, ..offer(Kind::Ack) }))
}

/// A NACK.
pub(crate) fn nack(psn: u32) -> Step {
    step(Act::Offer(Event { psn, ..offer(Kind::Nack) }))
}

/// A congestion window.
pub(crate) fn window(cwnd_bytes: u32) -> Step {
    step(Act::Offer(Event { cwnd_bytes, ..offer(Kind::Window) }))
}

/// A random event with all flags set.
pub(crate) fn any(kind: Kind) -> Step {
    let event = Event { psn: 3, trigger: 4, bitmap: [u64::MAX; 4], packets: 3, ..offer(kind) };
    step(Act::Offer(if kind == Kind::Window { Event { cwnd_bytes: 77, ..event } } else { event }))
}

/// The block sends a new packet.
pub(crate) fn send(psn: u32) -> Step {
    Step { send: Some(psn & 0xFF_FFFF), fresh: true, ..step(Act::Send) }
}

/// The block sends a packet again.
pub(crate) fn again(psn: u32) -> Step {
    Step { send: Some(psn & 0xFF_FFFF), ..step(Act::Send) }
}

/// New packets from this one on. No packet ends a message.
pub(crate) fn sends(psn: u32, packets: u32) -> Vec<Step> {
    (psn..psn + packets).map(send).collect()
}

/// The retransmission timer expires.
pub(crate) fn timeout() -> Step {
    step(Act::Timer(Kind::Timeout))
}

/// An epoch is over.
pub(crate) fn epoch() -> Step {
    step(Act::Timer(Kind::Epoch))
}

/// A silence causes a probe.
pub(crate) fn probe() -> Step {
    step(Act::Timer(Kind::Probe))
}

/// `count` epochs of `ticks` ticks from a time on.
pub(crate) fn epochs(from: u64, ticks: u64, count: u64) -> Vec<Step> {
    (1..=count).map(|number| epoch().at(from + number * ticks)).collect()
}

/// No timer expires and no packet is sent.
pub(crate) fn calm() -> Step {
    step(Act::Calm)
}

impl Step {
    /// Moves the step to another connection.
    pub(crate) fn of(self, connection: u32) -> Self {
        let act = match self.act {
            Act::Offer(event) => Act::Offer(Event { connection, ..event }),
            act => act,
        };
        Self { act, connection, ..self }
    }

    /// Sets the time in ticks. Default: the time of the step before.
    pub(crate) fn at(self, ticks: u64) -> Self {
        Self { at: Some(ticks), ..self }
    }

    /// Sets the PSN that the ACK answers.
    pub(crate) fn answers(self, psn: u32) -> Self {
        let Act::Offer(event) = self.act else { return self };
        Self { act: Act::Offer(Event { trigger: psn & 0xFF_FFFF, ..event }), ..self }
    }

    /// Sets the ACK's round-trip time in ticks.
    pub(crate) fn after(self, ticks: u32) -> Self {
        let Act::Offer(event) = self.act else { return self };
        Self { act: Act::Offer(Event { tag: event.tag & 0x8000_FFFF | ticks << 16, ..event }), ..self }
    }

    /// Sets the class of an OPEN.
    pub(crate) fn class(self, class: u32) -> Self {
        let Act::Offer(event) = self.act else { return self };
        Self { act: Act::Offer(Event { tag: event.tag & !0x3_0000 | class << 16, ..event }), ..self }
    }

    /// The outcome must report a congested network.
    pub(crate) fn congested(self) -> Self {
        Self { congested: true, ..self }
    }

    /// The outcome must report that the losses are a failure of a path.
    pub(crate) fn failure(self) -> Self {
        Self { failure: true, ..self }
    }

    /// The outcome must report that the ACK's round-trip time is unsure.
    pub(crate) fn unsure(self) -> Self {
        Self { unsure: true, ..self }
    }

    /// Number of packets that the step acknowledges.
    pub(crate) fn acks(self, packets: u16) -> Self {
        Self { acked: packets, ..self }
    }

    /// Lowest PSN that is not acknowledged after the step.
    pub(crate) fn una(self, psn: u32) -> Self {
        Self { una: Some(psn & 0xFF_FFFF), ..self }
    }

    /// Number of lost packets after the step.
    pub(crate) fn lost(self, packets: u16) -> Self {
        Self { lost: Some(packets), ..self }
    }

    /// The packet ends its message.
    pub(crate) fn last(self) -> Self {
        Self { last: true, ..self }
    }

    /// Number of messages that the step completes.
    pub(crate) fn completes(self, messages: u16) -> Self {
        Self { completed: messages, ..self }
    }

    /// Number of messages that the step ends unfinished.
    pub(crate) fn ends(self, messages: u16) -> Self {
        Self { errors: messages, ..self }
    }

    /// The NACK denies its packet for good.
    pub(crate) fn denied(self) -> Self {
        let Act::Offer(event) = self.act else { return self };
        Self { act: Act::Offer(Event { denied: true, ..event }), ..self }
    }

    /// The connection is out of retries, or its peer denied a packet.
    pub(crate) fn fails(self) -> Self {
        Self { failed: true, ..self.una(0) }
    }

    /// Reason why the event has no effect.
    pub(crate) fn but(self, reason: Reason) -> Self {
        Self { reason, ..self }
    }

    /// The ACK's bitmap names PSNs that were never sent.
    pub(crate) fn beyond(self) -> Self {
        Self { beyond: true, ..self }
    }

    /// The outcome must report that the event did not count.
    pub(crate) fn refused(self) -> Self {
        Self { accepted: false, reason: Reason::None, ..self }
    }
}

/// A step on the time line, with its complete outcome.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    pub(crate) act: Act,
    /// Time, not wrapped.
    pub(crate) now: u64,
    pub(crate) outcome: Outcome,
}

/// State that carries over from one step of a connection to the next.
#[derive(Clone, Copy, Default)]
struct Line {
    una: u32,
    unacked: u16,
    lost: u16,
}

/// Fills in fields that steps leave as before.
#[derive(Default)]
pub(crate) struct Ledger {
    now: u64,
    lines: HashMap<u32, Line>,
}

impl Ledger {
    pub(crate) fn place(&mut self, step: &Step) -> Expectation {
        let Step { connection, accepted, send, fresh, last, failed, reason, beyond, acked, .. } = *step;
        self.now = step.at.unwrap_or(self.now);
        let (act, kind, tag) = match step.act {
            Act::Offer(event) => {
                let now_ticks = self.now as u32 & 0xFF_FFFF;
                (Act::Offer(Event { now_ticks, ..event }), event.kind, event.tag)
            }
            Act::Timer(kind) => (Act::Timer(kind), kind, 0),
            act => (act, Kind::Send, 0),
        };
        let ends = failed || matches!(kind, Kind::Open | Kind::Close);
        let line = self.lines.entry(connection).or_default();
        let lost_before = line.lost;
        let sent_again = u16::from(send.is_some() && !fresh);
        *line = Line {
            una: step.una.unwrap_or(line.una),
            unacked: line.unacked + u16::from(fresh) - acked,
            lost: step.lost.unwrap_or(lost_before - sent_again),
        };
        let lost = line.lost.saturating_sub(lost_before);
        if ends {
            (line.unacked, line.lost) = (0, 0);
        }
        let outcome = Outcome {
            kind,
            connection,
            accepted,
            send: send.is_some(),
            fresh,
            last,
            failed,
            reason,
            beyond,
            congested: step.congested,
            failure: step.failure,
            unsure: step.unsure,
            psn: send.unwrap_or(line.una),
            acked,
            lost,
            completed: step.completed,
            errors: step.errors,
            unacked: line.unacked,
            in_flight: line.unacked - line.lost,
            tag,
        };
        Expectation { act, now: self.now, outcome }
    }
}
