//! The output of the command: a reader that has gone ends the command without a message, a full disk with one
//! line.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Commands that print; another part of the program prints in each.
const PRINTING: [&str; 10] = [
    "switch",
    "switch --json",
    "switch --program conweave-tor-paper",
    "params",
    "params --json",
    "doctor",
    "trace info ROOT/traces/reps_dead.pcapng",
    "emit registers --no-gate --out rtl",
    "cosim transport --connections 16 --sender model --receiver model --messages 20",
    "cosim nic --scenario pair --messages 2 --view model --connections 16 --json",
];

/// The text on standard error.
fn said(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

fn run(words: &str, stdout: impl Into<Stdio>) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").display().to_string();
    let mut weft = Command::new(env!("CARGO_BIN_EXE_weft"));
    weft.args(words.split_whitespace().map(|word| word.replace("ROOT", &root)));
    let weft = weft.current_dir(folder.path()).stdout(stdout).stderr(Stdio::piped()).spawn();
    weft.expect("weft runs").wait_with_output().expect("it ends")
}

#[test]
fn a_reader_that_has_gone_ends_the_command_quietly() {
    for words in PRINTING {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = run(words, writer);
        assert_eq!((output.status.code(), said(&output)), (Some(141), ""), "{words}");
    }
    for words in ["--help", "cosim nic --help", "--version"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = run(words, writer);
        assert_eq!((output.status.code(), said(&output)), (Some(0), ""), "{words}");
    }
}

#[test]
fn a_full_disk_is_one_line() {
    for words in PRINTING {
        let full = File::options().write(true).open("/dev/full").expect("a full disk");
        let output = run(words, full);
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {told}");
        assert!(told.starts_with("weft: cannot write to standard output: "), "{words}: {told}");
        assert_eq!(told.lines().count(), 1, "{words}: {told}");
    }
}
