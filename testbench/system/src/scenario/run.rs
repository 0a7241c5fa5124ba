//! Run of a scenario.

use crate::trace::capture::save;
use crate::trace::error::TraceError;
use std::path::Path;
use weft_nic::block::reps::Event;
use weft_wire::Frame;

/// Counts of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Data packets sent.
    pub sent: usize,
    /// Data packets sent again.
    pub retransmissions: usize,
    /// Data packets lost.
    pub lost: usize,
    /// Data packets marked by ECN.
    pub marked: usize,
    /// Times that a connection began to freeze.
    pub freezes: usize,
    /// Time of the last ACK.
    pub end_ns: u64,
}

/// Run of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Packets at the port of the NIC, in order: data out, ACKs in.
    pub frames: Vec<Frame>,
    /// Events of the block, from the seed on. A replay must find the same events in the frames.
    pub events: Vec<Event>,
    /// [`Settings::comment`](super::settings::Settings::comment)
    pub comment: String,
    /// Counts of packets.
    pub stats: Stats,
}

impl Run {
    /// Writes the trace as a pcapng; a failure leaves no file.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TraceError> {
        save(path, &self.comment, &self.frames)
    }
}
