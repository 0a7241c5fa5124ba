//! The word type of every bit-exact step.
//!
//! A block's `step()` is written once, with ordinary Rust control flow, over a [`Domain`]. The domain decides
//! what a word *is*:
//!
//! * [`Concrete`] words are numbers. This is the model that simulations run.
//! * the symbolic domain (crate `weft-symbolic`) makes words nodes of an expression graph, and
//!   [`Word::decide`] forks: the step is run once per path. This is the model that proofs read.
//!
//! Every word is an unsigned integer of `W` bits. Arithmetic wraps modulo 2^W, as in registers. Saturation
//! and wider results are explicit in a step.
//!
//! ```
//! use weft_word::{Concrete, Domain, Word};
//!
//! /// Counts up to 9 and wraps: one text, any domain.
//! fn next_digit<D: Domain>(digit: D::Word<4>) -> D::Word<4> {
//!     if digit.equals(D::lit(9)).decide() { D::lit(0) } else { digit + D::lit(1) }
//! }
//!
//! assert_eq!(next_digit::<Concrete>(Concrete::lit(9)).value(), 0);
//! ```

#![no_std]
#![forbid(unsafe_code)]

pub mod circuit;
mod stored;

pub use stored::{Compact, Stored};

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// The kind of words: numbers ([`Concrete`]) or expressions.
pub trait Domain: Copy + Debug + 'static {
    /// An unsigned word of `W` bits, `1 <= W <= 128`.
    type Word<const W: usize>: Word<W, Domain = Self>;

    /// The constant `value` as a word of `W` bits. Panics if the number does not fit.
    #[inline(always)]
    fn lit<const W: usize>(value: u128) -> Self::Word<W> {
        Self::Word::<W>::lit(value)
    }

    /// 2 to the power of `exponent`. A domain may implement this function and the next three otherwise, with
    /// the same values.
    fn power(exponent: Self::Word<7>) -> Self::Word<128> {
        circuit::power::<Self>(exponent)
    }

    /// Number of bits that are set.
    fn ones(word: Self::Word<128>) -> Self::Word<9> {
        circuit::ones::<Self>(word)
    }

    /// The index of the lowest set bit; 0 if none is set.
    fn lowest(word: Self::Word<128>) -> Self::Word<8> {
        circuit::lowest::<Self>(word)
    }

    /// A ring of 256 bits, as its low and its high half: bit `i` becomes bit `i + amount`, with wrap-around.
    fn rotate(ring: [Self::Word<128>; 2], amount: Self::Word<8>) -> [Self::Word<128>; 2] {
        circuit::rotate::<Self>(ring, amount)
    }
}

/// A single bit of domain `D`.
pub type Bit<D> = <D as Domain>::Word<1>;

/// An unsigned integer of `W` bits whose arithmetic wraps modulo 2^W.
pub trait Word<const W: usize>:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The domain that the word belongs to.
    type Domain: Domain<Word<W> = Self>;

    /// The constant `value`. Panics if it does not fit in `W` bits.
    fn lit(value: u128) -> Self;

    /// 1 if both words are equal.
    fn equals(self, other: Self) -> Bit<Self::Domain>;

    /// 1 if `self < other`, unsigned.
    fn less(self, other: Self) -> Bit<Self::Domain>;

    /// `if condition { self } else { otherwise }` without a fork.
    fn when(self, condition: Bit<Self::Domain>, otherwise: Self) -> Self;

    /// The `V` bits that start at bit `LOW`; `LOW + V <= W`.
    fn slice<const LOW: usize, const V: usize>(self) -> <Self::Domain as Domain>::Word<V>;

    /// The concatenation of `self` above `low`; `R = W + V`.
    fn cat<const V: usize, const R: usize>(
        self,
        low: <Self::Domain as Domain>::Word<V>,
    ) -> <Self::Domain as Domain>::Word<R>;

    /// The same number in `V >= W` bits.
    fn widen<const V: usize>(self) -> <Self::Domain as Domain>::Word<V>;

    /// The full product of two words; `R = W + V`.
    fn times<const V: usize, const R: usize>(
        self,
        other: <Self::Domain as Domain>::Word<V>,
    ) -> <Self::Domain as Domain>::Word<R>;

    /// `self` shifted left by a fixed number of bits. Bits that leave the word are lost.
    fn shl(self, bits: usize) -> Self;

    /// `self` shifted right by a fixed number of bits. Zeros enter.
    fn shr(self, bits: usize) -> Self;

    /// Whether a single bit is set. A symbolic domain forks here. `W` must be 1.
    fn decide(self) -> bool;

    /// 1 if `self <= other`, unsigned.
    #[inline(always)]
    fn at_most(self, other: Self) -> Bit<Self::Domain> {
        !other.less(self)
    }

    /// 1 if the word is 0.
    #[inline(always)]
    fn is_zero(self) -> Bit<Self::Domain> {
        self.equals(Self::lit(0))
    }

    /// Serial (wrap-safe) time comparison: 1 if `self` is after `other`, which means that `other - self` has
    /// its highest bit set. If two words are exactly half the range apart, each is after the other.
    #[inline(always)]
    fn after(self, other: Self) -> Bit<Self::Domain> {
        Self::lit(half::<W>() - 1).less(other - self)
    }
}

#[inline(always)]
const fn half<const W: usize>() -> u128 {
    1 << (W - 1)
}

#[inline(always)]
const fn mask<const W: usize>() -> u128 {
    assert!(W >= 1 && W <= 128, "a word has 1 to 128 bits");
    if W == 128 { u128::MAX } else { (1 << W) - 1 }
}

/// The domain of plain numbers, for simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concrete;

impl Domain for Concrete {
    type Word<const W: usize> = Bits<W>;

    #[inline(always)]
    fn power(exponent: Bits<7>) -> Bits<128> {
        Bits(1 << (exponent.value() as u32 & 127))
    }

    #[inline(always)]
    fn ones(word: Bits<128>) -> Bits<9> {
        // Most words that are counted are 0, and not every machine counts bits in one instruction.
        Bits(if word.0 == 0 { 0 } else { word.0.count_ones().into() })
    }

    #[inline(always)]
    fn lowest(word: Bits<128>) -> Bits<8> {
        Bits((word.0.trailing_zeros() & 127).into())
    }

    #[inline(always)]
    fn rotate([low, high]: [Bits<128>; 2], amount: Bits<8>) -> [Bits<128>; 2] {
        let (low, high) = if amount.value() > 127 { (high.0, low.0) } else { (low.0, high.0) };
        let by = amount.value() as u32 & 127;
        let across = |word: u128| word >> 1 >> (127 - by);
        [Bits(low << by | across(high)), Bits(high << by | across(low))]
    }
}

/// A number of `W` bits, the word of [`Concrete`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits<const W: usize>(u128);

impl<const W: usize> Bits<W> {
    /// The largest number of `W` bits.
    pub const MAX: u128 = mask::<W>();

    /// The number, always below 2^W.
    #[inline(always)]
    pub const fn value(self) -> u128 {
        // The same number. With this form the compiler knows that a machine word is enough.
        if W <= 64 { self.0 as u64 as u128 } else { self.0 }
    }

    /// The low `W` bits of `value`.
    #[inline(always)]
    pub const fn truncated(value: u128) -> Self {
        Self(value & mask::<W>())
    }
}

impl<const W: usize> Add for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::truncated(self.value().wrapping_add(other.value()))
    }
}

impl<const W: usize> Sub for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::truncated(self.value().wrapping_sub(other.value()))
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.value() & other.value())
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.value() | other.value())
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.value() ^ other.value())
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::truncated(!self.value())
    }
}

impl<const W: usize> Word<W> for Bits<W> {
    type Domain = Concrete;

    #[inline(always)]
    fn lit(value: u128) -> Self {
        assert!(value <= mask::<W>(), "{value} does not fit in {W} bits");
        Self(value)
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Bits<1> {
        Bits((self.value() == other.value()) as u128)
    }

    #[inline(always)]
    fn less(self, other: Self) -> Bits<1> {
        Bits((self.value() < other.value()) as u128)
    }

    #[inline(always)]
    fn when(self, condition: Bits<1>, otherwise: Self) -> Self {
        Self(if condition.value() == 1 { self.value() } else { otherwise.value() })
    }

    #[inline(always)]
    fn slice<const LOW: usize, const V: usize>(self) -> Bits<V> {
        const { assert!(LOW + V <= W, "a slice lies inside its word") };
        Bits::truncated(self.value() >> LOW)
    }

    #[inline(always)]
    fn cat<const V: usize, const R: usize>(self, low: Bits<V>) -> Bits<R> {
        const { assert!(R == W + V, "a concatenation is as wide as its parts") };
        Bits::truncated((self.value() << V) | low.value())
    }

    #[inline(always)]
    fn widen<const V: usize>(self) -> Bits<V> {
        const { assert!(V >= W, "widen() never narrows") };
        Bits(self.value())
    }

    #[inline(always)]
    fn times<const V: usize, const R: usize>(self, other: Bits<V>) -> Bits<R> {
        const { assert!(R == W + V && R <= 128, "a product is as wide as its factors together") };
        Bits(self.value() * other.value())
    }

    #[inline(always)]
    fn shl(self, bits: usize) -> Self {
        if bits >= W { Self(0) } else { Self::truncated(self.value() << bits) }
    }

    #[inline(always)]
    fn shr(self, bits: usize) -> Self {
        if bits >= W { Self(0) } else { Self(self.value() >> bits) }
    }

    #[inline(always)]
    fn decide(self) -> bool {
        const { assert!(W == 1, "only a single bit can be decided") };
        self.value() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_the_width() {
        let max = Bits::<5>::lit(31);
        assert_eq!((max + Bits::lit(1)).value(), 0);
        assert_eq!((Bits::<5>::lit(0) - Bits::lit(1)).value(), 31);
        assert_eq!((!Bits::<5>::lit(0)).value(), 31);
        assert_eq!(max.shl(4).value(), 16);
        assert_eq!(max.shr(4).value(), 1);
        assert_eq!(max.shr(5).value(), 0);
    }

    #[test]
    fn parts_and_products() {
        let word = Bits::<8>::lit(0xa5);
        assert_eq!(word.slice::<4, 4>().value(), 0xa);
        assert_eq!(word.cat::<4, 12>(Bits::lit(0x3)).value(), 0xa53);
        assert_eq!(word.widen::<128>().value(), 0xa5);
        assert_eq!(word.times::<8, 16>(Bits::lit(0xff)).value(), 0xa5 * 0xff);
    }

    #[test]
    fn time_compares_are_wrap_safe() {
        let after = |a: u128, b: u128| Bits::<32>::lit(a).after(Bits::lit(b)).decide();
        assert!(after(1, 0) && !after(0, 1) && !after(7, 7));
        assert!(after(0, u32::MAX as u128) && !after(u32::MAX as u128, 0));
        assert!(after(0x8000_0000, 0) && after(0, 0x8000_0000));
        assert!(!after(0x8000_0001, 0));
    }

    #[test]
    #[should_panic(expected = "does not fit")]
    fn a_literal_must_fit() {
        let _ = Bits::<3>::lit(8);
    }
}
