//! The RTL of SMaRTT against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, recorded, shapes, with_cut_products};
use weft_blocks::smartt::Dut;
use weft_blocks::smartt::driver::Tally;
use weft_nic::block::smartt::Case;
use weft_params::SmarttParams;

/// Fails if the run had too few stalls, or if a case did not occur.
fn everything_happened(tally: &Tally) {
    let Tally { events, answers, not_open, cases, stalls, resets } = *tally;
    for (what, count) in [
        ("events", events),
        ("answers", answers),
        ("events of closed connections", not_open),
        ("stalls", stalls),
        ("resets", resets),
    ] {
        assert!(count > 50, "only {count} {what}: {tally:?}");
    }
    for case in Case::ALL {
        assert!(cases[case as usize] > 100, "too few of {case:?}: {tally:?}");
    }
}

/// The default shape, registers and RAM full of noise at the start.
#[test]
fn six_million_clocks() {
    everything_happened(&lockstep::<Dut>(SmarttParams::default(), 1, 6_000_000));
}

#[test]
#[ignore = "soak: `make test` has six million"]
fn twenty_million_clocks() {
    for seed in 1..=2 {
        everything_happened(&lockstep::<Dut>(SmarttParams::default(), seed, 10_000_000));
    }
}

/// The setting of families without registers in their multiplier blocks.
#[test]
fn products_of_cut_factors() {
    with_cut_products::<Dut>(SmarttParams::default(), 7, 500_000);
}

shapes!(SmarttParams);

/// A run with a planted bug must fail, and name cycle and port.
#[test]
fn planted_bugs_are_found() {
    planted::<Dut>(SmarttParams::default(), [1].into_iter(), 1_000_000);
}

#[test]
#[ignore = "soak: `make test` records one of REPS"]
fn a_mismatch_is_recorded() {
    recorded::<Dut>(SmarttParams::default(), 1, 1_000_000);
}
