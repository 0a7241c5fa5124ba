//! The model of the SACK sender against the naive oracle, and its clocked view against both.

mod clocks;
mod larger;
mod pair;
mod traces;

use clocks::{Storm, Tally, follow};
use proptest::prelude::*;
use std::cell::RefCell;
use traces::{Coverage, Op, compare, op};
use weft_blocks::sack_tx::stimulus::{Stimulus, random_csr};
use weft_params::{SackParams, SackTxClass, SackTxCsr};
use weft_random::Rng;

/// Registers with which many events happen within few operations.
fn csr() -> impl Strategy<Value = SackTxCsr> {
    let gaps = prop::sample::select(vec![0u32, 1, 2, 64, 255]);
    let class = (gaps, 1u32..4, 1u32..20, 1u32..40, 0u32..8, 0u32..4).prop_map(
        |(gap, rto_ticks, epoch_ticks, high_ticks, backoff_limit, retry_limit)| SackTxClass {
            gap,
            rto_ticks,
            epoch_ticks,
            high_ticks,
            backoff_limit,
            retry_limit,
        },
    );
    (1u32..3, [class.clone(), class.clone(), class.clone(), class])
        .prop_map(|(mtu_bytes, classes)| SackTxCsr { mtu_bytes, classes })
}

proptest! {
    #![proptest_config(cases(300))]

    /// A failure shrinks to few operations.
    #[test]
    fn operations(csr in csr(), ops in prop::collection::vec(op(), 1..120)) {
        agree(csr, ops)?;
    }
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    #[ignore = "soak: `make test` has 300"]
    fn more_operations(csr in csr(), ops in prop::collection::vec(op(), 1..120)) {
        agree(csr, ops)?;
    }
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

fn agree(csr: SackTxCsr, ops: Vec<Op>) -> Result<(), TestCaseError> {
    let mut pair = pair::Pair::new(SackParams { connections: 4 }, csr);
    ops.into_iter()
        .try_for_each(|op| op.run(&mut pair))
        .map_err(|difference| TestCaseError::fail(difference.to_string()))
}

/// Rule 13: an acknowledgement shortens a silence and never makes it longer, even if the epoch has grown
/// since the previous acknowledgement.
#[test]
fn an_epoch_that_grows_makes_no_silence_longer() {
    let csr = SackTxCsr::default().with_epoch(4).with_rto(1).with_retries(0).with_backoff(0);
    let mut pair = pair::Pair::new(SackParams { connections: 4 }, csr);
    let ack = |ahead, rtt| Op::Ack { connection: 0, ahead, trigger: 0, bitmap: [0; 4], rtt };
    let ops = [
        Op::Open { connection: 0, psn: 0, cwnd_bytes: 100 },
        Op::Window { connection: 0, cwnd_bytes: 1 << 20 },
        Op::Post { connection: 0, packets: 1, times: 8 },
        Op::Sends { times: 8 },
        Op::Ticks(12),
        Op::Ticks(16),
        ack(1, 93),
        Op::Ticks(6),
        ack(1, 0),
        // The silence lasts 10 ticks here, counted from the first acknowledgement, not the 22 ticks since the
        // earlier probe. Ticks later, at 176, it is shorter than three epochs, which last 198 at that time.
        Op::Ticks(111),
        Op::Ticks(65),
    ];
    for op in ops {
        op.run(&mut pair).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

fn long(seeds: u64) {
    let coverage = RefCell::new(Coverage::default());
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 4, 16, 256][rng.below(4) as usize] };
        let csr = random_csr(&mut rng);
        if let Err(difference) = compare(rng, params, csr, 20_000, &mut coverage.borrow_mut()) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    let coverage = coverage.into_inner();
    println!("{coverage:?}");
    coverage.check(seeds);
}

#[test]
fn long_runs() {
    long(50);
}

#[test]
#[ignore = "soak: `make test` has 50"]
fn longer_runs() {
    long(1_000);
}

/// Events as fast as the block accepts them. State that an event does not see yet changes the event's outcome
/// in the same way as in the model.
#[test]
fn clock_by_clock() {
    every_clock(20);
}

#[test]
#[ignore = "soak: `make test` has 20"]
fn longer_clock_by_clock() {
    every_clock(500);
}

fn every_clock(seeds: u64) {
    let mut tally = Tally::default();
    for seed in 1_000..1_000 + seeds {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 4, 16, 256][rng.below(4) as usize] };
        let csr = random_csr(&mut rng);
        let mut world = Stimulus::new(rng, params, &csr);
        if let Err(difference) = follow(&mut world, params, csr, 40_000, &mut tally) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    println!("{tally:?}");
    let Tally { events, sends, timeouts, probes, epochs, late, blind, seconds } = tally;
    let often = sends.min(epochs).min(blind).min(seconds);
    assert!(events > 10_000 * seeds && often > 100 * seeds, "{tally:?}");
    // A timeout comes after two probes.
    assert!(probes > 30 * seeds && timeouts > 5 * seeds && late > seeds, "{tally:?}");
}

/// A connection that is opened again and again never sends a packet of an earlier opening.
#[test]
fn opened_again_and_again() {
    let params = SackParams { connections: 64 };
    let csr = SackTxCsr::default().with_backoff(0).with_retries(15).with_rto(1).with_epoch(1);
    let mut tally = Tally::default();
    let mut storm = Storm { rng: Rng::new(1), now: 0 };
    if let Err(difference) = follow(&mut storm, params, csr, 1_000_000, &mut tally) {
        panic!("{difference}");
    }
    println!("{tally:?}");
    assert!(tally.sends.min(tally.epochs) > 1_000, "{tally:?}");
}

#[test]
fn far_apart_it_is_the_transaction_view() {
    let mut tally = Tally::default();
    for seed in 2_000..2_040 {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 16, 256][rng.below(3) as usize] };
        let rto_ticks = [500, 5_000][rng.below(2) as usize];
        let epoch_ticks = [600, 900][rng.below(2) as usize];
        let csr = random_csr(&mut rng).with_rto(rto_ticks).with_epoch(epoch_ticks);
        let mut world = Stimulus::new(rng, params, &csr);
        if let Err(difference) = clocks::far_apart(&mut world, params, csr, 200_000, &mut tally) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    println!("{tally:?}");
    assert!(tally.events > 200_000 && tally.sends > 10_000, "{tally:?}");
    assert!(tally.timeouts.min(tally.probes).min(tally.epochs).min(tally.late) > 100, "{tally:?}");
}
