//! Tests of `weft synth`: its measurements, its files, and its messages about missing tools.

mod command;

use command::{text, weft};
use std::path::{Path, PathBuf};
use std::process::Command;
use weft_synth::{Results, Target, Tools};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The only line of standard error.
fn told(output: &std::process::Output) -> &str {
    let told = text(&output.stderr);
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

#[test]
fn a_small_block_is_measured_and_held_against_itself() {
    if Tools::find().is_err() {
        println!("skipped: weft synth has no tools");
        return;
    }
    let folder = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let words = "synth --block reps --target xcup --connections 4 --depth 4 --ev-width 8";
    let output = weft(folder.path(), &format!("{words} --json --out out.json"));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let written = Results::read(&folder.path().join("out.json")).expect("it was written");
    let printed: Results = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(written, printed);
    let [row] = &written.rows[..] else { panic!("{} rows", written.rows.len()) };
    let large = Results::read(&root.join("docs/results/synth_xcup.json")).expect("committed");
    let large = &large.rows[0];
    assert_eq!((row.target, &row.block, &row.tools), (Target::Xcup, &large.block, &large.tools));
    // Four connections take less of everything than 256.
    assert!((50..large.area.lut).contains(&row.area.lut), "{row:?}");
    assert!((50..large.area.ff).contains(&row.area.ff), "{row:?}");
    assert!((1..=large.longest.levels).contains(&row.longest.levels), "{row:?}");
    assert!(
        row.fanout.enable.as_ref().is_some_and(|load| load.pins < row.area.ff && load.pins > 50),
        "{row:?}"
    );
    assert!(row.clock.is_none());
    // A continued run skips the rows of the file, and keeps them there.
    let output = weft(folder.path(), &format!("{words} --json --out out.json --changed"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(told(&output).trim_end(), "weft: reps is as it was measured");
    assert_eq!(Results::read(&folder.path().join("out.json")).expect("it is there"), written);

    // `then` has a level less than the block: the block has grown.
    let write = |then: &Results| {
        std::fs::write(folder.path().join("then.json"), serde_json::to_string(then).expect("JSON"))
            .expect("a file");
    };
    let mut then = written.clone();
    then.rows[0].longest.levels -= 1;
    write(&then);
    let output = weft(folder.path(), &format!("{words} --against then.json"));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told(&output).contains("reps has grown") && told(&output).contains("levels"),
        "{}",
        told(&output)
    );
    // A run with `--changed` skips the check: this Verilog has not changed.
    let output = weft(folder.path(), &format!("{words} --against then.json --changed"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(told(&output).trim_end(), "weft: reps is as it was measured");
    let verilog = std::mem::take(&mut then.rows[0].verilog);
    write(&then);
    let output = weft(folder.path(), &format!("{words} --against then.json --changed"));
    assert_eq!(output.status.code(), Some(1), "other Verilog");
    (then.rows[0].verilog, then.rows[0].tools[0]) = (verilog, "Yosys 0.23".into());
    write(&then);
    let output = weft(folder.path(), &format!("{words} --against then.json --changed"));
    assert_eq!(output.status.code(), Some(1), "other tools");
    // Another shape is not to be compared.
    then.rows[0].shape = "another".into();
    write(&then);
    let output = weft(folder.path(), &format!("{words} --against then.json"));
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("then.json has no reps"), "{}", told(&output));
}

#[test]
fn wrong_words_are_one_line() {
    let cases = [
        ("synth --block rep --target xcup", "reps"),
        ("synth --block reps --target virtex", "ecp5"),
        ("synth --block reps", "--target"),
        ("synth --target xcup", "--block"),
        ("synth --block reps --target xcup --seeds 2", "--seeds is only for --target ecp5"),
        ("synth --block reps --target xcup --connections 5", "5"),
        ("synth --block smartt --target xcup --depth 4", "--depth"),
        ("synth --block reps --target xcup --against no.json", "no.json"),
        ("synth --block reps --target xcup --changed", "--out"),
    ];
    for (words, wanted) in cases {
        let output = weft(folder().path(), words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(told(&output).contains(wanted), "{words}: {}", told(&output));
    }
}

#[test]
fn a_missing_tool_is_one_line() {
    let folder = folder();
    let mut weft = Command::new(env!("CARGO_BIN_EXE_weft"));
    let words = ["synth", "--block", "reps", "--target", "xcup", "--out", "out.json"];
    let output = weft
        .args(words)
        .current_dir(folder.path())
        .env("WEFT_YOWASP", "/no/such")
        .output()
        .expect("weft runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("scripts/setup.sh extra"), "{}", told(&output));
    assert!(!PathBuf::from(folder.path()).join("out.json").exists());
}
