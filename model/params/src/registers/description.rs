//! Descriptions of registers, pages and commands.

use super::csr::Place;

/// Bytes of a word.
pub const WORD: u16 = 4;
/// Words of a page, which is one block of the RTL.
pub const PAGE_WORDS: u16 = 16;
/// Bytes of a page.
pub const PAGE: u16 = PAGE_WORDS * WORD;

/// Where the counters begin, in bytes.
pub const COUNTERS_AT: u16 = 0x1000;
/// Bytes of a counter.
pub const COUNTER: u16 = 8;
/// Bits of a counter.
pub const COUNTER_BITS: u32 = 64;

/// Fields that functions of this crate put together.
pub(super) const OP_LSB: u32 = 16;
pub(super) const TAGGED_LSB: u32 = 16;
pub(super) const V6_LSB: u32 = 17;
pub(super) const CLASS_LSB: u32 = 16;

/// P_Key of a connection that names none: full member of the default partition.
pub const DEFAULT_PKEY: u16 = 0xFFFF;

/// The access of software to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read; a write answers SLVERR.
    ReadOnly,
    /// Read and write.
    ReadWrite,
}

/// Bits of a register that mean something by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, lower case.
    pub name: &'static str,
    /// Its lowest bit.
    pub lsb: u32,
    /// Its bits.
    pub width: u32,
    /// The meaning.
    pub doc: &'static str,
}

/// Where a register's value goes to, or comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The port of `weft_registers`: `cfg_<block>_<name>` or `stat_<block>_<name>`.
    pub name: String,
    /// The value's lowest bit there: above 0 when several registers lie side by side in one port.
    pub lsb: u32,
    /// The value's bits there: those of the register, or of a counter the ones that its block counts in.
    pub bits: u32,
    /// Bits of the port.
    pub width: u32,
}

/// A port of its own, or a value at `lsb` of one.
pub(super) fn port(kind: &str, block: &str, name: &str, lsb: u32, bits: u32) -> Port {
    Port { name: format!("{kind}_{block}_{name}"), lsb, bits, width: bits }
}

/// A value of up to 128 bits, in consecutive words, the lowest first.
#[derive(Clone, Debug)]
pub struct Register {
    /// Offset of its first word, in bytes.
    pub offset: u16,
    /// Its name, lower case, with the block's name in front.
    pub name: String,
    /// Its bits; those above in its last word are not kept and read 0.
    pub bits: u32,
    /// The access of software.
    pub access: Access,
    /// Its value after reset; for a counter and for the time, the start value.
    pub reset: u128,
    /// Its parts, if it has parts.
    pub fields: &'static [Field],
    /// Its port, unless it stays inside the block.
    pub port: Option<Port>,
    /// The meaning.
    pub doc: String,
    /// The place in [`NicCsr`].
    pub(super) csr: Option<Place>,
}

impl Register {
    /// Words that it takes.
    pub fn words(&self) -> u16 {
        self.bits.div_ceil(32) as u16
    }

    /// The offsets of its words.
    pub fn offsets(&self) -> impl Iterator<Item = u16> + use<> {
        let offset = self.offset;
        (0..self.words()).map(move |word| offset + WORD * word)
    }

    /// Whether the register adds up a counter of a block.
    pub fn is_counter(&self) -> bool {
        self.offset >= COUNTERS_AT
    }

    /// The bits that word `word` has.
    pub fn mask(&self, word: u16) -> u32 {
        let bits = self.bits - 32 * u32::from(word);
        if bits >= 32 { u32::MAX } else { (1 << bits) - 1 }
    }

    /// Its word `word` after reset.
    pub fn word(&self, word: u16) -> u32 {
        (self.reset >> (32 * word)) as u32
    }

    /// A field by its name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The writes that give it a value.
    pub fn writes(&self, value: u128) -> impl Iterator<Item = (u16, u32)> + use<> {
        self.offsets().enumerate().map(move |(word, offset)| (offset, (value >> (32 * word)) as u32))
    }

    /// Its value from its words.
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
    /// As [`Kind::Stored`], but a write during a command answers SLVERR.
    Staged,
    /// Values that come from elsewhere, read-only.
    Shown,
    /// Eight counters of 64 bits that add up the counts of blocks.
    Counted,
    /// The register COMMAND.
    Command,
}

/// 16 words that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Offset of its first word, in bytes.
    pub offset: u16,
    /// Its name: that of its submodule in the RTL.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
    /// Its heading.
    pub doc: &'static str,
}

/// The operation of COMMAND.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    /// Close the connection in ingress, receiver and sender.
    Close = 0,
    /// Open it in all blocks, with the staged values.
    Open = 1,
    /// Seed the generator of entropy values.
    Seed = 2,
    /// Send REPS the event that the paths of the connection are well again.
    PathOk = 3,
    /// Reach the peer of an open connection by another next hop, with the staged values.
    Peer = 4,
    /// Take no more work of the connection, and say when all that it has ended.
    Drain = 5,
}

impl Op {
    /// By their codes.
    pub const ALL: [Self; 6] = [Self::Close, Self::Open, Self::Seed, Self::PathOk, Self::Peer, Self::Drain];

    /// Its name in the generated files.
    pub fn name(self) -> &'static str {
        ["close", "open", "seed", "path_ok", "peer", "drain"][self as usize]
    }

    /// The value to write to COMMAND.
    pub fn command(self, connection: u32) -> u32 {
        u32::from(self as u8) << OP_LSB | connection
    }
}

/// A word for a block that COMMAND sends: its port is `m_axis_<name>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Its name.
    pub name: &'static str,
    /// The block that takes it.
    pub block: &'static str,
    /// Which commands send it.
    pub ops: &'static [Op],
    /// The parts side by side, the first lowest.
    pub parts: &'static [Part],
}

/// A part of a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// 1 bit: the command is [`Op::Open`].
    Open,
    /// 3 bits: the command; of [`Op::Peer`] the sender gets none.
    Op,
    /// A staged register.
    Value(&'static str),
    /// A field of a staged register.
    Field(&'static str, &'static str),
}

impl Control {
    /// Its bits.
    pub fn bits(&self) -> u32 {
        self.parts.iter().map(Part::bits).sum()
    }
}
