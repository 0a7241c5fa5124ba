//! Figures of a run.

use crate::network::counts::LinkCounts;
use serde::Serialize;

/// Figures of a run. The figures show whether the run contained the cases that it must test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Clocks that passed.
    pub clocks: u64,
    /// Messages posted.
    pub posted: u64,
    /// Messages completed at the receiver.
    pub delivered: u64,
    /// Messages completed at the sender.
    pub completed: u64,
    /// Messages that ended in an error.
    pub errors: u64,
    /// Packets sent for the first time.
    pub packets: u64,
    /// Bytes of payload that were placed.
    pub bytes: u64,
    /// Packets sent again.
    pub retransmissions: u64,
    /// Retransmissions of packets that had been placed before.
    pub spurious: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Maximum number of timeouts in a row of a connection.
    pub timeouts_in_a_row: u32,
    /// Maximum number of clocks for which a connection with packets in flight had neither an acknowledgement
    /// nor a timeout.
    pub longest_silence_clocks: u64,
    /// Maximum number of packets that a connection had sent and not acknowledged.
    pub most_unacked: u64,
    /// Maximum number of packets that a receiver had beyond its cumulative PSN.
    pub most_out_of_order: u64,
    /// Packets that arrived a second time.
    pub duplicates: u64,
    /// Packets beyond a window, from an earlier life of their connection.
    pub outside: u64,
    /// Packets dropped because of their ICRC.
    pub damaged: u64,
    /// ACKs that were sent.
    pub acks: u64,
    /// NACKs that were sent.
    pub nacks: u64,
    /// ACKs sent by the ACK timer.
    pub flushes: u64,
    /// ACKs sent as answers to probes.
    pub probes: u64,
    /// ACKs and NACKs for packets that were never sent, from an earlier life.
    pub never_sent: u64,
    /// ACKs and NACKs for packets before the window.
    pub stale: u64,
    /// Changes of a congestion window.
    pub windows: u64,
    /// Connections opened.
    pub opens: u64,
    /// Connections closed.
    pub closes: u64,
    /// Connections that gave up.
    pub failures: u64,
    /// Clocks in which an event waited in front of a block.
    pub stalls: u64,
    /// Counts of the network's faults on data packets.
    pub data: LinkCounts,
    /// Counts of the network's faults on ACKs and NACKs.
    pub control: LinkCounts,
}

/// End of a run that found no fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Figures of the run.
    pub figures: Figures,
    /// The caller stopped the run before its end.
    pub stopped: bool,
}
