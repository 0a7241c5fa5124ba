//! Words with named fields that travel through `weft_egress`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;
use crate::word::Order;

/// An order of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Queued {
    /// The connection.
    pub connection: Bits<14>,
    /// Its order.
    pub order: Order,
}

/// Which packets of a connection are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Limit {
    /// Those from this PSN on, modulo 1,024.
    pub una: Bits<10>,
    /// None.
    pub ended: Bit,
    /// The two above hold; else all.
    pub told: Bit,
}

/// A bus word of a frame of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Beat {
    /// The bytes, the first in the low bits.
    pub data: Bits<512>,
    /// Bit i: byte i counts.
    pub keep: Bits<64>,
    /// Last of its frame.
    pub last: Bit,
    /// The frame is bad.
    pub bad: Bit,
}

/// The read data of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Packet {
    /// Words stored, 1 to 128.
    pub words: Bits<8>,
    /// The last byte of its last word.
    pub top: Bits<6>,
    /// Marked as bad by the MAC or the host, too long, or with bytes missing before the last one.
    pub bad: Bit,
}

/// The length of a frame and where its payload lies follow from this.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Size {
    /// IPv6, else IPv4.
    pub v6: Bit,
    /// With VLAN tag.
    pub tagged: Bit,
    /// With immediate.
    pub immediate: Bit,
    /// Words of payload.
    pub words: Bits<8>,
    /// Bytes of the last one; 0: 64.
    pub cut: Bits<6>,
    /// The frame has four times this number of bytes and two more.
    pub quads: Bits<12>,
}

/// A beat on its way, but its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Slot {
    /// The frame is one of others.
    pub bypass: Bit,
    /// First of a frame.
    pub first: Bit,
    /// Second of a frame.
    pub second: Bit,
    /// Last of a frame.
    pub last: Bit,
    /// The last that the ICRC covers.
    pub ends: Bit,
    /// The two bytes of the ICRC that the word before has no room for.
    pub spill: Bit,
    /// The frame is IPv6.
    pub v6: Bit,
    /// The frame has a VLAN tag.
    pub tagged: Bit,
    /// VLAN tag and immediate: so many times four bytes more of header; 3 of a frame of others.
    pub more: Bits<2>,
    /// Its bytes by four, modulo 16, rounded down.
    pub quads: Bits<4>,
}
