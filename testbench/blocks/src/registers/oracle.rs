//! The naive oracle: one word for every offset that software can write, by the description of the registers.

use std::collections::BTreeMap;
use weft_params::registers::{self as map, Access, offsets};

/// Response to a permitted access.
pub const OKAY: u8 = 0;
/// Response to a refused access.
pub const SLVERR: u8 = 2;

/// Contents of an offset.
#[derive(Clone, Copy, Debug)]
enum Word {
    /// The written value, limited to the bits of the register.
    Stored { value: u32, mask: u32 },
    /// A value from elsewhere.
    Shown,
}

/// State of a counter.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Count since reset, and the part of the count that reads have cleared.
    counted: u64,
    cleared: u64,
    /// Count when the pending read was requested.
    asked: u64,
}

/// All registers, as software reads them.
#[derive(Clone, Debug)]
pub struct Oracle {
    words: BTreeMap<u16, Word>,
    counts: Vec<Count>,
}

/// Counter of an offset, and whether the offset is that of its high word.
fn counter(offset: u16) -> Option<(usize, bool)> {
    let at = map::counters().position(|counter| counter.offsets().any(|of| of == offset));
    at.map(|at| (at, !offset.is_multiple_of(8)))
}

impl Default for Oracle {
    /// Registers after reset.
    fn default() -> Self {
        let words = map::registers().iter().flat_map(|register| {
            let stored = register.access == Access::ReadWrite && register.name != "command";
            register.offsets().zip(0..).map(move |(offset, word)| {
                let (value, mask) = (register.word(word), register.mask(word));
                (offset, if stored { Word::Stored { value, mask } } else { Word::Shown })
            })
        });
        Self { words: words.collect(), counts: vec![Count::default(); map::COUNTERS] }
    }
}

impl Oracle {
    /// A write was answered. An error describes the fault.
    pub fn write(&mut self, address: u16, data: u32, strobes: u8, response: u8) -> Result<(), String> {
        let offset = address & !3;
        let word = self.words.get_mut(&offset);
        // A command may be busy with the staged values.
        let staged = (offsets::PEER_ADDRESS..=offsets::COMMAND).contains(&offset);
        let guarded = staged || offset == offsets::PEER_PKEY;
        let due = if matches!(word, Some(Word::Stored { .. })) { OKAY } else { SLVERR };
        if response != due && !guarded {
            return Err(format!("a write to {offset:#x} is answered with {response}"));
        }
        if let Some(Word::Stored { value, mask }) = word
            && response == OKAY
        {
            let bytes = (0..4).filter(|byte| strobes >> byte & 1 == 1);
            let written = bytes.fold(0, |bits, byte| bits | 0xFF << (8 * byte)) & *mask;
            *value = *value & !written | data & written;
        }
        Ok(())
    }

    /// A block counts.
    pub fn count(&mut self, counter: usize, by: u32) {
        self.counts[counter].counted += u64::from(by);
    }

    /// A read is requested.
    pub fn ask(&mut self) {
        self.counts.iter_mut().for_each(|count| count.asked = count.counted);
    }

    /// Checks a read of a counter: the value is at least the count at the request, and at most the present
    /// count. Sums stay below 2^32.
    fn counted(&mut self, counter: usize, high: bool, data: u32) -> Result<(), String> {
        let clears = matches!(self.words.get(&offsets::COUNTERS), Some(Word::Stored { value: 1, .. }));
        let count = &mut self.counts[counter];
        let said = if high { 0 } else { u64::from(data) + count.cleared };
        let right = if high { data == 0 } else { (count.asked..=count.counted).contains(&said) };
        if clears && !high {
            count.cleared = said;
        }
        if right { Ok(()) } else { Err(format!("counter {counter} says {data}: {count:?}")) }
    }

    /// A read was answered. An error describes the fault.
    pub fn read(&mut self, address: u16, data: u32, response: u8) -> Result<(), String> {
        let offset = address & !3;
        if let (Some((counter, high)), OKAY) = (counter(offset), response) {
            return self.counted(counter, high, data);
        }
        match (self.words.get(&offset), response) {
            (Some(Word::Stored { value, .. }), OKAY) if *value == data => Ok(()),
            (Some(Word::Shown), OKAY) | (None, SLVERR) => Ok(()),
            (word, _) => Err(format!("a read of {offset:#x} brings {data:#x} with {response}: {word:x?}")),
        }
    }
}
