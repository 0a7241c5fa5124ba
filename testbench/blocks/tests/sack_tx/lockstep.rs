//! The RTL of the SACK sender against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, planted_of, recorded, shapes};
use weft_bench::Subject;
use weft_blocks::sack_tx::driver::Tally;
use weft_blocks::sack_tx::{Dut, Windowed};
use weft_params::SackParams;
use weft_word::{Bits, Stored};

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

/// Runs of larger windows are shorter.
fn a_larger_window<const S: usize, const N: usize, const L: usize>(seed: u64)
where
    Bits<N>: Stored,
{
    let tally = lockstep::<Windowed<S, N, L>>(SackParams { connections: 4 }, seed, 1_000_000);
    let Tally { fresh, again, acked, lost_by_verdict, lost_by_nack, beyond, stale, .. } = tally;
    let least = [fresh, again, acked, lost_by_verdict, lost_by_nack, beyond, stale].into_iter().min();
    assert!(least > Some(20) && tally.unacked_max == 1 << S && tally.resets > 0, "{tally:?}");
}

#[test]
fn a_window_of_512() {
    a_larger_window::<9, 10, 4>(1);
}

#[test]
fn a_window_of_1024() {
    a_larger_window::<10, 11, 8>(2);
}

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
