//! `weft reproduce`: a row, a claim that does not hold, rows that cannot be run, and the pages.

mod command;

use command::{text, weft};
use std::path::{Path, PathBuf};
use std::process::Output;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rows() -> String {
    std::fs::read_to_string(root().join("docs/results/rows.toml")).expect("the rows")
}

fn reproduce(folder: &Path, words: &str) -> Output {
    weft(folder, &format!("reproduce {words} --root {}", root().display()))
}

/// The row O16 in its short form, and the same with other bounds.
#[test]
fn a_row_holds_or_a_claim_goes_red() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = reproduce(folder.path(), "O16 --quick --plots --out out");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    for words in
        ["O16  least time of a permutation: 5 runs, about ", "O16  holds    within 10 ns of the bound: 17.06"]
    {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let results = || std::fs::read_dir(folder.path().join("out/O16")).expect("results").count();
    // Five runs and a drawing.
    assert_eq!(results(), 6);

    let wrong = rows().replace("least = 17.05694, most = 17.067", "least = 17.05694, most = 17.06");
    std::fs::write(folder.path().join("rows.toml"), &wrong).expect("written");
    let output = reproduce(folder.path(), "o16 --quick --out out --rows rows.toml");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}{}", text(&output.stderr));
    assert!(
        printed.contains("O16  DOES NOT within 10 ns of the bound: 17.06") && results() == 6,
        "{printed}"
    );
}

#[test]
fn what_cannot_be_run_is_a_line_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    // The first row, as one that nobody has run.
    let all = rows();
    let (_, others) =
        all.split_once("[[row]]").and_then(|(_, rows)| rows.split_once("[[row]]")).expect("rows");
    let open = "id = \"R1\"\nfigure = \"Figure 1\"\nwhat = \"a row\"\nstatus = \"open\"\nwhy = \"not run\"\n";
    std::fs::write(folder.path().join("open.toml"), format!("[[row]]\n{open}\n[[row]]{others}"))
        .expect("written");
    std::fs::write(
        folder.path().join("never.toml"),
        rows().replacen("least = 17.05694, most = 17.067", "", 1),
    )
    .expect("written");
    std::fs::write(folder.path().join("few.toml"), rows().replacen("id = \"R1\"", "id = \"R2\"", 1))
        .expect("written");
    std::fs::write(folder.path().join("typo.toml"), rows().replacen("status =", "statsu =", 1))
        .expect("written");
    for (words, line) in [
        ("X9".to_owned(), "weft: X9 is not a row; rows are R1 to R19".to_owned()),
        ("R1 --rows open.toml".to_owned(), "weft: R1 is open: not run".to_owned()),
        ("R1 --rows none.toml".to_owned(), "weft: cannot read none.toml".to_owned()),
        ("R1 --rows few.toml".to_owned(), "weft: few.toml: the rows are not R1 to O17".to_owned()),
        ("O16 --rows never.toml".to_owned(), "weft: never.toml: O16: ".to_owned()),
        ("R1 --rows typo.toml".to_owned(), "weft: typo.toml:".to_owned()),
    ] {
        let output = reproduce(folder.path(), &words);
        let told = text(&output.stderr);
        assert!(output.status.code() == Some(2) && told.starts_with(&line), "{words}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

/// Every form of every row names files and keys that exist, and the work of all quick forms is small.
#[test]
fn every_row_can_be_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for form in ["", "--quick"] {
        let output = reproduce(folder.path(), &format!("all --list {form}"));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
        assert!(printed.lines().last().is_some_and(|line| line.starts_with("all: ")), "{printed}");
    }
}

/// The test finds a number in README.md or the gallery that was changed by hand.
#[test]
fn gallery_and_readme_are_those_of_the_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = reproduce(folder.path(), "--pages --check");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let changed = rows().replacen("status = \"holds\"", "status = \"in part\"\nwhy = \"a\"", 1);
    std::fs::write(folder.path().join("rows.toml"), changed).expect("written");
    let output = reproduce(folder.path(), "--pages --check --rows rows.toml");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for file in ["README.md", "docs/results/gallery.md"] {
        assert!(told.contains(&format!("{file} is stale; run weft reproduce --pages")), "{told}");
    }
}
