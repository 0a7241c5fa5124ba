//! Tests of `weft cosim transport` with models at both ends: no RTL is built here.

mod command;

use command::text;
use serde_json::Value;
use std::process::Output;

const MODELS: &str = "cosim transport --connections 16 --sender model --receiver model --messages 300";

fn weft(flags: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    command::weft(folder.path(), &format!("{MODELS} {flags}"))
}

#[test]
fn a_good_run_says_what_happened() {
    let harsh = "--loss 0.3 --trim 0.2 --dup 0.1 --reorder 200 --corrupt 0.01 --seed 3";
    let output = weft(harsh);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("300 posted, 300 delivered, 300 completed, 0 in error"), "{printed}");
    assert!(printed.ends_with("mismatches: 0\n"), "{printed}");

    let json: Value = serde_json::from_slice(&weft(&format!("{harsh} --json")).stdout).expect("JSON");
    assert_eq!((&json["figures"]["delivered"], &json["mismatches"]), (&300.into(), &0.into()));
    assert_eq!((&json["seed"], &json["transport"]["network"]["trim"]), (&3.into(), &0.2.into()));
    let retransmissions = format!("{} retransmissions", json["figures"]["retransmissions"]);
    assert!(printed.contains(&retransmissions), "{printed}");
}

#[test]
fn a_bad_run_says_how_to_repeat_it() {
    let flags = "--loss 0.1 --seed 5 --plant miscount";
    let output = weft(flags);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let repeat = format!("seed 5\nrepeat: weft {MODELS} {flags}\nmismatches: 1\n");
    assert!(printed.contains("the sender says in flight is") && printed.ends_with(&repeat), "{printed}");

    let json: Value = serde_json::from_slice(&weft(&format!("{flags} --json")).stdout).expect("JSON");
    assert_eq!(json["mismatches"], 1);
    assert_eq!(json["fault"]["repeat"], format!("weft {MODELS} {flags} --json"));
}

#[test]
fn what_is_not_possible_is_refused() {
    for (flags, message) in [
        ("--loss 1.5", "weft: --loss 1.5 is not possible; use 0 to 0.9\n"),
        ("--mtu 4095", "weft: --mtu 4095 is not possible; use a power of two, 256 to 8192\n"),
        ("--mtu 128", "weft: --mtu 128 is not possible; use a power of two, 256 to 8192\n"),
        ("--mtu 16384", "weft: --mtu 16384 is not possible; use a power of two, 256 to 8192\n"),
        ("--gap 300", "weft: gap = 300 is not possible: use 0 to 255\n"),
        (
            "--depth 4",
            "weft: --depth is a flag of `weft cosim block reps`: weft cosim block reps --depth 4\n",
        ),
    ] {
        let output = weft(flags);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), message));
    }
    let output = weft("--plant nothing");
    assert!(text(&output.stderr).contains("there is no such bug; choose one of double-write"));
}
