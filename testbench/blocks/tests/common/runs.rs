//! Lockstep runs as tests.

#![allow(dead_code, reason = "each block uses its part")]

use std::path::PathBuf;
use weft_bench::{Plant, Report, Session, Subject};

/// Checks a run without faults. A failure prints the data that repeats the run.
#[track_caller]
pub(crate) fn lockstep<B: Subject>(params: B::Params, seed: u64, cycles: u64) -> B::Tally {
    clean::<B>(&Session::new(params, seed), cycles)
}

/// Checks a run with products in parts, as in families whose multiplier blocks get no registers from yosys.
#[track_caller]
pub(crate) fn with_cut_products<B: Subject>(params: B::Params, seed: u64, cycles: u64) -> B::Tally {
    clean::<B>(&Session { verilog: vec![("FACTOR_BITS", 18)], ..Session::new(params, seed) }, cycles)
}

#[track_caller]
fn clean<B: Subject>(session: &Session<B::Params>, cycles: u64) -> B::Tally {
    let finding = session.random::<B>(cycles, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let Session { params, verilog, seed, .. } = session;
    let run = format!("{} {params:?} {verilog:?}, seed {seed}, {cycles} cycles", B::TOP);
    if let Some(mismatch) = finding.report.mismatch {
        panic!("{run}: {mismatch}\nwaveform: {:?}", finding.wave);
    }
    assert_eq!(finding.complaint, None, "{run}");
    assert_eq!(finding.report.cycles, cycles);
    println!("{run}: {:.2} million clocks a second", cycles as f64 / 1e6 / finding.time.as_secs_f64());
    finding.tally
}

/// The bug must be found, with cycle and port.
#[track_caller]
pub(crate) fn found(plant: &Plant, report: &Report) {
    let mismatch = report.mismatch.as_ref().unwrap_or_else(|| panic!("{} was not found", plant.name));
    println!("{}: {mismatch}", plant.name);
    assert!(mismatch.model != mismatch.rtl && mismatch.cycle == report.cycles);
}

/// Every bug must be found by one of these runs.
#[track_caller]
pub(crate) fn planted<B: Subject>(params: B::Params, seeds: impl Iterator<Item = u64> + Clone, cycles: u64) {
    planted_of::<B>(B::PLANTS.iter(), params, seeds, cycles);
}

/// Checks some of the planted bugs.
#[track_caller]
pub(crate) fn planted_of<B: Subject>(
    plants: impl Iterator<Item = &'static Plant>,
    params: B::Params,
    seeds: impl Iterator<Item = u64> + Clone,
    cycles: u64,
) {
    let mut missed = Vec::new();
    for plant in plants {
        let run = |seed| {
            let session = Session { exchange: Some(plant.into()), ..Session::new(params.clone(), seed) };
            let driver = B::driver(&params, seed, cycles);
            let (finding, _) =
                session.run_once::<B, _>(driver, &mut ()).unwrap_or_else(|error| panic!("{error}"));
            finding.report
        };
        let report = seeds.clone().map(run).find(|report| report.mismatch.is_some());
        match report {
            Some(report) => found(plant, &report),
            None => missed.push(plant.name),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// A run that fails leaves a waveform.
#[track_caller]
pub(crate) fn recorded<B: Subject>(params: B::Params, seed: u64, cycles: u64) {
    let plant = B::PLANTS.first().expect("a bug");
    let wave = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}_{}.vcd", B::TOP, plant.name));
    let session =
        Session { exchange: Some(plant.into()), wave: Some(wave.clone()), ..Session::new(params, seed) };
    let finding = session.random::<B>(cycles, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    found(plant, &finding.report);
    let recorded = std::fs::read_to_string(&wave).expect("a waveform");
    assert!(recorded.contains("$enddefinitions") && recorded.lines().count() > 1_000);
}

/// Lockstep of other numbers of connections: two in `make test`, all that can be emitted in `make soak`.
#[allow(unused_macros, reason = "each block uses its part")]
macro_rules! shapes {
    ($params:ident) => {
        fn shapes(all: &[u32]) {
            for (seed, &connections) in (100..).zip(all) {
                lockstep::<Dut>($params { connections }, seed, 1_000_000);
            }
        }

        #[test]
        fn the_least_and_the_most_connections() {
            shapes(&[4, 4096]);
        }

        #[test]
        #[ignore = "soak: `make test` has two of them"]
        fn other_shapes() {
            shapes(&[4, 16, 64, 1024, 4096]);
        }
    };
}
#[allow(unused_imports, reason = "each block uses its part")]
pub(crate) use shapes;
