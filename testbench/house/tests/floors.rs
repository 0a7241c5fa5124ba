//! Which crate may depend on which: the floors of `docs/architecture.md`.

use weft_house::{Crate, circles, crates, files, imports, read};

/// Each crate, and the crates of the workspace that it may depend on. A crate that is missing here has no
/// floor.
const FLOORS: &[(&str, &[&str])] = &[
    ("weft-word", &[]),
    ("weft-params", &[]),
    ("weft-interface", &[]),
    ("weft-random", &[]),
    ("weft-wire", &["weft-interface"]),
    ("weft-nic", &["weft-word", "weft-params", "weft-interface"]),
    ("weft-switch", &["weft-wire", "weft-random"]),
    ("weft-fabric", &["weft-params", "weft-random", "weft-nic", "weft-switch"]),
    ("weft-sweep", &["weft-wire", "weft-fabric"]),
    ("weft-handle", &["weft-params", "weft-nic"]),
    ("weft-capi", &["weft-params", "weft-nic", "weft-handle", "weft-fabric"]),
    ("weft-python", &["weft-params", "weft-nic", "weft-handle", "weft-fabric", "weft-sweep"]),
    ("weft-hdl-macros", &["weft-interface"]),
    ("weft-hdl", &["weft-params", "weft-interface", "weft-hdl-macros"]),
    ("weft-hdl-random", &[]),
    ("verilator-sys", &[]),
    ("weft-symbolic", &["weft-word"]),
    ("weft-bench", &["weft-params", "weft-random", "weft-wire", "weft-hdl", "verilator-sys"]),
    (
        "weft-blocks",
        &[
            "weft-word",
            "weft-params",
            "weft-random",
            "weft-wire",
            "weft-nic",
            "weft-hdl",
            "verilator-sys",
            "weft-bench",
        ],
    ),
    (
        "weft-proof",
        &[
            "weft-word",
            "weft-params",
            "weft-random",
            "weft-nic",
            "weft-hdl",
            "verilator-sys",
            "weft-symbolic",
            "weft-bench",
            "weft-blocks",
        ],
    ),
    (
        "weft-system",
        &[
            "weft-word",
            "weft-params",
            "weft-random",
            "weft-wire",
            "weft-nic",
            "weft-switch",
            "weft-fabric",
            "weft-hdl",
            "verilator-sys",
            "weft-bench",
            "weft-blocks",
        ],
    ),
    (
        "weft-mutate",
        &[
            "weft-params",
            "weft-random",
            "weft-hdl",
            "verilator-sys",
            "weft-bench",
            "weft-blocks",
            "weft-proof",
            "weft-system",
        ],
    ),
    ("weft-synth", &["weft-hdl"]),
    ("weft-board", &["weft-params", "weft-nic", "verilator-sys"]),
    ("weft-house", &["weft-interface"]),
    (
        "weft",
        &[
            "weft-params",
            "weft-wire",
            "weft-nic",
            "weft-switch",
            "weft-hdl",
            "verilator-sys",
            "weft-bench",
            "weft-blocks",
            "weft-proof",
            "weft-system",
            "weft-mutate",
            "weft-synth",
            "weft-board",
            "weft-fabric",
            "weft-sweep",
        ],
    ),
];

/// Further crates of the workspace that tests may depend on.
const TEST_FLOORS: &[(&str, &[&str])] = &[
    ("weft-wire", &["weft-random"]),
    ("weft-nic", &["weft-random", "weft-wire"]),
    ("weft-switch", &["weft-random"]),
    ("weft-hdl", &["weft-random", "verilator-sys"]),
    ("weft-hdl-random", &["weft-random", "weft-hdl"]),
    ("weft-symbolic", &["weft-random"]),
    ("weft", &["weft-random"]),
    ("weft-capi", &["weft-random"]),
    // Lists of codes in pages and ports are held against the register map.
    ("weft-house", &["weft-params"]),
];

fn allowed<'a>(table: &'a [(&str, &[&str])], name: &str) -> &'a [&'a str] {
    table.iter().find(|(known, _)| *known == name).map_or(&[], |(_, floor)| floor)
}

#[test]
fn a_crate_knows_only_what_is_below_it() {
    let crates = crates();
    for one in &crates {
        assert!(
            FLOORS.iter().any(|(name, _)| *name == one.name),
            "{} has no floor: say in FLOORS whom it may know",
            one.name
        );
        for known in &one.dependencies {
            assert!(
                allowed(FLOORS, &one.name).contains(&known.as_str()),
                "{} must not know {known}",
                one.name
            );
        }
        for known in &one.test_dependencies {
            let floors = [allowed(FLOORS, &one.name), allowed(TEST_FLOORS, &one.name)].concat();
            assert!(floors.contains(&known.as_str()), "the tests of {} must not know {known}", one.name);
        }
    }
    // A floor is below another only one way.
    for (name, floor) in FLOORS {
        for below in *floor {
            assert!(!allowed(FLOORS, below).contains(name), "{name} and {below} know each other");
        }
        assert!(crates.iter().any(|one| one.name == *name), "{name} is in FLOORS, and no crate");
    }
}

#[test]
fn no_file_imports_itself_by_a_way_round() {
    let found: Vec<Vec<String>> = crates().iter().flat_map(|one| circles(&imports(one))).collect();
    let shown: Vec<String> = found.iter().map(|circle| circle.join("\n    ")).collect();
    assert!(found.is_empty(), "{} circles of imports:\n  {}", found.len(), shown.join("\n  "));
}

/// If a crate's manifest says that its sources contain no tests, cargo does not build the sources a second
/// time for tests. Such sources must contain no tests.
#[test]
fn what_is_not_tested_holds_no_test() {
    let holds = |one: &Crate, what: &[&str]| {
        let folder = format!("{}/src/", one.folder);
        let sources = files().into_iter().filter(|path| path.starts_with(&folder) && path.ends_with(".rs"));
        sources.filter(|path| what.iter().any(|it| read(path).contains(it))).collect::<Vec<_>>()
    };
    let (mut untested, mut undocumented) = (0, 0);
    for one in &crates() {
        let manifest = read(&format!("{}/Cargo.toml", one.folder));
        if manifest.contains("\ntest = false\n") {
            untested += 1;
            assert!(holds(one, &["#[test]"]).is_empty(), "{} has `test = false`", one.name);
        }
        if manifest.contains("\ndoctest = false\n") {
            undocumented += 1;
            let examples =
                ["/// ```\n", "//! ```\n", "/// ```no_run", "/// ```compile_fail", "/// ```should_panic"];
            assert!(holds(one, &examples).is_empty(), "{} has `doctest = false`", one.name);
        }
    }
    assert!(untested > 0 && undocumented > 0);
}
