//! Registers, pages and counters by name, offset and index.

use super::description::*;
use super::{counted, map, nscc};
use std::ops::Range;
use std::sync::OnceLock;

impl Page {
    /// Offsets of the page.
    pub fn range(&self) -> Range<u16> {
        self.offset..self.offset + PAGE
    }

    /// Number of the page: the upper ten bits of its offsets.
    pub fn number(&self) -> u64 {
        (self.offset / PAGE).into()
    }

    /// The words of the page that exist, each with its register.
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

    /// The counters of a page of counters: bit *i* says that counter *i* exists.
    pub fn counters(&self) -> u64 {
        self.those(|_| true)
    }

    /// The wide counters of a page: bit *i* says that counter *i* has more than 16 bits in its block.
    pub fn wide(&self) -> u64 {
        self.those(|counter| counter.port.as_ref().is_some_and(|port| port.bits > 16))
    }

    /// One bit for each counter of the page for which `such` is true.
    fn those(&self, such: impl Fn(&Register) -> bool) -> u64 {
        let counters = self.registers().filter(|register| register.is_counter() && such(register));
        counters.fold(0, |bits, counter| bits | 1 << ((counter.offset - self.offset) / COUNTER))
    }

    /// Registers of the page, by offset.
    pub fn registers(&self) -> impl Iterator<Item = &'static Register> + use<> {
        let range = self.range();
        registers().iter().filter(move |register| range.contains(&register.offset))
    }
}

impl Register {
    /// The meaning of a register of SMaRTT in a NIC with NSCC.
    pub fn with_nscc(&self) -> Option<&'static str> {
        nscc::meaning(self.port.as_ref()?.name.strip_prefix("cfg_smartt_")?)
    }

    /// The meaning in every NIC.
    pub fn meaning(&self) -> String {
        self.with_nscc().map_or_else(|| self.doc.clone(), |nscc| format!("{}; with NSCC: {nscc}", self.doc))
    }
}

impl Part {
    /// The register of the part, with the part's lowest bit and width in the register. `None` if the part
    /// belongs to the command.
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

    /// Width in bits.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Open => 1,
            Self::Op => 3,
            _ => self.source().map_or(0, |(_, _, width)| width),
        }
    }
}

/// The words that COMMAND sends.
pub fn controls() -> &'static [Control; 4] {
    &map::CONTROLS
}

/// The page with a name.
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

/// The register with a name.
pub fn register(name: &str) -> Option<&'static Register> {
    registers().iter().find(|register| register.name == name)
}

/// The register with a word at this offset, and the number of the word.
pub fn at(offset: u16) -> Option<(&'static Register, u16)> {
    registers().iter().find_map(|register| {
        let word = offset.checked_sub(register.offset)? / WORD;
        (word < register.words()).then_some((register, word))
    })
}

/// The counters by index, which is the order of their offsets.
pub fn counters() -> impl Iterator<Item = &'static Register> {
    registers().iter().filter(|register| register.is_counter())
}

/// The index of the counter whose low word is at this offset.
pub fn counter_at(offset: u32) -> Option<usize> {
    counters().position(|register| u32::from(register.offset) == offset)
}

/// Number of counters.
pub const COUNTERS: usize = counted::COUNTERS;

/// The indices of a block's counters, in the order in which the block's page lists them.
pub const fn counters_of(block: &str) -> Range<usize> {
    let (mut start, mut range, mut group) = (0, 0..0, 0);
    while group < counted::COUNTER_BLOCKS.len() {
        let of_group = counted::COUNTER_BLOCKS[group];
        let end = start + of_group.counters.len();
        if is_same(of_group.block.as_bytes(), block.as_bytes()) {
            let first = if range.end == 0 { start } else { range.start };
            range = first..end;
        }
        start = end;
        group += 1;
    }
    range
}

/// Equality of two names, in a form that the compiler can evaluate.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
