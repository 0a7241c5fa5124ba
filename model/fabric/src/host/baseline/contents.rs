//! The contents of packets between hosts of a baseline transport.

use crate::host::desk::Desk;
use crate::tally::{Counts, Seen};

/// The contents of a packet, for hosts.
#[derive(Clone, Copy, Debug)]
pub enum Cargo {
    /// Data of a flow.
    Data {
        /// The flow.
        flow: u32,
        /// Number of the packet.
        number: u32,
        /// Time of departure.
        sent_ps: u64,
    },
    /// The answer to a data packet.
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
    /// Flow of the packet.
    pub flow: u32,
    /// Number of the packet.
    pub number: u32,
    /// Number below which all packets have come.
    pub next: u32,
    /// Whether a packet is missing.
    pub is_nack: bool,
    /// Whether the packet was marked, or a CNP is due.
    pub is_marked: bool,
    /// Time at which the packet left.
    pub sent_ps: u64,
}
