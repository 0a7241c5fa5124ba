//! Random values for ports.

use weft_random::Rng;

pub fn mask(width: usize) -> u128 {
    match width {
        0..128 => (1 << width) - 1,
        _ => u128::MAX,
    }
}

/// Test values.
pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    pub fn draw(&mut self) -> u64 {
        self.0.draw()
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.draw() % n
    }

    /// Any value of `width` bits; one in two is an extreme value.
    pub fn word(&mut self, width: usize) -> u128 {
        let any = self.0.wide();
        let value = match self.below(12) {
            0 => 0,
            1 => u128::MAX,
            2 => 1,
            3 => 1 << (width - 1),
            4 => mask(width) >> 1,
            5 => mask(width) - 1,
            _ => any,
        };
        value & mask(width)
    }
}
