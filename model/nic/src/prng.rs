//! The NIC's one random number generator: xorshift32 with the triple (13, 17, 5), period 2^32 - 1
//! (Marsaglia, "Xorshift RNGs", 2003), and the reduction of a draw to a range.

use weft_word::{Domain, Word};

/// The state after reset, and the state that a seed of 0 stands for.
pub const RESET_SEED: u128 = 1;

/// Bits of the state that a reduction to a range uses: a product with a 17-bit size fits one DSP.
pub const DRAW_WIDTH: usize = 24;

/// The state that `seed` sets; 0 would never leave 0.
pub fn seeded<D: Domain>(seed: D::Word<32>) -> D::Word<32> {
    D::lit(RESET_SEED).when(seed.is_zero(), seed)
}

/// The state after one draw.
pub fn advance<D: Domain>(state: D::Word<32>) -> D::Word<32> {
    let a = state ^ state.shl(13);
    let b = a ^ a.shr(17);
    b ^ b.shl(5)
}

/// Draws from a range by multiply-high: `floor(top 24 bits of state * size / 2^24)`, below `size`
/// for every size from 1 to 65,536, uniform to within 2^-24.
pub fn reduce<D: Domain>(state: D::Word<32>, size: D::Word<17>) -> D::Word<16> {
    state.slice::<8, DRAW_WIDTH>().times::<17, 41>(size).slice::<24, 16>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_word::{Bits, Concrete};

    #[test]
    fn zero_is_never_reached_and_no_short_cycle() {
        let mut state = seeded::<Concrete>(Bits::lit(0));
        for _ in 0..1_000_000 {
            state = advance::<Concrete>(state);
            assert_ne!(state.value(), 0);
            assert_ne!(state.value(), RESET_SEED);
        }
    }

    #[test]
    fn a_reduction_stays_in_range_and_reaches_both_ends() {
        for size in [1u128, 2, 3, 255, 4096, 40_000, 65_535, 65_536] {
            let at = |state| reduce::<Concrete>(Bits::lit(state), Bits::lit(size)).value();
            assert_eq!(at(0), 0);
            assert_eq!(at(0xFFFF_FFFF), size - 1);
        }
    }

    #[test]
    fn draws_are_uniform() {
        let (mut counts, mut state) = ([0u32; 100], Bits::lit(7));
        for _ in 0..1_000_000 {
            counts[reduce::<Concrete>(state, Bits::lit(100)).value() as usize] += 1;
            state = advance::<Concrete>(state);
        }
        let chi_squared: f64 = counts.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
        assert!(chi_squared < 150.0, "chi squared {chi_squared} with 99 degrees of freedom");
    }
}
