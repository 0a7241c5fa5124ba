//! What a file may be, and that none is left over.

use std::collections::BTreeSet;
use weft_house::{crates, files, read, repeats, root};

/// Lines of a hand-written file.
const LONGEST: usize = 500;
/// Bytes of any file.
const LARGEST: u64 = 1 << 20;
/// Lines of a run that must not stand twice.
const RUN: usize = 8;

/// Files that a program writes.
const GENERATED: &[&str] = &[
    "hdl/src/block/registers/top.rs",
    "hdl/tests/random/blocks.rs",
    "model/params/src/registers/offsets.rs",
];

/// Longer than the rest, and why.
const LONG: &[(&str, &str)] = &[(
    "hdl/src/block/smartt/window.rs",
    "one pipeline: 36 ports, 110 signals, and an `update` that Rust-HDL cannot split without a module of its own",
)];

/// Runs that stand twice, and why: the two files, in order.
const TWICE: &[(&str, &str, &str)] = &[];

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

/// Every Rust file is a module of a crate, a test, an example or a benchmark, or a module of one.
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

/// What stands in docs, scripts, fabrics, traces and fpga is named somewhere else.
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
