//! The RTL of REPS against its clocked model: every output port on every clock.

use crate::runs::{found, lockstep, planted, recorded, with_cut_products};
use weft_bench::{Plant, Session, Subject};
use weft_blocks::reps::Dut;
use weft_blocks::reps::driver::Tally;
use weft_params::RepsParams;

/// Fails if the run had too few freezes, stalls, reused values, or other events that the tally counts.
pub(crate) fn everything_happened(tally: &Tally) {
    let Tally { events, decisions, not_open, explored, recycled, reused, freezes, thaws, stalls, resets } =
        *tally;
    for (what, count) in [
        ("events", events),
        ("decisions", decisions),
        ("events of closed connections", not_open),
        ("explored", explored),
        ("recycled", recycled),
        ("reused", reused),
        ("freezes", freezes),
        ("thaws", thaws),
        ("stalls", stalls),
        ("resets", resets),
    ] {
        assert!(count > 100, "only {count} {what}: {tally:?}");
    }
}

/// The default shape, registers and RAM full of noise at the start.
#[test]
fn ten_million_clocks() {
    everything_happened(&lockstep::<Dut>(RepsParams::default(), 1, 10_000_000));
}

#[test]
#[ignore = "soak: `make test` has ten million"]
fn fifty_million_clocks() {
    for seed in 1..=5 {
        everything_happened(&lockstep::<Dut>(RepsParams::default(), seed, 10_000_000));
    }
}

/// The setting of families without registers in their multiplier blocks.
#[test]
fn products_of_cut_factors() {
    with_cut_products::<Dut>(RepsParams::default(), 7, 1_000_000);
}

fn shapes(all: &[(u32, u32, u32)]) {
    for (seed, &(connections, depth, ev_width)) in (100..).zip(all) {
        lockstep::<Dut>(RepsParams { connections, depth, ev_width }, seed, 1_000_000);
    }
}

#[test]
fn the_least_and_the_most() {
    shapes(&[(4, 4, 8), (4, 16, 16), (4096, 4, 16)]);
}

/// The smallest and largest shapes that can be emitted.
#[test]
#[ignore = "soak: `make test` has three of them"]
fn other_shapes() {
    shapes(&[(4, 4, 8), (4, 16, 16), (16, 8, 12), (64, 16, 8), (1024, 8, 16), (4096, 4, 16)]);
}

/// A run with a planted bug must fail, and name cycle and port.
#[test]
fn planted_bugs_are_found() {
    planted::<Dut>(RepsParams::default(), [1].into_iter(), 1_000_000);
}

/// Words have no reset and begin with random bits: so the bench finds an offered word that was never written,
/// and an offered word of another event.
#[test]
fn a_wrong_word_is_found_while_it_is_offered() {
    const UNWRITTEN: Plant = Plant {
        name: "unwritten",
        breaks: "a word is offered that nothing was written to",
        module: "weft_skid",
        text: "offered_word_en = free & some",
        bug: "offered_word_en = 1'b0",
    };
    const ANOTHER: Plant = Plant {
        name: "another",
        breaks: "behind a stall, the word that was taken is offered again",
        module: "weft_skid",
        text: "offered_word_en = free & some",
        bug: "offered_word_en = free & some & running_q",
    };
    for plant in [&UNWRITTEN, &ANOTHER] {
        let session = Session { exchange: Some(plant.into()), ..Session::new(RepsParams::default(), 1) };
        let driver = || Dut::driver(&session.params, session.seed, 100_000);
        let (finding, _) = session.run_once::<Dut, _>(driver(), &mut ()).expect("a run");
        found(plant, &finding.report);
        let port = finding.report.mismatch.expect("found").port;
        assert!(port.starts_with("m_axis_decision_t") && !port.ends_with("tvalid"), "{}: {port}", plant.name);
    }
}

#[test]
fn a_mismatch_is_recorded() {
    recorded::<Dut>(RepsParams::default(), 1, 1_000_000);
}
