//! The RTL of the receiver against its clocked model, every output port on every clock, under traffic that an oracle
//! judges.

use crate::runs::{lockstep, planted, planted_of};
use weft_bench::Subject;
use weft_bench::lockstep::{For, run_model};
use weft_blocks::receiver::stimulus::Traffic;
use weft_blocks::receiver::tally::Tally;
use weft_blocks::receiver::{Dut, Windowed};
use weft_params::SackParams;

/// Two million clocks of the default shape, registers and RAM full of noise at the start.
#[test]
fn two_million_clocks() {
    // Senders obey in two of these runs.
    let threads = [11, 19, 32, 36]
        .map(|seed| std::thread::spawn(move || lockstep::<Dut>(SackParams::default(), seed, 500_000)));
    let tallies = threads.map(|thread| thread.join().expect("no mismatch"));
    let tally = tallies.iter().fold(Tally::default(), |sum, it| sum.and(it));
    for (what, count, least) in [
        ("packets", tally.arrivals, 100_000),
        ("packets of closed connections", tally.not_open, 200),
        ("packets outside of their region", tally.denied, 1_000),
        ("packets held back", tally.held, 1_000),
        ("breaches", tally.breaches, 500),
        ("writes", tally.writes, 50_000),
        ("discards", tally.discards, 10_000),
        ("replies", tally.replies, 80_000),
        ("NACKs", tally.nacks, 3_000),
        ("ACKs of the timer", tally.flushes, 1_000),
        ("messages", tally.received, 20_000),
        ("connections opened", tally.opened, 1_000),
        ("connections closed", tally.closed, 40),
        ("connections closed late", tally.closed_late, 20),
        ("messages at once", tally.at_once_max as u64, 64),
        ("packets out of order", tally.out_of_order_max.into(), 200),
    ] {
        assert!(count >= least, "only {count} {what}: {tally:?}");
    }
}

fn shapes(all: &[(u64, u32)]) {
    for &(seed, connections) in all {
        let tally = lockstep::<Dut>(SackParams { connections }, seed, 100_000);
        assert!(tally.writes > 100 && tally.replies > 1_000, "{tally:?}");
    }
}

#[test]
fn the_least_and_the_most_connections() {
    shapes(&[(101, 4), (106, 4096)]);
}

/// All shapes that can be emitted.
#[test]
#[ignore = "soak: `make test` has two of them"]
fn other_shapes() {
    shapes(&[(101, 4), (102, 16), (103, 64), (105, 1024), (106, 4096)]);
}

/// The oracle and the model alone, for longer, with ACKs of the timer among them.
#[test]
fn the_oracle_for_three_million_clocks() {
    let mut flushes = 0;
    for (seed, connections) in (1..=3).zip([4, 16, 256].into_iter().cycle()) {
        let mut run = For { cycles: 1_000_000, driver: Traffic::new(connections, seed, true) };
        run_model::<Dut>(&mut Dut::model(&SackParams { connections }), &mut run);
        let traffic = run.driver;
        assert_eq!(traffic.complaint(), None, "seed {seed}");
        flushes += traffic.tally().flushes;
    }
    assert!(flushes > 300, "{flushes} ACKs of the timer");
}

#[test]
fn some_planted_bugs_are_found() {
    let some = Dut::PLANTS.iter().step_by(12);
    planted_of::<Dut>(some, SackParams { connections: 4 }, [1, 2, 3, 5].into_iter(), 200_000);
}

/// A run with a planted bug must fail, and name cycle and port.
#[test]
#[ignore = "soak: `make test` has some of them"]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams { connections: 4 }, [1, 2, 3, 5].into_iter(), 200_000);
}

/// Packets of PSNs that are far, with senders that obey and some that do not.
#[test]
fn larger_windows() {
    let params = SackParams { connections: 16 };
    for seed in [41, 44] {
        for tally in [
            lockstep::<Windowed<512>>(params, seed, 200_000),
            lockstep::<Windowed<1_024>>(params, seed + 1, 200_000),
        ] {
            assert!(tally.writes > 1_000 && tally.replies > 5_000 && tally.nacks > 100, "{tally:?}");
        }
    }
}

/// The oracle and the model alone, with larger windows.
#[test]
fn the_oracle_with_larger_windows() {
    fn run<const PSNS: u32>(seed: u64) {
        let traffic = Traffic::with_psns(16, PSNS, seed, true);
        let mut run = For { cycles: 1_000_000, driver: traffic };
        let params = SackParams { connections: 16 };
        run_model::<Windowed<PSNS>>(&mut Windowed::<PSNS>::model(&params), &mut run);
        let traffic = run.driver;
        assert_eq!(traffic.complaint(), None, "{PSNS} PSNs, seed {seed}");
        assert!(traffic.tally().flushes > 50, "{:?}", traffic.tally());
    }
    (1..=2).for_each(run::<512>);
    (3..=4).for_each(run::<1_024>);
}
