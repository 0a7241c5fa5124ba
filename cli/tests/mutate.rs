//! Tests of `weft mutate`: its output, and its end by Ctrl-C.

mod command;

use command::{text, weft};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// The output file, and its only block.
fn written(folder: &Path) -> (Value, Value) {
    let file = std::fs::read(folder.join("out.json")).expect("it was written");
    let all: Value = serde_json::from_slice(&file).expect("JSON");
    let block = all["blocks"][0].clone();
    (all, block)
}

#[test]
fn what_became_of_every_fault_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = weft(folder.path(), "mutate --block reps --faults 8 --runs 3 --cycles 8000 --json out.json");
    let printed = text(&output.stdout);
    let (all, block) = written(folder.path());
    assert_eq!((&all["stopped"], &all["seed"], &all["runs"]), (&false.into(), &1.into(), &3.into()));
    let faults = block["faults"].as_array().expect("a list");
    assert_eq!((&block["block"], &block["planted"], faults.len()), (&"reps".into(), &8.into(), 8));
    let count = |name: &str| block[name].as_u64().expect("a number");
    assert_eq!(count("killed") + count("equivalent") + count("survive"), 8);
    assert_eq!(printed.matches("survives: ").count() as u64, count("survive"), "{printed}");
    assert_eq!(output.status.code(), Some(i32::from(block["good"] != true)), "{printed}");
    assert!(
        faults.iter().all(|fault| fault["module"].as_str().is_some_and(|module| module.starts_with("weft_")))
    );
}

#[test]
fn ctrl_c_ends_a_run_with_what_was_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = "mutate --block reps --faults 900 --json out.json --verbose";
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    let command = command.args(words.split(' ')).current_dir(folder.path());
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("weft runs");
    let mut told = BufReader::new(run.stderr.take().expect("standard error")).lines().map_while(Result::ok);
    assert!(told.any(|line| line.contains("judged")), "it ended before a fault was judged");
    let pressed = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill");
    assert!(pressed.success());
    assert!(told.any(|line| line.contains("stopped before the end")));
    let mut printed = String::new();
    run.stdout.take().expect("standard output").read_to_string(&mut printed).expect("text");
    assert_eq!(run.wait().expect("it ends").code(), Some(1), "{printed}");
    let (all, block) = written(folder.path());
    let judged = block["planted"].as_u64().expect("a number");
    assert!(all["stopped"] == true && (1..900).contains(&judged), "{judged} faults of 900 were judged");
    assert_eq!(block["faults"].as_array().map(Vec::len), Some(judged as usize));
}
