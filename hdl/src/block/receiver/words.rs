//! Words with named fields that travel through `weft_receiver`. A connection has 12 bits here in every shape.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;
use crate::word::Reply;

/// A request for an ACK, for a packet that has waited too long for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Flush {
    /// Connection.
    pub id: Bits<14>,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Time stamp of the packet, plus the ticks that it waited.
    pub stamp: Bits<16>,
    /// Entropy value of the packet.
    pub ev: Bits<16>,
}

/// An event of any kind for `weft_sack_rx`.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Entry {
    /// Connection.
    pub id: Bits<14>,
    /// Kind of the event, in the codes of `weft_sack_rx`.
    pub kind: Bits<3>,
    /// PSN.
    pub psn: Bits<24>,
    /// ECN-marked.
    pub ce: Bit,
    /// The packet requests an ACK.
    pub request: Bit,
    /// Last packet of its message.
    pub last: Bit,
    /// The message makes a completion at the host.
    pub solicited: Bit,
    /// Trimmed at the last hop.
    pub last_hop: Bit,
    /// The sender's time stamp.
    pub stamp: Bits<16>,
    /// Entropy value.
    pub ev: Bits<16>,
    /// Address of the payload.
    pub address: Bits<64>,
    /// Remote key.
    pub key: Bits<32>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate.
    pub immediate: Bits<32>,
    /// Message number.
    pub message: Bits<16>,
}

/// Memory that a connection's peer may write to.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Region {
    /// First address.
    pub base: Bits<64>,
    /// Bytes.
    pub length: Bits<32>,
    /// Key.
    pub key: Bits<32>,
}

/// Fields that wait for an event's outcome of `weft_sack_rx`.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Side {
    /// The packet has payload.
    pub payload: Bit,
    /// The packet is not permitted to write to its address, or its connection has failed.
    pub denied: Bit,
    /// The connection has failed.
    pub failed: Bit,
    /// The packet is held back.
    pub held: Bit,
    /// Last packet of its message.
    pub last: Bit,
    /// The message makes a completion at the host.
    pub solicited: Bit,
    /// Trimmed at the last hop, or held back.
    pub last_hop: Bit,
    /// Address of the payload.
    pub address: Bits<64>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate.
    pub immediate: Bits<32>,
    /// Message number.
    pub message: Bits<16>,
}

/// Fields that are stored for a message whose last packet has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Slot {
    /// The message makes a completion at the host.
    pub solicited: Bit,
    /// Bits 15:4 of the message number. The slot is bits 3:0.
    pub number: Bits<12>,
    /// Immediate of the message.
    pub immediate: Bits<32>,
}

/// The next step for the payload stream and the completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Token {
    /// Connection.
    pub id: Bits<14>,
    /// Accept a packet from the payload stream.
    pub payload: Bit,
    /// Write the payload; if clear, discard the payload.
    pub write: Bit,
    /// Report a message after the payload.
    pub completes: Bit,
    /// Address of the payload.
    pub address: Bits<64>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate of the message.
    pub immediate: Bits<32>,
    /// Number of the message.
    pub message: Bits<24>,
    /// The connection closes. All earlier work leaves first.
    pub closes: Bit,
}

/// A message that is complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Report {
    /// Connection.
    pub id: Bits<14>,
    /// Immediate of the message.
    pub immediate: Bits<32>,
    /// Number of the message.
    pub message: Bits<24>,
}

/// Effect of an outcome on the ACK timer.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Mark {
    /// Connection.
    pub id: Bits<14>,
    /// A packet waits for an ACK from now on.
    pub start: Bit,
    /// No packet waits any longer.
    pub stop: Bit,
    /// The connection was opened or closed.
    pub control: Bit,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Time stamp of the packet.
    pub stamp: Bits<16>,
    /// Entropy value of the packet.
    pub ev: Bits<16>,
}

/// The oldest packet of a connection that no ACK has answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Waiting {
    /// A packet waits.
    pub some: Bit,
    /// Time since which the packet waits, in ticks.
    pub since: Bits<24>,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Time stamp of the packet.
    pub stamp: Bits<16>,
    /// Entropy value of the packet.
    pub ev: Bits<16>,
}

/// A reply and its connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Answer {
    /// Connection.
    pub id: Bits<14>,
    /// The reply.
    pub reply: Reply,
}

/// The list of an ACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Listed {
    /// Bit i is set if place i has an entry.
    pub there: Bits<16>,
    /// Entropy values of the places, 16 bits each.
    pub evs: Bits<256>,
}

/// The data written for a token: a word of payload with its place, a report of a message, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Handed {
    /// Bytes of the word.
    pub data: Bits<512>,
    /// Bytes that count.
    pub keep: Bits<64>,
    /// Last word of its packet.
    pub last: Bit,
    /// Address of the packet.
    pub address: Bits<64>,
    /// Bytes of the packet.
    pub bytes: Bits<14>,
    /// Connection.
    pub id: Bits<14>,
    /// Immediate of the message.
    pub immediate: Bits<32>,
    /// Number of the message.
    pub message: Bits<24>,
}
