//! Constants of any width.

use std::fmt;

use num_bigint::BigUint;

/// An unsigned integer with a fixed number of bits, of any width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    width: usize,
    number: BigUint,
}

fn power(width: usize) -> BigUint {
    BigUint::from(1u8) << width
}

impl Value {
    /// The low `width` bits of `number`.
    pub fn new(width: usize, number: impl Into<BigUint>) -> Self {
        assert!(width > 0, "a value has at least one bit");
        let number = number.into();
        let number = if number.bits() > width as u64 { number % power(width) } else { number };
        Self { width, number }
    }

    /// The value 0.
    pub fn zero(width: usize) -> Self {
        Self::new(width, 0u8)
    }

    /// Every bit set.
    pub fn ones(width: usize) -> Self {
        Self::new(width, power(width) - 1u8)
    }

    /// A single bit.
    pub fn bit(bit: bool) -> Self {
        Self::new(1, bit as u8)
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number, always below 2^width.
    pub fn number(&self) -> &BigUint {
        &self.number
    }

    /// The number, if it fits in 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        u128::try_from(&self.number).ok()
    }

    /// The bit of weight 2^`index`.
    pub fn at(&self, index: usize) -> bool {
        self.number.bit(index as u64)
    }

    /// Whether every bit is 0.
    pub fn is_zero(&self) -> bool {
        self.number.bits() == 0
    }

    /// Whether every bit is 1.
    pub fn is_ones(&self) -> bool {
        self.number.count_ones() == self.width as u64
    }

    pub(crate) fn not(&self) -> Self {
        Self { width: self.width, number: power(self.width) - 1u8 - &self.number }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self::new(self.width, &self.number + &other.number)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        Self::new(self.width, power(self.width) + &self.number - &other.number)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self::new(self.width, &self.number * &other.number)
    }

    /// `bvudiv` of SMT-LIB: all ones if `other` is 0.
    pub(crate) fn div(&self, other: &Self) -> Self {
        if other.is_zero() {
            Self::ones(self.width)
        } else {
            Self::new(self.width, &self.number / &other.number)
        }
    }

    /// `bvurem` of SMT-LIB: `self` if `other` is 0.
    pub(crate) fn rem(&self, other: &Self) -> Self {
        if other.is_zero() { self.clone() } else { Self::new(self.width, &self.number % &other.number) }
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self::new(self.width, &self.number & &other.number)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        Self::new(self.width, &self.number | &other.number)
    }

    pub(crate) fn xor(&self, other: &Self) -> Self {
        Self::new(self.width, &self.number ^ &other.number)
    }

    /// The shift distance, or `None` if no bit of the word remains.
    pub(crate) fn distance(&self, width: usize) -> Option<usize> {
        usize::try_from(&self.number).ok().filter(|&bits| bits < width)
    }

    pub(crate) fn shl(&self, by: &Self) -> Self {
        match by.distance(self.width) {
            Some(bits) => Self::new(self.width, &self.number << bits),
            None => Self::zero(self.width),
        }
    }

    pub(crate) fn shr(&self, by: &Self) -> Self {
        match by.distance(self.width) {
            Some(bits) => Self::new(self.width, &self.number >> bits),
            None => Self::zero(self.width),
        }
    }

    pub(crate) fn slice(&self, low: usize, width: usize) -> Self {
        Self::new(width, &self.number >> low)
    }

    pub(crate) fn cat(&self, low: &Self) -> Self {
        Self::new(self.width + low.width, (&self.number << low.width) | &low.number)
    }
}

/// Prints the value as Verilog does: `8'h3f`.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}'h{:x}", self.width, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_any_width() {
        let ones = Value::ones(4096);
        assert!(ones.is_ones() && ones.add(&Value::new(4096, 1u8)).is_zero());
        assert_eq!(Value::zero(4096).sub(&Value::new(4096, 1u8)), ones);
        assert_eq!(ones.mul(&ones), Value::new(4096, 1u8));
        assert_eq!(ones.not(), Value::zero(4096));
        assert_eq!(Value::new(4, 0x1fu8).to_string(), "4'hf");
    }

    #[test]
    fn division_by_zero_is_that_of_smt_lib() {
        let seven = Value::new(4, 7u8);
        assert_eq!(seven.div(&Value::zero(4)), Value::ones(4));
        assert_eq!(seven.rem(&Value::zero(4)), seven);
    }
}
