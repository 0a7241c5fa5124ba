//! The settings of a connection, its messages, and the counters.

use crate::words::{Acknowledgement, Listed, Work};

pub use crate::words::{ControlKind, SenderControl as Control};

/// Number of messages of a connection that can be outstanding.
pub const SLOTS: u8 = 16;

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits of the counts, and the low 24 bits of
/// the counts of packets found lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// `stat_sack_tx_not_open_events`
    pub sack_tx_not_open_events: u32,
    /// `stat_sack_tx_never_sent`
    pub sack_tx_never_sent: u32,
    /// `stat_sack_tx_stale`
    pub sack_tx_stale: u32,
    /// `stat_sack_tx_refused`
    pub sack_tx_refused: u32,
    /// `stat_smartt_not_open_events`
    pub smartt_not_open_events: u32,
    /// `stat_reps_not_open_events`
    pub reps_not_open_events: u32,
    /// `stat_posted`: work requests posted as messages.
    pub posted: u32,
    /// `stat_refused`: completions of work requests that were refused.
    pub refused: u32,
    /// `stat_orders`: orders handed out.
    pub orders: u32,
    /// `stat_recovery`: losses and their outcomes.
    pub recovery: Recovery,
    /// `stat_paths`: entropy values.
    pub paths: Paths,
    /// `stat_window`: congestion windows.
    pub window: Window,
    /// `stat_rtt`, `stat_rtt_latest`, `stat_rtt_smallest`: round-trip times.
    pub rtt: Rtt,
}

/// Counters of losses and of their detection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Packets passed to egress that were sent before.
    pub again: u32,
    /// Packets found lost by NACKs.
    pub lost_by_nack: u32,
    /// Packets found lost by verdicts: by ACKs of packets that were sent later.
    pub lost_by_verdict: u32,
    /// `stat_probes`: packets found lost by probes.
    pub lost_by_probe: u32,
    /// Packets found lost by timeouts.
    pub lost_by_timeout: u32,
    /// Timeouts that found packets lost.
    pub timeouts: u32,
    /// Timeouts that found a packet lost that had arrived.
    pub spurious_timeouts: u32,
    /// Connections whose peer did not answer.
    pub unanswered: u32,
    /// Connections with a denied packet.
    pub denied: u32,
}

/// Counters of entropy values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// Packets on an entropy value that was drawn, or new.
    pub explored: u32,
    /// Packets on a cached entropy value, at its first use since.
    pub recycled: u32,
    /// Packets on a cached entropy value that was used before.
    pub reused: u32,
    /// Freezes that began.
    pub freezes: u32,
    /// Freezes that ended.
    pub thaws: u32,
}

/// Counters of congestion windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// ACKs that echo a CE mark.
    pub marks: u32,
    /// Feedbacks that left a window of one packet.
    pub floors: u32,
}

/// Round-trip times of ACKs, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rtt {
    /// ACKs by the number of bits of their round-trip time, 0 to 15.
    pub bins: [u32; 16],
    /// The last round-trip time; all ones: not measured yet.
    pub latest: u16,
    /// The smallest round-trip time; all ones: not measured yet.
    pub smallest: u16,
}

impl Default for Rtt {
    fn default() -> Self {
        Self { bins: [0; 16], latest: u16::MAX, smallest: u16::MAX }
    }
}

/// The work requests of all slots, by connection.
pub(super) type Messages = Vec<[Work; SLOTS as usize]>;

/// The numbers of an ACK's list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listing {
    /// Number of packets.
    pub(super) listed: u8,
    /// Number of marked packets.
    pub(super) marked: u8,
}

impl Listing {
    /// The numbers of a list.
    pub(super) fn of(listed: &Listed) -> Self {
        let Listed { there, marked, .. } = *listed;
        Self { listed: there.count_ones() as u8, marked: (there & marked).count_ones() as u8 }
    }
}

/// The list of an ACK. A NACK has an empty list.
pub(super) fn listed(ack: &Acknowledgement) -> Listed {
    if ack.nack { Listed::default() } else { ack.listed() }
}
