//! Examples and setups, run by both engines.

use std::path::{Path, PathBuf};
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example, with keys set.
pub(crate) fn read(file: &str, sets: &[&str]) -> Result<Plan, String> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Plan::read(&root().join("examples").join(file), &sets).map_err(|error| error.to_string())
}

/// Runs the file in both engines, with one thread, two and four. Checks that the reports are equal to the
/// byte.
pub(crate) fn run(file: &str, sets: &[&str]) -> Report {
    let report = read(file, sets).expect(file).run(Engine::Windows, |_| true);
    let json = |report: &Report| serde_json::to_string(report).expect("a report");
    let [two, four] = ["threads=2", "threads=4"].map(|threads| [sets, &[threads]].concat());
    for (sets, engine) in [(sets, Engine::Heap), (&two, Engine::Windows), (&four, Engine::Windows)] {
        let other = read(file, sets).expect(file).run(engine, |_| true);
        assert_eq!(json(&other), json(&report), "{file}, {engine:?}");
    }
    assert!(report.violations.is_empty(), "{file}: {:?}", report.violations);
    assert!(report.summary.is_complete, "{file}: {:?}", report.summary);
    report
}
