//! The RTL of NSCC against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, shapes, with_cut_products};
use weft_blocks::nscc::Dut;
use weft_blocks::smartt::driver::Tally;
use weft_nic::block::nscc::Case;
use weft_params::NsccParams;

/// Cases that NSCC does not have.
const NEVER: [Case; 3] = [Case::FairDecrease, Case::Waiting, Case::Both];

/// Fails if the run had too few stalls, or if a case did not occur.
fn everything_happened(tally: &Tally) {
    let Tally { events, answers, not_open, cases, stalls, resets } = *tally;
    let counts = [events, answers, not_open, stalls, resets];
    assert!(counts.into_iter().all(|count| count > 50), "{tally:?}");
    for case in Case::ALL {
        let expected = if NEVER.contains(&case) { 0..1 } else { 100..u64::MAX };
        assert!(expected.contains(&cases[case as usize]), "{case:?}: {tally:?}");
    }
}

/// The default shape, registers and RAM full of noise at the start.
#[test]
fn six_million_clocks() {
    everything_happened(&lockstep::<Dut>(NsccParams::default(), 1, 6_000_000));
}

#[test]
#[ignore = "soak: `make test` has six million"]
fn twenty_million_clocks() {
    for seed in 1..=2 {
        everything_happened(&lockstep::<Dut>(NsccParams::default(), seed, 10_000_000));
    }
}

/// The setting of families without registers in their multiplier blocks.
#[test]
fn products_of_cut_factors() {
    with_cut_products::<Dut>(NsccParams::default(), 7, 500_000);
}

shapes!(NsccParams);

/// A run with a planted bug must fail, and name cycle and port.
#[test]
fn planted_bugs_are_found() {
    planted::<Dut>(NsccParams::default(), [1].into_iter(), 1_000_000);
}
