//! Decisions of the block as text and for other tools: structs, JSON and CSV.

use super::error::TraceError;
use super::replay::TimedEvent;
use serde::{Serialize, Serializer};
use std::io::{self, Write};
use weft_nic::block::reps::{Kind, Outcome, Source};

/// One event, and the decision of the block about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// Nanoseconds since the first frame.
    pub time_ns: u64,
    /// Number of the connection.
    pub connection: u32,
    /// Kind of the event.
    #[serde(serialize_with = "kind")]
    pub kind: Kind,
    /// PSN of the data packet or ACK.
    pub psn: Option<u32>,
    /// Send: the chosen entropy value. Ack: the echoed value. Open: the given value.
    pub ev: Option<u16>,
    /// Send: source of the entropy value.
    #[serde(serialize_with = "source")]
    pub source: Option<Source>,
    /// Freezing mode after the event.
    pub frozen: bool,
    /// The event began or ended freezing mode.
    pub turned: bool,
    /// Send: the entropy value that the capture has.
    pub recorded_ev: Option<u16>,
    /// Send: the PSN was sent before.
    pub retransmission: bool,
    /// Ack: marked by ECN.
    pub ecn: bool,
    /// Valid entropy values of the connection after the event.
    pub valid: u8,
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Send => "send",
        Kind::Ack => "ack",
        Kind::Timeout => "timeout",
        Kind::PathOk => "path-ok",
        Kind::Idle => "idle",
        Kind::Open => "open",
        Kind::Close => "close",
        Kind::Seed => "seed",
    }
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Given => "given",
        Source::Explored => "explored",
        Source::Recycled => "recycled",
        Source::Reused => "reused",
    }
}

fn kind<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind_name(*kind))
}

fn source<S: Serializer>(source: &Option<Source>, serializer: S) -> Result<S::Ok, S::Error> {
    source.map(source_name).serialize(serializer)
}

/// The decisions of `outcomes`, one for each event. The seed event belongs to no connection and is left out.
pub fn decisions(events: &[TimedEvent], outcomes: &[Outcome]) -> Result<Vec<Decision>, TraceError> {
    if events.len() != outcomes.len() {
        return Err(TraceError::Outcomes { events: events.len(), outcomes: outcomes.len() });
    }
    let pairs = events.iter().zip(outcomes).filter(|(timed, _)| timed.event.kind != Kind::Seed);
    let decision = |(timed, outcome): (&TimedEvent, &Outcome)| {
        let event = &timed.event;
        let is_send = event.kind == Kind::Send;
        Decision {
            time_ns: timed.time_ns,
            connection: event.connection,
            kind: event.kind,
            psn: timed.psn,
            ev: match event.kind {
                Kind::Send => Some(outcome.ev),
                Kind::Ack | Kind::Open => Some(event.ev),
                _ => None,
            },
            source: is_send.then_some(outcome.source),
            frozen: outcome.frozen,
            turned: outcome.turned,
            recorded_ev: timed.recorded_ev,
            retransmission: timed.retransmission,
            ecn: event.ecn,
            valid: timed.valid,
        }
    };
    Ok(pairs.map(decision).collect())
}

/// Writes decisions as CSV with a header line. Fields that do not apply are empty.
pub fn write_csv(mut writer: impl Write, decisions: &[Decision]) -> io::Result<()> {
    writeln!(
        writer,
        "time_ns,connection,kind,psn,ev,source,frozen,turned,recorded_ev,retransmission,ecn,valid"
    )?;
    fn or_empty(value: Option<impl ToString>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    for it in decisions {
        writeln!(
            writer,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            it.time_ns,
            it.connection,
            kind_name(it.kind),
            or_empty(it.psn),
            or_empty(it.ev),
            or_empty(it.source.map(source_name)),
            u8::from(it.frozen),
            u8::from(it.turned),
            or_empty(it.recorded_ev),
            u8::from(it.retransmission),
            u8::from(it.ecn),
            it.valid,
        )?;
    }
    Ok(())
}
