//! The words of the streams between blocks, as structs; `weft_interface` describes them. The first field has the lowest bits.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// The type of a field with a number of bits.
macro_rules! bits {
    (1) => { Bit };
    ($bits:literal) => { Bits<$bits> };
}

macro_rules! structs {
    ($(
        $(#[doc = $doc:literal])* $name:ident {
            $($(#[doc = $about:literal])* $field:ident: $bits:tt $(as $type:ty)?,)*
        } $(+ tuser $user:tt)?
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
        pub struct $name {
            $($(#[doc = $about])* pub $field: bits!($bits),)*
        }
    )*};
}

weft_interface::words!(structs);
