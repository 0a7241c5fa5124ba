//! A dump of registers: text or binary, of all registers or of the counters alone.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use weft_params::registers::{
    COUNTERS_AT, ID, PAGE, Register, VERSION, at, counters, offsets, pages, register,
};

/// Bytes of a word.
const WORD: usize = 4;

/// Words by their offsets.
#[derive(Debug)]
pub(crate) struct Dump(BTreeMap<u16, u32>);

/// Offset after the last register.
fn end() -> usize {
    pages().last().map_or(0, |page| usize::from(page.offset + PAGE))
}

impl Dump {
    /// Reads a dump. A dump without all counters is an error.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        ensure!(!bytes.is_empty(), "the dump is empty");
        let plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let dump = match std::str::from_utf8(bytes) {
            Ok(text) if bytes.iter().all(plain) => Self::of_text(text)?,
            _ => Self::of_binary(bytes)?,
        };
        dump.check()?;
        Ok(dump)
    }

    fn of_text(text: &str) -> Result<Self> {
        let mut words = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default();
            let mut numbers = line.split_whitespace();
            let (Some(offset), value, None) = (numbers.next(), numbers.next(), numbers.nth(0)) else {
                ensure!(line.trim().is_empty(), "line {number} is not an offset and a value");
                continue;
            };
            let hexadecimal = |word: &str| {
                let digits = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
                let said = u32::from_str_radix(digits.trim_end_matches(':'), 16);
                said.with_context(|| {
                    format!("line {number}: {word:.20} is not a hexadecimal number of 32 bits")
                })
            };
            let offset = hexadecimal(offset)?;
            let value = value.with_context(|| format!("line {number} has no value: the dump is cut off"))?;
            let value = hexadecimal(value)?;
            let offset = u16::try_from(offset).ok().filter(|offset| offset.is_multiple_of(WORD as u16));
            let offset = offset.with_context(|| format!("line {number}: no register has this offset"))?;
            ensure!(words.insert(offset, value).is_none(), "line {number}: {offset:#06x} is given twice");
        }
        Ok(Self(words))
    }

    fn of_binary(bytes: &[u8]) -> Result<Self> {
        let begin = usize::from(COUNTERS_AT);
        let (whole, region) = (end(), end() - begin);
        let first = match bytes.len() {
            len if len == whole => 0,
            len if len == region => begin,
            len => bail!(
                "the dump has {len} bytes: neither text, nor the words of all registers ({whole} bytes) or of the counters \
                 ({region} bytes); the file is cut off, or is not a dump"
            ),
        };
        let mut words = BTreeMap::new();
        for (offset, word) in (first..).step_by(WORD).zip(bytes.chunks_exact(WORD)) {
            let offset = offset as u16;
            let value = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            match at(offset) {
                Some(_) => {
                    words.insert(offset, value);
                }
                None => {
                    ensure!(value == 0, "{offset:#06x} is {value:#x}, where a NIC has no register")
                }
            }
        }
        Ok(Self(words))
    }

    /// Checks that the dump has all counters, with the map of registers that this program has.
    fn check(&self) -> Result<()> {
        if let Some(id) = self.0.get(&offsets::ID) {
            ensure!(*id == ID, "ID reads {id:#010x}: this is not a dump of a weft NIC");
        }
        if let Some(version) = self.0.get(&offsets::VERSION) {
            let (major, known) = (version >> 16, VERSION >> 16);
            ensure!(
                major == known,
                "the dump has version {major} of the registers; this program reads version {known}"
            );
        }
        for counter in counters() {
            for offset in counter.offsets() {
                ensure!(
                    self.0.contains_key(&offset),
                    "no word at {offset:#06x} ({}): the file is cut off, or is not a dump of the counters",
                    counter.name
                );
            }
        }
        for name in ["rtt_latest", "rtt_smallest"] {
            let gauge = register(name).filter(|gauge| self.has(gauge)).map(|gauge| self.value(gauge));
            ensure!(
                gauge.is_none_or(|value| value <= 0xFFFF),
                "{name} has more than 16 bits: this is not a dump of a NIC"
            );
        }
        Ok(())
    }

    /// Whether the register is in the dump.
    pub(crate) fn has(&self, register: &Register) -> bool {
        register.offsets().all(|offset| self.0.contains_key(&offset))
    }

    /// The value of a register.
    pub(crate) fn value(&self, register: &Register) -> u64 {
        register.value(|offset| self.0.get(&offset).copied().unwrap_or_default()) as u64
    }
}
