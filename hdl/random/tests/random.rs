//! Random expressions and statements over the supported subset: rust-hdl's Rust against Verilator against Icarus.

#[macro_use]
#[path = "../../tests/common/mod.rs"]
mod common;

/// Blocks written by `build.rs`.
#[allow(unused_parens, double_negations, unreachable_pub, clippy::all)]
mod blocks {
    include!(concat!(env!("OUT_DIR"), "/blocks.rs"));
}
#[allow(unused_parens, unreachable_pub, clippy::all)]
mod struct_blocks {
    include!(concat!(env!("OUT_DIR"), "/struct_blocks.rs"));
}
#[path = "random/types.rs"]
mod types;

use common::{Case, Simulator, agree, run};
use std::collections::BTreeSet;
use weft_hdl::{Emitter, Tools, gate};

/// Vectors of each block in `make test`, and in `make soak`, which also has three times the blocks.
const VECTORS: [usize; 2] = [600, 1800];
/// Blocks of expressions and of structs in `make soak`.
const MANY: [usize; 2] = [60, 24];

fn cases(emitter: &Emitter, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut seed = 0;
    macro_rules! push {
        ($block:ident) => {
            seed += 1;
            let name = concat!("weft_", stringify!($block));
            cases.push(Case::random::<blocks::$block>(emitter, name, count, seed));
        };
    }
    blocks::all!(push);
    cases
}

/// Cases of blocks with structs.
fn struct_cases(count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut seed = 1000;
    macro_rules! push {
        ($block:ident) => {
            seed += 1;
            let name = concat!("weft_", stringify!($block));
            cases.push(Case::random::<struct_blocks::$block>(&emitter(), name, count, seed));
        };
    }
    struct_blocks::all!(push);
    cases
}

/// Initialises undefined state with zeros, as Rust does, because in these blocks a word may circulate
/// forever.
fn begin_with_zeros(case: &mut Case) {
    const WORDS: &str = "    reg [W-1:0] word;\n    integer i;\n    initial begin\n        word = 0;\n        \
        for (i = 0; i < (1 << A); i = i + 1) words[i] = 0;\n    end\n";
    for module in &mut case.modules {
        let text = &module.text;
        module.text = match &module.name[..] {
            "weft_ram_sdp" => text
                .replace("    reg [W-1:0] word;\n", WORDS)
                .replace("reg [W-1:0] out;", "reg [W-1:0] out; initial out = 0;"),
            _ => {
                // Each line that loads a register, perhaps behind a condition.
                let loaded =
                    text.lines().filter_map(|line| line.split_once(" <= ")?.0.split_whitespace().next_back());
                let held: BTreeSet<&str> = loaded.filter(|name| name.ends_with("_q")).collect();
                let zeros: String = held.iter().map(|name| format!("    initial {name} = 0;\n")).collect();
                text.replace("\nendmodule", &format!("\n{zeros}\nendmodule"))
            }
        };
    }
}

fn emitter() -> Emitter {
    Emitter::new()
        .source("blocks.rs", include_str!(concat!(env!("OUT_DIR"), "/blocks.rs")))
        .source("struct_blocks.rs", include_str!(concat!(env!("OUT_DIR"), "/struct_blocks.rs")))
}

/// Runs the cases in both simulators. Vectors for which Rust panics are not compared; few vectors do this.
fn agree_on_most(cases: &[Case], vectors: usize) {
    let compared = agree(cases);
    assert!(compared > 2 * cases.len() * vectors * 9 / 10, "only {compared} comparisons");
    println!("{compared} vectors compared");
}

fn are_many(cases: &[Case], many: usize) {
    assert!(
        cases.len() >= many,
        "{} blocks: build the test with WEFT_RANDOM_BLOCKS={}",
        cases.len(),
        MANY[0]
    );
}

/// Structs pass through ports, registers, a RAM and submodules; some structs are nested.
#[test]
fn structs_agree() {
    structs_agree_on(struct_cases(VECTORS[0]), VECTORS[0]);
}

#[test]
#[ignore = "soak: three times the blocks and the vectors"]
fn structs_agree_for_longer() {
    let cases = struct_cases(VECTORS[1]);
    are_many(&cases, MANY[1]);
    structs_agree_on(cases, VECTORS[1]);
}

fn structs_agree_on(mut cases: Vec<Case>, vectors: usize) {
    for case in &mut cases {
        gate(&case.modules, &case.name, Tools::default()).unwrap_or_else(|e| panic!("{e}"));
        begin_with_zeros(case);
    }
    agree_on_most(&cases, vectors);
}

#[test]
fn rust_verilator_and_icarus_agree() {
    agree_on_most(&cases(&emitter(), VECTORS[0]), VECTORS[0]);
}

#[test]
#[ignore = "soak: three times the blocks and the vectors"]
fn rust_verilator_and_icarus_agree_for_longer() {
    let cases = cases(&emitter(), VECTORS[1]);
    are_many(&cases, MANY[0]);
    agree_on_most(&cases, VECTORS[1]);
}

/// Verilator has no warning of widths, latches or loops. Warnings of constant comparisons are off: random
/// expressions have such comparisons.
#[test]
fn lint_is_silent() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut lint = std::process::Command::new("verilator");
    // One run checks all blocks, hence each is a top.
    lint.args(["--lint-only", "-Wall", "-Wno-MULTITOP"]);
    for case in cases(&emitter(), 1) {
        let file = folder.path().join(format!("{}.v", case.name));
        std::fs::write(&file, &case.modules[0].text).expect("the folder can be written");
        lint.arg(&file);
    }
    let lint = lint.output().expect("apt-get install verilator");
    let text = String::from_utf8_lossy(&lint.stderr).into_owned();
    let found: Vec<&str> = text
        .lines()
        .filter(|l| l.starts_with("%Warning") || l.starts_with("%Error:") && !l.contains("Exiting"))
        .filter(|l| !["UNSIGNED", "CMPCONST", "UNUSEDSIGNAL"].iter().any(|w| l.contains(w)))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn wrong_widths_are_seen() {
    let cases = cases(&emitter().wrong_widths(), 100);
    let outcomes = run(&cases, Simulator::Icarus).expect("apt-get install iverilog");
    let wrong = outcomes.iter().filter(|o| o.mismatches > 0).count();
    assert!(wrong > cases.len() / 2, "{wrong} of {} blocks differ", cases.len());
}
