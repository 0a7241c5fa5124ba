//! The naive oracle: a word for every offset that software can write, as the description has them.

use std::collections::BTreeMap;
use weft_params::registers::{self as map, Access, offsets};

/// The response to what is done.
pub const OKAY: u8 = 0;
/// The response to what is refused.
pub const SLVERR: u8 = 2;

/// What an offset holds.
#[derive(Clone, Copy, Debug)]
enum Word {
    /// What was written, of the bits that there are.
    Stored { value: u32, mask: u32 },
    /// What comes from elsewhere.
    Shown,
}

/// All registers as software sees them.
#[derive(Clone, Debug)]
pub struct Oracle {
    words: BTreeMap<u16, Word>,
}

impl Default for Oracle {
    /// As they are after reset.
    fn default() -> Self {
        let words = map::registers().iter().flat_map(|register| {
            let stored = register.access == Access::ReadWrite && register.name != "command";
            register.offsets().zip(0..).map(move |(offset, word)| {
                let (value, mask) = (register.word(word), register.mask(word));
                (offset, if stored { Word::Stored { value, mask } } else { Word::Shown })
            })
        });
        Self { words: words.collect() }
    }
}

impl Oracle {
    /// A write was answered. The error says what is wrong.
    pub fn write(&mut self, address: u16, data: u32, strobes: u8, response: u8) -> Result<(), String> {
        let offset = address & !3;
        let word = self.words.get_mut(&offset);
        // A command may be busy with what is staged.
        let guarded = (offsets::PEER_ADDRESS..=offsets::COMMAND).contains(&offset);
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

    /// A read was answered. The error says what is wrong.
    pub fn read(&self, address: u16, data: u32, response: u8) -> Result<(), String> {
        let offset = address & !3;
        match (self.words.get(&offset), response) {
            (Some(Word::Stored { value, .. }), OKAY) if *value == data => Ok(()),
            (Some(Word::Shown), OKAY) | (None, SLVERR) => Ok(()),
            (word, _) => Err(format!("a read of {offset:#x} brings {data:#x} with {response}: {word:x?}")),
        }
    }
}
