//! The types of fields, and their bits.

use super::packed::{Packed, Unpacked};

/// The type of a field: the smallest one with enough bits, or the one that the description names.
#[rustfmt::skip]
macro_rules! number {
    ($bits:tt as $type:ty) => { $type };
    (1) => { bool };
    (2) => { u8 };
    (3) => { u8 };
    (4) => { u8 };
    (5) => { u8 };
    (8) => { u8 };
    (9) => { u16 };
    (10) => { u16 };
    (12) => { u16 };
    (14) => { u16 };
    (15) => { u16 };
    (16) => { u16 };
    (24) => { u32 };
    (32) => { u32 };
    (48) => { u64 };
    (64) => { u64 };
    (128) => { u128 };
    (256) => { [u64; 4] };
}

/// A field of a word.
pub(super) trait Field: Sized {
    /// Appends the low `bits` bits.
    fn put<const N: usize>(self, to: Packed<N>, bits: u32) -> Packed<N>;
    /// Reads the next `bits` bits.
    fn take(from: &mut Unpacked, bits: u32) -> Self;
}

/// A field that is one number.
pub(super) trait Number: Sized {
    /// The field with this number.
    fn number(value: u128) -> Self;
}

impl Number for bool {
    fn number(value: u128) -> Self {
        value == 1
    }
}

impl Field for bool {
    fn put<const N: usize>(self, to: Packed<N>, _bits: u32) -> Packed<N> {
        to.flag(self)
    }

    fn take(from: &mut Unpacked, _bits: u32) -> Self {
        from.flag()
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {
        $(impl Field for $integer {
            fn put<const N: usize>(self, to: Packed<N>, bits: u32) -> Packed<N> {
                to.put(self, bits)
            }

            fn take(from: &mut Unpacked, bits: u32) -> Self {
                from.take(bits) as Self
            }
        }

        impl Number for $integer {
            fn number(value: u128) -> Self {
                value as Self
            }
        })*
    };
}

integers!(u8 u16 u32 u64 u128);

impl<T: Field + Copy + Default, const COUNT: usize> Field for [T; COUNT] {
    fn put<const N: usize>(self, to: Packed<N>, bits: u32) -> Packed<N> {
        self.into_iter().fold(to, |packed, one| one.put(packed, bits / COUNT as u32))
    }

    fn take(from: &mut Unpacked, bits: u32) -> Self {
        std::array::from_fn(|_| T::take(from, bits / COUNT as u32))
    }
}

pub(super) use number;
