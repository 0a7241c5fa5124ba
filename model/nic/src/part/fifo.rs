//! A queue of words, clock for clock as in the RTL (`hdl/src/part/fifo.rs`). Words leave when they are
//! committed, and can be dropped until then.

use std::collections::VecDeque;

/// 2^depth words of `T`.
#[derive(Clone, Debug)]
pub struct Fifo<T> {
    depth: usize,
    /// The words written and not fetched.
    words: VecDeque<T>,
    /// The number of words that may leave.
    committed: usize,
    /// The word that the memory delivers.
    read: Option<T>,
    offered: bool,
    word: T,
}

impl<T: Copy + Default> Fifo<T> {
    /// An empty queue of `1 << depth_log2` words.
    pub fn new(depth_log2: u32) -> Self {
        Self {
            depth: 1 << depth_log2,
            words: VecDeque::new(),
            committed: 0,
            read: None,
            offered: false,
            word: T::default(),
        }
    }

    /// Number of words written and not yet fetched, with or without a commit.
    #[inline]
    pub fn level(&self) -> usize {
        self.words.len()
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

    /// A clock edge. `push` is written unless the level is 2^depth. With `commit` all written words may
    /// leave; with `rollback` all words since the last commit are discarded; both include `push`. With
    /// `ready` the offered word is accepted.
    #[inline]
    pub fn clock(&mut self, push: Option<T>, commit: bool, rollback: bool, ready: bool) {
        let full = self.words.len() == self.depth;
        let some = self.committed > 0;
        let loads = ready || !self.offered;
        let fetches = loads || self.read.is_none();
        if loads {
            self.offered = self.read.is_some();
            self.word = self.read.take().unwrap_or(self.word);
        }
        if fetches {
            self.read = if some { self.words.pop_front() } else { None };
            self.committed -= usize::from(some);
        }
        self.words.extend(push.filter(|_| !full));
        if rollback {
            self.words.truncate(self.committed);
        } else if commit {
            self.committed = self.words.len();
        }
    }
}
