//! The far end: packets that have arrived, and the answer to each.

use std::collections::BTreeSet;
use weft_nic::words::Acknowledgement;

/// PSNs of the wire.
const PSNS: u64 = 1 << 24;

/// A packet in transit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) from: usize,
    pub(super) to: usize,
    /// PSN, not wrapped.
    pub(super) psn: u64,
    pub(super) ev: u16,
    pub(super) path: usize,
    pub(super) stamp: u16,
    pub(super) trimmed: bool,
    /// The packet was sent before.
    pub(super) again: bool,
    pub(super) ce: bool,
}

/// A receiver that answers every packet.
#[derive(Clone, Debug, Default)]
pub(super) struct FarEnd {
    pub(super) expected: u64,
    pub(super) ahead: BTreeSet<u64>,
    /// Accepts packets in order only, as go-back-N needs.
    pub(super) in_order: bool,
    /// Packets that arrived twice.
    pub(super) twice: u64,
}

impl FarEnd {
    /// Answers a packet.
    pub(super) fn take(&mut self, packet: &Packet) -> Acknowledgement {
        let Packet { psn, ev, stamp, trimmed, ce, .. } = *packet;
        let had = psn < self.expected || self.ahead.contains(&psn);
        let refused = self.in_order && psn > self.expected;
        let nack = trimmed && !had || refused;
        if !trimmed && !refused {
            self.twice += u64::from(had);
            self.ahead.extend((!had).then_some(psn));
            while self.ahead.remove(&self.expected) {
                self.expected += 1;
            }
        }
        let mut bitmap = [0; 4];
        for &psn in self.ahead.range(..self.expected + 256) {
            let bit = (psn - self.expected) as usize;
            bitmap[bit / 64] |= 1 << (bit % 64);
        }
        let wire = |psn: u64| (psn % PSNS) as u32;
        // Go-back-N requests the first missing packet.
        let missing = if refused { self.expected } else { psn };
        Acknowledgement {
            nack,
            expected: wire(if nack { missing } else { self.expected }),
            trigger: wire(psn),
            bitmap,
            ce,
            ev,
            stamp,
            reason: u8::from(nack),
            ..Acknowledgement::default()
        }
    }
}
