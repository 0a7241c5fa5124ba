//! Exact fractions: a constant is rounded only once, when it becomes a register.

/// A fraction, not negative. Numerator and denominator stay far below 2^128 for every possible network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    over: u128,
    under: u128,
}

impl Ratio {
    pub(super) const fn new(over: u64, under: u64) -> Self {
        Self { over: over as u128, under: under as u128 }
    }

    pub(super) const fn whole(value: u64) -> Self {
        Self::new(value, 1)
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { over: self.over * other.over, under: self.under * other.under }
    }

    pub(super) fn per(self, other: Self) -> Self {
        self.times(Self { over: other.under, under: other.over })
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { over: self.over * other.under + other.over * self.under, under: self.under * other.under }
    }

    pub(super) fn min(self, other: Self) -> Self {
        if self.over * other.under <= other.over * self.under { self } else { other }
    }

    /// The nearest integer; a half is rounded up.
    pub(super) fn round(self) -> u64 {
        to_u64((2 * self.over + self.under) / (2 * self.under))
    }

    pub(super) fn floor(self) -> u64 {
        to_u64(self.over / self.under)
    }

    pub(super) fn ceil(self) -> u64 {
        to_u64(self.over.div_ceil(self.under))
    }

    /// The ratio as text for people; computations do not use this value.
    pub(super) fn to_f64(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

fn to_u64(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}
