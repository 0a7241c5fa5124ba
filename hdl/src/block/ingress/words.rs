//! Words with named fields that travel through `weft_ingress`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use super::fields::REST;
use crate::prelude::*;
use crate::word::Arrival;

/// A word of a frame or of a payload. 578 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Beat {
    /// The bytes, the first in the low bits.
    pub data: Bits<512>,
    /// The bytes that count.
    pub keep: Bits<64>,
    /// Last word of the frame.
    pub last: Bit,
    /// In the last word: the frame is bad.
    pub bad: Bit,
}

/// The stored parts of a frame for this NIC, until the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Kept {
    /// A word of payload. For an acknowledgement `weft_ingress_fields` stores fields in place of the bytes.
    pub word: Beat,
    /// An arrival, packed.
    pub arrival: Bits<{ Arrival::BITS }>,
    /// The rest of an acknowledgement.
    pub acknowledgement: Bits<REST>,
}

/// The fields of a frame that describe its sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Sender {
    /// The frame is IPv6.
    pub v6: Bit,
    /// The address.
    pub address: Bits<128>,
    /// The frame's VLAN; 0 without a VLAN tag.
    pub vlan: Bits<12>,
    /// P_Key of the BTH.
    pub pkey: Bits<16>,
}

/// The peer that may send to a connection. 130 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Peer {
    /// The connection is open.
    pub open: Bit,
    /// The address is of IPv6.
    pub v6: Bit,
    /// The address; of IPv4 in the low bits, zeros above.
    pub address: Bits<128>,
    /// The VLAN of the peer's frames; 0: none.
    pub vlan: Bits<12>,
    /// The P_Key of the peer's frames.
    pub pkey: Bits<16>,
}

/// The classification of a frame by its headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Class {
    /// The frame is for this block.
    pub ours: Bit,
    /// Data, also trimmed.
    pub data: Bit,
    /// Trimmed data.
    pub trimmed: Bit,
    /// Probe.
    pub probe: Bit,
    /// ACK or NACK.
    pub ack: Bit,
    /// NACK.
    pub nack: Bit,
    /// The MAC marked the frame as bad.
    pub bad: Bit,
    /// The fields of the frame contradict each other.
    pub malformed: Bit,
}

/// The verdict on a frame for this NIC: one bit of those up to `ack`, and the kind of an accepted frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Verdict {
    /// Dropped: the MAC marked the frame as bad.
    pub bad: Bit,
    /// Dropped: lengths or fields of the frame contradict each other.
    pub malformed: Bit,
    /// Dropped: the IPv4 header's checksum is wrong.
    pub checksum: Bit,
    /// Dropped: the ICRC is wrong.
    pub icrc: Bit,
    /// Dropped: there is no such connection, or it is closed.
    pub unknown: Bit,
    /// Dropped: not from the connection's peer.
    pub stranger: Bit,
    /// Dropped: of another VLAN.
    pub vlan: Bit,
    /// Dropped: of another partition.
    pub partition: Bit,
    /// Data for the receiver.
    pub data: Bit,
    /// Trimmed data for the receiver.
    pub trimmed: Bit,
    /// A probe for the receiver.
    pub probe: Bit,
    /// ACK for the sender.
    pub ack: Bit,
    /// NACK for the sender.
    pub nack: Bit,
}
