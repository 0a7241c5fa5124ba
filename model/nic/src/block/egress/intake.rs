//! Words that wait for their turn, with their connection's peer.

use super::state::Peer;

/// Replies or orders in the input pipeline.
#[derive(Clone, Debug)]
pub(super) struct Intake<T> {
    entered: Option<(u32, T)>,
    found: [Option<(u32, T, Peer)>; 2],
    /// The newest peer was written while it was read, and is read again: the written value counts (rule 2).
    again: bool,
    /// The next word in turn; while there is one, the intake stalls.
    pub(super) waiting: Option<(u32, T, Peer)>,
}

impl<T: Copy> Intake<T> {
    pub(super) fn new() -> Self {
        Self { entered: None, found: [None; 2], again: false, waiting: None }
    }

    /// The words that are in do not move in this clock.
    pub(super) fn stands(&self) -> bool {
        self.waiting.is_some() || self.again
    }

    /// A clock edge: `word` is offered, a connection's peer is `written`, `taken` the waiting word.
    pub(super) fn clock(
        &mut self,
        word: Option<(u32, T)>,
        peers: &[Peer],
        written: Option<u32>,
        taken: bool,
    ) {
        let stands = self.stands();
        self.again = !stands && self.entered.is_some_and(|(id, _)| written == Some(id));
        if stands {
            self.waiting = self.waiting.filter(|_| !taken);
            return;
        }
        self.waiting = self.found[1];
        self.found[1] = self.found[0];
        self.found[0] = self.entered.map(|(id, word)| (id, word, peers[id as usize]));
        self.entered = word;
    }
}
