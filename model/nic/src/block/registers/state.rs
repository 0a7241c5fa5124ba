//! The words that are stored, by offset.

use weft_params::registers::{self, Kind, NicCsr, PAGE, Register, WORD};

/// A word that exists.
#[derive(Clone, Copy, Debug)]
struct Word {
    /// Kind of the page.
    kind: Kind,
    /// Bits of the register that exist.
    mask: u32,
    /// The word that is stored or always shown.
    value: u32,
    /// Index of the counter, if the word is one.
    counter: Option<usize>,
}

/// All words, by offset / 4.
#[derive(Clone, Debug)]
pub(super) struct Map(Vec<Option<Word>>);

impl Map {
    /// The registers after reset (rule 5).
    pub(super) fn new() -> Self {
        let end = registers::pages().last().map_or(0, |page| page.offset + PAGE);
        let mut words = vec![None; usize::from(end / WORD)];
        for page in registers::pages() {
            for (at, register) in page.words() {
                let part = at - (register.offset - page.offset) / WORD;
                let same = |counter: &Register| counter.offset == register.offset;
                words[usize::from(page.offset / WORD + at)] = Some(Word {
                    kind: page.kind,
                    mask: register.mask(part),
                    value: register.word(part),
                    counter: registers::counters().position(same),
                });
            }
        }
        Self(words)
    }

    fn word(&self, offset: u16) -> Option<&Word> {
        self.0.get(usize::from(offset / WORD))?.as_ref()
    }

    /// The stored word, or 0 if the address has no register.
    pub(super) fn stored(&self, offset: u16) -> u32 {
        self.word(offset).map_or(0, |word| word.value)
    }

    /// The word that a read returns; 0 for a counter.
    pub(super) fn read(&self, offset: u16) -> Option<u32> {
        self.word(offset).map(|word| word.value)
    }

    /// The counter that has a word at this offset.
    pub(super) fn counter(&self, offset: u16) -> Option<usize> {
        self.word(offset)?.counter
    }

    /// The word may be written: the word exists, may be written at all (rule 4), and no command reads it (rule 10).
    pub(super) fn accepts(&self, offset: u16, busy: bool) -> bool {
        self.word(offset).is_some_and(|word| match word.kind {
            Kind::Stored => true,
            Kind::Staged => !busy,
            Kind::Shown | Kind::Counted | Kind::Command => false,
        })
    }

    /// Writes a word, so a value of several words changes word by word (rule 6).
    pub(super) fn write(&mut self, offset: u16, data: u32) {
        if let Some(Some(word)) = self.0.get_mut(usize::from(offset / WORD)) {
            word.value = data & word.mask;
        }
    }

    /// The configuration.
    pub(super) fn csr(&self) -> NicCsr {
        registers::decode(|offset| self.stored(offset))
    }
}
