//! A narrow stream as one of 64 bytes, clock for clock (`hdl/src/part/widen.rs`).

use crate::part::skid::Skid;
use crate::words::Beat;

/// Words of so many bytes, put side by side.
#[derive(Clone, Copy, Debug)]
pub struct Widen {
    bytes: usize,
    /// Where the next word goes.
    place: usize,
    beat: Beat,
    whole: bool,
    skid: Skid<Beat>,
}

impl Widen {
    /// For words of `bytes` bytes, 16 or 32.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, place: 0, beat: Beat::default(), whole: false, skid: Skid::default() }
    }

    /// Takes a word in this clock.
    pub fn ready(&self) -> bool {
        self.skid.run()
    }

    /// The wide words.
    pub fn output(&self) -> &Skid<Beat> {
        &self.skid
    }

    /// A clock edge: `word` has its bytes in the low ones of a beat.
    pub fn clock(&mut self, word: Option<&Beat>, ready: bool) {
        let run = self.ready();
        self.skid.clock(self.whole.then_some(self.beat), ready);
        if !run {
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
