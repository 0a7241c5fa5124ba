//! The counters of a traffic manager.

use serde::Serialize;

/// Why an item was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// There is no such port or queue.
    NoQueue,
    /// Its queue would have exceeded its limit.
    Limit,
    /// Its queue would have exceeded its share of the free buffer, or nothing is free.
    Threshold,
    /// Its class is lossless, but there was no headroom left: the port has too little for its link.
    Headroom,
    /// The item was trimmed, and the rest did not fit in either.
    Trimmed,
}

/// Items dropped, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Drops([u64; 5]);

impl Drops {
    /// All causes.
    pub const CAUSES: [Cause; 5] =
        [Cause::NoQueue, Cause::Limit, Cause::Threshold, Cause::Headroom, Cause::Trimmed];

    /// The count of one cause.
    pub fn of(&self, cause: Cause) -> u64 {
        self.0[cause as usize]
    }

    /// The count of all causes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn count(&mut self, cause: Cause) {
        self.0[cause as usize] += 1;
    }
}

/// The counters of a traffic manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Items accepted, whole or trimmed.
    pub queued: u64,
    /// The trimmed ones among these.
    pub trimmed: u64,
    /// Items gone out.
    pub departed: u64,
    /// Items marked.
    pub marked: u64,
    /// Items dropped.
    pub dropped: Drops,
    /// Queues resumed by an item that left.
    pub resumed_on_leave: u64,
    /// Items dropped that were to resume a queue.
    pub lost_resumes: u64,
    /// Pauses and resumptions of queues that there are not.
    pub no_queue: u64,
    /// Times that a class of an ingress port was stopped.
    pub stops: u64,
    /// PFC frames sent.
    pub pauses_sent: u64,
    /// PFC frames received.
    pub pauses_received: u64,
}
