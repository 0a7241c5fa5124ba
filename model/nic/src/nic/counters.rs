//! The counters of all blocks, in the order of their registers.

use super::holds::CAUSES;
use crate::block::{egress, ingress, receiver, sender};
use std::ops::Range;
use weft_params::registers::{COUNTERS, counters_of};

/// The counters of all blocks, in the registers' order.
pub(super) fn stats(
    of_ingress: &ingress::Stats,
    of_egress: &egress::Counters,
    of_receiver: &receiver::Stats,
    of_sender: &sender::Counters,
    holds: &[u32; CAUSES],
) -> [u32; COUNTERS] {
    let sender::Counters { recovery, paths, window, rtt, .. } = of_sender;
    // The compiler knows the counters' places: this function runs on every clock.
    let blocks: [(Range<usize>, &[u32]); 13] = [
        (
            const { counters_of("ingress") },
            &[
                of_ingress.data,
                of_ingress.trims,
                of_ingress.acks,
                of_ingress.nacks,
                of_ingress.probes,
                of_ingress.bypassed,
                of_ingress.wrong_vlans,
                of_ingress.wrong_pkeys,
                of_ingress.mac_errors,
                of_ingress.malformed,
                of_ingress.checksum_errors,
                of_ingress.icrc_errors,
                of_ingress.unknown_connections,
                of_ingress.wrong_peers,
                of_ingress.overflows,
                of_ingress.bypass_overflows,
            ],
        ),
        (
            const { counters_of("egress") },
            &[
                of_egress.data_frames,
                of_egress.ack_frames,
                of_egress.nack_frames,
                of_egress.bypass_frames,
                of_egress.read_errors,
                of_egress.bypass_overflows,
                of_egress.data_bytes,
            ],
        ),
        (
            const { counters_of("receiver") },
            &[
                of_receiver.access_errors,
                of_receiver.placed,
                of_receiver.acks,
                of_receiver.nacks,
                of_receiver.received,
                of_receiver.marks,
                of_receiver.bytes,
                of_receiver.held,
            ],
        ),
        (
            const { counters_of("sack_rx") },
            &[of_receiver.not_open_events, of_receiver.duplicates, of_receiver.outside],
        ),
        (
            const { counters_of("sender") },
            &[of_sender.posted, of_sender.refused, of_sender.orders, recovery.lost_by_probe],
        ),
        (
            const { counters_of("sack_tx") },
            &[
                of_sender.sack_tx_not_open_events,
                of_sender.sack_tx_never_sent,
                of_sender.sack_tx_stale,
                of_sender.sack_tx_refused,
            ],
        ),
        (const { counters_of("smartt") }, &[of_sender.smartt_not_open_events]),
        (const { counters_of("reps") }, &[of_sender.reps_not_open_events]),
        (
            const { counters_of("recovery") },
            &[
                recovery.again,
                recovery.lost_by_nack,
                recovery.lost_by_verdict,
                recovery.lost_by_timeout,
                recovery.timeouts,
                recovery.spurious_timeouts,
                recovery.unanswered,
                recovery.denied,
            ],
        ),
        (
            const { counters_of("paths") },
            &[paths.explored, paths.recycled, paths.reused, paths.freezes, paths.thaws],
        ),
        (const { counters_of("window") }, &[window.marks, window.floors]),
        (const { counters_of("holds") }, holds),
        (const { counters_of("rtt") }, &rtt.bins),
    ];
    let mut all = [0; COUNTERS];
    for (places, counters) in blocks {
        all[places].copy_from_slice(counters);
    }
    all
}
