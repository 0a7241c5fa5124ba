//! Transport headers, field by field.
//!
//! Every header is a byte array with typed accessors. A position such as `byte 8, bits 23:0` names the
//! big-endian 32-bit word (64-bit if the bits reach 63) that starts at that byte *of the header*; bit 31 is
//! the first on the wire. `with_` setters use the low bits of their argument, so a PSN or a QP wraps as its
//! register does. `weft-interface` has the positions; they are data in `LAYOUT` as well.

mod codes;

pub use codes::{Code, echo, nack_reason, opcode, syndrome};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// PSNs are 24 bits and compared modulo 2^24.
pub const PSN_MASK: u32 = 0x00FF_FFFF;

/// Place of a header field: one row of a header's `LAYOUT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the accessor.
    pub name: &'static str,
    /// Byte of the header at which the field's word starts.
    pub byte: usize,
    /// First bit on the wire.
    pub high: u32,
    /// Last bit on the wire.
    pub low: u32,
    /// The field is a number in two's complement.
    pub signed: bool,
    /// The description, as Rust documentation.
    pub doc: &'static str,
}

impl Field {
    /// Bits of the big-endian word in which `high` and `low` count: 32 or 64.
    pub const fn word_bits(&self) -> u32 {
        8 * word_bytes(self.high) as u32
    }
}

/// A header: its meaning, its length, and its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the type.
    pub name: &'static str,
    /// The description, as Rust documentation.
    pub doc: &'static str,
    /// Size on the wire in bytes.
    pub bytes: usize,
    /// Every field with its place.
    pub layout: &'static [Field],
}

/// The types that a field can be read as.
trait Bits {
    const SIGNED: bool;
    fn from_bits(bits: u64) -> Self;
    fn into_bits(self) -> u64;
}

macro_rules! integer_bits {
    ($($integer:ty),*) => { $(impl Bits for $integer {
        #[allow(unused_comparisons, reason = "an unsigned integer's MIN is 0")]
        const SIGNED: bool = <$integer>::MIN < 0;
        fn from_bits(bits: u64) -> Self {
            bits as $integer
        }
        fn into_bits(self) -> u64 {
            self as u64
        }
    })* };
}

integer_bits!(u8, u16, i16, u32, u64);

impl Bits for bool {
    const SIGNED: bool = false;
    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
    fn into_bits(self) -> u64 {
        self.into()
    }
}

fn mask(high: u32, low: u32) -> u64 {
    (u64::MAX >> (63 - (high - low))) << low
}

/// Bytes of the word that contains bits up to `high`.
const fn word_bytes(high: u32) -> usize {
    if high < 32 { 4 } else { 8 }
}

/// The word of `header` that starts at byte `at` and contains bits up to `high`.
fn word(header: &[u8], at: usize, high: u32) -> u64 {
    header[at..at + word_bytes(high)].iter().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

fn read(header: &[u8], at: usize, high: u32, low: u32) -> u64 {
    (word(header, at, high) & mask(high, low)) >> low
}

fn write(header: &mut [u8], at: usize, high: u32, low: u32, bits: u64) {
    let size = word_bytes(high);
    let new = (word(header, at, high) & !mask(high, low)) | ((bits << low) & mask(high, low));
    header[at..at + size].copy_from_slice(&new.to_be_bytes()[8 - size..]);
}

/// The types of the headers.
macro_rules! codec {
    ($($(#[doc = $doc:literal])* $name:ident, $bytes:literal {
        $($(#[doc = $field_doc:literal])*
        $get:ident, $with:ident: $type:ty = $at:literal [$high:literal : $low:literal];)*
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
        #[repr(transparent)]
        pub struct $name([u8; $bytes]);

        const _: () = assert!(size_of::<$name>() == $bytes);

        impl Default for $name {
            fn default() -> Self {
                Self([0; $bytes])
            }
        }

        $(const _: () = assert!(
            $at % 4 == 0 && $high >= $low && $high < 64 && $at + ($high / 32 + 1) * 4 <= $bytes
        );)*

        impl $name {
            /// Size on the wire in bytes.
            pub const LEN: usize = $bytes;

            /// Every field with its place.
            pub const LAYOUT: &[Field] = &[
                $(Field {
                    name: stringify!($get), byte: $at, high: $high, low: $low,
                    signed: <$type as Bits>::SIGNED, doc: concat!($($field_doc),*)
                }),*
            ];

            /// The header as data.
            pub const HEADER: Header = Header {
                name: stringify!($name), doc: concat!($($doc),*), bytes: $bytes, layout: Self::LAYOUT
            };

            $(
                $(#[doc = $field_doc])*
                #[doc = concat!("\n\nByte ", $at, ", bits ", $high, ":", $low, ".")]
                pub fn $get(&self) -> $type {
                    Bits::from_bits(read(&self.0, $at, $high, $low))
                }

                #[doc = concat!("Sets `", stringify!($get), "`: byte ", $at, ", bits ", $high, ":", $low, ".")]
                #[must_use]
                pub fn $with(mut self, value: $type) -> Self {
                    write(&mut self.0, $at, $high, $low, Bits::into_bits(value));
                    self
                }
            )*
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($get), &self.$get()))*.finish()
            }
        }
    )*};
}

weft_interface::headers!(codec);

/// All headers, in the order in which packets have them.
pub const ALL: [Header; 11] = [
    Bth::HEADER,
    Reth::HEADER,
    ImmDt::HEADER,
    Xeth::HEADER,
    Aeth::HEADER,
    Seth::HEADER,
    CcState::HEADER,
    Sackx::HEADER,
    Evx::HEADER,
    Neth::HEADER,
    Peth::HEADER,
];

impl Bth {
    fn new(opcode: u8, dest_qp: u32, psn: u32) -> Self {
        Self::default()
            .with_opcode(opcode)
            .with_migration_request(true)
            .with_p_key(0xFFFF)
            .with_dest_qp(dest_qp)
            .with_psn(psn)
    }

    /// The BTH of a sprayed data packet: WRITE Only with TS set.
    pub fn data(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::WRITE_ONLY, dest_qp, psn).with_sprayed(true)
    }

    /// The BTH of an ACK (`psn`: the cumulative PSN) or NACK (`psn`: the PSN refused).
    pub fn acknowledge(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::ACKNOWLEDGE, dest_qp, psn)
    }

    /// The BTH of a probe. A probe consumes no PSN.
    pub fn probe(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::PROBE, dest_qp, psn)
    }

    /// The BTH of a congestion notification packet.
    pub fn cnp(dest_qp: u32) -> Self {
        Self::new(opcode::CNP, dest_qp, 0).with_migration_request(false).with_becn(true)
    }

    /// The BTH of a plain RC packet.
    pub fn plain(opcode: u8, dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode, dest_qp, psn)
    }
}

impl Xeth {
    /// An XETH with the constants set (tsr 1, ftype 1).
    pub fn new(tx_timestamp: u16, rqmsn: u16, msn: u16) -> Self {
        Self::default()
            .with_tx_timestamp(tx_timestamp)
            .with_tsr(true)
            .with_ftype(1)
            .with_rqmsn(rqmsn)
            .with_msn(msn)
    }
}

impl Peth {
    /// A PETH with the constants set (tsr 1, ftype 1).
    pub fn new(probe_id: u16, tx_timestamp: u16) -> Self {
        Self::default().with_probe_id(probe_id).with_tx_timestamp(tx_timestamp).with_tsr(true).with_ftype(1)
    }
}
