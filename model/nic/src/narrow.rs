//! A stream of 64 bytes as a narrow one, clock for clock (`hdl/src/narrow.rs`).

use crate::nic::words::Beat;
use crate::skid::Skid;

/// Words of so many bytes, cut from wide ones.
#[derive(Clone, Copy, Debug)]
pub struct Narrow {
    bytes: usize,
    /// What is left of the word that is cut.
    cut: Option<Beat>,
    /// The word that waits behind it.
    next: Option<Beat>,
    skid: Skid<Beat>,
}

impl Narrow {
    /// Into words of `bytes` bytes, 16 or 32.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, cut: None, next: None, skid: Skid::default() }
    }

    /// Takes a word in this clock.
    pub fn ready(&self) -> bool {
        self.next.is_none()
    }

    /// The narrow words, their bytes in the low ones of a beat.
    pub fn output(&self) -> &Skid<Beat> {
        &self.skid
    }

    /// A clock edge.
    pub fn clock(&mut self, word: Option<&Beat>, ready: bool) {
        let run = self.skid.run();
        if self.next.is_none() {
            self.next = word.copied();
        }
        let (mut leaves, mut rest) = (None, self.cut);
        if let Some(beat) = self.cut.filter(|_| run) {
            let words = self.bytes / 8;
            let mut narrow = Beat { keep: beat.keep & ((1 << self.bytes) - 1), ..Beat::default() };
            narrow.data[..words].copy_from_slice(&beat.data[..words]);
            let mut left = beat;
            left.data.rotate_left(words);
            left.data[8 - words..].fill(0);
            left.keep >>= self.bytes;
            let done = left.keep == 0;
            narrow.last = beat.last && done;
            narrow.bad = narrow.last && beat.bad;
            (leaves, rest) = (Some(narrow), (!done).then_some(left));
        }
        self.skid.clock(leaves, ready);
        self.cut = rest.or_else(|| self.next.take());
    }
}
