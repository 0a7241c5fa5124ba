//! What must not happen.

use thiserror::Error;

/// An invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("clock {clock}, connection {connection}: {breach}")]
pub struct Fault {
    /// Clocks since the start of the run.
    pub clock: u64,
    /// The connection.
    pub connection: u32,
    /// What happened.
    pub breach: Breach,
}

/// What happened that must not. PSNs are counted from the connection's first.
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
        /// Its tag.
        tag: u32,
    },
    /// A payload was written where one had been written.
    #[error("packet {packet} of message {message} is placed a second time")]
    PlacedTwice {
        /// The message, of this opening of the connection.
        message: u64,
        /// The packet in it.
        packet: u64,
    },
    /// A payload was written where it does not belong.
    #[error("packet {packet} of message {message} gets the payload of another")]
    WrongPayload {
        /// The message.
        message: u64,
        /// The packet in it.
        packet: u64,
    },
    /// A payload was written where no message waits for one.
    #[error("a payload goes to address {address:#x} of opening {opening}, where no message waits for one")]
    Misplaced {
        /// Virtual address of the payload.
        address: u64,
        /// The opening of the connection that it was sent in.
        opening: u32,
    },
    /// The receiver says that a message is complete, and it is not.
    #[error("message {message} is called complete and has holes")]
    Incomplete {
        /// The message.
        message: u64,
    },
    /// The receiver judged a packet wrongly.
    #[error("the receiver says {got} of packet {psn}; it is {due}")]
    Verdict {
        /// PSN.
        psn: i64,
        /// Its verdict.
        got: String,
        /// The right one.
        due: String,
    },
    /// The receiver answers wrongly.
    #[error("the receiver answers {got} to a packet that wants {due}")]
    Response {
        /// Its response.
        got: String,
        /// The right one.
        due: String,
    },
    /// A word of an outcome is not what has happened.
    #[error("the {end} says {what} is {got}; it is {due}")]
    Word {
        /// Sender or receiver.
        end: &'static str,
        /// Which word.
        what: &'static str,
        /// What it says.
        got: u64,
        /// What is so.
        due: u64,
    },
    /// The sender's message completed before the receiver's.
    #[error("the sender has completed {sender} messages, the receiver {receiver}")]
    Early {
        /// Messages completed at the sender.
        sender: u64,
        /// At the receiver.
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
    /// The sender sends a packet that no message has.
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
    /// More packets are under way than the window allows.
    #[error("{packets} packets are under way; the {window} allows {most}")]
    Window {
        /// Which window.
        window: &'static str,
        /// Packets under way or outstanding.
        packets: u64,
        /// What is allowed.
        most: u64,
    },
    /// A connection failed without need.
    #[error("the connection gave up with the {timeouts}th timeout in a row, although packets pass")]
    GaveUp {
        /// Timeouts.
        timeouts: u32,
    },
    /// A timeout came early.
    #[error("a timeout comes after {clocks} clocks; it is due after {due}")]
    Hasty {
        /// Clocks since the last acknowledgement or timeout.
        clocks: u64,
        /// Clocks that the timer is to run.
        due: u64,
    },
    /// A connection did nothing for too long.
    #[error("nothing has moved for {clocks} clocks; at most {bound} may pass")]
    Silent {
        /// Clocks without an acknowledgement or a timeout.
        clocks: u64,
        /// Clocks that may pass.
        bound: u64,
    },
    /// An event changed a connection that is not its own.
    #[error("an event of the {end} changed the state of connections {connections:?}")]
    Isolation {
        /// Sender or receiver.
        end: &'static str,
        /// Those that changed in one clock, or changed without an outcome.
        connections: Vec<u32>,
    },
}
