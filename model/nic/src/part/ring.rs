//! A ring of 256 bits: one bit for every PSN of a window, at the PSN's offset modulo 256. The two SACK blocks
//! keep such rings per connection. The operations here are all operations that they need, as word operations
//! of any domain.

use weft_word::{Bit, Domain, Word, stored};

/// Slots of a ring, the PSNs of a window (ARCANE 4.1; `nic.md` section 3).
pub const SLOTS: u32 = 256;

stored! {
    /// 256 bits, slot 0 the lowest.
    #[derive(Clone, Copy, Debug)]
    pub struct Ring<D: Domain> {
        /// Slots 127 to 0.
        pub low: D::Word<128>,
        /// Slots 255 to 128.
        pub high: D::Word<128>,
    }
}

impl<D: Domain> Ring<D> {
    /// No slot.
    #[inline(always)]
    pub fn none() -> Self {
        Self { low: D::lit(0), high: D::lit(0) }
    }

    /// Every slot.
    #[inline(always)]
    pub fn all() -> Self {
        Self { low: D::lit(u128::MAX), high: D::lit(u128::MAX) }
    }

    /// Every slot or none.
    #[inline(always)]
    pub fn all_when(condition: Bit<D>) -> Self {
        Self::all().when(condition, Self::none())
    }

    /// Only slot `index`.
    #[inline(always)]
    pub fn one(index: D::Word<8>) -> Self {
        let one = D::power(index.slice::<0, 7>());
        let high = index.slice::<7, 1>();
        Self { low: D::lit::<128>(0).when(high, one), high: one.when(high, D::lit(0)) }
    }

    /// The slots below `end`, which is at most 256.
    #[inline(always)]
    pub fn below(end: D::Word<9>) -> Self {
        // The power wraps to 0 at 2^128, so one less is all ones.
        let ones = D::power(end.slice::<0, 7>()) - D::lit(1);
        let half = end.slice::<7, 1>();
        let whole = end.slice::<8, 1>();
        let full = D::lit::<128>(u128::MAX);
        Self { low: full.when(half | whole, ones), high: full.when(whole, ones.when(half, D::lit(0))) }
    }

    /// `length` slots, at most 256, from `start` on, with wrap-around.
    #[inline(always)]
    pub fn span(start: D::Word<8>, length: D::Word<9>) -> Self {
        let end = start.widen::<10>() + length.widen::<10>();
        let round = D::lit::<10>(u128::from(SLOTS)).less(end);
        let until = end.slice::<0, 9>() & D::lit(255);
        let until = Self::below(until.when(round, end.slice::<0, 9>()));
        let from = !Self::below(start.widen::<9>());
        (until | from).when(round, until & from)
    }

    /// Slot `i` becomes slot `i + amount`, with wrap-around.
    #[inline(always)]
    pub fn rotated(self, amount: D::Word<8>) -> Self {
        let [low, high] = D::rotate([self.low, self.high], amount);
        Self { low, high }
    }

    /// Number of slots that are set.
    #[inline(always)]
    pub fn count(self) -> D::Word<9> {
        D::ones(self.low) + D::ones(self.high)
    }

    /// The first slot that is set, from `start` on with wrap-around, and whether there is one.
    #[inline(always)]
    pub fn first_from(self, start: D::Word<8>) -> (Bit<D>, D::Word<8>) {
        let upper = self & !Self::below(start.widen::<9>());
        let searched = upper.when(upper.any(), self);
        let none_low = searched.low.is_zero();
        let half = searched.high.when(none_low, searched.low);
        (self.any(), D::lowest(half) | none_low.widen::<8>().shl(7))
    }

    /// 1 if any slot is set.
    #[inline(always)]
    pub fn any(self) -> Bit<D> {
        !(self.low | self.high).is_zero()
    }

    /// The bit in slot `index`.
    #[inline(always)]
    pub fn get(self, index: D::Word<8>) -> Bit<D> {
        (self & Self::one(index)).any()
    }

    /// `if condition { self } else { otherwise }` without a fork.
    #[inline(always)]
    pub fn when(self, condition: Bit<D>, otherwise: Self) -> Self {
        Self { low: self.low.when(condition, otherwise.low), high: self.high.when(condition, otherwise.high) }
    }
}

impl<D: Domain> core::ops::BitAnd for Ring<D> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }
}

impl<D: Domain> core::ops::BitOr for Ring<D> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }
}

impl<D: Domain> core::ops::BitXor for Ring<D> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

impl<D: Domain> core::ops::Not for Ring<D> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self { low: !self.low, high: !self.high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_word::{Bits, Concrete};

    type R = Ring<Concrete>;

    fn set(ring: R) -> Vec<bool> {
        let bit = |half: Bits<128>, at: usize| half.value() >> at & 1 == 1;
        (0..256).map(|i| if i < 128 { bit(ring.low, i) } else { bit(ring.high, i - 128) }).collect()
    }

    fn samples() -> Vec<R> {
        let mut rng = weft_random::Rng::new(1);
        let mut rings = vec![R::none(), R::all()];
        for sparse in 0..60 {
            let mut half = || (0..sparse % 7).fold(rng.wide(), |word, _| word & rng.wide());
            rings.push(R { low: Bits::lit(half()), high: Bits::lit(half()) });
        }
        rings.extend((0..256).step_by(17).map(|i| R::one(Bits::lit(i))));
        rings
    }

    #[test]
    fn spans_are_what_they_say() {
        for start in (0..256usize).step_by(5).chain([127, 128, 255]) {
            for length in (0..=256usize).step_by(3).chain([1, 128, 255, 256]) {
                let ring = set(R::span(Bits::lit(start as u128), Bits::lit(length as u128)));
                let naive: Vec<_> = (0..256).map(|i| (i + 256 - start) % 256 < length).collect();
                assert_eq!(ring, naive, "{start} {length}");
            }
        }
        for end in 0..=256 {
            assert!(
                set(R::below(Bits::lit(end))).iter().enumerate().all(|(i, &bit)| bit == (i < end as usize))
            );
        }
    }

    #[test]
    fn searches_and_counts_are_what_they_say() {
        for ring in samples() {
            let bits = set(ring);
            assert_eq!(ring.count().value() as usize, bits.iter().filter(|&&bit| bit).count());
            for start in (0..256usize).step_by(7).chain([127, 128, 255]) {
                let first = (0..256).map(|i| (start + i) % 256).find(|&i| bits[i]);
                let (found, index) = ring.first_from(Bits::lit(start as u128));
                assert_eq!(found.value() == 1, first.is_some());
                if let Some(first) = first {
                    assert_eq!(index.value() as usize, first);
                }
                let turned = set(ring.rotated(Bits::lit(start as u128)));
                assert!((0..256).all(|i| turned[(i + start) % 256] == bits[i]));
                assert_eq!(ring.get(Bits::lit(start as u128)).value() == 1, bits[start]);
            }
        }
    }
}
