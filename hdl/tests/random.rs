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

/// Vectors of each block.
const VECTORS: usize = 1800;
/// Vectors after which every word of a RAM has been written.
const UNDEFINED: usize = 40;

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
    for case in &mut cases {
        // A RAM holds nothing in particular at first. Neither does a register without reset, but in these blocks its
        // word may go round for ever: there it begins with zeros, as in Rust.
        case.expected[..UNDEFINED].fill(None);
        for module in case.modules.iter_mut().filter(|module| module.name == "weft_pipe") {
            module.text = module.text.replace("endmodule", "    initial q = 0;\n\nendmodule");
        }
    }
    cases
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
    let cases = struct_cases(VECTORS);
    let compared = agree(&cases);
    assert!(compared > 2 * 40_000, "only {compared} comparisons");
    for case in &cases {
        gate(&case.modules, &case.name, Tools::default()).unwrap_or_else(|e| panic!("{e}"));
    }
    println!("{compared} vectors compared");
}

#[test]
fn rust_verilator_and_icarus_agree() {
    let cases = cases(&emitter(), VECTORS);
    let compared = agree(&cases);
    // Both simulators; vectors for which Rust panics are not compared.
    assert!(compared > 2 * 100_000, "only {compared} comparisons");
    println!("{compared} vectors compared");
}

/// Verilator finds no width, latch or loop to warn of. What it says of constant comparisons is true
/// of random expressions.
#[test]
fn lint_is_silent() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for case in cases(&emitter(), 1) {
        let file = folder.path().join(format!("{}.v", case.name));
        std::fs::write(&file, &case.modules[0].text).expect("the folder can be written");
        let lint = std::process::Command::new("verilator").args(["--lint-only", "-Wall"]).arg(&file).output();
        let lint = lint.expect("apt-get install verilator");
        let text = String::from_utf8_lossy(&lint.stderr).into_owned();
        let found: Vec<&str> = text
            .lines()
            .filter(|l| l.starts_with("%Warning") || l.starts_with("%Error:") && !l.contains("Exiting"))
            .filter(|l| !["UNSIGNED", "CMPCONST", "UNUSEDSIGNAL"].iter().any(|w| l.contains(w)))
            .collect();
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn wrong_widths_are_seen() {
    let cases = cases(&emitter().wrong_widths(), 100);
    let outcomes = run(&cases, Simulator::Icarus).expect("apt-get install iverilog");
    let wrong = outcomes.iter().filter(|o| o.mismatches > 0).count();
    assert!(wrong > cases.len() / 2, "{wrong} of {} blocks differ", cases.len());
}
