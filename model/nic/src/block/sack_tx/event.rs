//! Events and outcomes, and the words of an outcome on its ports.

use super::state::{Kind, Reason, Stimulus};
use crate::part::ring::Ring;
use weft_word::{Bits, Concrete, Word};

/// One event, as `s_axis_event` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Kind of the event. [`Kind::Send`] and the kinds after it are events of the block itself. If a caller
    /// gives one, it has no effect.
    pub kind: Kind,
    /// Number of the connection.
    pub connection: u32,
    /// ACK: the receiver's cumulative PSN, the first that has not arrived. NACK: the PSN. Open: the first
    /// PSN. 24 bits.
    pub psn: u32,
    /// ACK: the PSN that it answers, 24 bits.
    pub trigger: u32,
    /// NACK: the receiver will never accept this packet.
    pub denied: bool,
    /// ACK: bit `i`, low word first, says that PSN `psn + i` has arrived.
    pub bitmap: [u64; 4],
    /// Post: packets of the message, 1 to 65,535.
    pub packets: u16,
    /// Window and open: congestion window in bytes, 26 bits.
    pub cwnd_bytes: u32,
    /// A tag that the outcome returns. ACK: bits 30:16 are the round-trip time in ticks; 32,767 means this
    /// time or more. OPEN: bits 17:16 are the class.
    pub tag: u32,
    /// The time in ticks, 24 bits.
    pub now_ticks: u32,
}

impl Event {
    /// An event that has only a kind and a connection.
    pub fn new(kind: Kind, connection: u32) -> Self {
        let (bitmap, denied) = ([0; 4], false);
        let (psn, trigger, packets, cwnd_bytes, tag, now_ticks) = (0, 0, 0, 0, 0, 0);
        Self { kind, connection, psn, trigger, denied, bitmap, packets, cwnd_bytes, tag, now_ticks }
    }

    #[inline(always)]
    pub(super) fn stimulus(&self) -> Stimulus<Concrete> {
        let half = |low: u64, high: u64| Bits::lit(u128::from(high) << 64 | u128::from(low));
        let [a, b, c, d] = self.bitmap;
        Stimulus {
            kind: Bits::lit(self.kind as u128),
            own: Bits::lit(0),
            psn: Bits::lit(self.psn.into()),
            trigger: Bits::lit(self.trigger.into()),
            denied: Bits::lit(self.denied.into()),
            rtt: Bits::lit((self.tag >> 16 & 0x7FFF).into()),
            class: Bits::lit((self.tag >> 16 & 3).into()),
            bitmap: Ring { limbs: [half(a, b), half(c, d)] },
            cwnd: Bits::lit(self.cwnd_bytes.into()),
            packets: Bits::lit(self.packets.into()),
            ready: Bits::lit(0),
            fresh: Bits::lit(0),
            taken: Bits::lit(0),
            more: Bits::lit(0),
            silent: Bits::lit(0),
            now: Bits::lit(self.now_ticks.into()),
        }
    }
}

/// Outcome of an event, as `m_axis_outcome` carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The event's kind.
    pub kind: Kind,
    /// The event's connection.
    pub connection: u32,
    /// The connection was open, or the event opens it.
    pub accepted: bool,
    /// Send the packet `psn`.
    pub send: bool,
    /// The packet has not been sent before.
    pub fresh: bool,
    /// A new packet that ends its message.
    pub last: bool,
    /// The connection closed itself, because it ran out of retries or its peer denied a packet.
    pub failed: bool,
    /// Reason why the event had no effect.
    pub reason: Reason,
    /// The bitmap of an ACK acknowledged PSNs never sent; the rest of the bitmap counts.
    pub beyond: bool,
    /// The largest recent round-trip time shows congestion.
    pub congested: bool,
    /// The packets that the ACK lost show that a path failed.
    pub failure: bool,
    /// The ACK's round-trip time may be wrong.
    pub unsure: bool,
    /// Send: the packet's PSN. Else the lowest PSN that is not acknowledged.
    pub psn: u32,
    /// Packets that the event acknowledged.
    pub acked: u16,
    /// Number of packets that the event found lost, minus the number of lost packets that it acknowledged.
    pub lost: u16,
    /// Messages that the event completed, in the order of their posting.
    pub completed: u16,
    /// Messages that the event ended unfinished: all remaining posted ones.
    pub errors: u16,
    /// Packets sent and not acknowledged, after the event.
    pub unacked: u16,
    /// Packets that are neither acknowledged nor lost.
    pub in_flight: u16,
    /// The event's tag.
    pub tag: u32,
}

impl Outcome {
    /// Whether the event counts as: for a closed connection, never sent, stale, refused.
    pub(crate) fn counts(&self) -> [bool; 4] {
        [
            !self.accepted && !self.kind.is_own(),
            self.reason == Reason::NeverSent || self.beyond,
            self.reason == Reason::Stale,
            self.reason == Reason::Refused,
        ]
    }

    /// `m_axis_outcome_tuser`: kind in bits 2:0, accepted 3, send 4, fresh 5, last 6, failed 7, reason 9:8, beyond 10,
    /// bit 3 of the kind 11, congested 12, failure 13, unsure 14.
    pub fn user(&self) -> u16 {
        self.kind as u16 & 7
            | (self.kind as u16 >> 3) << 11
            | u16::from(self.accepted) << 3
            | u16::from(self.send) << 4
            | u16::from(self.fresh) << 5
            | u16::from(self.last) << 6
            | u16::from(self.failed) << 7
            | (self.reason as u16) << 8
            | u16::from(self.beyond) << 10
            | u16::from(self.congested) << 12
            | u16::from(self.failure) << 13
            | u16::from(self.unsure) << 14
    }

    /// `m_axis_outcome_tdata`, low word first: PSN 23:0, acked 39:24, lost 55:40, completed 71:56, errors 87:72,
    /// unacked 103:88, in flight 119:104, tag 151:120.
    pub fn data(&self) -> [u64; 3] {
        let at = |value: u16, bit: u32| u128::from(value) << bit;
        let low = u128::from(self.psn)
            | at(self.acked, 24)
            | at(self.lost, 40)
            | at(self.completed, 56)
            | at(self.errors, 72)
            | at(self.unacked, 88)
            | at(self.in_flight, 104)
            | u128::from(self.tag) << 120;
        [low as u64, (low >> 64) as u64, u64::from(self.tag >> 8)]
    }
}
