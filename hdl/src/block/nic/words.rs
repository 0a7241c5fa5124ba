//! Words with named fields that travel between the blocks of the NIC; the first field has the lowest bits.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// A packet for the receiver. 221 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Arrival {
    /// 0 data, 1 trimmed, 2 probe, 3 none.
    pub kind: Bits<2>,
    /// PSN.
    pub psn: Bits<24>,
    /// ECN-marked.
    pub ce: Bit,
    /// Asks for an ACK.
    pub request: Bit,
    /// Last packet of its message.
    pub last: Bit,
    /// The message's completion is wanted at the receiver.
    pub solicited: Bit,
    /// Trimmed at the last hop.
    pub last_hop: Bit,
    /// Entropy value: the UDP source port.
    pub ev: Bits<16>,
    /// The sender's time stamp.
    pub stamp: Bits<16>,
    /// Virtual address of this packet.
    pub address: Bits<64>,
    /// Remote key.
    pub key: Bits<32>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate of the last packet.
    pub immediate: Bits<32>,
    /// Message number.
    pub message: Bits<16>,
}

/// An ACK or NACK for the sender. 634 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Acknowledgement {
    /// NACK, else ACK.
    pub nack: Bit,
    /// ACK: the first PSN that has not come. NACK: the PSN that is asked for again.
    pub expected: Bits<24>,
    /// The PSN that it answers.
    pub trigger: Bits<24>,
    /// Bit i: the PSN i after `expected` has come.
    pub bitmap: Bits<256>,
    /// The packet that it answers was ECN-marked.
    pub ce: Bit,
    /// Entropy value of that packet.
    pub ev: Bits<16>,
    /// Time stamp of that packet.
    pub stamp: Bits<16>,
    /// Why, of a NACK.
    pub reason: Bits<8>,
    /// Bit i: entry i of its list is there.
    pub there: Bits<16>,
    /// Bit i: the packet of entry i was ECN-marked.
    pub marked: Bits<16>,
    /// Entropy values of the entries, 16 bits each.
    pub evs: Bits<256>,
}

/// An ACK or NACK to be sent. 675 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Reply {
    /// NACK, else ACK.
    pub nack: Bit,
    /// The last PSN with no gap before it.
    pub cumulative: Bits<24>,
    /// The PSN that is answered.
    pub psn: Bits<24>,
    /// Bit i: the PSN i + 1 after `cumulative` has come.
    pub bitmap: Bits<256>,
    /// The packet that is answered was ECN-marked.
    pub ce: Bit,
    /// Its entropy value.
    pub ev: Bits<16>,
    /// Its time stamp.
    pub stamp: Bits<16>,
    /// Packets received out of order.
    pub out_of_order: Bits<8>,
    /// Bytes received, in units of 256.
    pub received: Bits<24>,
    /// Messages completed.
    pub messages: Bits<24>,
    /// Why, of a NACK.
    pub reason: Bits<8>,
    /// Answers a probe.
    pub probe: Bit,
    /// Bit i: entry i of its list is there.
    pub there: Bits<16>,
    /// Entropy values of the entries, 16 bits each.
    pub evs: Bits<256>,
}

/// A data packet to be sent. 202 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Order {
    /// PSN.
    pub psn: Bits<24>,
    /// Entropy value: the UDP source port.
    pub ev: Bits<16>,
    /// Sent again.
    pub again: Bit,
    /// Last packet of its message.
    pub last: Bit,
    /// The solicited bit of a write with immediate.
    pub solicited: Bit,
    /// Asks for an ACK.
    pub request: Bit,
    /// Address at the receiver.
    pub address: Bits<64>,
    /// Remote key.
    pub key: Bits<32>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate of the message.
    pub immediate: Bits<32>,
    /// Message number.
    pub message: Bits<16>,
}

/// Which packets of a connection need not be sent any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Passed {
    /// The lowest PSN that is not acknowledged, modulo 1,024: those before it.
    pub una: Bits<10>,
    /// Its messages have ended: all of them.
    pub ended: Bit,
}
