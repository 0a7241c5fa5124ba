//! The RTL of SMaRTT against its clocked model: every output port on every clock.

use std::path::PathBuf;
use weft_blocks::smartt::plant::Plant;
use weft_blocks::smartt::random::Tally;
use weft_blocks::smartt::session::{Finding, Session};
use weft_nic::block::smartt::Case;
use weft_params::SmarttParams;

fn session(connections: u32, seed: u64) -> Session {
    Session { params: SmarttParams { connections }, seed, plant: None, wave: None }
}

/// Fails with what a person needs to see it again.
fn lockstep(connections: u32, seed: u64, cycles: u64) -> Tally {
    let finding =
        session(connections, seed).random(cycles, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    if let Some(mismatch) = finding.report.mismatch {
        panic!(
            "seed {seed}: {mismatch}\nrepeat: weft cosim --block smartt --connections {connections} \
             --seed {seed} --cycles {cycles}\nwaveform: {:?}",
            finding.wave
        );
    }
    assert_eq!(finding.report.cycles, cycles);
    println!("seed {seed}: {} million clocks a second", cycles as f64 / 1e6 / finding.time.as_secs_f64());
    finding.tally
}

/// A run without stalls, or in which a case is missing, would prove little.
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

/// 40 million clocks of the default shape, registers and RAM full of noise at the start.
#[test]
fn forty_million_clocks() {
    let threads: Vec<_> =
        (1..=4).map(|seed| std::thread::spawn(move || lockstep(256, seed, 10_000_000))).collect();
    for thread in threads {
        everything_happened(&thread.join().expect("no mismatch"));
    }
}

/// All that can be emitted.
#[test]
fn other_shapes() {
    for (seed, connections) in (100..).zip([4, 16, 64, 1024, 4096]) {
        lockstep(connections, seed, 1_000_000);
    }
}

/// The same run with a bug must fail, name cycle and port, and leave a waveform.
#[test]
fn planted_bugs_are_found() {
    for (name, plant) in Plant::ALL {
        let wave = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("smartt_{name}.vcd"));
        let session = Session { plant: Some(plant), wave: Some(wave.clone()), ..session(256, 1) };
        let Finding { report, .. } =
            session.random(1_000_000, &mut ()).unwrap_or_else(|error| panic!("{error}"));
        let mismatch = report.mismatch.unwrap_or_else(|| panic!("{name} was not found"));
        println!("{name}: {mismatch}");
        assert!(mismatch.model != mismatch.rtl && mismatch.cycle == report.cycles);
        let recorded = std::fs::read_to_string(&wave).expect("a waveform");
        assert!(recorded.contains("$enddefinitions") && recorded.lines().count() > 1_000);
    }
}
