//! Counts of a run.

/// Counts of a run. A run without some of these proves little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Packets accepted.
    pub arrivals: u64,
    /// Packets to closed connections.
    pub not_open: u64,
    /// Packets outside their region.
    pub denied: u64,
    /// Packets held back.
    pub held: u64,
    /// Reports of packets that may not write to their address.
    pub breaches: u64,
    /// Packets written.
    pub writes: u64,
    /// Packets with payload that were not written.
    pub discards: u64,
    /// Replies.
    pub replies: u64,
    /// Replies that are NACKs.
    pub nacks: u64,
    /// Replies of the timer.
    pub flushes: u64,
    /// Messages reported.
    pub received: u64,
    /// Maximum number of messages that one packet completed.
    pub at_once_max: usize,
    /// Connections opened.
    pub opened: u64,
    /// Connections closed.
    pub closed: u64,
    /// Closes that waited long until all earlier words had left.
    pub closed_late: u64,
    /// Maximum number of packets out of order.
    pub out_of_order_max: u8,
}

impl Tally {
    /// Sum of two tallies.
    pub fn and(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            arrivals: a.arrivals + b.arrivals,
            not_open: a.not_open + b.not_open,
            denied: a.denied + b.denied,
            held: a.held + b.held,
            breaches: a.breaches + b.breaches,
            writes: a.writes + b.writes,
            discards: a.discards + b.discards,
            replies: a.replies + b.replies,
            nacks: a.nacks + b.nacks,
            flushes: a.flushes + b.flushes,
            received: a.received + b.received,
            at_once_max: a.at_once_max.max(b.at_once_max),
            opened: a.opened + b.opened,
            closed: a.closed + b.closed,
            closed_late: a.closed_late + b.closed_late,
            out_of_order_max: a.out_of_order_max.max(b.out_of_order_max),
        }
    }
}
