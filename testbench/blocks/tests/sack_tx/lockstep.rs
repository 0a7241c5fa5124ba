//! The RTL of the SACK sender against its clocked model: every output port on every clock.

use std::path::PathBuf;
use verilator_sys::Reset;
use weft_blocks::lockstep::run;
use weft_blocks::sack_tx::plant::Plant;
use weft_blocks::sack_tx::random::{RandomDriver, Tally};
use weft_blocks::sack_tx::session::{Finding, Session};
use weft_blocks::sack_tx::views::{Rtl, build, verilog};
use weft_nic::block::sack_tx::Clocked;
use weft_params::{SackParams, SackTxCsr};

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
        lockstep(connections, seed, 1_000_000);
    }
}

/// The same run with a bug must fail and name cycle and port.
#[test]
fn planted_bugs_are_found() {
    // One of those with every bug among its first clocks.
    const SEED: u64 = 4;
    let params = SackParams::default();
    for (name, plant) in Plant::ALL {
        let mut modules = verilog(&params).expect("a shape that can be emitted");
        plant.apply(&mut modules);
        // Found within thousands of clocks: a fast build is worth more than a fast run.
        let library = build(&modules).cxx_argument("-O0").load().unwrap_or_else(|error| panic!("{error}"));
        let mut rtl = Rtl::new(&library, Reset::Random(1)).expect("the ports of weft_sack_tx");
        let mut model = Clocked::new(params, SackTxCsr::default());
        let mut driver = RandomDriver::new(SEED, params, 200_000);
        let report = run(&mut model, &mut rtl, &mut driver, &mut ()).expect("a run");
        let mismatch = report.mismatch.unwrap_or_else(|| panic!("{name} was not found"));
        println!("{name}: {mismatch}");
        assert!(mismatch.model != mismatch.rtl && mismatch.cycle == report.cycles);
    }
}

/// A run that fails leaves a waveform.
#[test]
fn a_mismatch_is_recorded() {
    let wave = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sack_tx_edge.vcd");
    let session = Session { plant: Some(Plant::Edge), wave: Some(wave.clone()), ..session(256, 4) };
    let Finding { report, .. } = session.random(200_000, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.mismatch.is_some());
    let recorded = std::fs::read_to_string(&wave).expect("a waveform");
    assert!(recorded.contains("$enddefinitions") && recorded.lines().count() > 1_000);
}
