//! A ring: one bit for every PSN of a window, at the PSN's offset modulo the window. The two SACK blocks keep such
//! rings per connection. The operations here are all operations that they need, as word operations of any
//! domain.
//!
//! A window has 128 `L` slots: 256, 512 or 1,024. A slot's number has `S` bits, a number of slots one bit more.

use weft_word::{Bit, Domain, Word, stored};

/// Slots of the usual ring, and PSNs that the bitmap of an ACK covers (ARCANE 4.1; `nic.md` section 3).
pub const SLOTS: u32 = 256;

stored! {
    /// Slots of a window, slot 0 the lowest.
    #[derive(Clone, Copy, Debug)]
    pub struct Ring<D: Domain, const L: usize = 2> {
        /// Slots 127 to 0, 255 to 128, and so on.
        pub limbs: [D::Word<128>; L],
    }
}

impl<D: Domain, const L: usize> Ring<D, L> {
    /// Slots of the ring.
    pub const SLOTS: u32 = 128 * L as u32;

    /// The limbs, each from its index.
    #[inline(always)]
    fn of(limb: impl FnMut(usize) -> D::Word<128>) -> Self {
        Self { limbs: core::array::from_fn(limb) }
    }

    /// The limbs, each from those of both rings.
    #[inline(always)]
    fn with(self, other: Self, join: impl Fn(D::Word<128>, D::Word<128>) -> D::Word<128>) -> Self {
        Self::of(|i| join(self.limbs[i], other.limbs[i]))
    }

    /// No slot.
    #[inline(always)]
    pub fn none() -> Self {
        Self::of(|_| D::lit(0))
    }

    /// Every slot.
    #[inline(always)]
    pub fn all() -> Self {
        Self::of(|_| D::lit(u128::MAX))
    }

    /// Every slot or none.
    #[inline(always)]
    pub fn all_when(condition: Bit<D>) -> Self {
        Self::all().when(condition, Self::none())
    }

    /// Only slot `index`.
    #[inline(always)]
    pub fn one<const S: usize>(index: D::Word<S>) -> Self {
        let (one, limb) = (D::power(index.slice::<0, 7>()), index.shr(7));
        Self::of(|i| one.when(limb.equals(D::lit(i as u128)), D::lit(0)))
    }

    /// The slots below `end`, which is at most the number of slots.
    #[inline(always)]
    pub fn below<const W: usize>(end: D::Word<W>) -> Self {
        // The power wraps to 0 at 2^128, so one less is all ones.
        let (ones, limb) = (D::power(end.slice::<0, 7>()) - D::lit(1), end.shr(7));
        Self::of(|i| {
            let (here, i) = (limb.equals(D::lit(i as u128)), D::lit(i as u128));
            D::lit(u128::MAX).when(i.less(limb), ones.when(here, D::lit(0)))
        })
    }

    /// `length` slots, at most all, from `start` on, with wrap-around.
    #[inline(always)]
    pub fn span<const S: usize, const N: usize>(start: D::Word<S>, length: D::Word<N>) -> Self {
        let (slots, end) = (u128::from(Self::SLOTS), start.widen::<N>() + length);
        let round = D::lit::<N>(slots).less(end);
        let until = Self::below((end & D::lit(slots - 1)).when(round, end));
        let from = !Self::below(start);
        (until | from).when(round, until & from)
    }

    /// Number of slots that are set.
    #[inline(always)]
    pub fn count<const N: usize>(self) -> D::Word<N> {
        let [first, rest @ ..] = &self.limbs.map(|limb| D::ones(limb).widen::<N>())[..] else {
            return D::lit(0);
        };
        rest.iter().fold(*first, |sum, count| sum + *count)
    }

    /// The first slot that is set, from `start` on with wrap-around, and whether there is one.
    #[inline(always)]
    pub fn first_from<const S: usize>(self, start: D::Word<S>) -> (Bit<D>, D::Word<S>) {
        let upper = self & !Self::below(start);
        let searched = upper.when(upper.any(), self);
        let place = |i: usize| D::lowest(searched.limbs[i]).widen::<S>() + D::lit(128 * i as u128);
        let earlier = (0..L - 1).rev();
        let first = earlier.fold(place(L - 1), |later, i| later.when(searched.limbs[i].is_zero(), place(i)));
        (self.any(), first)
    }

    /// 1 if any slot is set.
    #[inline(always)]
    pub fn any(self) -> Bit<D> {
        let [first, rest @ ..] = &self.limbs[..] else { return D::lit(0) };
        !rest.iter().fold(*first, |all, limb| all | *limb).is_zero()
    }

    /// The bit in slot `index`.
    #[inline(always)]
    pub fn get<const S: usize>(self, index: D::Word<S>) -> Bit<D> {
        (self & Self::one(index)).any()
    }

    /// `if condition { self } else { otherwise }` without a fork.
    #[inline(always)]
    pub fn when(self, condition: Bit<D>, otherwise: Self) -> Self {
        self.with(otherwise, |this, other| this.when(condition, other))
    }

    /// The 256 slots from `start` on, modulo 256.
    #[inline(always)]
    pub fn block<const S: usize, const N: usize>(self, start: D::Word<S>) -> Ring<D> {
        let whole = Self::SLOTS == SLOTS;
        if whole { self.folded() } else { (self & Self::span(start, D::lit::<N>(SLOTS.into()))).folded() }
    }

    /// The slots modulo 256.
    #[inline(always)]
    pub fn folded(self) -> Ring<D> {
        let blocks = self.limbs.as_chunks::<2>().0;
        let [first, rest @ ..] = blocks else { return Ring::none() };
        rest.iter().fold(Ring { limbs: *first }, |all, limbs| all | Ring { limbs: *limbs })
    }
}

/// A PSN seen from the first one that is missing.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<D: Domain> {
    /// Whether the PSN is of the window and 256 or more beyond the first missing one.
    pub far: Bit<D>,
    /// Number of PSNs from the first missing one to the first that the bitmap of an ACK of the PSN covers.
    pub offset: D::Word<24>,
}

/// Rule 17 of `weft_sack_rx`: the bitmap of an ACK begins at the first missing PSN, `expected`, or ends with a `psn`
/// that is far. In a window of 256 PSNs, none is far.
#[inline(always)]
pub fn far<D: Domain>(psn: D::Word<24>, expected: D::Word<24>, psns: u32) -> Ahead<D> {
    let ahead = psn - expected;
    let below = |slots: u32| ahead.shr(slots.trailing_zeros() as usize).is_zero();
    let far = if psns == SLOTS { D::lit(0) } else { !below(SLOTS) & below(psns) };
    Ahead { far, offset: (ahead - D::lit((SLOTS - 1).into())).when(far, D::lit(0)) }
}

impl<D: Domain> Ring<D> {
    /// Slot `i` becomes slot `i + amount`, with wrap-around.
    #[inline(always)]
    pub fn rotated(self, amount: D::Word<8>) -> Self {
        Self { limbs: D::rotate(self.limbs, amount) }
    }

    /// Every slot of a larger ring that is one of these modulo 256.
    #[inline(always)]
    pub fn tiled<const L: usize>(self) -> Ring<D, L> {
        Ring::of(|i| self.limbs[i % 2])
    }
}

impl<D: Domain, const L: usize> core::ops::BitAnd for Ring<D, L> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.with(other, |this, other| this & other)
    }
}

impl<D: Domain, const L: usize> core::ops::BitOr for Ring<D, L> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.with(other, |this, other| this | other)
    }
}

impl<D: Domain, const L: usize> core::ops::BitXor for Ring<D, L> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.with(other, |this, other| this ^ other)
    }
}

impl<D: Domain, const L: usize> core::ops::Not for Ring<D, L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::of(|i| !self.limbs[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_word::{Bits, Concrete};

    type R<const L: usize> = Ring<Concrete, L>;

    fn set<const L: usize>(ring: R<L>) -> Vec<bool> {
        (0..128 * L).map(|i| ring.limbs[i / 128].value() >> (i % 128) & 1 == 1).collect()
    }

    fn samples<const L: usize, const S: usize>() -> Vec<R<L>> {
        let mut rng = weft_random::Rng::new(1);
        let mut rings = vec![R::none(), R::all()];
        for sparse in 0..60 {
            let mut limb = || (0..sparse % 7).fold(rng.wide(), |word, _| word & rng.wide());
            rings.push(R::of(|_| Bits::lit(limb())));
        }
        rings.extend((0..128 * L as u128).step_by(17).map(|i| R::one(Bits::<S>::lit(i))));
        rings
    }

    fn spans<const L: usize, const S: usize, const N: usize>() {
        let slots = 128 * L;
        for start in (0..slots).step_by(5).chain([127, 128, slots - 1]) {
            for length in (0..=slots).step_by(3).chain([1, 128, slots - 1, slots]) {
                let ring: R<L> = R::span(Bits::<S>::lit(start as u128), Bits::<N>::lit(length as u128));
                let naive: Vec<_> = (0..slots).map(|i| (i + slots - start) % slots < length).collect();
                assert_eq!(set(ring), naive, "{start} {length}");
            }
        }
        for end in 0..=slots {
            let ring: R<L> = R::below(Bits::<N>::lit(end as u128));
            assert!(set(ring).iter().enumerate().all(|(i, &bit)| bit == (i < end)));
        }
    }

    #[test]
    fn spans_are_what_they_say() {
        spans::<2, 8, 9>();
        spans::<4, 9, 10>();
        spans::<8, 10, 11>();
    }

    fn searches_and_counts<const L: usize, const S: usize, const N: usize>() {
        let slots = 128 * L;
        for ring in samples::<L, S>() {
            let bits = set(ring);
            assert_eq!(ring.count::<N>().value() as usize, bits.iter().filter(|&&bit| bit).count());
            for start in (0..slots).step_by(7).chain([127, 128, slots - 1]) {
                let slot = Bits::<S>::lit(start as u128);
                let first = (0..slots).map(|i| (start + i) % slots).find(|&i| bits[i]);
                let (found, index) = ring.first_from(slot);
                assert_eq!(found.value() == 1, first.is_some());
                if let Some(first) = first {
                    assert_eq!(index.value() as usize, first);
                }
                assert_eq!(ring.get(slot).value() == 1, bits[start]);
            }
            let folded = set(ring.folded());
            assert!((0..256).all(|i| folded[i] == (i..slots).step_by(256).any(|i| bits[i])));
            let tiled = set(ring.folded().tiled::<L>());
            assert!((0..slots).all(|i| tiled[i] == folded[i % 256]));
        }
    }

    #[test]
    fn searches_and_counts_are_what_they_say() {
        searches_and_counts::<2, 8, 9>();
        searches_and_counts::<4, 9, 10>();
        searches_and_counts::<8, 10, 11>();
        for ring in samples::<2, 8>() {
            let bits = set(ring);
            for amount in (0..256usize).step_by(7).chain([127, 128, 255]) {
                let turned = set(ring.rotated(Bits::lit(amount as u128)));
                assert!((0..256).all(|i| turned[(i + amount) % 256] == bits[i]));
            }
        }
    }
}
