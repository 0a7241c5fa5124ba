//! Words in memory. A word is a number of 128 bits in computations, however narrow it is. In memory, where
//! thousands of
//! connections wait for their next event, it needs no more space than its width.

use crate::Bits;

/// Values with a stored form that needs less memory than the form for computing.
pub trait Stored: Sized {
    /// The form of the value in memory.
    type Row: Copy;

    /// The value in the form for memory.
    fn pack(self) -> Self::Row;

    /// The value of a row: the same as before `pack`.
    fn unpack(row: Self::Row) -> Self;
}

/// A value in its form in memory.
pub struct Compact<T: Stored>(T::Row);

impl<T: Stored> Compact<T> {
    /// A register with this value.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Self(value.pack())
    }

    /// The value.
    #[inline(always)]
    pub fn get(&self) -> T {
        T::unpack(self.0)
    }

    /// Replaces the value.
    #[inline(always)]
    pub fn set(&mut self, value: T) {
        self.0 = value.pack();
    }
}

impl<T: Stored> Clone for Compact<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Stored> Copy for Compact<T> {}

impl<T: Stored + core::fmt::Debug> core::fmt::Debug for Compact<T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.get().fmt(out)
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    type Row = [T::Row; N];

    #[inline(always)]
    fn pack(self) -> Self::Row {
        self.map(T::pack)
    }

    #[inline(always)]
    fn unpack(row: Self::Row) -> Self {
        row.map(T::unpack)
    }
}

/// The machine word in which words of these widths lie.
macro_rules! lies_in {
    ($($row:ty: $($width:literal)*;)*) => {$($(
        impl Stored for Bits<$width> {
            type Row = $row;

            #[inline(always)]
            fn pack(self) -> $row {
                const { assert!($width <= <$row>::BITS, "a word fits where it lies") };
                self.0 as $row
            }

            #[inline(always)]
            fn unpack(row: $row) -> Self {
                Self(row as u128)
            }
        }
    )*)*

        /// Words of all widths can be stored and read back unchanged.
        #[cfg(test)]
        fn come_back(draw: &mut impl FnMut() -> u128) {
            $($(
                let word = Bits::<$width>::truncated(draw());
                assert_eq!(Bits::unpack(word.pack()), word);
            )*)*
        }
    };
}

lies_in! {
    u8: 1 2 3 4 5 6 7 8;
    u16: 9 10 11 12 13 14 15 16;
    u32: 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32;
    u64: 33 34 35 36 37 38 39 40 48 64;
    u128: 128;
}

/// Structures over a [`Domain`](crate::Domain) that are stored in memory. A structure is [`Stored`] if all
/// its fields are, field by field.
#[macro_export]
macro_rules! stored {
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<$domain:ident: Domain $(, const $size:ident: usize = $usual:literal)*> {
            $($(#[$note:meta])* $seen:vis $field:ident: $type:ty,)*
        }
    )*) => {$(
        $(#[$meta])*
        $vis struct $name<$domain: $crate::Domain $(, const $size: usize = $usual)*> {
            $($(#[$note])* $seen $field: $type,)*
        }

        impl<$domain: $crate::Domain $(, const $size: usize)*> $crate::Stored for $name<$domain $(, $size)*>
        where
            $($type: $crate::Stored,)*
        {
            type Row = ($(<$type as $crate::Stored>::Row,)*);

            #[inline(always)]
            fn pack(self) -> Self::Row {
                ($(self.$field.pack(),)*)
            }

            #[inline(always)]
            fn unpack(($($field,)*): Self::Row) -> Self {
                Self { $($field: <$type as $crate::Stored>::unpack($field),)* }
            }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bit, Concrete};

    stored! {
        #[derive(Clone, Copy)]
        struct Inner<D: Domain> {
            bit: Bit<D>,
            wide: D::Word<128>,
        }

        #[derive(Clone, Copy)]
        struct Sized<D: Domain, const N: usize = 9> {
            words: [D::Word<N>; 2],
        }

        #[derive(Clone, Copy)]
        struct Outer<D: Domain> {
            a: D::Word<9>,
            inner: Inner<D>,
            b: D::Word<9>,
            c: D::Word<24>,
        }
    }

    /// Numbers of 128 bits without a pattern.
    fn draws() -> impl FnMut() -> u128 {
        let mut state = 1u128;
        move || {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            state ^ state >> 64
        }
    }

    #[test]
    fn words_come_back() {
        come_back(&mut || 0);
        come_back(&mut || u128::MAX);
        let mut draw = draws();
        (0..1000).for_each(|_| come_back(&mut draw));
    }

    #[test]
    fn structures_of_a_size_come_back() {
        let mut draw = draws();
        let words = [Bits::truncated(draw()), Bits::truncated(draw())];
        assert_eq!(Compact::new(Sized::<Concrete> { words }).get().words, words);
        let words = [Bits::truncated(draw()), Bits::truncated(draw())];
        assert_eq!(Compact::new(Sized::<Concrete, 11> { words }).get().words, words);
    }

    #[test]
    fn structures_come_back_field_by_field() {
        let fields = |it: Outer<Concrete>| (it.a, it.inner.bit, it.inner.wide, it.b, it.c);
        let mut draw = draws();
        for _ in 0..1000 {
            let inner = Inner { bit: Bits::truncated(draw()), wide: Bits::truncated(draw()) };
            let [a, b] = [Bits::truncated(draw()), Bits::truncated(draw())];
            let outer = Outer { a, inner, b, c: Bits::truncated(draw()) };
            let mut kept = Compact::new(outer);
            assert_eq!(fields(kept.get()), fields(outer));
            kept.set(Outer { a: b, b: a, ..outer });
            assert_eq!(fields(kept.get()), (b, inner.bit, inner.wide, a, outer.c));
        }
        assert!(size_of::<Compact<Outer<Concrete>>>() <= 48);
    }
}
