//! What has happened to a sender, counted.

/// What has happened, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Requests that came.
    pub works: u64,
    /// Orders of packets never sent before, sent again, without bytes.
    pub fresh: u64,
    /// Sent again.
    pub again: u64,
    /// Without bytes.
    pub empty: u64,
    /// Completions: done, ended with an error, refused.
    pub done: u64,
    /// With an error: closed, or opened anew.
    pub errors: u64,
    /// Because nobody answered.
    pub unanswered: u64,
    /// Because the peer denied a packet.
    pub denied: u64,
    /// Because the connection failed at this end.
    pub failed: u64,
    /// Connections of which was told that they gave up, or that their peer denied a packet.
    pub told_failed: u64,
    /// Refused.
    pub refused: u64,
    /// Closes taken.
    pub closed: u64,
    /// Of these, the ones that waited long.
    pub closed_late: u64,
    /// Freezes that began or ended.
    pub freezes: u64,
    /// Drains of which was told that nothing is outstanding.
    pub drained: u64,
    /// Of these, the ones with nothing outstanding when they were taken.
    pub drained_at_once: u64,
    /// Requests that came to a connection that drained.
    pub barred: u64,
}
