//! The words that `weft-interface` describes, over words of any kind. The steps of blocks compute with them:
//! simulations with numbers, proofs with expressions.

use super::number::Number;
use std::fmt;
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// A word of a port, split into fields.
pub trait Fields<D: Domain> {
    /// The next field; the first one is lowest.
    fn take<const W: usize>(&mut self) -> D::Word<W>;
}

/// The type of a field. A field of 256 bits is an array.
macro_rules! field {
    ($domain:ident 256) => { [$domain::Word<64>; 4] };
    ($domain:ident 256 $type:tt) => { [$domain::Word<16>; 16] };
    ($domain:ident $bits:tt $($type:tt)?) => { $domain::Word<$bits> };
}

/// The next field of a word.
macro_rules! taken {
    ($from:ident 256 $($type:tt)?) => {
        std::array::from_fn(|_| $from.take())
    };
    ($from:ident $bits:tt $($type:tt)?) => {
        $from.take()
    };
}

/// A field of numbers.
macro_rules! numbers {
    ($value:expr, 256 $($type:tt)?) => {
        $value.map(|one| Bits::truncated(one as u128))
    };
    ($value:expr, $bits:tt $($type:tt)?) => {
        Bits::truncated($value as u128)
    };
}

/// A field of numbers, with the value from the packed word.
macro_rules! given {
    ($value:expr, 256 $($type:tt)?) => {
        $value.map(|one| Number::number(one.value()))
    };
    ($value:expr, $bits:tt $($type:tt)?) => {
        Number::number($value.value())
    };
}

macro_rules! structs {
    ($(
        $(#[doc = $doc:literal])* $name:ident {
            $($(#[doc = $about:literal])* $field:ident: $bits:tt $(as $type:tt)?,)*
        } $(+ tuser {
            $($(#[doc = $user_about:literal])* $user:ident: $user_bits:tt $(as $user_type:tt)?,)*
        })?
    )*) => {$(
        $(#[doc = $doc])*
        pub struct $name<D: Domain> {
            $($(#[doc = $about])* #[doc = concat!("\n\nBits: ", $bits, ".")] pub $field: field!(D $bits $($type)?),)*
        }

        impl<D: Domain> Clone for $name<D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<D: Domain> Copy for $name<D> {}

        impl<D: Domain> fmt::Debug for $name<D> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.debug_struct(stringify!($name))$(.field(stringify!($field), &self.$field))*.finish()
            }
        }

        impl<D: Domain> $name<D> {
            /// Reads the fields from `tdata`.
            pub fn of(fields: &mut impl Fields<D>) -> Self {
                Self { $($field: taken!(fields $bits $($type)?),)* }
            }
        }

        impl From<&super::$name> for $name<Concrete> {
            fn from(word: &super::$name) -> Self {
                Self { $($field: numbers!(word.$field, $bits $($type)?),)* }
            }
        }

        impl From<&$name<Concrete>> for super::$name {
            fn from(word: &$name<Concrete>) -> Self {
                Self {
                    $($field: given!(word.$field, $bits $($type)?),)*
                    $($($user: Default::default(),)*)?
                }
            }
        }
    )*};
}

weft_interface::words!(structs);

impl<D: Domain> Passed<D> {
    /// Whether an order with this PSN no longer needs to be sent.
    pub fn has(&self, psn: D::Word<24>) -> Bit<D> {
        passed::<D, 10>(self.una, self.ended, psn)
    }
}

/// Whether an order with this PSN no longer needs to be sent: its messages have ended, or the PSN is before `una`.
pub fn passed<D: Domain, const U: usize>(una: D::Word<U>, ended: Bit<D>, psn: D::Word<24>) -> Bit<D> {
    ended | (psn.slice::<0, U>() - una).shr(U - 1).slice::<0, 1>()
}
