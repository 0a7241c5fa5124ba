//! A stream of 64 bytes as a narrow one, clock for clock (`hdl/src/part/narrow.rs`).

use crate::part::skid::Skid;
use crate::words::Beat;

/// Cuts words of a number of bytes from wide words. Each narrow word has a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Narrow<T> {
    bytes: usize,
    /// The rest of the word that is cut.
    cut: Option<(Beat, T)>,
    skid: Skid<(Beat, T)>,
}

impl<T: Copy + Default> Narrow<T> {
    /// Into words of `bytes` bytes, 16 or 32.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, cut: None, skid: Skid::default() }
    }

    /// Accepts a word in this clock: there is none, or its last part leaves.
    pub fn ready(&self) -> bool {
        self.cut.is_none_or(|(beat, _)| self.skid.run() && !self.goes_on(&beat))
    }

    /// Another part follows the first one: its first byte counts.
    fn goes_on(&self, beat: &Beat) -> bool {
        beat.keep >> self.bytes & 1 == 1
    }

    /// Whether the converter holds no word.
    pub fn idle(&self) -> bool {
        self.cut.is_none() && self.skid.run() && !self.skid.offers()
    }

    /// The narrow words, in the low bytes of a beat.
    pub fn output(&self) -> &Skid<(Beat, T)> {
        &self.skid
    }

    /// A clock edge.
    pub fn clock(&mut self, word: Option<(Beat, T)>, ready: bool) {
        let (run, takes) = (self.skid.run(), self.ready());
        let mut leaves = None;
        if let Some((beat, side)) = self.cut.filter(|_| run) {
            let words = self.bytes / 8;
            let mut narrow = Beat { data: [0; 8], keep: beat.keep & ((1 << self.bytes) - 1), ..beat };
            narrow.data[..words].copy_from_slice(&beat.data[..words]);
            narrow.last = beat.last && !self.goes_on(&beat);
            leaves = Some((narrow, side));
            let mut rest = beat;
            rest.data.rotate_left(words);
            rest.data[8 - words..].fill(0);
            rest.keep >>= self.bytes;
            self.cut = Some((rest, side));
        }
        self.skid.clock(leaves, ready);
        if takes {
            self.cut = word;
        }
    }
}
