//! A scenario that was run.

use crate::trace::capture::save;
use crate::trace::error::TraceError;
use std::path::Path;
use weft_nic::block::reps::Event;
use weft_wire::Frame;

/// What became of the packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Data packets sent.
    pub sent: usize,
    /// Of these sent again.
    pub retransmissions: usize,
    /// Lost.
    pub lost: usize,
    /// Marked by ECN.
    pub marked: usize,
    /// Times that a connection began to freeze.
    pub freezes: usize,
    /// When the last ACK came.
    pub end_ns: u64,
}

/// A scenario that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What crossed the port of the NIC, in order: data out, ACKs in.
    pub frames: Vec<Frame>,
    /// What the block was told, from the seed on: the events that a replay must find in the frames.
    pub events: Vec<Event>,
    /// [`Settings::comment`](super::settings::Settings::comment)
    pub comment: String,
    /// What became of the packets.
    pub stats: Stats,
}

impl Run {
    /// Writes the trace as a pcapng, whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TraceError> {
        save(path, &self.comment, &self.frames)
    }
}
