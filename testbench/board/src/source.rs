//! The random bits and times from which the events of both blocks are made.

use std::iter;

/// The time at the first event, in ticks: 2^16 before it wraps.
const FIRST_TICKS: u32 = 0xFFFF_0000;

/// The random bits and the time from which an event is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// 64 random bits.
    pub random: u64,
    /// The time in ticks.
    pub now_ticks: u32,
}

/// The random bits and times of a block's events, without end. `start` is not 0.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    start: u64,
}

impl Source {
    /// The source of REPS: the low word is the seed, the high word its complement.
    pub fn of_reps(seed: u32) -> Self {
        Self { start: u64::from(!seed) << 32 | u64::from(seed) }
    }

    /// The source of SMaRTT: the low word is the seed's complement, the high word the seed.
    pub fn of_smartt(seed: u32) -> Self {
        Self { start: u64::from(seed) << 32 | u64::from(!seed) }
    }

    /// The moments of the events, in order.
    pub fn moments(self) -> impl Iterator<Item = Moment> {
        let first = Moment { random: self.start, now_ticks: FIRST_TICKS };
        iter::successors(Some(first), |moment| {
            let wait_ticks = 1 + (moment.random >> 39 & 31) as u32;
            Some(Moment {
                random: xorshift(moment.random),
                now_ticks: moment.now_ticks.wrapping_add(wait_ticks),
            })
        })
    }
}

/// Marsaglia's xorshift64 of 2003 with 13, 7 and 17.
fn xorshift(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^ x << 17
}

impl Moment {
    /// The bits `low..low + count`.
    pub(crate) fn bits(&self, low: u32, count: u32) -> u32 {
        (self.random >> low & ((1 << count) - 1)) as u32
    }

    /// The connection: one of eight for every second event, any of 256 for the remaining events.
    pub(crate) fn connection(&self) -> u32 {
        if self.bits(8, 1) == 1 { self.bits(0, 3) } else { self.bits(0, 8) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // Xorshift RNGs, section 3: x is 88172645463325252, the first number is 8748534153485358512.
        assert_eq!(xorshift(88_172_645_463_325_252), 8_748_534_153_485_358_512);
    }
}
