//! The registers of the NIC (page `docs/blocks/registers.md`): the one description from which `weft registers`
//! generates the AXI4-Lite block, the Rust constants, the C header and the table `docs/registers.md`.

mod csr;
mod map;
pub mod offsets;

pub use csr::NicCsr;
pub use map::{ID, VERSION};

use std::ops::Range;
use std::sync::OnceLock;

/// Bytes of a word.
pub const WORD: u16 = 4;
/// Words of a page: what one block of the RTL holds.
pub const PAGE_WORDS: u16 = 16;
/// Bytes of a page.
pub const PAGE: u16 = PAGE_WORDS * WORD;

/// What software may do with a register.
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
    /// What it means.
    pub doc: &'static str,
}

/// Where a register's value goes to, or comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The port of `weft_registers`: `cfg_<block>_<name>` or `stat_<block>_<name>`.
    pub name: String,
    /// The value's lowest bit there: above 0 when several registers lie side by side in one port.
    pub lsb: u32,
    /// Bits of the port.
    pub width: u32,
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
    /// What software may do.
    pub access: Access,
    /// Its value after reset; of a counter and of the time, what it starts from.
    pub reset: u128,
    /// Its parts, if it has parts.
    pub fields: &'static [Field],
    /// Its port, unless it stays inside the block.
    pub port: Option<Port>,
    /// What it means.
    pub doc: String,
    /// How it stands in [`NicCsr`].
    csr: Option<csr::Place>,
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

/// What a page of 16 words is in the RTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Registers that software writes.
    Stored,
    /// As [`Kind::Stored`], but a write during a command answers SLVERR.
    Staged,
    /// Values that come from elsewhere, read-only.
    Shown,
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
    /// What it is.
    pub kind: Kind,
    /// Its heading.
    pub doc: &'static str,
}

impl Page {
    /// Its offsets.
    pub fn range(&self) -> Range<u16> {
        self.offset..self.offset + PAGE
    }

    /// Its number: the upper ten bits of its offsets.
    pub fn number(&self) -> u64 {
        (self.offset / PAGE).into()
    }

    /// Its words that exist, with the register that each one is of.
    pub fn words(&self) -> impl Iterator<Item = (u16, &'static Register)> + use<> {
        let base = self.offset;
        self.registers().flat_map(move |register| {
            register.offsets().map(move |offset| ((offset - base) / WORD, register))
        })
    }

    /// Bit *i*: word *i* exists.
    pub fn exists(&self) -> u64 {
        self.words().fold(0, |exists, (word, _)| exists | 1 << word)
    }

    /// Its registers, by their offsets.
    pub fn registers(&self) -> impl Iterator<Item = &'static Register> + use<> {
        let range = self.range();
        registers().iter().filter(move |register| range.contains(&register.offset))
    }
}

/// What COMMAND is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Op {
    /// Close the connection in ingress, receiver and sender.
    Close = 0,
    /// Open it in all blocks, with what is staged.
    Open = 1,
    /// Seed the generator of entropy values.
    Seed = 2,
    /// Tell REPS that the paths of the connection are well again.
    PathOk = 3,
}

impl Op {
    /// By their codes.
    pub const ALL: [Self; 4] = [Self::Close, Self::Open, Self::Seed, Self::PathOk];

    /// Its name in the generated files.
    pub fn name(self) -> &'static str {
        ["close", "open", "seed", "path_ok"][self as usize]
    }

    /// The value to write to COMMAND.
    pub fn command(self, connection: u32) -> u32 {
        u32::from(self as u8) << map::OP_LSB | connection
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
    /// What lies in it side by side, the first lowest.
    pub parts: &'static [Part],
}

/// A part of a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// 1 bit: the command is [`Op::Open`].
    Open,
    /// 2 bits: the command.
    Op,
    /// A staged register.
    Value(&'static str),
    /// A field of a staged register.
    Field(&'static str, &'static str),
}

impl Part {
    /// The register it is of, its lowest bit there and its bits; `None`: it is of the command.
    pub fn source(&self) -> Option<(&'static Register, u32, u32)> {
        match *self {
            Self::Open | Self::Op => None,
            Self::Value(name) => register(name).map(|register| (register, 0, register.bits)),
            Self::Field(name, field) => {
                let register = register(name)?;
                register.field(field).map(|field| (register, field.lsb, field.width))
            }
        }
    }

    /// Its bits.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Open => 1,
            Self::Op => 2,
            _ => self.source().map_or(0, |(_, _, width)| width),
        }
    }
}

impl Control {
    /// Its bits.
    pub fn bits(&self) -> u32 {
        self.parts.iter().map(Part::bits).sum()
    }
}

/// The words that COMMAND sends.
pub fn controls() -> &'static [Control; 4] {
    &map::CONTROLS
}

/// A page by its name.
pub fn page(name: &str) -> Option<&'static Page> {
    pages().iter().find(|page| page.name == name)
}

/// All registers, by their offsets.
pub fn registers() -> &'static [Register] {
    static ALL: OnceLock<Vec<Register>> = OnceLock::new();
    ALL.get_or_init(map::registers)
}

/// All pages, by their offsets.
pub fn pages() -> &'static [Page] {
    map::PAGES
}

/// A register by its name.
pub fn register(name: &str) -> Option<&'static Register> {
    registers().iter().find(|register| register.name == name)
}

/// The register that has a word at this offset, and the word's number in it.
pub fn at(offset: u16) -> Option<(&'static Register, u16)> {
    registers().iter().find_map(|register| {
        let word = offset.checked_sub(register.offset)? / WORD;
        (word < register.words()).then_some((register, word))
    })
}

/// The counters by their index: the registers with a `stat_*` port, in the order of their offsets.
pub fn counters() -> impl Iterator<Item = &'static Register> {
    registers().iter().filter(|register| register.port.is_some() && register.access == Access::ReadOnly)
}

/// How many counters there are.
pub const COUNTERS: usize = map::COUNTERS;

/// The indices of a block's counters, in the order in which the block's page lists them.
pub fn counters_of(block: &str) -> Range<usize> {
    let mut start = 0;
    for (name, counters) in map::counters() {
        if name == block {
            return start..start + counters.len();
        }
        start += counters.len();
    }
    start..start
}

/// The writes that set all of the NIC's configuration, every word once.
pub fn writes(csr: &NicCsr) -> Vec<(u16, u32)> {
    let mut writes = Vec::new();
    for register in registers() {
        if let Some(place) = &register.csr {
            writes.extend(register.writes(place.get(csr)));
        }
    }
    writes
}

/// The configuration that the registers hold, `read` giving the word at an offset.
pub fn decode(mut read: impl FnMut(u16) -> u32) -> NicCsr {
    let mut csr = NicCsr::default();
    for register in registers() {
        if let Some(place) = &register.csr {
            place.set(&mut csr, register.value(&mut read));
        }
    }
    // It is no register: it follows from cfg_sender_mtu_shift.
    csr.sender.sack.mtu_bytes = 1 << csr.sender.mtu_shift;
    csr
}

/// What is staged before a connection is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// The peer's address: IPv6, or IPv4 in the low 32 bits.
    pub peer_address: u128,
    /// It is an IPv6 address.
    pub peer_v6: bool,
    /// MAC address of the next hop, the first byte on the wire highest.
    pub peer_mac: u64,
    /// Frames get a VLAN tag with this TCI.
    pub peer_tag: Option<u16>,
    /// The peer's queue pair, 24 bits.
    pub peer_qp: u32,
    /// The first PSN sent, 24 bits.
    pub send_psn: u32,
    /// The first PSN expected, 24 bits.
    pub receive_psn: u32,
    /// Where the memory region of the peer's writes begins.
    pub region_base: u64,
    /// Its bytes.
    pub region_length: u32,
    /// Its key.
    pub region_key: u32,
    /// Class of the base RTT, 0 to 3.
    pub class: u8,
    /// Entropy value of mode FIXED.
    pub ev: u16,
    /// Seed of the generator of entropy values.
    pub seed: u32,
}

impl Staged {
    /// The writes that stage it; a write of COMMAND follows.
    pub fn writes(&self) -> Vec<(u16, u32)> {
        let tag = self.peer_tag.map_or(0, |tag| u32::from(tag) | 1 << map::TAGGED_LSB);
        let path = u32::from(self.ev) | u32::from(self.class) << map::CLASS_LSB;
        let values: [(&str, u128); 11] = [
            ("peer_address", self.peer_address),
            ("peer_mac", self.peer_mac.into()),
            ("peer_qp", self.peer_qp.into()),
            ("peer_link", (tag | u32::from(self.peer_v6) << map::V6_LSB).into()),
            ("send_psn", self.send_psn.into()),
            ("receive_psn", self.receive_psn.into()),
            ("region_base", self.region_base.into()),
            ("region_length", self.region_length.into()),
            ("region_key", self.region_key.into()),
            ("send_path", path.into()),
            ("seed", self.seed.into()),
        ];
        values
            .into_iter()
            .filter_map(|(name, value)| register(name).map(|register| register.writes(value)))
            .flatten()
            .collect()
    }
}

#[cfg(test)]
mod tests;
