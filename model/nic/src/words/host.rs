//! The words between the host and the NIC.

use super::stream::Beat;

/// A work request: write so many bytes from here to there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Where the bytes are at the sender.
    pub local: u64,
    /// Where they go at the receiver.
    pub remote: u64,
    /// Remote key.
    pub key: u32,
    /// Bytes.
    pub length: u32,
    /// For the receiver's completion.
    pub immediate: u32,
    /// For the sender's completion.
    pub id: u32,
    /// `tuser`: with immediate; the receiver gets a completion.
    pub with_immediate: bool,
}

/// A DMA read request, and where DMA write data goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Address in host memory.
    pub address: u64,
    /// Bytes, 14 bits.
    pub bytes: u16,
}

/// A word of DMA write data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The bytes.
    pub beat: Beat,
    /// Where the packet goes; the same for all its words.
    pub place: Place,
}

/// A message was received that carries an immediate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// The immediate.
    pub immediate: u32,
    /// Number of the message since the connection was opened, 24 bits.
    pub message: u32,
}

/// A work request has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// The request.
    pub id: u32,
    /// How.
    pub status: Status,
}

/// How a work request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// All bytes have arrived and are acknowledged.
    #[default]
    Done = 0,
    /// The request ended unfinished: the connection was closed, or opened anew.
    Error = 1,
    /// The request was never begun: the connection was closed, the message too long, or too many waited.
    Refused = 2,
    /// The request ended unfinished: the peer did not answer the last retry.
    Unanswered = 3,
    /// The request ended unfinished: the peer sent a packet that had no right to its address.
    Breach = 4,
    /// The request ended unfinished: the peer denied a packet.
    Denied = 5,
    /// The request ended unfinished: the host said that its buffer had failed.
    Broken = 6,
}
