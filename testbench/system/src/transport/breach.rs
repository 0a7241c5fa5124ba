//! Invariants of the transport, each as the error of its breach.

use thiserror::Error;

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("clock {clock}, connection {connection}: {breach}")]
pub struct Fault {
    /// Clocks since the start of the run.
    pub clock: u64,
    /// The connection.
    pub connection: u32,
    /// The breach.
    pub breach: Breach,
}

/// A breach of an invariant. PSNs are counted from the connection's first PSN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Breach {
    /// An outcome belongs to another event.
    #[error("the {end}'s outcome has kind {kind} and tag {tag}; it belongs to no event that went in before")]
    Order {
        /// Sender or receiver.
        end: &'static str,
        /// Kind of the outcome.
        kind: String,
        /// Tag of the outcome.
        tag: u32,
    },
    /// A payload was written to a place that had been written before.
    #[error("packet {packet} of message {message} is placed a second time")]
    PlacedTwice {
        /// Number of the message in this opening of the connection.
        message: u64,
        /// Number of the packet in the message.
        packet: u64,
    },
    /// A payload was written to the place of another packet.
    #[error("packet {packet} of message {message} gets the payload of another")]
    WrongPayload {
        /// The message.
        message: u64,
        /// Number of the packet in the message.
        packet: u64,
    },
    /// A payload was written to an address where no message waits for one.
    #[error("a payload goes to address {address:#x} of opening {opening}, where no message waits for one")]
    Misplaced {
        /// Virtual address of the payload.
        address: u64,
        /// Opening of the connection in which the payload was sent.
        opening: u32,
    },
    /// The receiver reported an incomplete message as complete.
    #[error("message {message} is called complete and has holes")]
    Incomplete {
        /// The message.
        message: u64,
    },
    /// The receiver returned a wrong verdict on a packet.
    #[error("the receiver says {got} of packet {psn}; it is {due}")]
    Verdict {
        /// PSN.
        psn: i64,
        /// Verdict of the receiver.
        got: String,
        /// Right verdict.
        due: String,
    },
    /// The receiver answered wrongly.
    #[error("the receiver answers {got} to a packet that wants {due}")]
    Response {
        /// Response of the receiver.
        got: String,
        /// Right response.
        due: String,
    },
    /// A word of an outcome has a wrong value.
    #[error("the {end} says {what} is {got}; it is {due}")]
    Word {
        /// Sender or receiver.
        end: &'static str,
        /// Name of the word.
        what: &'static str,
        /// Value in the outcome.
        got: u64,
        /// Right value.
        due: u64,
    },
    /// The sender's message completed before the receiver's.
    #[error("the sender has completed {sender} messages, the receiver {receiver}")]
    Early {
        /// Messages completed at the sender.
        sender: u64,
        /// Messages completed at the receiver.
        receiver: u64,
    },
    /// The sender sends a new packet out of turn.
    #[error("the sender sends packet {got} for the first time; {due} is next")]
    NotNext {
        /// PSN sent.
        got: i64,
        /// PSN to be sent.
        due: i64,
    },
    /// The sender sent a packet that belongs to no message.
    #[error("the sender sends packet {psn}, which no posted message has")]
    NotPosted {
        /// PSN sent.
        psn: i64,
    },
    /// The sender sends a packet again that is not lost.
    #[error("the sender sends packet {psn} again, which is not lost")]
    NotLost {
        /// PSN sent.
        psn: i64,
    },
    /// More packets are in flight than the window allows.
    #[error("{packets} packets are under way; the {window} allows {most}")]
    Window {
        /// Name of the window.
        window: &'static str,
        /// Number of packets in flight or outstanding.
        packets: u64,
        /// Packets that the window allows.
        most: u64,
    },
    /// A connection failed without need.
    #[error("the connection gave up with the {timeouts}th timeout in a row, although packets pass")]
    GaveUp {
        /// Timeouts.
        timeouts: u32,
    },
    /// A timeout was early.
    #[error("a timeout comes after {clocks} clocks; it is due after {due}")]
    Hasty {
        /// Clocks since the last acknowledgement or timeout.
        clocks: u64,
        /// Clocks that the timer is to run.
        due: u64,
    },
    /// A connection made no progress for too long.
    #[error("nothing has moved for {clocks} clocks; at most {bound} may pass")]
    Silent {
        /// Clocks without an acknowledgement or a timeout.
        clocks: u64,
        /// Clocks that may pass.
        bound: u64,
    },
    /// An event changed the state of another connection.
    #[error("an event of the {end} changed the state of connections {connections:?}")]
    Isolation {
        /// Sender or receiver.
        end: &'static str,
        /// Connections that changed in one clock, or changed without an outcome.
        connections: Vec<u32>,
    },
}
