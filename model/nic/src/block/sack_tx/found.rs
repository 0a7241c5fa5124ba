//! The packets that an event found lost, for callers that need more than their number.

use super::state::Published;
use crate::part::ring::Ring;
use weft_word::{Bits, Concrete};

/// Limbs of the largest ring.
const LIMBS: usize = 8;

/// The packets that an event found lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    una: u32,
    /// The PSN of slot 0.
    origin: u32,
    /// PSNs of the window.
    psns: u32,
    limbs: [u128; LIMBS],
}

impl Found {
    /// Makes the set from slots, for a connection with its published state.
    pub(super) fn new<const N: usize, const L: usize>(
        published: &Published<Concrete, N>,
        slots: Ring<Concrete, L>,
    ) -> Self {
        let Published { una, origin, .. } = published;
        let mut limbs = [0; LIMBS];
        limbs[..L].copy_from_slice(&slots.limbs.map(Bits::value));
        Self {
            una: una.value() as u32,
            origin: origin.value() as u32,
            psns: Ring::<Concrete, L>::SLOTS,
            limbs,
        }
    }

    /// The PSNs of the packets, from the oldest on.
    pub(crate) fn psns(&self) -> impl Iterator<Item = u32> {
        let Self { una, origin, psns, limbs } = *self;
        let is_lost = move |psn: &u32| {
            let slot = psn.wrapping_sub(origin) % psns;
            limbs[slot as usize / 128] >> (slot % 128) & 1 == 1
        };
        (una..una + psns).map(|psn| psn & 0xFF_FFFF).filter(is_lost)
    }
}
