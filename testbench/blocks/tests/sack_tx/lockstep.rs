//! The RTL of the SACK sender against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, planted_of, recorded, shapes};
use weft_bench::Subject;
use weft_blocks::sack_tx::Dut;
use weft_blocks::sack_tx::driver::Tally;
use weft_params::SackParams;

/// Fails if the run had too few retransmissions, stalls or failures.
fn everything_happened(tally: &Tally) {
    let counts = serde_json::to_value(tally).expect("numbers");
    for (what, count) in counts.as_object().expect("fields") {
        assert!(count.as_u64() >= Some(20), "{what} {count}: {tally:?}");
    }
    assert_eq!(tally.unacked_max, 256);
}

/// The default shape, registers and RAM full of noise at the start.
#[test]
fn three_million_clocks() {
    everything_happened(&lockstep::<Dut>(SackParams::default(), 1, 3_000_000));
}

#[test]
#[ignore = "soak: `make test` has three million"]
fn ten_million_clocks() {
    for seed in 1..=2 {
        everything_happened(&lockstep::<Dut>(SackParams::default(), seed, 5_000_000));
    }
}

shapes!(SackParams);

#[test]
fn some_planted_bugs_are_found() {
    let some = Dut::PLANTS.iter().step_by(12);
    planted_of::<Dut>(some, SackParams::default(), 4..12, 200_000);
}

/// A run with a planted bug must fail, and name cycle and port.
#[test]
#[ignore = "soak: `make test` has some of them"]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams::default(), 4..12, 200_000);
}

#[test]
#[ignore = "soak: `make test` records one of REPS"]
fn a_mismatch_is_recorded() {
    recorded::<Dut>(SackParams::default(), 4, 200_000);
}
