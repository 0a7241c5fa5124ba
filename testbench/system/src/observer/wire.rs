//! The network towards the NIC: frames are delayed, lost, duplicated, damaged, trimmed and remembered.

use super::op::Climate;
use std::collections::{BTreeMap, VecDeque};
use weft_random::Rng;
use weft_wire::{Dscp, frame};

/// Frames remembered to be sent again long after.
const MEMORY: usize = 400;

/// The network towards the NIC.
#[derive(Debug)]
pub(super) struct Wire {
    /// Frames by the clock in which they are due, and their number.
    flights: BTreeMap<(u64, u64), (Vec<u8>, bool)>,
    number: u64,
    history: VecDeque<Vec<u8>>,
    climate: Climate,
    /// The network no longer loses or damages frames.
    pub(super) calm: bool,
    rng: Rng,
}

impl Wire {
    pub(super) fn new(climate: Climate, rng: Rng) -> Self {
        let (flights, history) = (BTreeMap::new(), VecDeque::new());
        Self { flights, number: 0, history, climate, calm: false, rng }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }

    /// Delivers a frame unchanged at clock `due`.
    pub(super) fn put(&mut self, due: u64, bytes: Vec<u8>, bad: bool) {
        self.number += 1;
        self.flights.insert((due, self.number), (bytes, bad));
    }

    /// Sends a frame with the faults of the network.
    pub(super) fn send(&mut self, clock: u64, bytes: Vec<u8>) {
        let Climate { lost, doubled, damaged, trimmed, late, .. } = self.climate;
        let rng = &mut self.rng;
        let rough = !self.calm;
        if self.history.len() == MEMORY {
            self.history.pop_front();
        }
        self.history.push_back(bytes.clone());
        if rough && rng.chance(lost, 64) {
            return;
        }
        for _ in 0..1 + u32::from(rough && rng.chance(doubled, 64)) {
            let due = clock + 10 + u64::from(self.rng.below(late));
            let mut bytes = bytes.clone();
            if rough && self.rng.chance(trimmed, 64) {
                let last_hop = self.rng.chance(1, 2);
                bytes = frame::trim(&bytes, &Dscp::DEFAULT, last_hop).unwrap_or(bytes);
            }
            let damaged = rough && self.rng.chance(damaged, 64);
            let bad = damaged && self.rng.chance(1, 3);
            if damaged && !bad {
                flip(&mut bytes, &mut self.rng);
            }
            self.put(due, bytes, bad);
        }
    }

    /// A frame that was sent before, if there is one.
    pub(super) fn again(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let at = rng.index(self.history.len());
        self.history.get(at).cloned()
    }

    /// The next frame that is due.
    pub(super) fn arrives(&mut self, clock: u64) -> Option<(Vec<u8>, bool)> {
        let first = self.flights.first_entry().filter(|first| first.key().0 <= clock)?;
        Some(first.remove())
    }
}

/// Flips a bit behind the Ethernet addresses that ICRC or checksum covers. Fields that a switch may change
/// are spared.
pub(super) fn flip(bytes: &mut [u8], rng: &mut Rng) {
    let at = 34 + rng.index(bytes.len().saturating_sub(34).max(1));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << rng.below(8);
    }
}
