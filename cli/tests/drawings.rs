//! Drawings, tables and files that could mislead: what cannot be shown as asked is refused in one line.

mod command;

use command::{text, weft};
use std::path::Path;

const FILE: &str = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 4\n[scheme]\nname = \"ecmp\"\n\
                    [workload]\nkind = \"permutation\"\nbytes = 100000\n";

fn write(folder: &Path, text: &str) {
    std::fs::write(folder.join("a.toml"), text).expect("written");
}

fn runs(folder: &Path, words: &str) {
    let output = weft(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words}: {}", text(&output.stderr));
}

/// Checks that a command ends with exit code 2, and prints one line that begins with `weft: ` and `says`.
fn refuses(folder: &Path, words: &str, says: &str) {
    let output = weft(folder, words);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{words}: {said}");
    assert!(said.starts_with(&format!("weft: {says}")), "{words}: {said}");
}

/// A folder has results of an earlier setup if the file has changed and the sweep was repeated with fewer seeds.
#[test]
fn one_curve_shows_runs_of_one_setup() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, FILE);
    runs(folder, "sweep a.toml --seeds 3 --out runs");
    runs(folder, "plot runs --out a.svg");
    write(folder, &FILE.replace("100000", "400000"));
    runs(folder, "sweep a.toml --seeds 2 --out runs");
    let says = "runs/run,seed=3.json: made with another setup than runs/run,seed=1.json, and one curve cannot show both";
    refuses(folder, "plot runs --out b.svg", says);
    assert!(!folder.join("b.svg").exists());
    runs(folder, "sweep a.toml --seeds 3 --out runs");
    runs(folder, "plot runs --out b.svg");
    // The key of the axis may differ.
    runs(folder, "sweep a.toml --over workload.bytes=1000,2000 --seeds 2 --out sizes");
    runs(folder, "plot sizes --kind over --key workload.bytes --figure fct_us.mean --out over.svg");
}

#[test]
fn what_cannot_be_shown_or_written_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    write(folder, FILE);
    runs(folder, "sim a.toml --json a.json");
    refuses(folder, "plot a.json --out a.pdf", "cannot draw a.pdf: drawings are SVG or PNG");
    let says = "--where: this drawing does not show flows one by one";
    refuses(folder, "plot a.json --kind bars --where rack=0 --out a.svg", says);
    runs(folder, "plot a.json --kind size --where rack=0 --out a.svg");
    let says = "--flows: there are no rows of flows; set flow_rows = true";
    refuses(folder, "sim a.toml --set flow_rows=false --flows a.csv", says);
    refuses(folder, "sim a.toml --flows -", "cannot write -: it is no file; standard output is /dev/stdout");
    assert!(!folder.join("-").exists() && !folder.join("a.csv").exists());
    let says = "a.toml:12: workload.flows: 0 is not possible; use 1 to 16777216";
    write(
        folder,
        &FILE.replace(
            "permutation\"\nbytes = 100000",
            "poisson\"\nload = 0.4\ncdf = [[0, 0], [1000, 100]]\nflows = 0",
        ),
    );
    refuses(folder, "sim a.toml", says);
}
