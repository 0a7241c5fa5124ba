//! Limits of files: length, size, repetition, and use.

use std::collections::BTreeSet;
use weft_house::{crates, files, read, repeats, root};

/// Maximum number of lines of a hand-written file.
const LONGEST: usize = 500;
/// Maximum number of bytes of any file.
const LARGEST: u64 = 1 << 20;
/// Number of equal lines in a row that count as a repetition.
const RUN: usize = 8;

/// Files that a program generates.
const GENERATED: &[&str] =
    &["capi/include/weft.h", "hdl/src/block/registers/top.rs", "model/params/src/registers/offsets.rs"];

/// Files that may be longer than the limit, with the reasons.
const LONG: &[(&str, &str)] = &[
    (
        "fpga/cdc/weft_nic_cdc.v",
        "one top: 90 ports of four clocks, their attributes, and the queues between them and the NIC",
    ),
    (
        "hdl/src/block/sender.rs",
        "one top: its ports, those that it passes through to three blocks inside, and the wires between its twelve parts",
    ),
    (
        "hdl/src/block/nscc/window.rs",
        "one pipeline: 30 ports, 120 signals, and an `update` that Rust-HDL cannot split without a module of its own",
    ),
    (
        "hdl/src/block/smartt/window.rs",
        "one pipeline: 36 ports, 110 signals, and an `update` that Rust-HDL cannot split without a module of its own",
    ),
    (
        "hdl/src/block/sack_rx/window.rs",
        "one pipeline of 22 stages, and an `update` that Rust-HDL cannot split without a module of its own",
    ),
    (
        "hdl/src/block/sack_tx/settle.rs",
        "one stage: 60 signals, and an `update` that Rust-HDL cannot split without a module of its own",
    ),
    (
        "hdl/src/block/sender/dispatch.rs",
        "one pipeline of five stages, and an `update` that Rust-HDL cannot split without a module of its own",
    ),
    ("hdl/src/emit/source.rs", "reading a source and refusing what only it shows go through the same walk"),
    ("hdl/tests/primitives.rs", "a bench and a test for each primitive"),
    ("hdl/tests/refused.rs", "a test for each line of the table of what is refused"),
    ("model/params/src/registers/map.rs", "the register map, as data"),
    (
        "testbench/blocks/src/sack_tx/oracle/connection.rs",
        "one connection, a method for each rule of the page",
    ),
    ("testbench/blocks/tests/receiver/rules.rs", "a test for each rule of the page, in its order"),
    ("testbench/blocks/tests/registers/rules.rs", "a test for each rule of the page, in its order"),
    ("testbench/blocks/tests/reps/rules.rs", "a test for each rule of the page, in its order"),
    ("testbench/blocks/tests/smartt/rules.rs", "a test for each rule of the page, in its order"),
];

/// Repetitions that are allowed, with the reasons: the two files, in order.
const TWICE: &[(&str, &str, &str)] = &[
    ("hdl/src/block/nic.rs", "hdl/src/block/nic/narrow.rs", PORTS),
    ("hdl/src/block/nic.rs", "hdl/src/block/receiver.rs", PORTS),
    ("hdl/src/block/nic.rs", "hdl/src/block/sender.rs", PORTS),
    ("hdl/src/block/nscc.rs", "hdl/src/block/smartt.rs", PORTS),
    (
        "hdl/src/block/nscc/front.rs",
        "hdl/src/block/smartt/front.rs",
        "the same front for another distance: widths are types",
    ),
    ("hdl/src/block/nscc/signals.rs", "hdl/src/block/nscc/window.rs", PORTS),
    ("hdl/src/block/nscc/signals.rs", "hdl/src/block/smartt/class.rs", PORTS),
    ("hdl/src/block/nscc/signals.rs", "hdl/src/block/smartt/signals.rs", PORTS),
    ("hdl/src/block/nscc/window.rs", "hdl/src/block/smartt/window.rs", PORTS),
    ("hdl/src/block/nscc/signals.rs", "hdl/src/block/smartt/window.rs", PORTS),
    ("hdl/src/block/nscc/words.rs", "hdl/src/block/nscc/words.rs", PORTS),
    ("hdl/src/block/nscc/words.rs", "hdl/src/block/smartt/words.rs", PORTS),
    ("hdl/src/block/reps/core.rs", "hdl/src/block/reps/decode.rs", PORTS),
    ("hdl/src/block/sack_rx/front.rs", "hdl/src/block/sack_tx/front.rs", PORTS),
    ("hdl/src/block/smartt/words.rs", "hdl/src/block/smartt/words.rs", PORTS),
    ("hdl/src/prim/ram_sdp.rs", "hdl/src/prim/ram_sdp_be.rs", PORTS),
    ("hdl/tests/primitives.rs", "hdl/tests/primitives.rs", "benches of primitives with the same ports"),
    ("model/nic/src/block/egress/clocked.rs", "model/nic/src/block/ingress/clocked.rs", ALIKE),
    ("model/nic/src/block/nscc/state.rs", "model/nic/src/block/smartt/state.rs", ALIKE),
    ("model/nic/src/block/nscc/transaction.rs", "model/nic/src/block/smartt/transaction.rs", ALIKE),
    ("model/params/src/nscc.rs", "model/params/src/sack.rs", ALIKE),
    ("model/params/src/nscc.rs", "model/params/src/smartt/csr.rs", ALIKE),
    (
        "testbench/blocks/src/nscc/oracle.rs",
        "testbench/blocks/src/smartt/oracle.rs",
        "judges share no text with one another",
    ),
    ("model/switch/src/kit/builder.rs", "model/switch/src/kit/program.rs", ALIKE),
    ("model/switch/tests/site/mod.rs", "model/switch/tests/walks/schemes.rs", ALIKE),
    ("hdl/src/block/mod.rs", "model/nic/src/block/mod.rs", "the list of blocks"),
    ("hdl/src/block/mod.rs", "testbench/blocks/src/lib.rs", "the list of blocks"),
    ("testbench/blocks/src/nscc/driver.rs", "testbench/blocks/src/smartt/driver.rs", ALIKE),
    (
        "testbench/blocks/tests/nscc/model/side_by_side.rs",
        "testbench/blocks/tests/smartt/model/side_by_side.rs",
        ALIKE,
    ),
    ("testbench/blocks/tests/sack_rx/page.rs", "testbench/blocks/tests/sack_tx/page.rs", ALIKE),
    ("testbench/blocks/tests/sack_rx/page.rs", "testbench/blocks/tests/smartt/page.rs", ALIKE),
    ("testbench/blocks/tests/reps/rules/steps.rs", "testbench/blocks/tests/smartt/rules/steps.rs", ALIKE),
    ("testbench/proof/src/egress/mod.rs", "testbench/proof/src/ingress/mod.rs", ALIKE),
    ("testbench/proof/src/egress/mod.rs", "testbench/proof/src/receiver/mod.rs", ALIKE),
    ("testbench/proof/src/egress/ports.rs", "testbench/proof/src/ingress/ports.rs", ALIKE),
    ("testbench/proof/src/ingress/mod.rs", "testbench/proof/src/receiver/mod.rs", ALIKE),
    (
        "testbench/proof/src/ingress/ports.rs",
        "testbench/system/tests/nic/hostile.rs",
        "the list of counters: a proof and a judge share no text",
    ),
    ("testbench/proof/src/nscc/mod.rs", "testbench/proof/src/sack_tx/mod.rs", ALIKE),
    ("testbench/proof/src/nscc/mod.rs", "testbench/proof/src/smartt/mod.rs", ALIKE),
    ("testbench/proof/src/nscc/step.rs", "testbench/proof/src/smartt/step.rs", ALIKE),
    ("testbench/proof/src/nscc/words.rs", "testbench/proof/src/smartt/words.rs", ALIKE),
    ("testbench/proof/src/sack_rx/pipeline.rs", "testbench/proof/src/sack_tx/pipeline.rs", ALIKE),
    ("testbench/proof/tests/sack_rx.rs", "testbench/proof/tests/sack_tx.rs", ALIKE),
    ("testbench/proof/tests/sack_rx.rs", "testbench/proof/tests/smartt.rs", ALIKE),
    (
        "testbench/verilator-sys/tests/records.rs",
        "testbench/verilator-sys/tests/threads.rs",
        "the bench of a counter",
    ),
];

const ALIKE: &str =
    "two blocks that are alike say the same of different types: a text for both would be a macro";

const PORTS: &str =
    "ports, or words, of two modules that are alike: a port is a field of its module's struct";

fn hand_written() -> Vec<String> {
    let written = |path: &String| {
        let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
        ["rs", "py", "sh", "lua", "v", "cpp", "h"].contains(&kind)
            && !GENERATED.contains(&path.as_str())
            && !path.starts_with("hdl/verilog/")
            && !path.starts_with("hdl/include/")
    };
    files().into_iter().filter(written).collect()
}

#[test]
fn no_file_is_long() {
    for path in hand_written() {
        let lines = read(&path).lines().count();
        let reason = LONG.iter().find(|(long, _)| *long == path);
        assert!(
            lines <= LONGEST || reason.is_some(),
            "{path} has {lines} lines: more than {LONGEST}, and no reason in LONG"
        );
        assert!(lines > LONGEST || reason.is_none(), "{path} is no longer long: strike it from LONG");
    }
}

#[test]
fn no_file_is_large() {
    for path in files() {
        let bytes = std::fs::metadata(root().join(&path)).map_or(0, |data| data.len());
        assert!(bytes <= LARGEST, "{path} has {bytes} bytes");
    }
}

#[test]
fn nothing_is_written_twice() {
    let rust: Vec<(String, String)> = hand_written()
        .into_iter()
        .filter(|path| path.ends_with(".rs"))
        .map(|path| {
            let text = read(&path);
            (path, text)
        })
        .collect();
    let found = repeats(&rust, RUN);
    let is_reviewed =
        |a: &str, b: &str| TWICE.iter().any(|(c, d, _)| (*c == a && *d == b) || (*c == b && *d == a));
    let unknown: Vec<String> = found
        .iter()
        .filter(|repeat| !is_reviewed(&repeat.places[0].0, &repeat.places[1].0))
        .map(|repeat| {
            let [(a, at), (b, again)] = &repeat.places;
            format!("{a}:{at} and {b}:{again}, {} lines", repeat.lines)
        })
        .collect();
    assert!(unknown.is_empty(), "{} runs stand twice:\n  {}", unknown.len(), unknown.join("\n  "));
    for (a, b, _) in TWICE {
        let stands = |of: &[(String, usize); 2]| is_pair(of, a, b);
        assert!(
            found.iter().any(|repeat| stands(&repeat.places)),
            "{a} and {b} repeat nothing: strike them from TWICE"
        );
    }
}

fn is_pair(places: &[(String, usize); 2], a: &str, b: &str) -> bool {
    let [(c, _), (d, _)] = places;
    (a == c && b == d) || (a == d && b == c)
}

/// Checks that every Rust file is a module of a crate, a test, an example or a benchmark, or a submodule of
/// one.
#[test]
fn every_rust_file_is_built() {
    let known: BTreeSet<String> = crates().iter().flat_map(|one| one.modules.values().cloned()).collect();
    let all = files();
    for path in all.iter().filter(|path| path.ends_with(".rs") && path.contains("/src/")) {
        assert!(known.contains(path), "{path} is no module of its crate");
    }
    for path in all.iter().filter(|path| path.ends_with(".rs") && !path.contains("/src/")) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let top = ["tests", "examples", "benches"].iter().any(|kind| folder.ends_with(kind));
        if top || name == "main.rs" || name == "build.rs" {
            continue;
        }
        let module = if name == "mod.rs" {
            folder.rsplit('/').next().unwrap_or("")
        } else {
            name.trim_end_matches(".rs")
        };
        let declares = |other: &String| {
            let text = read(other);
            other.ends_with(".rs")
                && other != path
                && (text.contains(&format!("mod {module};")) || text.contains(&format!("/{name}\"]")))
        };
        assert!(all.iter().any(declares), "{path} is a module of nothing");
    }
}

/// Checks that another file names each file in docs, scripts, fabrics, traces and fpga.
#[test]
fn no_file_lies_about() {
    let all = files();
    let texts: Vec<(&String, String)> =
        all.iter().filter(|path| !path.starts_with("hdl/verilog/")).map(|path| (path, read(path))).collect();
    for path in &all {
        let folder = path.split('/').next().unwrap_or("");
        if !["docs", "scripts", "fabrics", "traces", "fpga", "constraints", "wireshark"].contains(&folder) {
            continue;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.split('.').next().unwrap_or(name);
        let named = texts.iter().any(|(other, text)| {
            *other != path && (text.contains(name) || text.contains(&format!("{folder}/{stem}")))
        });
        let part = stem.rsplit_once('_').is_some_and(|(kind, which)| {
            texts.iter().any(|(other, text)| *other != path && text.contains(kind) && text.contains(which))
        });
        assert!(named || part, "{path} is named nowhere");
    }
}
