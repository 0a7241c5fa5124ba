//! Packets between the blocks.

use super::packed::{Packed, Unpacked};

/// The kind of an [`Arrival`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ArrivalKind {
    /// A data packet, whole, its ICRC right.
    #[default]
    Data = 0,
    /// A data packet that a switch trimmed.
    Trimmed = 1,
    /// The sender asks for an ACK.
    Probe = 2,
    /// No packet: keeps the order.
    None = 3,
}

impl ArrivalKind {
    /// By their codes.
    pub const ALL: [Self; 4] = [Self::Data, Self::Trimmed, Self::Probe, Self::None];
}

/// A packet for the receiver, from [`ingress`](crate::block::ingress).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// The kind.
    pub kind: ArrivalKind,
    /// PSN, 24 bits.
    pub psn: u32,
    /// ECN-marked.
    pub ce: bool,
    /// Asks for an ACK (BTH.A).
    pub request: bool,
    /// Last packet of its message (opcode 0x0B).
    pub last: bool,
    /// The message's completion is wanted at the receiver (BTH.SE): write with immediate.
    pub solicited: bool,
    /// Trimmed at the last hop.
    pub last_hop: bool,
    /// Entropy value: the UDP source port.
    pub ev: u16,
    /// The sender's time stamp (XETH), ticks; 0 if absent.
    pub stamp: u16,
    /// Virtual address (RETH) of this packet.
    pub address: u64,
    /// Remote key (RETH).
    pub key: u32,
    /// Bytes of payload, 14 bits.
    pub bytes: u16,
    /// Immediate of the last packet, else 0.
    pub immediate: u32,
    /// Message number (XETH).
    pub message: u16,
}

impl Arrival {
    /// Bits of the word.
    pub const BITS: u32 = 221;

    /// The port's words.
    pub fn words(&self) -> [u64; 4] {
        Packed::default()
            .put(self.kind as u8, 2)
            .put(self.psn, 24)
            .flag(self.ce)
            .flag(self.request)
            .flag(self.last)
            .flag(self.solicited)
            .flag(self.last_hop)
            .put(self.ev, 16)
            .put(self.stamp, 16)
            .put(self.address, 64)
            .put(self.key, 32)
            .put(self.bytes, 14)
            .put(self.immediate, 32)
            .put(self.message, 16)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 4]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            kind: ArrivalKind::ALL[fields.take(2) as usize],
            psn: fields.take(24) as u32,
            ce: fields.flag(),
            request: fields.flag(),
            last: fields.flag(),
            solicited: fields.flag(),
            last_hop: fields.flag(),
            ev: fields.take(16) as u16,
            stamp: fields.take(16) as u16,
            address: fields.take(64) as u64,
            key: fields.take(32) as u32,
            bytes: fields.take(14) as u16,
            immediate: fields.take(32) as u32,
            message: fields.take(16) as u16,
        }
    }

    /// The packet that ingress finds in the frame of an order that began at `stamp`.
    pub fn of_order(order: &Order, stamp: u16) -> Self {
        Self {
            kind: ArrivalKind::Data,
            psn: order.psn,
            ce: false,
            request: order.request,
            last: order.last,
            solicited: order.solicited,
            last_hop: false,
            ev: order.ev,
            stamp,
            address: order.address,
            key: order.key,
            bytes: order.bytes,
            immediate: if order.last { order.immediate } else { 0 },
            message: order.message,
        }
    }
}

/// Packets that an ACK answers beside the one that it names, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Bit *i*: entry *i* is there.
    pub there: u16,
    /// Bit *i*: packet *i* was ECN-marked.
    pub marked: u16,
    /// Entropy values.
    pub evs: [u16; Listed::MOST],
}

impl Listed {
    /// Entries.
    pub const MOST: usize = 16;

    /// Those that are there: entropy value and mark.
    pub fn entries(&self) -> impl Iterator<Item = (u16, bool)> + '_ {
        let there = (0..Self::MOST).filter(|at| self.there >> at & 1 == 1);
        there.map(|at| (self.evs[at], self.marked >> at & 1 == 1))
    }
}

/// An ACK or NACK for the sender, from [`ingress`](crate::block::ingress).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acknowledgement {
    /// NACK, else ACK.
    pub nack: bool,
    /// ACK: the first PSN that has not come (`cack_psn` + 1). NACK: the PSN that is asked for again.
    pub expected: u32,
    /// The PSN that it answers.
    pub trigger: u32,
    /// Bit *i*: the PSN *i* after `expected` has come.
    pub bitmap: [u64; 4],
    /// The packet that it answers was ECN-marked.
    pub ce: bool,
    /// Entropy value of that packet.
    pub ev: u16,
    /// Time stamp of that packet.
    pub stamp: u16,
    /// Why, of a NACK.
    pub reason: u8,
    /// The other packets that it answers.
    pub listed: Listed,
}

impl Acknowledgement {
    /// Bits of the word.
    pub const BITS: u32 = 634;

    /// The port's words.
    pub fn words(&self) -> [u64; 10] {
        Packed::default()
            .flag(self.nack)
            .put(self.expected, 24)
            .put(self.trigger, 24)
            .wide(self.bitmap)
            .flag(self.ce)
            .put(self.ev, 16)
            .put(self.stamp, 16)
            .put(self.reason, 8)
            .put(self.listed.there, 16)
            .put(self.listed.marked, 16)
            .each(self.listed.evs, 16)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 10]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            nack: fields.flag(),
            expected: fields.take(24) as u32,
            trigger: fields.take(24) as u32,
            bitmap: fields.wide(),
            ce: fields.flag(),
            ev: fields.take(16) as u16,
            stamp: fields.take(16) as u16,
            reason: fields.take(8) as u8,
            listed: Listed {
                there: fields.take(16) as u16,
                marked: fields.take(16) as u16,
                evs: std::array::from_fn(|_| fields.take(16) as u16),
            },
        }
    }

    /// The packet that ingress finds in the frame of a reply.
    pub fn of_reply(reply: &Reply) -> Self {
        let Reply { nack, ce, ev, stamp, .. } = *reply;
        if nack {
            let (expected, trigger) = (reply.psn, reply.psn);
            let listed = Listed::default();
            return Self {
                nack,
                expected,
                trigger,
                bitmap: [0; 4],
                ce,
                ev,
                stamp,
                reason: reply.reason,
                listed,
            };
        }
        let expected = reply.cumulative.wrapping_add(1) & 0xFF_FFFF;
        // The frame has 16 bits of the distance.
        let offset = i32::from(reply.psn.wrapping_sub(reply.cumulative) as u16 as i16);
        let trigger = reply.cumulative.wrapping_add_signed(offset) & 0xFF_FFFF;
        Self { nack, expected, trigger, bitmap: reply.bitmap, ce, ev, stamp, reason: 0, listed: reply.listed }
    }
}

/// An ACK or NACK to be sent, for [`egress`](crate::block::egress).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// NACK, else ACK.
    pub nack: bool,
    /// The last PSN with no gap before it (`cack_psn`).
    pub cumulative: u32,
    /// The PSN that is answered.
    pub psn: u32,
    /// Bit *i*: the PSN *i* + 1 after `cumulative` has come.
    pub bitmap: [u64; 4],
    /// The packet that is answered was ECN-marked.
    pub ce: bool,
    /// Its entropy value.
    pub ev: u16,
    /// Its time stamp.
    pub stamp: u16,
    /// Packets received out of order.
    pub out_of_order: u8,
    /// Bytes received, in units of 256, 24 bits.
    pub received: u32,
    /// Messages completed (MSN), 24 bits.
    pub messages: u32,
    /// Why, of a NACK.
    pub reason: u8,
    /// Answers a probe.
    pub probe: bool,
    /// The other packets that it answers: none of them is marked.
    pub listed: Listed,
}

impl Reply {
    /// Bits of the word.
    pub const BITS: u32 = 675;

    /// The port's words.
    pub fn words(&self) -> [u64; 11] {
        Packed::default()
            .flag(self.nack)
            .put(self.cumulative, 24)
            .put(self.psn, 24)
            .wide(self.bitmap)
            .flag(self.ce)
            .put(self.ev, 16)
            .put(self.stamp, 16)
            .put(self.out_of_order, 8)
            .put(self.received, 24)
            .put(self.messages, 24)
            .put(self.reason, 8)
            .flag(self.probe)
            .put(self.listed.there, 16)
            .each(self.listed.evs, 16)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 11]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            nack: fields.flag(),
            cumulative: fields.take(24) as u32,
            psn: fields.take(24) as u32,
            bitmap: fields.wide(),
            ce: fields.flag(),
            ev: fields.take(16) as u16,
            stamp: fields.take(16) as u16,
            out_of_order: fields.take(8) as u8,
            received: fields.take(24) as u32,
            messages: fields.take(24) as u32,
            reason: fields.take(8) as u8,
            probe: fields.flag(),
            listed: Listed {
                there: fields.take(16) as u16,
                marked: 0,
                evs: std::array::from_fn(|_| fields.take(16) as u16),
            },
        }
    }
}

/// A data packet to be sent, for [`egress`](crate::block::egress); its payload comes as DMA read data in the same order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// PSN, 24 bits.
    pub psn: u32,
    /// Entropy value: the UDP source port.
    pub ev: u16,
    /// Sent again.
    pub again: bool,
    /// Last packet of its message.
    pub last: bool,
    /// The solicited bit of a write with immediate.
    pub solicited: bool,
    /// Asks for an ACK.
    pub request: bool,
    /// Address at the receiver.
    pub address: u64,
    /// Remote key.
    pub key: u32,
    /// Bytes of payload, 14 bits.
    pub bytes: u16,
    /// Immediate of the message.
    pub immediate: u32,
    /// Message number.
    pub message: u16,
}

impl Order {
    /// Bits of the word.
    pub const BITS: u32 = 202;

    /// The port's words.
    pub fn words(&self) -> [u64; 4] {
        Packed::default()
            .put(self.psn, 24)
            .put(self.ev, 16)
            .flag(self.again)
            .flag(self.last)
            .flag(self.solicited)
            .flag(self.request)
            .put(self.address, 64)
            .put(self.key, 32)
            .put(self.bytes, 14)
            .put(self.immediate, 32)
            .put(self.message, 16)
            .words()
    }

    /// From the port's words.
    pub fn of(words: &[u64; 4]) -> Self {
        let mut fields = Unpacked::new(words);
        Self {
            psn: fields.take(24) as u32,
            ev: fields.take(16) as u16,
            again: fields.flag(),
            last: fields.flag(),
            solicited: fields.flag(),
            request: fields.flag(),
            address: fields.take(64) as u64,
            key: fields.take(32) as u32,
            bytes: fields.take(14) as u16,
            immediate: fields.take(32) as u32,
            message: fields.take(16) as u16,
        }
    }
}

/// Which packets of a connection need not be sent any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// The lowest PSN that is not acknowledged, modulo 1,024: those before it.
    pub una: u16,
    /// Its messages have ended: all of them.
    pub ended: bool,
}

impl Passed {
    /// The port's word.
    pub fn word(&self) -> u64 {
        u64::from(self.una & 0x3FF) | u64::from(self.ended) << 10
    }

    /// An order with this PSN is not to be sent.
    pub fn has(&self, psn: u32) -> bool {
        self.ended || psn.wrapping_sub(self.una.into()) & 0x200 != 0
    }
}
