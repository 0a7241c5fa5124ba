//! Packets between the blocks.

use super::codes::ArrivalKind;
use super::described::{Acknowledgement, Arrival, Order, Passed, Reply};
use super::over;
use weft_word::{Bits, Concrete, Word};

impl Arrival {
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

/// Packets that an ACK answers besides the packet that it names, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Bit *i*: entry *i* is present.
    pub there: u16,
    /// Bit *i*: packet *i* was ECN-marked.
    pub marked: u16,
    /// Entropy values.
    pub evs: [u16; Listed::MOST],
}

impl Listed {
    /// Maximum number of entries.
    pub const MOST: usize = 16;

    /// The entries that are present: entropy value and mark.
    pub fn entries(&self) -> impl Iterator<Item = (u16, bool)> + '_ {
        let there = (0..Self::MOST).filter(|at| self.there >> at & 1 == 1);
        there.map(|at| (self.evs[at], self.marked >> at & 1 == 1))
    }
}

impl Acknowledgement {
    /// The packet that ingress finds in the frame of a reply.
    pub fn of_reply(reply: &Reply) -> Self {
        let Reply { nack, ce, ev, stamp, .. } = *reply;
        if nack {
            let (expected, trigger, reason) = (reply.psn, reply.psn, reply.reason);
            return Self { nack, expected, trigger, ce, ev, stamp, reason, ..Self::default() };
        }
        let expected = reply.cumulative.wrapping_add(1) & 0xFF_FFFF;
        // The frame has 16 bits of the distance.
        let offset = i32::from(reply.psn.wrapping_sub(reply.cumulative) as u16 as i16);
        let trigger = reply.cumulative.wrapping_add_signed(offset) & 0xFF_FFFF;
        let ack = Self { nack, expected, trigger, bitmap: reply.bitmap, ce, ev, stamp, ..Self::default() };
        ack.with_list(reply.listed())
    }

    /// The other packets that the acknowledgement answers.
    pub fn listed(&self) -> Listed {
        let Self { there, marked, evs, .. } = *self;
        Listed { there, marked, evs }
    }

    /// The acknowledgement with a list of other packets.
    pub fn with_list(self, listed: Listed) -> Self {
        let Listed { there, marked, evs } = listed;
        Self { there, marked, evs, ..self }
    }
}

impl Reply {
    /// The other packets that the reply answers.
    pub fn listed(&self) -> Listed {
        let Self { there, evs, .. } = *self;
        Listed { there, marked: 0, evs }
    }

    /// The reply with a list of other packets. Marks are not sent.
    pub fn with_list(self, listed: Listed) -> Self {
        let Listed { there, evs, .. } = listed;
        Self { there, evs, ..self }
    }
}

impl Passed {
    /// PSNs by which `una` counts in a NIC with a window of `psns`: at least two windows.
    pub(crate) fn modulus(psns: u32) -> u16 {
        if psns == 1_024 { 1 << 11 } else { 1 << 10 }
    }

    /// The word on the wires of a NIC with a window of `psns`: `una`, and `ended` behind.
    pub fn word(&self, psns: u32) -> u64 {
        u64::from(self.una) + u64::from(self.ended) * u64::from(Self::modulus(psns))
    }

    /// Whether an order with this PSN no longer needs to be sent, with a window of `psns`.
    pub fn has(&self, psn: u32, psns: u32) -> bool {
        let (psn, ended) = (Bits::truncated(psn.into()), Bits::truncated(self.ended.into()));
        let una = u128::from(self.una);
        match Self::modulus(psns) {
            1_024 => over::passed::<Concrete, 10>(Bits::truncated(una), ended, psn),
            _ => over::passed::<Concrete, 11>(Bits::truncated(una), ended, psn),
        }
        .decide()
    }
}
