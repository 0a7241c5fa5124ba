//! One version everywhere: the version of the workspace. Register map and library have versions of their own,
//! as docs/releases.md says.

use weft_house::{files, read};

/// The version of the workspace.
fn version() -> String {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("Cargo.toml is TOML");
    let version = manifest["workspace"]["package"]["version"].as_str();
    version.expect("the workspace has a version").to_owned()
}

/// The rest of the first line that begins with `begin`.
fn behind<'a>(text: &'a str, begin: &str) -> &'a str {
    let found = text.lines().find_map(|line| line.strip_prefix(begin));
    found.unwrap_or_else(|| panic!("no line begins with `{begin}`")).trim()
}

/// The version whose two parts are the halves of a word, as in `0x00010001u`.
fn halves(word: u32) -> String {
    format!("{}.{}", word >> 16, word & 0xFFFF)
}

#[test]
fn every_crate_has_the_version_of_the_workspace() {
    let version = version();
    for path in files().iter().filter(|path| path.ends_with("/Cargo.toml")) {
        assert!(read(path).contains("\nversion.workspace = true\n"), "{path} has a version of its own");
    }
    let lock = read("Cargo.lock");
    let own: Vec<&str> = lock
        .split("[[package]]")
        .filter(|package| package.contains("name = \"weft") && !package.contains("source = "))
        .collect();
    assert!(own.len() > 10, "{} crates of weft in Cargo.lock", own.len());
    for package in own {
        assert!(package.contains(&format!("version = \"{version}\"")), "Cargo.lock: {package}");
    }
}

#[test]
fn every_core_and_the_citation_have_it() {
    let version = version();
    let cores: Vec<String> = files().into_iter().filter(|path| path.ends_with(".core")).collect();
    assert!(cores.len() > 10, "{cores:?}");
    for path in cores {
        // The core's own name, and the names of other cores that it gives with a version.
        let text = read(&path);
        assert!(
            behind(&text, "name:").ends_with(&format!(":{version}")),
            "{path}: {}",
            behind(&text, "name:")
        );
    }
    let citation = read("CITATION.cff");
    assert_eq!(behind(&citation, "version:"), version, "CITATION.cff");
    // The keys that the format demands, and its version.
    assert_eq!(behind(&citation, "cff-version:"), "1.2.0");
    for key in ["message:", "title:"] {
        assert!(!behind(&citation, key).is_empty(), "CITATION.cff: {key}");
    }
    assert!(citation.contains("\nauthors:\n  - name: "), "CITATION.cff: authors");
    let manifest = read("Cargo.toml");
    for licence in ["MIT", "Apache-2.0"] {
        assert!(citation.contains(&format!("\n  - {licence}\n")), "CITATION.cff: license {licence}");
        assert!(behind(&manifest, "license = ").contains(licence), "Cargo.toml: license {licence}");
    }
}

#[test]
fn the_pages_say_what_the_release_is() {
    let version = version();
    let changes = read("CHANGELOG.md");
    let newest = behind(&changes, "## ");
    assert!(newest == "Unreleased" || newest == version, "CHANGELOG.md begins with {newest}");
    assert!(changes.contains(&format!("\n## {version}\n")), "CHANGELOG.md has no section {version}");

    let registers = behind(&read("hdl/include/weft_nic.h"), "#define WEFT_VERSION ").to_owned();
    let registers = registers.split([' ', 'u']).next().and_then(|word| word.strip_prefix("0x"));
    let registers = registers.and_then(|digits| u32::from_str_radix(digits, 16).ok()).expect("WEFT_VERSION");
    let library = behind(&read("capi/include/weft.h"), "#define WEFT_ABI_VERSION ").to_owned();
    let mut words = library.trim_matches(['(', ')']).split(|c: char| !c.is_ascii_digit());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok());
    let (major, minor) = (number(words.next()), library.rsplit_once("| ").map(|(_, minor)| minor));
    let minor = minor.map_or(Some(0), |minor| number(Some(minor.trim_matches([')', ' ']))));
    let library = format!("{}.{}", major.expect("WEFT_ABI_VERSION"), minor.expect("WEFT_ABI_VERSION"));

    let row = format!("| {version} | {} | {library} |", halves(registers));
    assert!(read("docs/releases.md").contains(&row), "docs/releases.md has no row `{row}`");
}

/// The least version of Python whose grammar has what scripts use before they check the version: an older one reads no
/// f-strings.
const PYTHON: u32 = 6;

/// Parses the scripts that are named by the arguments behind the first, a minor version of Python 3.
const PARSE: &str = "import ast, sys
for name in sys.argv[2:]:
    try:
        ast.parse(open(name, encoding='utf-8').read(), name, feature_version=(3, int(sys.argv[1])))
    except SyntaxError as error:
        print(f'{name}:{error.lineno}: {error.msg}')
";

/// A script that needs a version says so in place of a SyntaxError: Python parses the whole file first.
#[test]
fn a_script_that_refuses_an_old_python_can_be_read_by_it() {
    let script = |path: &String| path.ends_with(".py") && read(path).contains("\nif sys.version_info < (3, ");
    let scripts: Vec<String> = files().into_iter().filter(script).collect();
    assert!(scripts.len() > 20, "{scripts:?}");
    let mut python = std::process::Command::new("python3");
    python.args(["-c", PARSE, &PYTHON.to_string()]).args(&scripts).current_dir(weft_house::root());
    let output = python.output().expect("python3 runs");
    assert!(output.status.success() && output.stdout.is_empty(), "{}", {
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    });
    // Every program of the folder is among them.
    let program =
        |path: &&String| path.starts_with("scripts/") && read(path).starts_with("#!/usr/bin/env python3\n");
    for path in files().iter().filter(program) {
        assert!(scripts.contains(path), "{path} does not check the version of Python");
    }
}
