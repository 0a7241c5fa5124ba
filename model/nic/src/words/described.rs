//! The words that `weft-interface` describes: structs that are packed into the words of a port and unpacked from them.

use super::codes::{ArrivalKind, ControlKind, Status};
use super::number::{Field, number};
use super::packed::{Packed, Unpacked};

macro_rules! structs {
    ($(
        $(#[doc = $doc:literal])* $name:ident {
            $($(#[doc = $about:literal])* $field:ident: $bits:tt $(as $type:ty)?,)*
        } $(+ tuser {
            $($(#[doc = $user_about:literal])* $user:ident: $user_bits:tt $(as $user_type:ty)?,)*
        })?
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $about])* #[doc = concat!("\n\nBits: ", $bits, ".")] pub $field: number!($bits $(as $type)?),)*
            $($($(#[doc = $user_about])* #[doc = "\n\nIn `tuser`."] pub $user: number!($user_bits $(as $user_type)?),)*)?
        }

        impl $name {
            /// Bits of `tdata`.
            pub const BITS: u32 = 0 $(+ $bits)*;

            /// `tdata`, the first field lowest.
            pub fn words(&self) -> [u64; $name::BITS.div_ceil(64) as usize] {
                let packed = Packed::default();
                $(let packed = Field::put(self.$field, packed, $bits);)*
                packed.words()
            }

            /// Reads the fields from `tdata`.
            pub fn of(words: &[u64; $name::BITS.div_ceil(64) as usize]) -> Self {
                let mut fields = Unpacked::new(words);
                Self {
                    $($field: Field::take(&mut fields, $bits),)*
                    $($($user: Default::default(),)*)?
                }
            }

            $(
                /// `tuser`, the first field lowest.
                pub fn user(&self) -> [u64; 1] {
                    let packed = Packed::default();
                    $(let packed = Field::put(self.$user, packed, $user_bits);)*
                    packed.words()
                }
            )?
        }
    )*};
}

weft_interface::words!(structs);
