//! The contents of packets between hosts of a paper.

use crate::host::desk::Desk;
use crate::tally::{Counts, Seen};

/// The contents of a packet, for hosts.
#[derive(Clone, Copy, Debug)]
pub enum Cargo {
    /// The flow.
    Data {
        /// Which.
        flow: u32,
        /// Its number.
        number: u32,
        /// When it left.
        sent_ps: u64,
    },
    /// The answer to one.
    Answer(Answer),
    /// A credit for a packet of this flow.
    Credit(u32),
}

/// The data that the hosts of a thread share: contents of packets, and counts.
#[derive(Debug, Default)]
pub struct Hold {
    cargo: Desk<Cargo>,
    pub(super) seen: Seen,
}

impl Hold {
    pub(super) fn put(&mut self, cargo: Cargo) -> u32 {
        self.cargo.put(cargo)
    }

    pub(super) fn take(&mut self, word: u32) -> &Cargo {
        self.cargo.take(word)
    }
}

impl Counts for Hold {
    fn seen(&mut self) -> Option<&mut Seen> {
        Some(&mut self.seen)
    }
}

/// The answer of a receiver to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its flow,
    pub flow: u32,
    /// and number.
    pub number: u32,
    /// All before this have come.
    pub next: u32,
    /// Something is missing.
    pub is_nack: bool,
    /// The packet was marked, or a CNP is due.
    pub is_marked: bool,
    /// When the packet left.
    pub sent_ps: u64,
}
