//! In-order delivery to go-back-N receivers, for many seeds.

use super::network::{Trial, run, run_in};
use crate::conweave::*;
use crate::switch::Clocked;
use crate::topology::Topology;
use std::ops::Range;

fn trial(preset: Preset, seed: u64) -> Trial {
    let mut options = Options::preset(preset);
    let us = |us: u64| (us * 1000 / options.clocks_per_tick) as u32;
    // The delay of a path changes by more than the paper's simulations have it: more time to wait.
    let (resume_default, resume_extra, inactive) = (us(250), us(100), us(400));
    options.theta.resume_default = resume_default;
    options.theta.resume_extra = resume_extra;
    options.theta.inactive = inactive;
    options.reply_grace = options.reply_grace.min(4);
    let topology = Topology::leaf_spine(3, 4, 2).expect("it can be");
    Trial { topology, options, seed, delay: 40_000, loss: 0, packets: 700, incast: false }
}

/// The events that may break the order, each counted.
const RAN_OUT: [&str; 4] = ["no_reorder_queue", "timer_flush", "epoch_flush", "loop_lost_its_queue"];

/// No loss, enough queues and time: every packet is in order, for every seed.
#[test]
fn nothing_is_out_of_order() {
    in_order(0..6);
}

#[test]
#[ignore = "soak: eight times the seeds"]
fn nothing_is_out_of_order_for_longer() {
    in_order(0..48);
}

fn in_order(seeds: Range<u64>) {
    for preset in [Preset::Paper, Preset::Ns3, Preset::P4] {
        let mut sums = [0; 5];
        for seed in seeds.clone() {
            let incast = seed % 2 == 1;
            let mut trial = trial(preset, seed);
            if seed % 3 == 2 {
                trial.topology = Topology::fat_tree(4).expect("even");
            }
            let result = run(&Trial { incast, ..trial });
            assert_eq!(result.out_of_order, 0, "{preset:?}, seed {seed}: {result:#?}");
            for reason in RAN_OUT {
                assert_eq!(result.count(reason), 0, "{preset:?}, seed {seed}: {reason}");
            }
            assert_eq!(result.finished, result.flows, "{preset:?}, seed {seed}: {result:#?}");
            assert_eq!(result.arrived, 700 * result.flows as u64);
            assert_eq!(result.tails_dropped, 0);
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

/// Packets are lost, TAILs and control packets among them. A flow that lost no TAIL is in order, and all
/// flows end.
#[test]
fn only_a_lost_tail_breaks_the_order() {
    in_order_but_for_tails(0..12);
}

#[test]
#[ignore = "soak: four times the seeds"]
fn only_a_lost_tail_breaks_the_order_for_longer() {
    in_order_but_for_tails(0..48);
}

fn in_order_but_for_tails(seeds: Range<u64>) {
    for preset in [Preset::Paper, Preset::Ns3, Preset::P4] {
        let (mut tails_lost, mut flushes, mut out_of_order, mut others) = (0, 0, 0, 0);
        for seed in seeds.clone() {
            let trial = Trial { loss: 200, incast: seed % 2 == 1, packets: 500, ..trial(preset, 100 + seed) };
            let result = run(&trial);
            assert_eq!(result.out_of_order_with_tails, 0, "{preset:?}, seed {seed}: {result:#?}");
            assert_eq!(result.finished, result.flows, "{preset:?}, seed {seed}: {result:#?}");
            assert!(result.count("timer_flush") <= result.tails_lost, "{preset:?}, seed {seed}: {result:#?}");
            assert_eq!(result.count("no_reorder_queue"), 0, "{preset:?}, seed {seed}: {result:#?}");
            tails_lost += result.tails_lost;
            flushes += result.count("timer_flush");
            out_of_order += result.out_of_order;
            others += result.lost - result.tails_lost;
        }
        println!(
            "{preset:?}: {tails_lost} TAILs lost, {flushes} flushes, {out_of_order} out of order, {others} others lost"
        );
        assert!(tails_lost > 5 && flushes > 3 && others > 500, "{preset:?}: {tails_lost} {flushes} {others}");
    }
}

/// Few queues: the packets out of order are of flows that found none, and these are counted.
#[test]
fn too_few_queues_are_counted() {
    let mut out_of_order = 0;
    for seed in 0..12 {
        let mut trial = Trial { incast: true, ..trial(Preset::Paper, 200 + seed) };
        trial.options.reorder_queues = 4;
        let result = run(&trial);
        out_of_order += result.out_of_order;
        assert_eq!(result.finished, result.flows, "seed {seed}: {result:#?}");
        let none = result.count("no_reorder_queue");
        assert!(result.out_of_order == 0 || none > 0, "seed {seed}: {result:#?}");
        assert_eq!(none, result.count("gave_up"));
        assert_eq!(result.count("timer_flush") + result.count("epoch_flush"), 0);
    }
    println!("{out_of_order} out of order");
    assert!(out_of_order > 0, "queues never ran out");
}

/// With the reorder queues removed, the same runs deliver packets out of order.
#[test]
fn without_reorder_queues_packets_are_out_of_order() {
    for seed in 0..6 {
        let mut trial = trial(Preset::Paper, seed);
        trial.options.reorder = false;
        let result = run(&trial);
        assert!(result.out_of_order > 100, "seed {seed}: {result:#?}");
        assert_eq!(result.count("first_waits"), 0);
    }
}

/// Both views of the switches give the same outputs.
#[test]
fn views_agree() {
    let mut trial = Trial { loss: 300, packets: 150, incast: true, ..trial(Preset::P4, 77) };
    trial.options.reorder_queues = 4;
    assert_eq!(run(&trial), run_in::<Clocked>(&trial));
}
