//! Words that wait for their turn, with their connection's peer.

use super::state::Peer;

/// Replies or orders on their way in.
#[derive(Clone, Debug)]
pub(super) struct Intake<T> {
    entered: Option<(u32, T)>,
    found: [Option<(T, Peer)>; 2],
    /// The word whose turn is next; while there is one, nothing moves.
    pub(super) waiting: Option<(T, Peer)>,
}

impl<T: Copy> Intake<T> {
    pub(super) fn new() -> Self {
        Self { entered: None, found: [None; 2], waiting: None }
    }

    /// A clock edge: `word` is offered, `taken` the waiting one.
    pub(super) fn clock(&mut self, word: Option<(u32, T)>, peers: &[Peer], taken: bool) {
        if self.waiting.is_some() {
            if taken {
                self.waiting = None;
            }
            return;
        }
        self.waiting = self.found[1];
        self.found[1] = self.found[0];
        self.found[0] = self.entered.map(|(id, word)| (word, peers[id as usize]));
        self.entered = word;
    }
}
