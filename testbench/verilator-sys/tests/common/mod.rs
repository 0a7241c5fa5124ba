//! Helpers of the tests.
#![allow(dead_code, unreachable_pub)]

use std::path::PathBuf;

use verilator_sys::Build;

/// The Verilators to test with: the default one, and the one that the variable `WEFT_VERILATOR_5052` names,
/// if it is set.
pub fn lanes() -> Vec<Option<PathBuf>> {
    let newer = std::env::var_os("WEFT_VERILATOR_5052").map(PathBuf::from);
    if newer.is_none() {
        println!("WEFT_VERILATOR_5052 is not set: testing with the default Verilator only");
    }
    [None].into_iter().chain(newer.map(Some)).collect()
}

/// A build of `tests/rtl/<file>` in one lane.
pub fn build(lane: &Option<PathBuf>, top: &str, file: &str) -> Build {
    with(lane, Build::new(top).source(rtl(file)))
}

/// The build in one lane.
pub fn with(lane: &Option<PathBuf>, build: Build) -> Build {
    match lane {
        Some(program) => build.verilator(program),
        None => build,
    }
}

pub fn rtl(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rtl").join(file)
}
