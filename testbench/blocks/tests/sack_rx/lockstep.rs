//! The RTL of the SACK receiver against its clocked model: every output port on every clock.

use crate::runs::{lockstep, planted, recorded, shapes};
use weft_blocks::sack_rx::driver::Tally;
use weft_blocks::sack_rx::{Dut, Windowed};
use weft_params::SackParams;
use weft_word::{Bits, Stored};

/// Fails if the run had too few stalls, or if a verdict did not occur.
fn everything_happened(tally: &Tally) {
    let Tally { events, outcomes, not_open, placed, duplicates, outside, trimmed, .. } = *tally;
    let Tally { acks, nacks, gathered, messages, full_windows, full_of_messages, stalls, resets, .. } =
        *tally;
    for (what, count, least) in [
        ("events", events, 1_000_000),
        ("outcomes", outcomes, 1_000_000),
        ("events of closed connections", not_open, 1_000),
        ("placed", placed, 1_000_000),
        ("duplicates", duplicates, 10_000),
        ("outside", outside, 10_000),
        ("trimmed", trimmed, 10_000),
        ("ACKs", acks, 10_000),
        ("NACKs", nacks, 10_000),
        ("packets that gather", gathered, 10_000),
        ("messages", messages, 10_000),
        ("windows of 256 PSNs at once", full_windows, 100),
        ("windows of 256 messages at once", full_of_messages, 20),
        ("stalls", stalls, 10_000),
        ("resets", resets, 10),
        ("packets out of order", tally.out_of_order_max, 255),
        ("events of one connection in a row", tally.in_a_row_max, 3_000),
    ] {
        assert!(count >= least, "only {count} {what}: {tally:?}");
    }
}

/// The default shape, registers and RAM full of noise at the start.
#[test]
fn six_million_clocks() {
    everything_happened(&lockstep::<Dut>(SackParams::default(), 1, 6_000_000));
}

#[test]
#[ignore = "soak: `make test` has six million"]
fn twenty_million_clocks() {
    for seed in 1..=2 {
        everything_happened(&lockstep::<Dut>(SackParams::default(), seed, 10_000_000));
    }
}

shapes!(SackParams);

/// Runs of larger windows are shorter.
fn a_larger_window<const S: usize, const N: usize, const L: usize>(seed: u64)
where
    Bits<S>: Stored,
    Bits<N>: Stored,
{
    let tally = lockstep::<Windowed<S, N, L>>(SackParams { connections: 16 }, seed, 1_000_000);
    let Tally { placed, duplicates, outside, trimmed, acks, gathered, messages, .. } = tally;
    let least = [placed, duplicates, outside, trimmed, acks, gathered, messages].into_iter().min();
    assert!(least > Some(1_000) && tally.full_windows > 0 && tally.resets > 0, "{tally:?}");
}

#[test]
fn a_window_of_512() {
    a_larger_window::<9, 10, 4>(1);
}

#[test]
fn a_window_of_1024() {
    a_larger_window::<10, 11, 8>(2);
}

/// A run with a planted bug must fail, and name cycle and port.
#[test]
fn planted_bugs_are_found() {
    planted::<Dut>(SackParams::default(), [1].into_iter(), 200_000);
}

#[test]
#[ignore = "soak: `make test` records one of REPS"]
fn a_mismatch_is_recorded() {
    recorded::<Dut>(SackParams::default(), 1, 200_000);
}
