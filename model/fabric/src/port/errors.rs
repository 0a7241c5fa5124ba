//! Bit errors of a link: which of its frames arrive with a bad FCS.

use weft_random::Rng;

/// The errors of a link now.
#[derive(Clone, Debug)]
pub(super) struct Errors {
    /// Probability that a bit is wrong, in units of 2^-64. With 0 no random numbers are drawn.
    pub(super) rate: u64,
    random: Rng,
}

impl Errors {
    /// No errors, at the port with this number.
    pub(super) fn new(seed: u64, number: u32) -> Self {
        Self { rate: 0, random: Rng::of(&[seed, 0x4643_5321, number.into()]) }
    }

    /// Draws whether the next frame is hit. Nothing is drawn for a link without errors.
    #[inline]
    pub(super) fn hit(&mut self, bytes: u16) -> bool {
        self.rate != 0 && self.draw(bytes)
    }

    #[cold]
    fn draw(&mut self, bytes: u16) -> bool {
        self.random.draw() < chance(self.rate, bytes)
    }
}

/// The probability in 2^-64 that a frame of `bytes` bytes is hit, 1 - (1 - rate)^(8 bytes). Twice as many
/// bits are hit with h + h - hh, with products rounded down.
fn chance(rate: u64, bytes: u16) -> u64 {
    let either = |a: u64, b: u64| {
        let (a, b) = (u128::from(a), u128::from(b));
        (a + b - ((a * b) >> 64)).min(u64::MAX.into()) as u64
    };
    let bits = 8 * u32::from(bytes);
    (0..u32::BITS - bits.leading_zeros()).rev().fold(0, |hit, bit| {
        let twice = either(hit, hit);
        if bits >> bit & 1 == 1 { either(twice, rate) } else { twice }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance is computed by logarithms, which keep small chances exact.
    #[test]
    fn a_frame_is_hit_with_the_chance_of_its_bits() {
        let whole = 2f64.powi(64);
        for ber in [1e-15, 1e-12, 1e-9, 1e-6, 3e-5, 1e-3, 0.3] {
            for bytes in [1, 64, 122, 1_110, 4_182, 65_535] {
                let found = chance((ber * whole).round() as u64, bytes) as f64 / whole;
                let expected = -(8.0 * f64::from(bytes) * f64::ln_1p(-ber)).exp_m1();
                assert!((found / expected - 1.0).abs() < 1e-4, "{ber}, {bytes}: {found} for {expected}");
            }
        }
        assert_eq!((chance(0, 4_182), chance(u64::MAX, 64)), (0, u64::MAX));
    }
}
