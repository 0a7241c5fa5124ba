//! The one generator of random numbers outside the hardware: SplitMix64 (Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", OOPSLA 2014).
//!
//! Every generator is seeded, and every draw is part of the stimulus: the same seed gives the same run on
//! every machine. So the number and the kind of a function's draws are part of the function's contract. The
//! hardware's own generator, which is part of the protocol, is `weft_nic::part::prng`.
//!
//! ```
//! use weft_random::Rng;
//!
//! let mut rng = Rng::new(7);
//! let dice: Vec<u64> = (0..3).map(|_| rng.range(1..=6)).collect();
//! assert!(dice.iter().all(|die| (1..=6).contains(die)));
//! // A generator of its own for each host: the draws of one do not move those of another.
//! assert_ne!(Rng::of(&[7, 0]).draw(), Rng::of(&[7, 1]).draw());
//! ```

#![forbid(unsafe_code)]
#![no_std]

use core::ops::RangeInclusive;

#[cfg(test)]
mod tests;

/// SplitMix64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator with its own seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator whose seed is computed from several numbers, mixed in one after the other.
    pub fn of(seeds: &[u64]) -> Self {
        seeds.iter().fold(Self(0), |rng, seed| Self(Self(rng.0 ^ seed).draw()))
    }

    /// The next 64 random bits. All other functions draw once, unless their documentation says otherwise.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 128 random bits, two draws: the high half first.
    #[inline]
    pub fn wide(&mut self) -> u128 {
        u128::from(self.draw()) << 64 | u128::from(self.draw())
    }

    /// A number below `bound`, or 0 if `bound` is 0. The number is the upper half of a draw, scaled: no number is
    /// likelier than another by more than one in 2^32 / `bound`.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.draw() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number of a range of at most 2^32 - 1 numbers.
    ///
    /// # Panics
    /// The range is empty, or has more than 2^32 values.
    #[inline]
    pub fn range(&mut self, range: RangeInclusive<u64>) -> u64 {
        let numbers = range.end().checked_sub(*range.start()).and_then(|more| u32::try_from(more + 1).ok());
        range.start() + u64::from(self.below(numbers.expect("1 to 2^32 - 1 numbers")))
    }

    /// True in `hits` of `of` cases.
    #[inline]
    pub fn chance(&mut self, hits: u32, of: u32) -> bool {
        self.below(of) < hits
    }

    /// The index of one of `count` items, fewer than 2^32; 0 if there is none.
    #[inline]
    pub fn index(&mut self, count: usize) -> usize {
        self.below(count as u32) as usize
    }

    /// A random element of `these`.
    ///
    /// # Panics
    /// The slice is empty.
    #[inline]
    pub fn pick<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        &these[self.index(these.len())]
    }

    /// Puts these into a random order (Fisher and Yates): a draw for each but the first, from the last one on.
    pub fn shuffle<T>(&mut self, these: &mut [T]) {
        for at in (1..these.len()).rev() {
            these.swap(at, self.index(at + 1));
        }
    }

    /// Fills a slice: one draw for every 8 bytes, the lowest byte first.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.draw().to_le_bytes()[..chunk.len()]);
        }
    }
}
