//! A block's output register and one more word, clock for clock (`hdl/src/part/skid.rs`), so that the
//! pipeline's enable is a register.

/// Words of `T`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Skid<T> {
    held: Option<T>,
    offered: bool,
    word: T,
}

impl<T: Copy> Skid<T> {
    /// The pipeline moves in this clock.
    #[inline]
    pub fn run(&self) -> bool {
        self.held.is_none()
    }

    /// A word is offered.
    #[inline]
    pub fn offers(&self) -> bool {
        self.offered
    }

    /// The word that is offered.
    #[inline]
    pub fn offered(&self) -> Option<T> {
        self.offered.then_some(self.word)
    }

    /// The word that is offered, or that was offered last.
    #[inline]
    pub fn word(&self) -> T {
        self.word
    }

    /// A clock edge: the pipeline delivers `word`, if it moves; with `ready` the offered word is accepted.
    #[inline]
    pub fn clock(&mut self, word: Option<T>, ready: bool) {
        let word = if self.run() { word } else { self.held };
        if ready || !self.offered {
            self.offered = word.is_some();
            self.word = word.unwrap_or(self.word);
            self.held = None;
        } else {
            self.held = word;
        }
    }
}
