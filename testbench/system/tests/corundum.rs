//! Two cards with Corundum's application block and a bad wire between them: every byte is in memory once, completions
//! are behind their data, and the hosts' own frames pass unharmed.

use std::path::{Path, PathBuf};
use weft_system::corundum::{Failure, Report, Setting, run, verilator};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A run of a library, judged.
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
    let library = verilator(&root(), &|_, text| text).unwrap().load().unwrap();
    let gbps: Vec<_> =
        (1..=5).map(|seed| crosses(&library, Setting::new(4 << 20, seed), |_| {}).gbps()).collect();
    let mean = gbps.iter().sum::<f64>() / gbps.len() as f64;
    println!("{mean:.1} Gb/s on average: {gbps:.1?}");
    // Of 97 that the wire leaves for payload; one frame in 100 does not arrive.
    assert!(mean > 75.0, "{gbps:?}");
}

#[test]
#[ignore = "soak: 1 GB, some minutes"]
fn a_gigabyte_crosses_a_bad_wire() {
    let library = verilator(&root(), &|_, text| text).unwrap().long().load().unwrap();
    let setting = Setting::new(1 << 29, 1);
    crosses(&library, setting, |bytes| eprintln!("{} of {} MB", bytes >> 20, setting.bytes >> 19));
}

/// Module, text, what stands there instead, and what is seen then.
const FAULTS: [(&str, &str, &str, &str); 7] = [
    // Bytes leave for host memory before they are in the ring.
    (
        "weft_dma_write",
        "if (s_axis_write_tlast) begin",
        "if (s_axis_write_tlast || tail[RING:0] == start) begin",
        "wrong bytes",
    ),
    // An entry overtakes the data before it.
    (
        "weft_dma_write",
        "desc              <= slot[next[SLOTS-1:0]];",
        "desc <= newest - next > 1 && slot[newest[SLOTS-1:0]-1][77:64] == 16 ? slot[newest[SLOTS-1:0]-1] : slot[next[SLOTS-1:0]];",
        "where the ring has room",
    ),
    // A packet leaves before its read has ended.
    ("weft_dma_read", "oldest != newest && done[oldest[SLOTS-1:0]]", "oldest != newest", "wrong bytes"),
    // What a read brought that failed is sent.
    ("weft_dma_read", "s_axis_status_error != 4'd0", "1'b0", "wrong bytes"),
    // The ring is filled over.
    (
        "weft_queues",
        "ring_used < (16'd1 << ring_size)",
        "ring_used <= (16'd1 << ring_size)",
        "where the ring has room",
    ),
    // The host's tags are lost.
    (
        "weft_app",
        ".s_axis_b_tuser(s_axis_host_tuser)",
        ".s_axis_b_tuser({TX_USER{1'b0}})",
        "a frame of a host has not come",
    ),
    // So is the mark on bad frames.
    ("weft_app", ".s_axis_net_tuser(s_axis_rx_tuser)", ".s_axis_net_tuser({RX_USER{1'b0}})", "not the next"),
];

#[test]
#[ignore = "soak: a build each"]
fn planted_faults_are_seen() {
    for (module, old, new, seen) in FAULTS {
        let edit = |name: &str, text: String| {
            if name != module {
                return text;
            }
            assert_eq!(text.matches(old).count(), 1, "{module}: {old}");
            text.replace(old, new)
        };
        let library = verilator(&root(), &edit).unwrap().load().unwrap();
        match run(&library, Setting::new(16 << 20, 1), |_| {}) {
            Err(Failure::Seen { what, .. }) if what.contains(seen) => println!("{module}: {what}"),
            other => panic!("{module}, {old} -> {new}: {other:?}"),
        }
    }
}
