//! Events of connections over time, and the file that has them (page `docs/events.md`).

use crate::order::Order;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::{self, Write};
use weft_nic::block::sender::Cause;

/// The version of the format. A change that old readers cannot read raises the version.
pub const FORMAT: u32 = 1;

/// The connections whose events are noted: those between the hosts of chosen flows, and those with a chosen
/// host at either end. Without any choice, all connections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Hosts, by number.
    pub hosts: BTreeSet<u32>,
    /// Flows, by their row in the table of flows.
    pub flows: BTreeSet<u32>,
}

/// Chosen connections, by the hosts at their ends.
#[derive(Clone, Debug)]
pub(crate) struct Noted {
    pub(crate) chosen: Chosen,
    /// Positions of source and destination of each chosen flow.
    pub(crate) pairs: BTreeSet<(u32, u32)>,
}

impl Noted {
    /// Whether the run notes connections from one host to another.
    pub(crate) fn has(&self, source: u32, destination: u32) -> bool {
        let Chosen { hosts, flows } = &self.chosen;
        hosts.is_empty() && flows.is_empty()
            || hosts.contains(&source)
            || hosts.contains(&destination)
            || self.pairs.contains(&(source, destination))
    }
}

/// An event of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Time of the event.
    pub time_ps: u64,
    /// The host at which the event happened.
    pub host: u32,
    /// The host that sends data on the connection, and the number of the connection there.
    pub connection: (u32, u32),
    /// The kind of the event, with the data of that kind.
    pub what: What,
}

/// Kinds of events. PSNs are numbers of 24 bits, entropy values of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "name", content = "data", rename_all = "snake_case")]
pub enum What {
    /// The software of the sender posted a flow of so many bytes.
    FlowStarted {
        /// The flow.
        flow: u32,
        /// Bytes of the flow.
        bytes: u64,
    },
    /// The receiver has all bytes of a flow.
    FlowReceived {
        /// The flow.
        flow: u32,
    },
    /// The sender learns that the receiver has all bytes of a flow.
    FlowAcknowledged {
        /// The flow.
        flow: u32,
    },
    /// The first bit of a data packet left.
    PacketSent {
        /// The flow of the data.
        flow: u32,
        /// PSN.
        psn: u32,
        /// Bytes of payload.
        bytes: u16,
        /// Entropy value.
        ev: u16,
        /// Origin of the entropy value.
        choice: Choice,
        /// How the packet's loss was detected, if the packet is sent again.
        again: Option<Detection>,
    },
    /// The last bit of a data packet arrived.
    PacketReceived {
        /// The flow of the data.
        flow: u32,
        /// PSN.
        psn: u32,
        /// Bytes of payload.
        bytes: u16,
        /// Entropy value.
        ev: u16,
        /// Whether a switch marked the packet.
        marked: bool,
    },
    /// The headers of a data packet arrived; a switch had trimmed the packet.
    PacketTrimmed {
        /// The flow of the data.
        flow: u32,
        /// PSN.
        psn: u32,
        /// Entropy value.
        ev: u16,
        /// Whether a switch marked the packet.
        marked: bool,
    },
    /// An ACK left its host.
    AckSent(Ack),
    /// An ACK arrived at the sender of the data.
    AckReceived(Ack),
    /// A NACK left its host.
    NackSent(Nack),
    /// A NACK arrived at the sender of the data.
    NackReceived(Nack),
    /// The sender found a packet lost.
    PacketLost {
        /// PSN.
        psn: u32,
    },
    /// The window of the sender, or the bytes in flight, changed.
    MetricsUpdated {
        /// The congestion window.
        window_bytes: u32,
        /// Payload of the full packets in flight: sent, and neither acknowledged nor found lost.
        in_flight_bytes: u32,
    },
    /// REPS began to freeze the entropy values of the connection.
    FreezeBegan,
    /// The freeze ended.
    FreezeEnded,
}

/// An ACK.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ack {
    /// PSN of the packet that made the ACK.
    pub psn: u32,
    /// The lowest PSN that has not arrived.
    pub expected: u32,
    /// Entropy value that the ACK echoes.
    pub ev: u16,
    /// Whether that packet was marked.
    pub marked: bool,
}

/// A NACK.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Nack {
    /// PSN of the packet that is to be sent again.
    pub psn: u32,
    /// Entropy value of that packet.
    pub ev: u16,
}

/// Origin of an entropy value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Another origin: not drawn and not cached.
    Given,
    /// Drawn at random.
    Explored,
    /// The value is from the cache.
    Recycled,
    /// Used again, during a freeze.
    Reused,
}

impl Choice {
    /// The origin that a departure's number stands for.
    pub(crate) fn of(number: u8) -> Self {
        [Self::Given, Self::Explored, Self::Recycled, Self::Reused][usize::from(number & 3)]
    }
}

/// Detection of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Detection {
    /// A NACK.
    Nack,
    /// ACKs of packets that were sent later.
    Verdict,
    /// A timeout.
    Timeout,
    /// A probe without an answer.
    Probe,
}

impl From<Cause> for Detection {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Nack => Self::Nack,
            Cause::Verdict => Self::Verdict,
            Cause::Timeout => Self::Timeout,
            Cause::Probe => Self::Probe,
        }
    }
}

/// The first line of a file of events.
#[derive(Serialize)]
pub(crate) struct Header<'a> {
    pub(crate) weft_events: u32,
    pub(crate) version: &'a str,
    /// SHA-256 of all settings, as the result's JSON has them.
    pub(crate) setup_sha256: String,
    pub(crate) seed: u64,
    pub(crate) is_interrupted: bool,
    pub(crate) mtu_bytes: u32,
    pub(crate) time: &'static str,
    pub(crate) connection: &'static str,
}

/// A line of an event.
#[derive(Serialize)]
struct Line {
    time_ns: f64,
    host: u32,
    connection: String,
    #[serde(flatten)]
    what: What,
}

/// Events of all hosts in the order of their times. Events at the same time are in the order of hosts; events
/// of one host are in the order in which they happened. Positions of hosts become their numbers.
pub(crate) fn in_order<'a>(hosts: impl Iterator<Item = &'a Vec<Event>>, order: &Order) -> Vec<Event> {
    let numbered = |event: &Event| {
        let (source, number) = event.connection;
        Event { host: order.number(event.host), connection: (order.number(source), number), ..*event }
    };
    let mut events: Vec<Event> = hosts.flatten().map(numbered).collect();
    events.sort_by_key(|event| event.time_ps);
    events
}

/// Writes a value as a line of JSON.
fn line(file: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, value)?;
    file.write_all(b"\n")
}

/// Writes events as lines of JSON, the header first.
pub(crate) fn write(file: &mut impl Write, header: &Header<'_>, events: &[Event]) -> io::Result<()> {
    line(file, header)?;
    for Event { time_ps, host, connection: (source, number), what } in events {
        let (time_ns, connection) = (*time_ps as f64 / 1e3, format!("{source}.{number}"));
        line(file, &Line { time_ns, host: *host, connection, what: *what })?;
    }
    Ok(())
}
