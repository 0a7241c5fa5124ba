//! The RTL of the SACK sender against its clocked model: every output port on every clock.

use std::path::PathBuf;
use weft_cosim::blocks::sack_tx::plant::Plant;
use weft_cosim::blocks::sack_tx::random::Tally;
use weft_cosim::blocks::sack_tx::session::{Finding, Session};
use weft_params::SackParams;

fn session(connections: u32, seed: u64) -> Session {
    Session { params: SackParams { connections }, seed, plant: None, wave: None }
}

/// Fails with what a person needs to see it again.
fn lockstep(connections: u32, seed: u64, cycles: u64) -> Tally {
    let finding =
        session(connections, seed).random(cycles, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    if let Some(mismatch) = finding.report.mismatch {
        panic!(
            "seed {seed}: {mismatch}\nrepeat: weft cosim --block sack_tx --connections {connections} \
             --seed {seed} --cycles {cycles}\nwaveform: {:?}",
            finding.wave
        );
    }
    assert_eq!(finding.report.cycles, cycles);
    println!("seed {seed}: {} million clocks a second", cycles as f64 / 1e6 / finding.time.as_secs_f64());
    finding.tally
}

/// A run without retransmissions, stalls or failures would prove little.
fn everything_happened(tally: &Tally) {
    let counts = serde_json::to_value(tally).expect("numbers");
    for (what, count) in counts.as_object().expect("fields") {
        assert!(count.as_u64() >= Some(20), "{what} {count}: {tally:?}");
    }
    assert_eq!(tally.unacked_max, 256);
}

/// 30 million clocks of the default shape, registers and RAM full of noise at the start.
#[test]
fn thirty_million_clocks() {
    let threads: Vec<_> =
        (1..=3).map(|seed| std::thread::spawn(move || lockstep(256, seed, 10_000_000))).collect();
    for thread in threads {
        everything_happened(&thread.join().expect("no mismatch"));
    }
}

/// All that can be emitted.
#[test]
fn other_shapes() {
    for (seed, connections) in (100..).zip([4, 16, 64, 1024, 4096]) {
        println!("{connections} connections: {:?}", lockstep(connections, seed, 1_000_000));
    }
}

/// The same run with a bug must fail, name cycle and port, and leave a waveform.
#[test]
fn planted_bugs_are_found() {
    for (name, plant) in Plant::ALL {
        let wave = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("sack_tx_{name}.vcd"));
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
