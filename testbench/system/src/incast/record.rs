//! What happened in an incast.

use super::error::IncastError;
use super::setting::Incast;
use weft_nic::block::window::{Event, Outcome, Window};

/// An event of the block, with the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// When it happened.
    pub time_ps: u64,
    /// What happened; the connection is the sender.
    pub event: Event,
    /// What the block made of it.
    pub outcome: Outcome,
}

/// The depth of the queue from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// When it changed.
    pub time_ps: u64,
    /// Bytes of packets that wait.
    pub bytes: u64,
}

/// What became of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// When its first packet left.
    pub start_ps: u64,
    /// When its last ACK came back.
    pub end_ps: u64,
    /// Bytes acknowledged.
    pub acked_bytes: u32,
    /// Packets sent, each time counted.
    pub sent: u32,
    /// Packets acknowledged.
    pub acked: u32,
    /// Of them, marked.
    pub marked: u32,
    /// Packets trimmed.
    pub trimmed: u32,
    /// Packets dropped.
    pub dropped: u32,
}

/// What happened in an incast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The incast.
    pub incast: Incast,
    /// Every event of the block, in order.
    pub reactions: Vec<Reaction>,
    /// The queue, whenever its depth changed.
    pub queue: Vec<Depth>,
    /// What became of the messages.
    pub flows: Vec<Flow>,
}

impl Run {
    /// On how many events these windows, after reset, give another answer.
    pub fn differences<W: Window>(&self, window: &mut W) -> Result<usize, IncastError>
    where
        IncastError: From<W::Error>,
    {
        self.incast.has_connections(window)?;
        let mut differences = 0;
        for reaction in &self.reactions {
            differences += usize::from(window.event(&reaction.event)? != reaction.outcome);
        }
        Ok(differences)
    }
}
