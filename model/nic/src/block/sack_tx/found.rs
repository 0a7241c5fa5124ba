//! The packets that an event found lost, for callers that need more than their number.

use super::state::Published;
use crate::part::ring::Ring;
use weft_word::Concrete;

/// The packets that an event found lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    una: u32,
    /// The PSN of slot 0.
    origin: u32,
    slots: Ring<Concrete>,
}

impl Found {
    /// Makes the set from slots, for a connection with its published state.
    pub(super) fn new(published: &Published<Concrete>, slots: Ring<Concrete>) -> Self {
        let Published { una, origin, .. } = published;
        Self { una: una.value() as u32, origin: origin.value() as u32, slots }
    }

    /// The PSNs of the packets, from the oldest on.
    pub(crate) fn psns(&self) -> impl Iterator<Item = u32> {
        let Self { una, origin, slots } = *self;
        let is_lost = move |psn: &u32| {
            let slot = psn.wrapping_sub(origin) % 256;
            let half = if slot < 128 { slots.low } else { slots.high };
            half.value() >> (slot % 128) & 1 == 1
        };
        (una..una + 256).map(|psn| psn & 0xFF_FFFF).filter(is_lost)
    }
}
