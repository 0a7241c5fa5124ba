//! The model of the SACK sender against the naive oracle, and its clocked view against both.

#[path = "sack_tx_model/clocks.rs"]
mod clocks;
#[path = "sack_tx_model/pair.rs"]
mod pair;
#[path = "sack_tx_model/traces.rs"]
mod traces;

use proptest::prelude::*;
use std::cell::RefCell;
use traces::{Coverage, compare, op};
use weft_cosim::blocks::reps::stimulus::Rng;
use weft_cosim::blocks::sack_tx::stimulus::random_csr;
use weft_params::{SackParams, SackTxCsr};

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
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

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
