//! The words between the host and the NIC.

use super::described::Place;
use super::stream::Beat;

/// A word of DMA write data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The bytes.
    pub beat: Beat,
    /// Where the packet goes; the same for all its words.
    pub place: Place,
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

super::number::codes!(Status: Done Error Refused Unanswered Breach Denied Broken);
