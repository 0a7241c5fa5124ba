//! Two cards with Corundum's application block and a bad wire between them. Every byte arrives in memory
//! once, completions follow their data (rule 5 of the NIC), and the hosts' own frames pass unharmed.

use std::path::{Path, PathBuf};
use weft_system::corundum::{Failure, Report, Setting, build, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a library and checks the report.
fn crosses(
    library: &std::sync::Arc<verilator_sys::Library>,
    setting: Setting,
    told: impl FnMut(u64),
) -> Report {
    let report = run(library, setting, told).unwrap_or_else(|error| panic!("{error}"));
    let counters: Vec<_> = report.counters.iter().filter(|(_, count)| *count > 0).collect();
    println!(
        "seed {}: {:.1} Gb/s a card, {} messages in {} clocks; {:?}; of hosts {:?}, {} strays; reads: {} late, {} failed; {counters:?}",
        setting.seed,
        report.gbps(),
        report.messages,
        report.clocks,
        report.wire,
        report.host_frames,
        report.strays,
        report.late_reads,
        report.failed_reads
    );
    assert_eq!(report.bytes, 2 * setting.bytes);
    let [sent, lost, came] = report.host_frames;
    assert_eq!(sent, lost + came, "frames of the hosts");
    let wire = &report.wire;
    assert!(wire.lost > 0 && wire.corrupted > 0 && wire.damaged > 0 && wire.duplicated > 0, "{wire:?}");
    assert!(report.counter("recovery_again") > 0 && report.failed_reads > 0);
    assert_eq!(report.counter("egress_read_errors"), report.failed_reads);
    report
}

#[test]
fn messages_cross_a_bad_wire() {
    let library = build(&root(), &|_, text| text).unwrap().load().unwrap();
    let gbps: Vec<_> =
        (1..=5).map(|seed| crosses(&library, Setting::new(4 << 20, seed), |_| {}).gbps()).collect();
    let mean = gbps.iter().sum::<f64>() / gbps.len() as f64;
    println!("{mean:.1} Gb/s on average: {gbps:.1?}");
    // The wire leaves 97 Gb/s for payload, and one frame in 100 does not arrive.
    assert!(mean > 75.0, "{gbps:?}");
}

#[test]
#[ignore = "soak: 1 GB, some minutes"]
fn a_gigabyte_crosses_a_bad_wire() {
    let library = build(&root(), &|_, text| text).unwrap().long().load().unwrap();
    let setting = Setting::new(1 << 29, 1);
    crosses(&library, setting, |bytes| eprintln!("{} of {} MB", bytes >> 20, setting.bytes >> 19));
}

/// Faults of the adapters.
#[derive(serde::Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    what: String,
    module: String,
    text: String,
    instead: String,
    /// Tests of the adapters that must fail with the fault.
    #[serde(rename = "top")]
    _top: String,
    #[serde(rename = "test")]
    _test: Option<String>,
    /// Observation of two cards, if they can observe the fault.
    cards: Option<String>,
}

#[test]
#[ignore = "soak: a build each"]
fn planted_faults_are_seen() {
    let faults = std::fs::read_to_string(root().join("testbench/corundum/faults.toml")).unwrap();
    let faults: Faults = toml::from_str(&faults).unwrap();
    let mut tried = 0;
    for Fault { what: fault, module, text, instead, cards, .. } in faults.fault {
        let Some(seen) = cards else { continue };
        let edit = |name: &str, whole: String| {
            if name != module {
                return whole;
            }
            assert_eq!(whole.matches(&text).count(), 1, "{module}: {text}");
            whole.replace(&text, &instead)
        };
        let library = build(&root(), &edit).unwrap().load().unwrap();
        match run(&library, Setting::new(16 << 20, 1), |_| {}) {
            Err(Failure::Seen { what, .. }) if what.contains(&seen) => println!("{module}: {fault} {what}"),
            other => panic!("{module}: {fault} {other:?}"),
        }
        tried += 1;
    }
    assert!(tried > 0, "no fault is for two cards");
}
