//! Record of an incast.

use super::error::IncastError;
use super::setting::Incast;
use weft_nic::block::window::{Event, Outcome, Window};

/// An event of the block with the block's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Time of the event.
    pub time_ps: u64,
    /// The event. Its connection is the sender.
    pub event: Event,
    /// Answer of the block.
    pub outcome: Outcome,
}

/// Depth of the queue from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Time of the change.
    pub time_ps: u64,
    /// Bytes of waiting packets.
    pub bytes: u64,
}

/// Counts of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Time at which its first packet left.
    pub start_ps: u64,
    /// Time at which its last ACK arrived.
    pub end_ps: u64,
    /// Bytes acknowledged.
    pub acked_bytes: u32,
    /// Packets sent, retransmissions included.
    pub sent: u32,
    /// Packets acknowledged.
    pub acked: u32,
    /// Acknowledged packets with a mark.
    pub marked: u32,
    /// Packets trimmed.
    pub trimmed: u32,
    /// Packets dropped.
    pub dropped: u32,
}

/// Record of an incast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Settings of the incast.
    pub incast: Incast,
    /// Every event of the block, in order.
    pub reactions: Vec<Reaction>,
    /// Depth of the queue at each change.
    pub queue: Vec<Depth>,
    /// Counts of the messages.
    pub flows: Vec<Flow>,
}

impl Run {
    /// Number of events for which these windows, after reset, give another answer.
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
