//! The counters of all blocks, in the order of their registers.

use crate::block::{egress, ingress, receiver, sender};
use weft_params::registers::{COUNTERS, counters_of};

/// The counters of all blocks, where the registers have them.
pub(super) fn stats(
    of_ingress: &ingress::Stats,
    of_egress: &egress::Counters,
    of_receiver: &receiver::Stats,
    of_sender: &sender::Counters,
) -> [u32; COUNTERS] {
    let blocks: [(&str, &[u32]); 8] = [
        (
            "ingress",
            &[
                of_ingress.data,
                of_ingress.trims,
                of_ingress.acks,
                of_ingress.nacks,
                of_ingress.probes,
                of_ingress.bypassed,
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
            "egress",
            &[
                of_egress.data_frames,
                of_egress.ack_frames,
                of_egress.nack_frames,
                of_egress.bypass_frames,
                of_egress.read_errors,
                of_egress.bypass_overflows,
            ],
        ),
        (
            "receiver",
            &[
                of_receiver.access_errors,
                of_receiver.placed,
                of_receiver.acks,
                of_receiver.nacks,
                of_receiver.received,
                of_receiver.held,
            ],
        ),
        ("sack_rx", &[of_receiver.not_open_events, of_receiver.duplicates, of_receiver.outside]),
        ("sender", &[of_sender.posted, of_sender.refused, of_sender.orders]),
        (
            "sack_tx",
            &[
                of_sender.sack_tx_not_open_events,
                of_sender.sack_tx_never_sent,
                of_sender.sack_tx_stale,
                of_sender.sack_tx_refused,
            ],
        ),
        ("smartt", &[of_sender.smartt_not_open_events]),
        ("reps", &[of_sender.reps_not_open_events]),
    ];
    let mut all = [0; COUNTERS];
    for (block, counters) in blocks {
        all[counters_of(block)].copy_from_slice(counters);
    }
    all
}
