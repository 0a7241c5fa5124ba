//! Promises that a NIC must keep, each as the error of its breach.

use weft_bench::Broken;
use weft_nic::words::Status;

/// A broken promise, with the NIC and the clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("clock {clock}, NIC {nic}: {breach}")]
pub struct Fault {
    /// Clocks since the start of the run.
    pub clock: u64,
    /// Number of the NIC.
    pub nic: u32,
    /// The broken promise.
    pub breach: Breach,
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Breach {
    /// A rule of AXI4-Stream or AXI4-Lite was broken.
    #[error(transparent)]
    Port(#[from] Broken),
    /// The NIC reads bytes that belong to no work request in progress.
    #[error("connection {connection} fetches {bytes} bytes from {address:#x}, no part of its work")]
    Fetch {
        /// The connection.
        connection: u32,
        /// Address of the first byte.
        address: u64,
        /// Number of bytes.
        bytes: u16,
    },
    /// The NIC writes bytes to a place where no message in progress has a packet.
    #[error("connection {connection} writes {bytes} bytes to {address:#x}, no packet of its messages")]
    Misplaced {
        /// The connection.
        connection: u32,
        /// Address of the first byte.
        address: u64,
        /// Number of bytes.
        bytes: u16,
    },
    /// The words of a packet name two places, or their number contradicts its length.
    #[error("connection {connection} writes to {address:#x} with words that do not fit {bytes} bytes")]
    Ragged {
        /// The connection.
        connection: u32,
        /// Address of the first byte.
        address: u64,
        /// Number of bytes.
        bytes: u16,
    },
    /// The NIC wrote a packet a second time.
    #[error("message {message}: its bytes from {offset} on are written twice")]
    WrittenTwice {
        /// The message.
        message: u32,
        /// Bytes from its start.
        offset: u32,
    },
    /// A message is complete, but its bytes differ from the sender's.
    #[error("message {message} has come with wrong bytes from {offset} on")]
    WrongData {
        /// The message.
        message: u32,
        /// Offset of the first wrong byte in the message.
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
    /// The completion of a work request is out of order or reports a failure.
    #[error("connection {connection} completes work {id} as {status:?}; work {due:?} is due")]
    Sent {
        /// The connection.
        connection: u32,
        /// Id of the completed work.
        id: u32,
        /// Reported status.
        status: Status,
        /// Id of the work that is next.
        due: Option<u32>,
    },
    /// The completion of a received message is out of order.
    #[error(
        "connection {connection} receives message {number} with immediate {immediate:#x}; due is {due:?}"
    )]
    Received {
        /// The connection.
        connection: u32,
        /// Reported number.
        number: u32,
        /// Reported immediate.
        immediate: u32,
        /// Number and immediate that are next.
        due: Option<(u32, u32)>,
    },
    /// A frame leaves that belongs to no connection.
    #[error("a frame of {bytes} bytes leaves that no peer takes")]
    Stray {
        /// Bytes of the frame.
        bytes: usize,
    },
    /// A packet leaves with a payload that differs from the bytes read for it.
    #[error("connection {connection} sends PSN {psn} with other bytes than its work has")]
    Payload {
        /// The connection.
        connection: u32,
        /// PSN of the packet.
        psn: u32,
    },
    /// A register answered with an error.
    #[error("register {address:#06x} answers {response}")]
    Register {
        /// Offset of the register.
        address: u16,
        /// The response.
        response: u8,
    },
    /// A stream's `tid` names a connection that is not open.
    #[error("{port} names connection {connection}, which is not open")]
    Connection {
        /// The stream.
        port: &'static str,
        /// `tid` of the stream.
        connection: u32,
    },
    /// The bytes in memory differ from the workload's result.
    #[error("the result is wrong from {address:#x} on")]
    Result {
        /// Address of the first wrong byte.
        address: u64,
    },
    /// The run makes no progress.
    #[error("nothing has been delivered or completed for {clocks} clocks; {left} messages are under way")]
    Stuck {
        /// Clocks since the last delivery or completion.
        clocks: u64,
        /// Messages that have not ended.
        left: u32,
    },
}
