//! Tests that memory is not allocated for each packet: apart from growing tables, a run with four times as
//! many packets makes as many allocations.
//!
//! Only this program has the counting allocator: an allocator is global to a program.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;

/// Number of allocations and reallocations.
static ASKED: AtomicU64 = AtomicU64::new(0);

/// The system's allocator with a counter.
struct Counting;

// SAFETY: All calls are passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: The caller fulfils the system's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: The caller fulfils the system's contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: The caller keeps the system's contract.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: The caller keeps the system's contract.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The counts of a run: allocations, and the packets that hosts sent.
fn run(file: &str, sets: &[&str], engine: Engine) -> (u64, u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let plan = Plan::read(&path, &sets).expect(file);
    let before = ASKED.load(Ordering::Relaxed);
    let report = plan.run(engine, |_| true);
    let asked = ASKED.load(Ordering::Relaxed) - before;
    assert!(report.summary.is_complete && report.violations.is_empty(), "{file}");
    (asked, report.summary.sent)
}

/// This test must be the only one of its program, because it would count the allocations of other tests.
#[test]
fn nothing_is_allocated_per_packet() {
    let usual = ["topology.k=4"];
    let lossy = ["topology.k=4", "switch.queue_bytes=30000"];
    let drops = ["topology.k=4", "switch.queue_bytes=30000", "switch.trim=false", "hosts.gap=16"];
    let cut = ["topology.k=4", "fail=[{switch=\"agg-2\", from_us=15, until_us=60}]"];
    for (sets, engine) in [
        (&usual[..], Engine::Windows),
        (&["topology.k=4", "scheme.name=jsq"], Engine::Windows),
        (&["topology.k=4", "scheme.name=drill", "threads=2"], Engine::Windows),
        (&["topology.k=4", "scheme.name=ofan"], Engine::Windows),
        (&lossy, Engine::Windows),
        (&drops, Engine::Windows),
        (&cut, Engine::Windows),
        (&usual, Engine::Heap),
    ] {
        let of = |bytes: u32| {
            let workload = format!("workload={{kind=\"permutation\", bytes={bytes}}}");
            run("permutation.toml", &[sets, &[&workload]].concat(), engine)
        };
        let (less, more) = (of(4_000_000), of(16_000_000));
        let (asked, packets) = (more.0.saturating_sub(less.0), more.1 - less.1);
        assert!(packets > 80_000, "{sets:?}: {packets}");
        // Queues and lists grow now and then; where threads meet, by as much.
        assert!(asked < 200, "{sets:?}: {asked} times more for {packets} packets more");
    }
}
