//! The facts of a flow at its two hosts.

use serde::{Deserialize, Serialize};
use weft_nic::block::sender::{Cause, Ordered};

/// A packet of a flow that leaves.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// The flow.
    pub flow: u32,
    /// Whether the packet is sent again.
    pub again: bool,
    /// The detection of the packet's loss, if it is known.
    pub cause: Option<Cause>,
    /// The origin of the packet's entropy value: drawn (1), cached (2), used again (3), and 0 for another or
    /// unknown origin.
    pub choice: u8,
}

impl Departure {
    /// The departure of a packet of a NIC. The immediate of a flow's messages is the number of the flow.
    #[inline]
    pub fn of(data: &Ordered) -> Self {
        let Ordered { order, choice, cause, .. } = data;
        Self { flow: order.immediate, again: order.again, cause: Some(*cause), choice: *choice }
    }
}

/// The facts of a flow at its sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SenderEnd {
    /// Time at which the flow was to start.
    pub start_ps: Option<u64>,
    /// Time at which the sender knew that all bytes had arrived.
    pub acknowledged_ps: Option<u64>,
    /// Numbers of packets sent, first and again, by the origin of their entropy value.
    pub chosen: [u32; 4],
    /// Numbers of packets sent again, by the detection of their loss; one entry is for unknown detections.
    pub again: [u32; 5],
    /// Number of freezes that began when a packet of the flow was found lost.
    pub freezes: u32,
    /// Number of work requests with an error.
    pub errors: u32,
    /// Number of messages whose end the NIC reported to the sender.
    pub(super) messages: u32,
}

impl SenderEnd {
    /// Counts a packet that leaves.
    #[inline]
    pub(super) fn sends(&mut self, departure: &Departure) {
        self.chosen[usize::from(departure.choice & 3)] += 1;
        if departure.again {
            self.again[departure.cause.map_or(4, |cause| cause as usize)] += 1;
        }
    }

    /// Number of packets sent, for the first time and again.
    pub fn packets(&self) -> u32 {
        self.chosen.iter().sum()
    }
}

/// Number of packets after which the addresses of a flow begin again, because a connection's memory has at
/// most 4 GiB and a flow may be longer. These packets are a whole number of messages.
pub(super) const AROUND: u64 = 1 << 18;

/// The facts of a flow at its receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiverEnd {
    /// Time at which the receiver had all bytes.
    pub received_ps: Option<u64>,
    /// Number of bytes that arrived, each counted once.
    pub bytes: u64,
    /// Sum of the addresses that were written.
    pub(super) addresses: u64,
    /// Number of packets that arrived, whole or trimmed.
    pub packets: u32,
    /// Number of trimmed packets among them.
    pub trims: u32,
    /// Number of marked packets among them.
    pub marks: u32,
    /// Number of messages that were reported to the receiver.
    pub(super) messages: u32,
}

impl ReceiverEnd {
    /// Whether each byte of a flow of `bytes` bytes has arrived once, from the number of bytes and the
    /// addresses of full packets.
    pub fn is_whole(&self, bytes: u64, mtu: u32) -> bool {
        let packets = bytes.div_ceil(mtu.into());
        let sum = |packets: u64| (packets * packets.saturating_sub(1) / 2).wrapping_mul(mtu.into());
        let rounds = (packets / AROUND).wrapping_mul(sum(AROUND));
        self.bytes == bytes && self.addresses == rounds.wrapping_add(sum(packets % AROUND))
    }
}
