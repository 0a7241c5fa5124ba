//! The NIC's one random number generator and the reduction of a draw to a range.
//!
//! A linear feedback shift register of 32 bits, bit `i` of the state being `s[n + i]` of the sequence `s[n +
//! 32] = s[n + 7] ^ s[n + 6] ^ s[n + 2] ^ s[n]`. Its polynomial x^32 + x^7 + x^6 + x^2 + 1 is primitive, so
//! the sequence has the period 2^32 - 1. A draw uses the 23 youngest bits, with the oldest 8 bits added to
//! their top. The draw then advances the generator by 23 steps. 23 and 2^32 - 1 have no common factor, so the
//! generator visits all 2^32 - 1 states. Two draws in a row are uniform together in all 16 top bits, three in
//! 10, four in 6 (a test computes the ranks). All taps are old bits, so each new bit is one XOR of four state
//! bits in one LUT. A xorshift32 generator would need twice the LUTs.

use weft_word::{Domain, Word};

/// The constant that is combined with a seed, so that simple seeds do not begin with runs of zeros.
pub const SEED_MASK: u128 = 0x9E37_79B9;

/// Number of bits of the state in a draw.
pub const DRAW_WIDTH: usize = 23;

/// The state that `seed` sets: `seed ^ SEED_MASK`. In place of 0, which would draw only zeros, the state is
/// 2^31. Reset is the seed 0.
pub fn seeded<D: Domain>(seed: D::Word<32>) -> D::Word<32> {
    let state = seed ^ D::lit(SEED_MASK);
    state | state.is_zero().widen::<32>().shl(31)
}

/// The state after one draw.
pub fn advance<D: Domain>(state: D::Word<32>) -> D::Word<32> {
    let fresh = state ^ state.shr(2) ^ state.shr(6) ^ state.shr(7);
    fresh.slice::<0, DRAW_WIDTH>().cat::<9, 32>(state.slice::<DRAW_WIDTH, 9>())
}

/// The bits of a draw.
fn draw<D: Domain>(state: D::Word<32>) -> D::Word<DRAW_WIDTH> {
    let top = state.slice::<24, 8>() ^ state.slice::<0, 8>();
    top.cat::<15, DRAW_WIDTH>(state.slice::<9, 15>())
}

/// Draws from a range by multiply-high: [`scale`] of the state's draw, uniform to within 2^-23.
pub fn reduce<D: Domain>(state: D::Word<32>, size: D::Word<17>) -> D::Word<16> {
    scale::<D>(draw::<D>(state), size)
}

/// `floor(draw * size / 2^23)`, below `size` for every size from 1 to 65,536.
pub fn scale<D: Domain>(draw: D::Word<DRAW_WIDTH>, size: D::Word<17>) -> D::Word<16> {
    draw.times::<17, 40>(size).slice::<DRAW_WIDTH, 16>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_word::{Bits, Concrete};

    /// x^e modulo the polynomial, as bits.
    fn power_of_x(mut e: u64) -> u64 {
        const POLYNOMIAL: u64 = 1 << 32 | 1 << 7 | 1 << 6 | 1 << 2 | 1;
        let times = |a: u64, b: u64| {
            let shifted = |(a, sum): (u64, u64), i: u32| {
                let sum = if b >> i & 1 == 1 { sum ^ a } else { sum };
                (if a >> 31 & 1 == 1 { a << 1 ^ POLYNOMIAL } else { a << 1 }, sum)
            };
            (0..32).fold((a, 0), shifted).1
        };
        let (mut base, mut result) = (2, 1);
        while e > 0 {
            if e & 1 == 1 {
                result = times(result, base);
            }
            base = times(base, base);
            e >>= 1;
        }
        result
    }

    #[test]
    fn the_period_is_the_longest() {
        let all = (1 << 32) - 1;
        assert_eq!(power_of_x(all), 1);
        for factor in [3, 5, 17, 257, 65_537] {
            assert_ne!(power_of_x(all / factor), 1, "the polynomial is not primitive");
            assert_ne!(DRAW_WIDTH as u64 % factor, 0, "a draw's step divides the period");
        }
    }

    #[test]
    fn a_draw_is_23_steps_of_the_sequence() {
        let mut state = seeded::<Concrete>(Bits::lit(77));
        for _ in 0..1000 {
            let mut bits: Vec<u128> = (0..32).map(|i| state.value() >> i & 1).collect();
            for n in 0..DRAW_WIDTH {
                bits.push(bits[n + 7] ^ bits[n + 6] ^ bits[n + 2] ^ bits[n]);
            }
            let expected = (0..32).map(|i| bits[DRAW_WIDTH + i] << i).sum::<u128>();
            state = advance::<Concrete>(state);
            assert_eq!(state.value(), expected);
        }
    }

    /// Every draw is linear in the state: the number of bits of the state that the top bits of
    /// successive draws determine.
    #[test]
    fn successive_draws_are_uniform_together() {
        let rank = |draws: usize, bits: u32| {
            let mut columns: Vec<u128> = (0..32)
                .map(|i| {
                    let mut state = Bits::lit(1 << i);
                    (0..draws).fold(0, |column, _| {
                        let top = draw::<Concrete>(state).value() >> (DRAW_WIDTH as u32 - bits);
                        state = advance::<Concrete>(state);
                        column << bits | top
                    })
                })
                .collect();
            let mut rank = 0;
            for bit in 0..draws as u32 * bits {
                if let Some(at) = columns[rank..].iter().position(|c| c >> bit & 1 == 1) {
                    columns.swap(rank, rank + at);
                    let pivot = columns[rank];
                    for column in &mut columns[rank + 1..] {
                        if *column >> bit & 1 == 1 {
                            *column ^= pivot;
                        }
                    }
                    rank += 1;
                }
            }
            rank
        };
        assert_eq!((rank(1, 23), rank(2, 16), rank(3, 10), rank(4, 6)), (23, 32, 30, 24));
    }

    #[test]
    fn no_state_is_zero_and_neighbouring_seeds_differ() {
        for seed in [0, 1, SEED_MASK - 1, SEED_MASK, SEED_MASK + 1, 0xFFFF_FFFF] {
            let state = |seed| seeded::<Concrete>(Bits::lit(seed)).value();
            assert_ne!(state(seed), 0);
            assert_ne!(state(seed), state((seed + 1) & 0xFFFF_FFFF));
        }
    }

    #[test]
    fn a_reduction_stays_in_range_and_reaches_both_ends() {
        for size in [1u128, 2, 3, 255, 4096, 40_000, 65_535, 65_536] {
            let at = |draw| scale::<Concrete>(Bits::lit(draw), Bits::lit(size)).value();
            assert_eq!(at(0), 0);
            assert_eq!(at((1 << DRAW_WIDTH) - 1), size - 1);
        }
    }

    #[test]
    fn draws_and_pairs_of_draws_are_uniform() {
        let (mut singles, mut pairs, mut before) = ([0u32; 100], [0u32; 400], 0);
        let mut state = seeded::<Concrete>(Bits::lit(7));
        for _ in 0..1_000_000 {
            singles[reduce::<Concrete>(state, Bits::lit(100)).value() as usize] += 1;
            let draw = reduce::<Concrete>(state, Bits::lit(20)).value() as usize;
            pairs[before * 20 + draw] += 1;
            before = draw;
            state = advance::<Concrete>(state);
        }
        let chi_squared = |counts: &[u32]| {
            let mean = 1e6 / counts.len() as f64;
            counts.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum::<f64>()
        };
        let (one, two) = (chi_squared(&singles), chi_squared(&pairs));
        assert!(one < 150.0, "chi squared {one} with 99 degrees of freedom");
        assert!(two < 500.0, "chi squared {two} with 399 degrees of freedom");
    }
}
