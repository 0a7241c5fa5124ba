//! The RTL of REPS against its clocked model: every output port on every clock.

use std::path::PathBuf;
use weft_blocks::reps::plant::Plant;
use weft_blocks::reps::random::Tally;
use weft_blocks::reps::session::{Finding, Session};
use weft_params::RepsParams;

fn session(params: RepsParams, seed: u64) -> Session {
    Session { params, seed, plant: None, wave: None }
}

/// Fails with what a person needs to see it again.
fn lockstep(params: RepsParams, seed: u64, cycles: u64) -> Tally {
    let finding = session(params, seed).random(cycles, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let RepsParams { connections, depth, ev_width } = params;
    if let Some(mismatch) = finding.report.mismatch {
        panic!(
            "seed {seed}: {mismatch}\nrepeat: weft cosim --block reps --connections {connections} --depth {depth} \
             --ev-width {ev_width} --seed {seed} --cycles {cycles}\nwaveform: {:?}",
            finding.wave
        );
    }
    assert_eq!(finding.report.cycles, cycles);
    finding.tally
}

/// A run that never froze, stalled or reused would prove little.
fn everything_happened(tally: &Tally) {
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

/// 50 million clocks of the default shape, registers and RAM full of noise at the start.
#[test]
fn fifty_million_clocks() {
    let threads: Vec<_> = (1..=5)
        .map(|seed| std::thread::spawn(move || lockstep(RepsParams::default(), seed, 10_000_000)))
        .collect();
    for thread in threads {
        everything_happened(&thread.join().expect("no mismatch"));
    }
}

/// The corners of what can be emitted.
#[test]
fn other_shapes() {
    for (seed, (connections, depth, ev_width)) in
        (100..).zip([(4, 4, 8), (4, 16, 16), (16, 8, 12), (64, 16, 8), (1024, 8, 16), (4096, 4, 16)])
    {
        lockstep(RepsParams { connections, depth, ev_width }, seed, 1_000_000);
    }
}

/// The same run with a bug must fail, name cycle and port, and leave a waveform.
#[test]
fn planted_bugs_are_found() {
    for (name, plant) in Plant::ALL {
        let wave = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("reps_{name}.vcd"));
        let session =
            Session { plant: Some(plant), wave: Some(wave.clone()), ..session(RepsParams::default(), 1) };
        let Finding { report, .. } =
            session.random(1_000_000, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let mismatch = report.mismatch.unwrap_or_else(|| panic!("{name} was not found"));
        println!("{name}: {mismatch}");
        assert!(mismatch.model != mismatch.rtl && mismatch.cycle == report.cycles);
        let recorded = std::fs::read_to_string(&wave).expect("a waveform");
        assert!(recorded.contains("$enddefinitions") && recorded.lines().count() > 1_000);
    }
}
