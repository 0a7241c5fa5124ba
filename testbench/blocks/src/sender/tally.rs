//! Counts of a run of the sender.

/// Counts of a run of the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Requests that arrived.
    pub works: u64,
    /// Orders of packets never sent before.
    pub fresh: u64,
    /// Orders of packets sent again.
    pub again: u64,
    /// Orders without bytes.
    pub empty: u64,
    /// Completions of requests that were done.
    pub done: u64,
    /// Completions with an error because the connection was closed or opened again.
    pub errors: u64,
    /// Completions with an error because the peer did not answer.
    pub unanswered: u64,
    /// Completions with an error because the peer denied a packet.
    pub denied: u64,
    /// Completions with an error because the connection failed at this end.
    pub failed: u64,
    /// Reports of connections that gave up, or whose peer denied a packet.
    pub told_failed: u64,
    /// Requests refused.
    pub refused: u64,
    /// Closes accepted.
    pub closed: u64,
    /// Closes that waited long.
    pub closed_late: u64,
    /// Freezes that began or ended.
    pub freezes: u64,
    /// Reports of drained connections, which had a drain command and have no packet outstanding.
    pub drained: u64,
    /// Drains of connections that had no outstanding work when the drain was accepted.
    pub drained_at_once: u64,
    /// Requests that arrived at a connection that drained.
    pub barred: u64,
}
