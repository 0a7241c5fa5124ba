//! Words with named fields that travel through `weft_egress`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;
use crate::word::Order;

/// An order of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Queued {
    /// The connection.
    pub connection: Bits<14>,
    /// Order of the connection.
    pub order: Order,
}

/// Packets of a connection that are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Limit<const U: usize> {
    /// Packets from this PSN on, modulo 2 to the power of `U`.
    pub una: Bits<U>,
    /// No packets.
    pub ended: Bit,
    /// The two fields above are valid; 0: all packets are sent.
    pub told: Bit,
}

/// A bus word of a frame of other software.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Beat {
    /// The bytes, the first in the low bits.
    pub data: Bits<512>,
    /// Bit i is set if byte i is valid.
    pub keep: Bits<64>,
    /// Last word of the frame.
    pub last: Bit,
    /// The frame is bad.
    pub bad: Bit,
}

/// The read data of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Packet {
    /// Words stored, 1 to 128.
    pub words: Bits<8>,
    /// Number of the last byte in the last word.
    pub top: Bits<6>,
    /// The MAC or the host marked the frame as bad, or it is too long, or bytes are missing before its last.
    pub bad: Bit,
}

/// Size of a frame. The length of the frame and the place of its payload follow from these fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Size {
    /// IPv6; 0: IPv4.
    pub v6: Bit,
    /// The packet has a VLAN tag.
    pub tagged: Bit,
    /// The packet has an immediate.
    pub immediate: Bit,
    /// Words of payload.
    pub words: Bits<8>,
    /// Bytes of the last word of payload; 0: 64.
    pub cut: Bits<6>,
    /// Length of the frame minus two bytes, in units of four bytes.
    pub quads: Bits<12>,
}

/// A beat in the pipeline, without its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Slot {
    /// The frame is of other software.
    pub bypass: Bit,
    /// First of a frame.
    pub first: Bit,
    /// Second of a frame.
    pub second: Bit,
    /// Last of a frame.
    pub last: Bit,
    /// The last beat that the ICRC covers.
    pub ends: Bit,
    /// The beat has the two bytes of the ICRC that do not fit into the word before.
    pub spill: Bit,
    /// The frame is IPv6.
    pub v6: Bit,
    /// The frame has a VLAN tag.
    pub tagged: Bit,
    /// Further header of VLAN tag and immediate, in units of four bytes; 3 for a frame of other software.
    pub more: Bits<2>,
    /// Bytes of the frame in units of four, modulo 16, rounded down.
    pub quads: Bits<4>,
}
