//! Makes many instances, and checks that nothing of them remains. One test runs at a time: the tests count
//! the resources of the whole process.

mod common;

use std::fs;
use std::sync::{Mutex, PoisonError};

use common::{build, lanes};
use verilator_sys::Reset;

static ALONE: Mutex<()> = Mutex::new(());

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

fn resident_kib() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A context starts a thread for each further core when its first model is made, except where the
/// caller sets the number.
#[test]
fn instances_start_no_threads() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for lane in lanes() {
        let library = build(&lane, "wide", "wide.v").load().unwrap();
        let before = threads();
        let mut instances: Vec<_> =
            (0..128).map(|seed| library.instance(Reset::Random(seed)).unwrap()).collect();
        instances.iter_mut().for_each(|instance| instance.eval().unwrap());
        assert!(threads() <= before, "{before} threads before, {} with 128 instances", threads());
    }
}

#[test]
fn dropped_instances_are_freed() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for lane in lanes() {
        let library = build(&lane, "wide", "wide.v").load().unwrap();
        let churn = |times: u32| {
            for seed in 0..times {
                library.instance(Reset::Random(seed)).unwrap().eval().unwrap();
            }
        };
        churn(200);
        let before = resident_kib();
        churn(4000);
        let growth = resident_kib().saturating_sub(before);
        assert!(growth < 1024, "4000 instances made and dropped left {growth} KiB");
    }
}

#[test]
fn a_dropped_library_is_unloaded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for lane in lanes() {
        let cache = tempfile::tempdir().unwrap();
        let mapped = || {
            let maps = fs::read_to_string("/proc/self/maps").unwrap();
            maps.lines().filter(|line| line.contains(cache.path().to_str().unwrap())).count()
        };
        let build = || build(&lane, "wide", "wide.v").cache_dir(cache.path()).cxx_argument("-O0");
        // The C library keeps libraries with thread-local state until the threads have ended and it unloads
        // another library.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let library = build().load().unwrap();
                let mut instance = library.instance(Reset::Zeros).unwrap();
                drop(library);
                instance.eval().unwrap();
                assert!(mapped() > 0);
            });
        });
        drop(build().param("DW", 8).load().unwrap());
        assert_eq!(mapped(), 0);
    }
}
