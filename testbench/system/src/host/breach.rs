//! What a NIC must never do.

use weft_bench::Broken;
use weft_nic::words::Status;

/// What was wrong, at which NIC, when.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("clock {clock}, NIC {nic}: {breach}")]
pub struct Fault {
    /// Clocks since the start of the run.
    pub clock: u64,
    /// Number of the NIC.
    pub nic: u32,
    /// What.
    pub breach: Breach,
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Breach {
    /// A rule of AXI4-Stream or AXI4-Lite.
    #[error(transparent)]
    Port(#[from] Broken),
    /// Bytes are fetched that no work request under way has.
    #[error("connection {connection} fetches {bytes} bytes from {address:#x}, no part of its work")]
    Fetch {
        /// The connection.
        connection: u32,
        /// From where.
        address: u64,
        /// How many.
        bytes: u16,
    },
    /// Bytes are written where no message under way has a packet.
    #[error("connection {connection} writes {bytes} bytes to {address:#x}, no packet of its messages")]
    Misplaced {
        /// The connection.
        connection: u32,
        /// To where.
        address: u64,
        /// How many.
        bytes: u16,
    },
    /// The words of a packet name two places, or are not as many as it says.
    #[error("connection {connection} writes to {address:#x} with words that do not fit {bytes} bytes")]
    Ragged {
        /// The connection.
        connection: u32,
        /// To where.
        address: u64,
        /// How many.
        bytes: u16,
    },
    /// A packet was written again.
    #[error("message {message}: its bytes from {offset} on are written twice")]
    WrittenTwice {
        /// The message.
        message: u32,
        /// Bytes from its start.
        offset: u32,
    },
    /// A message is complete with other bytes than were sent.
    #[error("message {message} has come with wrong bytes from {offset} on")]
    WrongData {
        /// The message.
        message: u32,
        /// Bytes from its start.
        offset: u32,
    },
    /// A message was completed before all of it was written.
    #[error("message {message} is complete, but its bytes from {offset} on have not come")]
    Incomplete {
        /// The message.
        message: u32,
        /// Bytes from its start.
        offset: u32,
    },
    /// The completion of a work request is not the one that is next, or tells of a failure.
    #[error("connection {connection} completes work {id} as {status:?}; work {due:?} is due")]
    Sent {
        /// The connection.
        connection: u32,
        /// Which.
        id: u32,
        /// How.
        status: Status,
        /// The one that is next.
        due: Option<u32>,
    },
    /// The completion of a received message is not the one that is next.
    #[error(
        "connection {connection} receives message {number} with immediate {immediate:#x}; due is {due:?}"
    )]
    Received {
        /// The connection.
        connection: u32,
        /// Its number.
        number: u32,
        /// Its immediate.
        immediate: u32,
        /// Number and immediate that are next.
        due: Option<(u32, u32)>,
    },
    /// A frame leaves that is none of a connection's.
    #[error("a frame of {bytes} bytes leaves that no peer takes")]
    Stray {
        /// Bytes of it.
        bytes: usize,
    },
    /// Payload leaves that is not what was read for it.
    #[error("connection {connection} sends PSN {psn} with other bytes than its work has")]
    Payload {
        /// The connection.
        connection: u32,
        /// The packet.
        psn: u32,
    },
    /// A register answered with an error.
    #[error("register {address:#06x} answers {response}")]
    Register {
        /// Its offset.
        address: u16,
        /// The response.
        response: u8,
    },
    /// A stream's `tid` is no connection that is open.
    #[error("{port} names connection {connection}, which is not open")]
    Connection {
        /// The stream.
        port: &'static str,
        /// Its `tid`.
        connection: u32,
    },
    /// The bytes in memory are not what the workload makes of all hosts' bytes.
    #[error("the result is wrong from {address:#x} on")]
    Result {
        /// Where the first wrong byte is.
        address: u64,
    },
    /// Nothing happens any more.
    #[error("nothing has been delivered or completed for {clocks} clocks; {left} messages are under way")]
    Stuck {
        /// Clocks since something was.
        clocks: u64,
        /// Messages that have not ended.
        left: u32,
    },
}
