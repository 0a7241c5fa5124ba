//! In-order delivery to go-back-N receivers, for many seeds.

use super::network::{Trial, run};
use crate::conweave::*;

fn trial(preset: Preset, seed: u64) -> Trial {
    let mut options = Options::preset(preset);
    let us = |us: u64| (us * 1000 / options.clocks_per_tick) as u32;
    // The delay of a path changes by more than the paper's simulations have it: more time to wait.
    let (resume_default, resume_extra, inactive) = (us(250), us(100), us(400));
    options.theta.resume_default = resume_default;
    options.theta.resume_extra = resume_extra;
    options.theta.inactive = inactive;
    options.reply_grace = options.reply_grace.min(4);
    Trial { options, seed, delay: 40_000, loss: 0, packets: 1000, incast: false }
}

/// What makes order impossible, each counted.
const REASONS: [&str; 4] = ["no_reorder_queue", "timer_flush", "epoch_flush", "loop_lost_its_queue"];

/// No loss, enough queues and time: every packet is in order, for every seed.
#[test]
fn nothing_is_out_of_order() {
    for preset in [Preset::Paper, Preset::Ns3, Preset::P4] {
        let mut sums = [0; 5];
        for seed in 0..12 {
            let incast = seed % 2 == 1;
            let result = run(&Trial { incast, ..trial(preset, seed) });
            assert_eq!(result.out_of_order, 0, "{preset:?}, seed {seed}: {result:#?}");
            for reason in REASONS {
                assert_eq!(result.count(reason), 0, "{preset:?}, seed {seed}: {reason}");
            }
            assert_eq!(result.finished, result.flows, "{preset:?}, seed {seed}: {result:#?}");
            assert_eq!(result.arrived, u64::from(trial(preset, 0).packets) * result.flows as u64);
            assert_eq!(result.dropped, 0);
            for (sum, name) in
                sums.iter_mut().zip(["source_tail", "first_waits", "waits", "tail_releases", "settled"])
            {
                *sum += result.count(name);
            }
            assert_eq!(result.count("queue_freed"), result.count("first_waits"), "a queue is not free again");
        }
        println!("{preset:?} {sums:?}");
        assert!(sums.iter().all(|sum| *sum > 100), "{preset:?}: hardly anything was rerouted: {sums:?}");
    }
}
