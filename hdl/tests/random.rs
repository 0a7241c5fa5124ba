//! Random expressions and statements over the supported subset: rust-hdl's Rust against Verilator
//! against Icarus, more than 100,000 vectors.

#[macro_use]
mod common;

// `rustfmt` would spend longer on them than the simulators.
#[rustfmt::skip]
#[path = "random/blocks.rs"]
#[allow(unused_parens, double_negations, unreachable_pub, clippy::all)]
mod blocks;
#[path = "random/generate.rs"]
mod generate;
#[rustfmt::skip]
#[path = "random/struct_blocks.rs"]
#[allow(unused_parens, unreachable_pub, clippy::all)]
mod struct_blocks;
#[path = "random/structs.rs"]
mod structs;
#[path = "random/types.rs"]
mod types;

use common::{Case, Simulator, agree, run};
use weft_hdl::{Emitter, Tools, gate};

/// Vectors of each block in `make test`, which has every third block, and in `make soak`, which has all.
const VECTORS: [usize; 2] = [600, 1800];

/// The blocks of a run with so many vectors.
fn share(cases: Vec<Case>, vectors: usize) -> (Vec<Case>, usize) {
    let every = if vectors < VECTORS[1] { 3 } else { 1 };
    (cases.into_iter().step_by(every).collect(), every)
}

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

/// Blocks of structs.
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

/// What holds nothing in particular at first begins with zeros, as in Rust: in these blocks a word may go round for ever.
fn begin_with_zeros(case: &mut Case) {
    const WORDS: &str = "    reg [W-1:0] word;\n    integer i;\n    initial begin\n        word = 0;\n        \
        for (i = 0; i < (1 << A); i = i + 1) words[i] = 0;\n    end\n";
    for module in &mut case.modules {
        let text = &module.text;
        module.text = match &module.name[..] {
            "weft_pipe" | "weft_reg" => text.replace("endmodule", "    initial q = 0;\n\nendmodule"),
            "weft_ram_sdp" => text
                .replace("    reg [W-1:0] word;\n", WORDS)
                .replace("reg [W-1:0] out;", "reg [W-1:0] out; initial out = 0;"),
            _ => continue,
        };
    }
}

fn emitter() -> Emitter {
    Emitter::new()
        .source("hdl/tests/random/blocks.rs", include_str!("random/blocks.rs"))
        .source("hdl/tests/random/struct_blocks.rs", include_str!("random/struct_blocks.rs"))
}

/// The committed blocks are the generators'.
#[test]
fn blocks_are_the_generators() {
    let files = [
        ("blocks.rs", generate::file(), include_str!("random/blocks.rs")),
        ("struct_blocks.rs", structs::file(), include_str!("random/struct_blocks.rs")),
    ];
    for (name, text, committed) in files {
        let path = format!("{}/tests/random/{name}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("WEFT_BLESS").is_some() {
            std::fs::write(path, &text).expect("the file can be written");
        }
        assert!(
            text == committed,
            "{name} is stale: WEFT_BLESS=1 cargo test -p weft-hdl --test random, twice"
        );
    }
}

/// Structs through ports, registers, a RAM and submodules, nested ones too.
#[test]
fn structs_agree() {
    structs_agree_on(VECTORS[0]);
}

#[test]
#[ignore = "soak: all blocks, three times the vectors"]
fn structs_agree_for_longer() {
    structs_agree_on(VECTORS[1]);
}

fn structs_agree_on(vectors: usize) {
    let (mut cases, every) = share(struct_cases(vectors), vectors);
    for case in &mut cases {
        gate(&case.modules, &case.name, Tools::default()).unwrap_or_else(|e| panic!("{e}"));
        begin_with_zeros(case);
    }
    let compared = agree(&cases);
    assert!(compared > 2 * 40_000 * vectors / VECTORS[1] / every, "only {compared} comparisons");
    println!("{compared} vectors compared");
}

#[test]
fn rust_verilator_and_icarus_agree() {
    expressions_agree_on(VECTORS[0]);
}

#[test]
#[ignore = "soak: all blocks, three times the vectors"]
fn rust_verilator_and_icarus_agree_for_longer() {
    expressions_agree_on(VECTORS[1]);
}

fn expressions_agree_on(vectors: usize) {
    let (cases, every) = share(cases(&emitter(), vectors), vectors);
    let compared = agree(&cases);
    // Both simulators; vectors for which Rust panics are not compared.
    assert!(compared > 2 * 100_000 * vectors / VECTORS[1] / every, "only {compared} comparisons");
    println!("{compared} vectors compared");
}

/// Verilator finds no width, latch or loop to warn of. What it says of constant comparisons is true
/// of random expressions.
#[test]
fn lint_is_silent() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut lint = std::process::Command::new("verilator");
    // All at once: each is a top.
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
