//! `weft_sender`: RTL and model on every port and clock under traffic in which everything happens, and the oracle
//! beside them.

use crate::runs::{lockstep, planted};
use weft_blocks::sender::Dut;
use weft_params::SackParams;

/// So many settings, for so many clocks each.
fn run(connections: u32, seeds: std::ops::Range<u64>, clocks: u64) {
    let (mut fresh, mut again, mut done, mut errors, mut refused) = (0, 0, 0, 0, 0);
    for seed in seeds {
        let tally = lockstep::<Dut>(SackParams { connections }, seed, clocks);
        fresh += tally.fresh;
        again += tally.again;
        done += tally.done;
        errors += tally.errors;
        refused += tally.refused;
    }
    let all = [fresh, again, done, errors, refused];
    assert!(all.iter().all(|&count| count > 100), "fresh, again, done, errors, refused: {all:?}");
}

#[test]
fn sixteen_connections() {
    run(16, 0..16, 50_000);
}

#[test]
fn the_smallest_shape() {
    run(4, 100..104, 25_000);
}

#[test]
fn the_default_shape() {
    run(256, 200..204, 25_000);
}

#[test]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams { connections: 4 }, 100..104, 25_000);
}
