//! Descriptions of registers, pages and commands.

use super::csr::Place;

/// Number of bytes of a word.
pub const WORD: u16 = 4;
/// Number of words of a page, which is one block of the RTL.
pub const PAGE_WORDS: u16 = 16;
/// Number of bytes of a page.
pub const PAGE: u16 = PAGE_WORDS * WORD;

/// Offset of the counters, in bytes.
pub const COUNTERS_AT: u16 = 0x1000;
/// Number of bytes of a counter.
pub const COUNTER: u16 = 8;
/// Number of bits of a counter.
pub const COUNTER_BITS: u32 = 64;

/// Lowest bits of fields that functions of this crate assemble.
pub(super) const OP_LSB: u32 = 16;
pub(super) const TAGGED_LSB: u32 = 16;
pub(super) const V6_LSB: u32 = 17;
pub(super) const CLASS_LSB: u32 = 16;

/// P_Key of a connection that has none of its own: full member of the default partition.
pub const DEFAULT_PKEY: u16 = 0xFFFF;

/// The access of software to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read only. A write returns SLVERR.
    ReadOnly,
    /// Read and write.
    ReadWrite,
}

/// A field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the field, lower case.
    pub name: &'static str,
    /// Lowest bit.
    pub lsb: u32,
    /// Width in bits.
    pub width: u32,
    /// The meaning.
    pub doc: &'static str,
}

/// The port that gets a register's value, or gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The port of `weft_registers`: `cfg_<block>_<name>` or `stat_<block>_<name>`.
    pub name: String,
    /// Lowest bit of the value in the port: above 0 if several registers are side by side in one port.
    pub lsb: u32,
    /// Width of the value in the port: the width of the register, or for a counter the width in its block.
    pub bits: u32,
    /// Width of the port.
    pub width: u32,
}

/// A port with one value, at bit `lsb`.
pub(super) fn port(kind: &str, block: &str, name: &str, lsb: u32, bits: u32) -> Port {
    Port { name: format!("{kind}_{block}_{name}"), lsb, bits, width: bits }
}

/// A value of up to 128 bits, in consecutive words, the lowest first.
#[derive(Clone, Debug)]
pub struct Register {
    /// Offset of the first word, in bytes.
    pub offset: u16,
    /// Name, lower case, with the block's name in front.
    pub name: String,
    /// Width in bits. Higher bits of the last word are not stored and read as 0.
    pub bits: u32,
    /// The access of software.
    pub access: Access,
    /// Value after reset. For a counter and for the time, the initial value.
    pub reset: u128,
    /// Fields of the register, if it has any.
    pub fields: &'static [Field],
    /// Port of the register, unless the register is only used inside the block.
    pub port: Option<Port>,
    /// The meaning.
    pub doc: String,
    /// Place of the value in [`NicCsr`].
    pub(super) csr: Option<Place>,
}

impl Register {
    /// Number of words.
    pub fn words(&self) -> u16 {
        self.bits.div_ceil(32) as u16
    }

    /// Offsets of the words.
    pub fn offsets(&self) -> impl Iterator<Item = u16> + use<> {
        let offset = self.offset;
        (0..self.words()).map(move |word| offset + WORD * word)
    }

    /// Whether the register accumulates a counter of a block.
    pub fn is_counter(&self) -> bool {
        self.offset >= COUNTERS_AT
    }

    /// The bits of the register in word `word`.
    pub fn mask(&self, word: u16) -> u32 {
        let bits = self.bits - 32 * u32::from(word);
        if bits >= 32 { u32::MAX } else { (1 << bits) - 1 }
    }

    /// Word `word` after reset.
    pub fn word(&self, word: u16) -> u32 {
        (self.reset >> (32 * word)) as u32
    }

    /// The field with a name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The writes that set the register to a value.
    pub fn writes(&self, value: u128) -> impl Iterator<Item = (u16, u32)> + use<> {
        self.offsets().enumerate().map(move |(word, offset)| (offset, (value >> (32 * word)) as u32))
    }

    /// The value, from the words.
    pub fn value(&self, mut read: impl FnMut(u16) -> u32) -> u128 {
        self.offsets()
            .enumerate()
            .fold(0, |value, (word, offset)| value | u128::from(read(offset)) << (32 * word))
    }
}

/// The kind of a page of 16 words in the RTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Registers that software writes.
    Stored,
    /// As [`Kind::Stored`], except that the bus answers a write during a command with SLVERR.
    Staged,
    /// Values from other blocks, read-only.
    Shown,
    /// Eight counters of 64 bits that add up the counts of blocks.
    Counted,
    /// The register COMMAND.
    Command,
}

/// 16 words that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Offset of the first word, in bytes.
    pub offset: u16,
    /// Name of the page and of its submodule in the RTL.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
    /// Heading of the page.
    pub doc: &'static str,
}

/// The operation of COMMAND.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    /// Close the connection in ingress, receiver and sender.
    Close = 0,
    /// Open the connection in all blocks, with the staged values.
    Open = 1,
    /// Seed the generator of entropy values.
    Seed = 2,
    /// Tell REPS that the paths of the connection work again.
    PathOk = 3,
    /// Reach the peer of an open connection by another next hop, with the staged values.
    Peer = 4,
    /// Accept no more work for the connection, and report the end of all its work.
    Drain = 5,
}

impl Op {
    /// All operations by their codes.
    pub const ALL: [Self; 6] = [Self::Close, Self::Open, Self::Seed, Self::PathOk, Self::Peer, Self::Drain];

    /// Name of the operation in the generated files.
    pub fn name(self) -> &'static str {
        ["close", "open", "seed", "path_ok", "peer", "drain"][self as usize]
    }

    /// The value to write to COMMAND.
    pub fn command(self, connection: u32) -> u32 {
        u32::from(self as u8) << OP_LSB | connection
    }
}

/// A word that COMMAND sends to a block. Its port is `m_axis_<name>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Name of the word.
    pub name: &'static str,
    /// The block that accepts the word.
    pub block: &'static str,
    /// The commands that send the word.
    pub ops: &'static [Op],
    /// The parts side by side, the first one lowest.
    pub parts: &'static [Part],
}

/// A part of a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// 1 bit: the command is [`Op::Open`].
    Open,
    /// 3 bits: the command. The sender gets none for [`Op::Peer`].
    Op,
    /// A staged register.
    Value(&'static str),
    /// A field of a staged register.
    Field(&'static str, &'static str),
}

impl Control {
    /// Width in bits.
    pub fn bits(&self) -> u32 {
        self.parts.iter().map(Part::bits).sum()
    }
}
