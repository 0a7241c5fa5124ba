//! A narrow stream as one of 64 bytes, clock for clock (`hdl/src/part/widen.rs`).

use crate::words::Beat;

/// Joins words of a number of bytes to wide words.
#[derive(Clone, Copy, Debug)]
pub struct Widen {
    bytes: usize,
    /// Place of the next word.
    place: usize,
    beat: Beat,
    whole: bool,
}

impl Widen {
    /// A widener of words of `bytes` bytes, 16 or 32.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, place: 0, beat: Beat::default(), whole: false }
    }

    /// Whether the block accepts a word in this clock, given whether the wide word leaves.
    pub fn ready(&self, taken: bool) -> bool {
        !self.whole || taken
    }

    /// The wide word that is offered.
    pub fn offered(&self) -> Option<Beat> {
        self.whole.then_some(self.beat)
    }

    /// The collected part of the wide word.
    pub fn word(&self) -> Beat {
        self.beat
    }

    /// A clock edge: the bytes of `word` are the low bytes of a beat; if `ready` is set, the wide word is
    /// accepted.
    pub fn clock(&mut self, word: Option<&Beat>, ready: bool) {
        if !self.ready(ready) {
            return;
        }
        self.whole = false;
        let Some(word) = word else { return };
        if self.place == 0 {
            self.beat = Beat::default();
        }
        let at = self.place / 8;
        self.beat.data[at..at + self.bytes / 8].copy_from_slice(&word.data[..self.bytes / 8]);
        self.beat.keep |= word.keep << self.place;
        self.beat.last = word.last;
        self.beat.bad = word.bad && word.last;
        self.place += self.bytes;
        self.whole = word.last || self.place == Beat::BYTES;
        if self.whole {
            self.place = 0;
        }
    }
}
