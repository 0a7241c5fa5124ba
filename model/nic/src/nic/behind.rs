//! Keeps completions behind the data that a width converter still holds (rule 10), with the timing of
//! `hdl/src/block/nic/behind.rs`.

/// Maximum number of narrow words in the converter: those of one wide word, and two at the converter's
/// output.
const HELD: u8 = 6;

/// A waiting completion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Behind<T> {
    some: bool,
    word: T,
    /// Narrow words that must leave first.
    left: u8,
}

impl<T: Copy> Behind<T> {
    /// Takes a completion in this clock.
    pub(super) fn ready(&self) -> bool {
        !self.some
    }

    /// A completion is offered.
    pub(super) fn offers(&self) -> bool {
        self.some && self.left == 0
    }

    /// The completion that is offered, or that was offered last.
    pub(super) fn word(&self) -> T {
        self.word
    }

    /// A clock edge: a narrow word `leaves` the converter, or it is `idle`.
    pub(super) fn clock(&mut self, word: Option<T>, leaves: bool, idle: bool, ready: bool) {
        let gone = self.offers() && ready;
        if let Some(word) = word.filter(|_| !self.some) {
            (self.some, self.word, self.left) = (true, word, HELD);
            return;
        }
        self.some &= !gone;
        self.left = if idle { 0 } else { self.left.saturating_sub(leaves.into()) };
    }
}
