//! Words with named fields that travel through `weft_sack_rx`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// An event without its connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Event {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// ECN-marked.
    pub ce: Bit,
    /// The packet requests an ACK.
    pub request: Bit,
    /// Ends a message.
    pub last: Bit,
    /// PSN.
    pub psn: Bits<24>,
    /// Bytes of payload.
    pub bytes: Bits<16>,
    /// Returned with the outcome.
    pub tag: Bits<32>,
}

/// The published state of the connection, as an event reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Seen<const N: usize> {
    /// The connection is open.
    pub open: Bit,
    /// PSN of slot 0, modulo twice the window.
    pub origin: Bits<N>,
    /// The cumulative PSN.
    pub expected: Bits<24>,
    /// Messages completed.
    pub messages: Bits<24>,
}

/// Fields that pass beside the rings, from stage 5 to the outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Along<const N: usize> {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// ECN-marked.
    pub ce: Bit,
    /// PSN.
    pub psn: Bits<24>,
    /// Returned with the outcome.
    pub tag: Bits<32>,
    /// The connection is open.
    pub open: Bit,
    /// PSN of slot 0, modulo twice the window.
    pub origin: Bits<N>,
    /// Messages completed, as published.
    pub messages: Bits<24>,
}

/// The counters of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Tail<const S: usize> {
    /// Messages completed, up to the last event.
    pub messages: Bits<24>,
    /// Bytes placed.
    pub bytes: Bits<32>,
    /// The first PSN and the packets placed since, modulo the window.
    pub total: Bits<S>,
    /// Packets that no ACK has answered.
    pub pending_packets: Bits<8>,
    /// Bytes of these packets.
    pub pending_bytes: Bits<16>,
}

/// The decisions about an event before its counters are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Judged<const S: usize> {
    /// The connection was open, or is opened.
    pub accepted: Bit,
    /// Opens the connection.
    pub opening: Bit,
    /// The event opens or closes the connection.
    pub clear: Bit,
    /// A packet is placed.
    pub fresh: Bit,
    /// Acknowledge the waiting packets.
    pub flush: Bit,
    /// Send an ACK at once.
    pub at_once: Bit,
    /// Answer with a NACK.
    pub nack: Bit,
    /// The verdict on the packet.
    pub verdict: Bits<3>,
    /// The bytes that count for the next ACK.
    pub counted: Bits<16>,
    /// All bytes of the packet.
    pub bytes: Bits<16>,
    /// The low bits of the PSN.
    pub psn: Bits<S>,
}
