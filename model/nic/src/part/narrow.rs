//! A stream of 64 bytes as a narrow one, clock for clock (`hdl/src/part/narrow.rs`).

use crate::part::skid::Skid;
use crate::words::Beat;

/// Words of so many bytes, cut from wide ones. `T` goes along with each.
#[derive(Clone, Copy, Debug)]
pub struct Narrow<T> {
    bytes: usize,
    /// What is left of the word that is cut.
    cut: Option<(Beat, T)>,
    /// The word that waits behind it.
    next: Option<(Beat, T)>,
    skid: Skid<(Beat, T)>,
}

impl<T: Copy + Default> Narrow<T> {
    /// Into words of `bytes` bytes, 16 or 32.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, cut: None, next: None, skid: Skid::default() }
    }

    /// Takes a word in this clock.
    pub fn ready(&self) -> bool {
        self.next.is_none()
    }

    /// No word is in here.
    pub fn idle(&self) -> bool {
        self.cut.is_none() && self.next.is_none() && self.skid.run() && !self.skid.offers()
    }

    /// The narrow words, their bytes in the low ones of a beat.
    pub fn output(&self) -> &Skid<(Beat, T)> {
        &self.skid
    }

    /// A clock edge.
    pub fn clock(&mut self, word: Option<(Beat, T)>, ready: bool) {
        let run = self.skid.run();
        if self.next.is_none() {
            self.next = word;
        }
        let (mut leaves, mut rest) = (None, self.cut);
        if let Some((beat, side)) = self.cut.filter(|_| run) {
            let words = self.bytes / 8;
            let mut narrow = Beat { data: [0; 8], keep: beat.keep & ((1 << self.bytes) - 1), ..beat };
            narrow.data[..words].copy_from_slice(&beat.data[..words]);
            let mut left = beat;
            left.data.rotate_left(words);
            left.data[8 - words..].fill(0);
            left.keep >>= self.bytes;
            let done = left.keep == 0;
            narrow.last = beat.last && done;
            (leaves, rest) = (Some((narrow, side)), (!done).then_some((left, side)));
        }
        self.skid.clock(leaves, ready);
        self.cut = rest.or_else(|| self.next.take());
    }
}
