//! Ingress: RTL and model on every port and clock, and what comes out against `weft-wire` and the rules of the page.

use weft_blocks::ingress::frames::{Frames, Mix};
use weft_blocks::ingress::traffic::{Plan, Traffic};
use weft_blocks::ingress::{Inputs, Model, Outputs};
use weft_blocks::pins::{self, Clocked};
use weft_nic::block::ingress::{LATENCY, Stats};
use weft_nic::words::Beat;
use weft_params::SackParams;

const PLAN: Plan = Plan { mix: None, frames: 0, pauses: true, pressure: false, unrest: false };

/// RTL beside model, on every port and clock; what came out is compared with what must.
fn lockstep(connections: u32, seed: u64, cycles: u64, plan: Plan) -> Stats {
    let params = SackParams { connections };
    let verilator = pins::build("weft_ingress", &weft_hdl::block::ingress::emit(&params).unwrap());
    let mut traffic = Traffic::new(seed, connections, plan);
    let mut model = Model::new(params);
    let drive = |cycle: u64, outputs: &Outputs| traffic.next(cycle, outputs);
    let mismatch = pins::lockstep(&verilator, seed, cycles, &mut model, drive, &mut ()).unwrap();
    assert_eq!(mismatch, None, "seed {seed}");
    let stats = model.outputs().0.stats;
    if !plan.unrest {
        assert!(traffic.done(), "only {} frames in {cycles} clocks", traffic.sent.len());
        traffic.verify(&stats).unwrap();
    }
    stats
}

/// The model alone, until all is out.
fn model(connections: u32, seed: u64, plan: Plan) -> (Traffic, Stats) {
    let mut traffic = Traffic::new(seed, connections, plan);
    let mut model = Model::new(SackParams { connections });
    let mut cycle = 0;
    while !traffic.done() {
        let inputs = traffic.next(cycle, model.outputs());
        model.clock(&inputs);
        cycle += 1;
    }
    let stats = traffic.verify(&model.outputs().0.stats).unwrap();
    (traffic, stats)
}

fn every_cause(stats: &Stats) {
    let Stats { data, trims, acks, nacks, probes, bypassed, .. } = *stats;
    let Stats {
        mac_errors, malformed, checksum_errors, icrc_errors, unknown_connections, wrong_peers, ..
    } = *stats;
    let accepted = [data, trims, acks, nacks, probes, bypassed];
    let dropped = [mac_errors, malformed, checksum_errors, icrc_errors, unknown_connections, wrong_peers];
    assert!(accepted.iter().chain(&dropped).all(|&count| count >= 100), "{stats:?}");
}

#[test]
fn every_kind_of_frame() {
    let plan = Plan { mix: Some(Mix::All), frames: 22_000, ..PLAN };
    let stats = lockstep(256, 1, 400_000, plan);
    every_cause(&stats);
    assert_eq!((stats.overflows, stats.bypass_overflows), (0, 0));
}

#[test]
fn no_room() {
    let stats = lockstep(16, 2, 200_000, Plan { frames: 20_000, pressure: true, ..PLAN });
    assert!(stats.overflows > 200 && stats.bypass_overflows > 200, "{stats:?}");
    assert!(stats.data > 200 && stats.acks > 50 && stats.bypassed > 200, "{stats:?}");
}

#[test]
fn resets_and_peers_that_change() {
    lockstep(4, 3, 100_000, Plan { frames: u64::MAX, pressure: true, unrest: true, ..PLAN });
}

#[test]
fn model_against_the_wire() {
    for seed in 10..12 {
        let (_, stats) = model(64, seed, Plan { mix: Some(Mix::All), frames: 20_000, ..PLAN });
        every_cause(&stats);
        model(64, seed, Plan { frames: 20_000, pressure: true, ..PLAN });
    }
}

#[test]
fn back_to_back() {
    let full = |mix, frames| model(256, 5, Plan { mix: Some(mix), frames, pauses: false, ..PLAN });
    // A word in every clock, and a word in every clock comes out.
    let (traffic, stats) = full(Mix::Others, 5000);
    assert_eq!(stats.bypassed, 5000);
    let (first, last, taken) = traffic.busy.unwrap();
    assert_eq!((last - first + 1, taken), (5000, 5000));
    // Whatever is accepted of two words comes out in two clocks, of one word in one.
    for (mix, words) in [(Mix::TwoWords, 2), (Mix::OneWord, 1)] {
        let (traffic, stats) = full(mix, 5000);
        assert_eq!((stats.overflows, stats.bypassed), (0, 0));
        // A few of IPv6 are longer.
        assert!((5000 * words..5200 * words).contains(&traffic.words_sent));
        let (first, last, _) = traffic.busy.unwrap();
        assert!(last - first < traffic.words_sent, "{mix:?} took {} clocks", last - first);
        assert!(stats.data + stats.trims > 4000, "{stats:?}");
    }
    // Payload at the rate of the bus.
    let (traffic, stats) = full(Mix::Long, 300);
    assert_eq!((stats.overflows, stats.bypassed), (0, 0));
    let (first, last, _) = traffic.busy.unwrap();
    assert!(stats.data > 250 && last - first < traffic.words_sent);
}

#[test]
fn latency() {
    let connections = 4;
    let mut frames = Frames::new(6, connections);
    let mut model = Model::new(SackParams { connections });
    let idle = Inputs { csr: frames.csr(), ..Inputs::default() };
    let mut clock = |net| {
        let mut inputs = idle;
        inputs.ports.net = net;
        let offered = model.outputs().0.bypass.valid;
        model.clock(&inputs);
        offered
    };
    let beats = Beat::frame(&frames.frame(Mix::Others).bytes);
    assert_eq!(beats.len(), 1);
    assert!(!clock(Some(beats[0])));
    let clocks = (1..100).find(|_| clock(None));
    assert_eq!(clocks, Some(LATENCY));
}
