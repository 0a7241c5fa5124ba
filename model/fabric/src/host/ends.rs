//! The facts of a flow at its ends.

use weft_nic::block::sender::{Cause, Ordered};

/// A packet of a flow that leaves.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// The flow.
    pub flow: u32,
    /// The packet is sent again.
    pub again: bool,
    /// How it was found lost, if that is known.
    pub cause: Option<Cause>,
    /// The origin of its entropy value: drawn (1), cached (2), used again (3); 0: another origin, or unknown.
    pub choice: u8,
}

impl Departure {
    /// The departure of a packet of a NIC; the immediate of a flow's messages is its number.
    #[inline]
    pub fn of(data: &Ordered) -> Self {
        let Ordered { order, choice, cause, .. } = data;
        Self { flow: order.immediate, again: order.again, cause: Some(*cause), choice: *choice }
    }
}

/// The facts of a flow at its sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderEnd {
    /// When it was to start.
    pub start_ps: Option<u64>,
    /// When the sender knew that all had come.
    pub acknowledged_ps: Option<u64>,
    /// Packets sent, first time and again, by where their entropy value is from.
    pub chosen: [u32; 4],
    /// Packets sent again, by how they were found lost, and those of which that is not known.
    pub again: [u32; 5],
    /// Freezes that began as a packet of it was found lost.
    pub freezes: u32,
    /// Work requests that ended badly.
    pub errors: u32,
    /// Messages whose end was reported to the sender.
    pub(super) messages: u32,
}

impl SenderEnd {
    /// A packet leaves.
    #[inline]
    pub(super) fn sends(&mut self, departure: &Departure) {
        self.chosen[usize::from(departure.choice & 3)] += 1;
        if departure.again {
            self.again[departure.cause.map_or(4, |cause| cause as usize)] += 1;
        }
    }

    /// Packets sent, first time and again.
    pub fn packets(&self) -> u32 {
        self.chosen.iter().sum()
    }
}

/// Packets after which the addresses of a flow begin anew: a connection's memory is at most 4 GiB, a flow may be longer. So
/// many have whole messages.
pub(super) const AROUND: u64 = 1 << 18;

/// The facts of a flow at its receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverEnd {
    /// When it had all.
    pub received_ps: Option<u64>,
    /// Bytes that came, each once.
    pub bytes: u64,
    /// Sum of the addresses that were written.
    pub(super) addresses: u64,
    /// Packets that came, whole or trimmed.
    pub packets: u32,
    /// The trimmed ones among these.
    pub trims: u32,
    /// And those with a mark.
    pub marks: u32,
    /// Messages that were reported to the receiver.
    pub(super) messages: u32,
}

impl ReceiverEnd {
    /// Each byte of a flow of so many has come once: as many as there are, and the addresses of full packets.
    pub fn is_whole(&self, bytes: u64, mtu: u32) -> bool {
        let packets = bytes.div_ceil(mtu.into());
        let sum = |packets: u64| (packets * packets.saturating_sub(1) / 2).wrapping_mul(mtu.into());
        let rounds = (packets / AROUND).wrapping_mul(sum(AROUND));
        self.bytes == bytes && self.addresses == rounds.wrapping_add(sum(packets % AROUND))
    }
}
