//! The counters of a traffic manager.

use serde::Serialize;

/// The reason why an item was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The port or queue does not exist.
    NoQueue,
    /// The queue would have exceeded its limit.
    Limit,
    /// The queue would have exceeded its share of the free buffer, or no bytes are free.
    Threshold,
    /// The class is lossless, but there was no headroom left: the port has too little headroom for its link.
    Headroom,
    /// The item was trimmed, and the trimmed item found no space either.
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
    /// Number of items accepted, whole or trimmed.
    pub queued: u64,
    /// Number of trimmed items among these.
    pub trimmed: u64,
    /// Number of items that left.
    pub departed: u64,
    /// Number of items marked.
    pub marked: u64,
    /// Numbers of items dropped.
    pub dropped: Drops,
    /// Number of queues that a departure resumed.
    pub resumed_on_leave: u64,
    /// Number of dropped items that would have resumed a queue.
    pub lost_resumes: u64,
    /// Number of pauses and resumptions of queues that do not exist.
    pub no_queue: u64,
    /// Number of stops of a class of an ingress port.
    pub stops: u64,
    /// Number of PFC frames sent.
    pub pauses_sent: u64,
    /// Number of PFC frames received.
    pub pauses_received: u64,
}
