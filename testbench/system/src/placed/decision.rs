//! Decisions of a host: the packets that it sent.

use weft_fabric::host::cargo::{Answer, Cargo, Data, Lying};

/// A packet that a host has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Host to which the packet goes.
    pub peer: u32,
    /// Number of the connection at that host.
    pub connection: u32,
    /// The packet is an ACK or NACK.
    pub is_answer: bool,
    /// PSN of data; for an answer, the PSN that is answered. A PSN that occurs again was sent again.
    pub psn: u32,
    /// Entropy value.
    pub ev: u16,
}

impl Decision {
    pub(super) fn of(peer: u32, cargo: Lying<'_>) -> Option<Self> {
        Some(match cargo {
            Cargo::Data(Data { arrival: it, connection, .. }) => {
                Self { peer, connection: *connection, is_answer: false, psn: it.psn, ev: it.ev }
            }
            Cargo::Answer(Answer { acknowledgement: it, connection, .. }) => {
                Self { peer, connection: *connection, is_answer: true, psn: it.trigger, ev: it.ev }
            }
            Cargo::Probe(_) => return None,
        })
    }
}
