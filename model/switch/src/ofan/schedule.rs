//! Schedules: interleaved weighted round robin (IWRR), by direct increment (rule 3).
//!
//! A schedule has slots in some order, each with a port up, and it has rounds. Round `r` shows, in order, the
//! slots whose weight is above `r`. The number of rounds is the highest weight. Hence the weights {2, 2, 2,
//! 1} in the order P3 P2 P4 P1 give P3 P2 P4 P1 P3 P2 P1 (Appendix F.4).

use crate::schemes::next_hops::simplify;

/// Maximum number of slots of a schedule.
pub(crate) const MOST_SLOTS: usize = SLOTS_PER_WORD * WORDS;
/// Number of words of weights.
pub(crate) const WORDS: usize = 3;
/// Number of slots of a word.
const SLOTS_PER_WORD: usize = 12;
/// Number of bits of a weight, which is stored minus 1.
const WEIGHT_BITS: usize = 5;
/// Highest weight.
const MOST_WEIGHT: u32 = 1 << WEIGHT_BITS;
/// Number of bits of a word.
pub(crate) const WORD_BITS: u32 = (SLOTS_PER_WORD * WEIGHT_BITS) as u32;
/// Number of bits of a pointer: slot 6, round 5, started 1.
pub(crate) const POINTER_BITS: u32 = 12;

/// A schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Port up (counted from the first) of each slot.
    pub order: Vec<usize>,
    /// Weight of each slot's port.
    pub weights: Vec<u32>,
}

impl Schedule {
    /// Makes a schedule from the weights of ports and an order of ports (rule 5). Weights are divided by
    /// their greatest common divisor. Weights above 32 (in fat trees above k = 64) are reduced in proportion.
    pub fn new(weights: &[u32], order: Vec<usize>) -> Self {
        let mut weights = weights.to_vec();
        simplify(&mut weights);
        let highest = weights.iter().copied().max().unwrap_or(0);
        if highest > MOST_WEIGHT {
            let share =
                |weight: u32| (u64::from(weight) * u64::from(MOST_WEIGHT) / u64::from(highest)) as u32;
            weights.iter_mut().for_each(|weight| *weight = share(*weight).max((*weight).min(1)));
        }
        let weights = order.iter().map(|port| weights.get(*port).copied().unwrap_or(0)).collect();
        Self { order, weights }
    }

    /// Ports in the order of a pointer that starts at the first slot and skips none: one cycle.
    pub fn cycle(&self) -> Vec<usize> {
        let rounds = self.weights.iter().copied().max().unwrap_or(0);
        let slots = || self.order.iter().zip(&self.weights);
        let round = |round| slots().filter(move |(_, weight)| **weight > round).map(|(port, _)| *port);
        (0..rounds).flat_map(round).collect()
    }

    /// The weights as in the table: 5 bits each, minus 1. The reachability mask excludes slots without a
    /// weight.
    pub(crate) fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        for (slot, weight) in self.weights.iter().enumerate() {
            let shift = WEIGHT_BITS * (slot % SLOTS_PER_WORD);
            words[slot / SLOTS_PER_WORD] |= u64::from(weight.saturating_sub(1)) << shift;
        }
        words
    }

    /// A bit for each slot, set if the slot's port is usable.
    pub(crate) fn mask(&self, is_usable: impl Fn(usize) -> bool) -> u64 {
        self.order.iter().enumerate().map(|(slot, port)| u64::from(is_usable(*port)) << slot).sum()
    }
}

/// A pointer, with its step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// First slot to consider.
    pub slot: u8,
    /// Round of the pointer.
    pub round: u8,
    /// Whether the pointer has a first slot.
    pub started: bool,
}

impl Step {
    /// Reads a pointer from a cell.
    pub fn of(cell: u64) -> Self {
        Self { slot: (cell & 0x3F) as u8, round: (cell >> 6 & 0x1F) as u8, started: cell >> 11 & 1 == 1 }
    }

    /// The pointer as the word of its cell.
    pub fn cell(self) -> u64 {
        u64::from(self.started) << 11 | u64::from(self.round & 0x1F) << 6 | u64::from(self.slot & 0x3F)
    }

    /// Rule 4: shows the next slot of the schedule whose bit in `mask` is set, and then advances to the slot
    /// after it. Hardware does this with a comparison of weight and round for every slot, and two priority
    /// encoders. If no bit is set, the result is slot 0.
    pub(crate) fn next(&mut self, mask: u64, words: [u64; WORDS]) -> u64 {
        let shown = |round: u8| {
            (0..MOST_SLOTS)
                .filter(|slot| {
                    let word = words[slot / SLOTS_PER_WORD];
                    let weight =
                        word >> (WEIGHT_BITS * (slot % SLOTS_PER_WORD)) & (u64::from(MOST_WEIGHT) - 1);
                    weight >= u64::from(round)
                })
                .fold(0, |bits, slot| bits | (1 << slot & mask))
        };
        let ahead = shown(self.round) & (u64::MAX << self.slot);
        let bits = match ahead {
            0 => {
                self.round += 1;
                match shown(self.round) {
                    0 => {
                        self.round = 0;
                        mask
                    }
                    bits => bits,
                }
            }
            bits => bits,
        };
        let slot = if bits == 0 { 0 } else { bits.trailing_zeros() as u8 };
        self.slot = slot + 1;
        slot.into()
    }
}
