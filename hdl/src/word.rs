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

/// [`Passed`] in a NIC whose window may be larger.
///
/// # Parameters
///
/// `U` bits of `una`: 10, or 11 with a window of 1,024 PSNs.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Past<const U: usize> {
    /// The lowest PSN that is not acknowledged. Packets before it are not sent.
    pub una: Bits<U>,
    /// The messages have ended: no packet is sent.
    pub ended: Bit,
}
