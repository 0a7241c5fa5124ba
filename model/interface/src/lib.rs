//! The interfaces of the NIC as data: the [words](WORDS) between its blocks and the [headers](HEADERS) of its packets.
//!
//! A new field is added only here. The macro [`words!`] makes the structs of the RTL (`hdl/src/word.rs`) and
//! of the model (`model/nic/src/words`), the constants of bit ranges in the RTL, the header comments of the
//! Verilog and the tables of bits on the pages. The macro [`headers!`] makes the codec of `weft-wire`,
//! `weft_wire.h` and the positions of fields for the RTL. Independent checks of the NIC (oracles, the
//! independent client, the benches of `weft_registers`) are written by hand from the pages.

#![forbid(unsafe_code)]

mod headers;
mod words;

pub use headers::{HEADERS, Header, HeaderField, PACKETS, UDP, header, place};

/// A field of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the field in the RTL and in the model.
    pub name: &'static str,
    /// Width in bits.
    pub bits: u32,
    /// Meaning of the field: lines of text.
    pub doc: &'static [&'static str],
}

/// Fields side by side, the first one lowest: the `tdata` of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Name of the word in the RTL and in the model.
    pub name: &'static str,
    /// Meaning of the word: lines of text.
    pub doc: &'static [&'static str],
    /// Fields of the word, the lowest first.
    pub fields: &'static [Field],
    /// Fields of the same stream in `tuser`, the lowest first.
    pub user: &'static [Field],
}

/// Consecutive bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The lowest bit.
    pub low: u32,
    /// Number of bits.
    pub bits: u32,
}

impl Word {
    /// The word with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        WORDS.iter().find(|word| word.name == name)
    }

    /// Number of bits of all fields.
    pub const fn bits(&self) -> u32 {
        bits(self.fields)
    }

    /// Every field of `tdata` with its slice, the lowest first.
    pub fn slices(&self) -> impl Iterator<Item = (&'static Field, Slice)> {
        let mut low = 0;
        self.fields.iter().map(move |field| {
            let slice = Slice { low, bits: field.bits };
            low += field.bits;
            (field, slice)
        })
    }

    /// The slice of a field.
    pub fn slice(&self, field: &str) -> Option<Slice> {
        self.slices().find_map(|(one, slice)| (one.name == field).then_some(slice))
    }
}

/// The slice of a field of a packet's header in a number that has the bytes `from..to` of the packet, the
/// first one highest. Without a field, the slice of the whole header. Bytes count from the first byte of the
/// UDP header.
pub fn in_packet(packet: &str, name: &str, field: Option<&str>, from: u32, to: u32) -> Option<Slice> {
    let (header, at) = place(packet, name)?;
    let (begin, bytes, low, bits) = match field {
        None => (at, header.bytes, 0, 8 * header.bytes),
        Some(field) => {
            let field = header.fields.iter().find(|one| one.name == field)?;
            (at + field.byte, field.word_bytes(), field.low, field.high - field.low + 1)
        }
    };
    let below = to.checked_sub(begin + bytes)?;
    (begin >= from).then_some(Slice { low: 8 * below + low, bits })
}

/// Number of bits of all fields.
const fn bits(fields: &[Field]) -> u32 {
    let (mut sum, mut at) = (0, 0);
    while at < fields.len() {
        sum += fields[at].bits;
        at += 1;
    }
    sum
}

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])* $name:ident {
            $($(#[doc = $about:literal])* $field:ident: $bits:literal $(as $type:ty)?,)*
        } $(+ tuser {
            $($(#[doc = $user_about:literal])* $user:ident: $user_bits:literal $(as $user_type:ty)?,)*
        })?
    )*) => {
        /// All words.
        pub const WORDS: &[Word] = &[$(Word {
            name: stringify!($name),
            doc: &[$($doc),*],
            fields: &[
                $(Field { name: stringify!($field), bits: $bits, doc: &[$($about),*] }),*
            ],
            user: &[
                $($(Field { name: stringify!($user), bits: $user_bits, doc: &[$($user_about),*] }),*)?
            ],
        }),*];
    };
}

words!(table);

/// A stream that carries a word in `tdata`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The block that sends the stream, and its port without `m_axis_`. An empty block means an input of the
    /// NIC.
    pub from: (&'static str, &'static str),
    /// The block that accepts the stream, and its port without `s_axis_`. An empty block means an output of
    /// the NIC.
    pub to: (&'static str, &'static str),
    /// The word.
    pub word: &'static str,
}

const fn stream(
    from: (&'static str, &'static str),
    to: (&'static str, &'static str),
    word: &'static str,
) -> Stream {
    Stream { from, to, word }
}

/// The streams with words between blocks, and between the NIC and its host.
pub const STREAMS: &[Stream] = &[
    stream(("ingress", "arrival"), ("receiver", "arrival"), "Arrival"),
    stream(("ingress", "acknowledgement"), ("sender", "acknowledgement"), "Acknowledgement"),
    stream(("receiver", "reply"), ("egress", "reply"), "Reply"),
    stream(("sender", "order"), ("egress", "order"), "Order"),
    stream(("sender", "passed"), ("egress", "passed"), "Passed"),
    stream(("", "work"), ("sender", "work"), "Work"),
    stream(("sender", "sent"), ("", "sent"), "Sent"),
    stream(("sender", "fetch"), ("", "fetch"), "Place"),
    stream(("receiver", "received"), ("", "received"), "Received"),
    stream(("registers", "sender_control"), ("sender", "control"), "SenderControl"),
    stream(("registers", "receiver_control"), ("receiver", "control"), "ReceiverControl"),
    stream(("registers", "receiver_bar"), ("receiver", "bar"), "Bar"),
    stream(("registers", "ingress_peer"), ("ingress", "peer"), "IngressPeer"),
    stream(("registers", "egress_peer"), ("egress", "peer"), "EgressPeer"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fields_have_bits_and_a_meaning() {
        for (at, word) in WORDS.iter().enumerate() {
            assert!(WORDS[..at].iter().all(|other| other.name != word.name), "{} is there twice", word.name);
            let fields: Vec<&Field> = word.fields.iter().chain(word.user).collect();
            for (at, field) in fields.iter().enumerate() {
                let place = format!("{}.{}", word.name, field.name);
                assert!(fields[..at].iter().all(|other| other.name != field.name), "{place} is there twice");
                assert!(field.bits > 0 && !field.doc.is_empty(), "{place}");
            }
        }
    }

    #[test]
    fn a_field_begins_where_the_one_before_it_ends() {
        let word = Word::named("Acknowledgement").unwrap();
        assert_eq!(word.slice("nack"), Some(Slice { low: 0, bits: 1 }));
        assert_eq!(word.slice("bitmap"), Some(Slice { low: 49, bits: 256 }));
        assert_eq!(word.slice("evs"), Some(Slice { low: 378, bits: 256 }));
        assert_eq!((word.slice("list"), word.bits()), (None, 634));
    }

    #[test]
    fn fields_of_a_header_lie_in_it_and_packets_have_headers_that_exist() {
        for header in [&UDP].into_iter().chain(HEADERS) {
            for field in header.fields {
                let ends = field.byte + field.word_bytes();
                assert!(ends <= header.bytes && field.low <= field.high && field.high < 64, "{field:?}");
            }
        }
        for (packet, headers) in PACKETS {
            for name in *headers {
                assert!(place(packet, name).is_some(), "{packet}.{name}");
            }
        }
    }

    #[test]
    fn a_field_of_a_packet_lies_where_its_byte_is() {
        let psn = |from, to| in_packet("Ack", "Bth", Some("psn"), from, to);
        assert_eq!(psn(0, 64), Some(Slice { low: 352, bits: 24 }));
        assert_eq!((psn(20, 64), psn(0, 16)), (None, None), "a number without these bytes");
        assert_eq!(in_packet("Last", "Xeth", Some("msn"), 0, 64), Some(Slice { low: 128, bits: 16 }));
        assert_eq!(in_packet("Ack", "Evx", None, 64, 120), Some(Slice { low: 0, bits: 288 }));
        assert_eq!(in_packet("Data", "ImmDt", None, 0, 64), None, "a packet without this header");
    }
}
