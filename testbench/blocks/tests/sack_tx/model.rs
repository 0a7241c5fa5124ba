//! The model of the SACK sender against the naive oracle, and its clocked view against both.

mod clocks;
mod pair;
mod traces;

use clocks::{Storm, Tally, follow};
use proptest::prelude::*;
use std::cell::RefCell;
use traces::{Coverage, compare, op};
use weft_blocks::sack_tx::stimulus::{Stimulus, random_csr};
use weft_params::{SackParams, SackTxCsr};
use weft_random::Rng;

/// Registers with which much happens within few operations.
fn csr() -> impl Strategy<Value = SackTxCsr> {
    let gap = prop::sample::select(vec![0u32, 1, 2, 64, 255]);
    (1u32..3, gap, 1u32..4, 0u32..8, 0u32..4).prop_map(
        |(mtu_bytes, gap, rto_ticks, backoff_limit, retry_limit)| SackTxCsr {
            mtu_bytes,
            gap,
            rto_ticks,
            backoff_limit,
            retry_limit,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// A failure shrinks to few operations.
    #[test]
    fn operations(csr in csr(), ops in prop::collection::vec(op(), 1..120)) {
        let mut pair = pair::Pair::new(SackParams { connections: 4 }, csr);
        for op in ops {
            if let Err(difference) = op.run(&mut pair) {
                prop_assert!(false, "{difference}");
            }
        }
    }
}

#[test]
fn long_runs() {
    let coverage = RefCell::new(Coverage::default());
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 4, 16, 256][rng.below(4) as usize] };
        let csr = random_csr(&mut rng);
        if let Err(difference) = compare(rng, params, csr, 20_000, &mut coverage.borrow_mut()) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    let coverage = coverage.into_inner();
    println!("{coverage:?}");
    coverage.check();
}

/// Events as fast as the block takes them: what one does not see yet changes its outcome just so.
#[test]
fn clock_by_clock() {
    let mut tally = Tally::default();
    for seed in 1_000..1_150 {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 4, 16, 256][rng.below(4) as usize] };
        let csr = random_csr(&mut rng);
        let mut world = Stimulus::new(rng, params, &csr);
        if let Err(difference) = follow(&mut world, params, csr, 40_000, &mut tally) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    println!("{tally:?}");
    let Tally { events, sends, timeouts, blind } = tally;
    assert!(events > 1_000_000 && sends.min(timeouts).min(blind) > 10_000, "{tally:?}");
}

/// No packet of a connection's earlier life leaves, however often it is opened anew.
#[test]
fn opened_again_and_again() {
    let params = SackParams { connections: 64 };
    let csr = SackTxCsr { rto_ticks: 1, backoff_limit: 0, retry_limit: 15, ..SackTxCsr::default() };
    let mut tally = Tally::default();
    let mut storm = Storm { rng: Rng::new(1), now: 0 };
    if let Err(difference) = follow(&mut storm, params, csr, 1_000_000, &mut tally) {
        panic!("{difference}");
    }
    println!("{tally:?}");
    assert!(tally.sends.min(tally.timeouts) > 1_000, "{tally:?}");
}

#[test]
fn far_apart_it_is_the_transaction_view() {
    let mut tally = Tally::default();
    for seed in 2_000..2_040 {
        let mut rng = Rng::new(seed);
        let params = SackParams { connections: [4, 16, 256][rng.below(3) as usize] };
        let rto_ticks = [5_000, 20_000][rng.below(2) as usize];
        let csr = SackTxCsr { rto_ticks, ..random_csr(&mut rng) };
        let mut world = Stimulus::new(rng, params, &csr);
        if let Err(difference) = clocks::far_apart(&mut world, params, csr, 200_000, &mut tally) {
            panic!("seed {seed}, {params:?}, {csr:?}: {difference}");
        }
    }
    println!("{tally:?}");
    assert!(tally.events > 200_000 && tally.sends > 10_000 && tally.timeouts > 100, "{tally:?}");
}
