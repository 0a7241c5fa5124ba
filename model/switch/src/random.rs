//! Random choices of control planes and traffic managers.

/// A generator: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Seeded by numbers.
    pub(crate) fn new(seeds: &[u64]) -> Self {
        seeds.iter().fold(Self(0), |mut random, seed| {
            random.0 ^= seed;
            Self(random.next())
        })
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// 32 random bits, the upper half of a number.
    pub(crate) fn draw(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// A number below `count`; 0 if that is 0.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        ((u64::from(count) * u64::from(self.draw())) >> 32) as u32
    }

    /// The numbers below `count` in a random order.
    pub(crate) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            order.swap(at, self.below(at as u32 + 1) as usize);
        }
        order
    }
}
