//! Ingress: RTL and model on every port and clock, and the outputs against `weft-wire` and the rules of the
//! page.

use crate::desk::{ALL, Desk, ack, trimmed};
use crate::runs::{self, planted, planted_of};
use weft_bench::lockstep::{For, run_model};
use weft_bench::{Driver, Session, Subject};
use weft_blocks::ingress::frames::Mix;
use weft_blocks::ingress::stimulus::{Plan, Traffic};
use weft_blocks::ingress::{Dut, DutOf, Inputs};
use weft_nic::block::ingress::{BYPASS_LATENCY, LATENCY, Outputs, Stats};
use weft_nic::words::Beat;
use weft_params::{IngressCsr, SackParams};

const PLAN: Plan = Plan { mix: None, frames: 0, pauses: true, pressure: false, unrest: false };

/// Runs RTL and model, and compares every port on every clock, and the outputs with the expected ones.
fn lockstep(connections: u32, seed: u64, cycles: u64, plan: Plan) -> Stats {
    let session = Session::new(SackParams { connections }, seed);
    let driver = || For { cycles, driver: Traffic::new(seed, connections, plan) };
    let (finding, driver) = session.run::<Dut, _>(driver, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(finding.report.mismatch, None, "seed {seed}");
    let traffic = driver.driver;
    assert_eq!(finding.complaint, None, "seed {seed}");
    if plan.unrest {
        assert!(traffic.closes() > cycles / 2_000, "{} closes", traffic.closes());
    } else {
        assert!(traffic.done(), "only {} frames in {cycles} clocks", traffic.sent.len());
    }
    traffic.stats()
}

/// Until all is out.
struct Whole(Traffic);

impl Driver<Dut> for Whole {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if self.0.done() { None } else { Some(self.0.drive(outputs)) }
    }

    fn csr(&self) -> &IngressCsr {
        self.0.csr()
    }
}

/// The model alone.
fn model(connections: u32, seed: u64, plan: Plan) -> (Traffic, Stats) {
    let mut whole = Whole(Traffic::new(seed, connections, plan));
    run_model::<Dut>(&mut Dut::model(&SackParams { connections }), &mut whole);
    let stats = whole.0.verify(&whole.0.stats()).unwrap();
    (whole.0, stats)
}

fn every_cause(stats: &Stats) {
    let Stats { data, trims, acks, nacks, probes, bypassed, .. } = *stats;
    let Stats {
        mac_errors,
        malformed,
        checksum_errors,
        icrc_errors,
        unknown_connections,
        wrong_peers,
        wrong_vlans,
        wrong_pkeys,
        ..
    } = *stats;
    let accepted = [data, trims, acks, nacks, probes, bypassed];
    let known = [unknown_connections, wrong_peers, wrong_vlans, wrong_pkeys];
    let dropped = [[mac_errors, malformed, checksum_errors, icrc_errors], known].concat();
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
    let stats = lockstep(256, 2, 200_000, Plan { frames: 20_000, pressure: true, ..PLAN });
    assert!(stats.overflows > 200 && stats.bypass_overflows > 200, "{stats:?}");
    let answers = Plan { mix: Some(Mix::Answers), frames: 4_000, pressure: true, ..PLAN };
    let overflows = lockstep(256, 6, 100_000, answers).overflows;
    assert!(overflows > 200, "{overflows} acknowledgements without room");
    assert!(stats.data > 200 && stats.acks > 50 && stats.bypassed > 200, "{stats:?}");
}

#[test]
fn resets_and_peers_that_change() {
    lockstep(4, 3, 100_000, Plan { frames: u64::MAX, pressure: true, unrest: true, ..PLAN });
    lockstep(256, 4, 100_000, Plan { frames: u64::MAX, pressure: true, unrest: true, ..PLAN });
}

/// Traffic, a reset, and the same traffic again without an opened connection.
struct Twice {
    first: Traffic,
    second: Traffic,
    cycle: u64,
}

/// Clocks of the first part.
const FIRST: u64 = 3_000;

impl Driver<Dut> for Twice {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        self.cycle += 1;
        Some(if self.cycle > FIRST { self.second.drive(outputs) } else { self.first.drive(outputs) })
    }

    fn csr(&self) -> &IngressCsr {
        self.first.csr()
    }
}

/// Rule 11.
#[test]
fn a_reset_closes_all() {
    for mix in [Mix::OneWord, Mix::Answers] {
        let plan = Plan { mix: Some(mix), frames: 2_000, pauses: false, ..PLAN };
        let session = Session::new(SackParams { connections: 256 }, 8);
        let driver = || {
            let (first, second) = (Traffic::new(8, 256, plan), Traffic::closed(8, 256, plan));
            For { cycles: 4 * FIRST + 4_000, driver: Twice { first, second, cycle: 0 } }
        };
        let (finding, driver) = session.run::<Dut, _>(driver, &mut ()).unwrap();
        assert_eq!(finding.report.mismatch, None);
        let Twice { first, second, .. } = driver.driver;
        assert!(first.arrivals.len() + first.acknowledgements.len() > 500);
        assert!(second.done());
        assert_eq!(second.complaint(), None);
        assert!(second.stats().unknown_connections > 1_500, "{:?}", second.stats());
    }
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
    // Two accepted words leave in two clocks, one accepted word leaves in one clock.
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
    let mut desk = Desk::new();
    for frame in [trimmed(3, 9), ack(3, 9)] {
        desk.send(&frame, ALL);
        let taken = desk.clock - 1;
        desk.idle(40, ALL);
        let heard = desk.arrivals.iter().chain(&desk.acknowledgements).next_back();
        assert_eq!(heard.map(|(_, offered)| offered - taken), Some(LATENCY as u64));
    }

    desk.send(&Beat::frame(&[0; 60]), ALL);
    let clocks = (1..100).find(|_| {
        let offered = desk.block.outputs().bypass.valid;
        desk.idle(1, ALL);
        offered
    });
    assert_eq!(clocks, Some(BYPASS_LATENCY));
}

#[test]
fn some_planted_bugs_are_found() {
    let some = Dut::PLANTS.iter().step_by(16);
    planted_of::<Dut>(some, SackParams { connections: 16 }, 1..=4, 200_000);
}

#[test]
#[ignore = "soak: `make test` has some of them"]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams { connections: 16 }, 1..=4, 200_000);
}

/// Bitmaps of ACKs of far PSNs.
#[test]
fn larger_windows() {
    let params = SackParams { connections: 256 };
    let answers = [
        runs::lockstep::<DutOf<1, 512>>(params, 2, 200_000).acknowledgements,
        runs::lockstep::<DutOf<1, 1_024>>(params, 4, 200_000).acknowledgements,
    ];
    assert!(answers.iter().all(|&answers| answers > 400), "{answers:?}");
}
