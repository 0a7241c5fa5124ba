//! `weft cosim --nic`, as it is run. Models stand at the hosts: no RTL is built here.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

const NICS: &str = "cosim --nic --view model --connections 16";

fn weft(folder: &Path, flags: &str) -> Output {
    let arguments = NICS.split_whitespace().chain(flags.split_whitespace());
    Command::new(env!("CARGO_BIN_EXE_weft")).args(arguments).current_dir(folder).output().expect("weft runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn a_run_says_what_happened_and_draws_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--scenario allreduce --bytes 262144 --paths 4 --slow-path 0 --ev-mode ops --ev-mode reps --plot nic.svg";
    let output = weft(folder.path(), flags);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert_eq!(printed.matches("failures: 0\n").count(), 2, "{printed}");
    assert!(printed.contains("8 NICs (model), OPS") && printed.contains("8 NICs (model), REPS"), "{printed}");
    let svg = std::fs::read_to_string(folder.path().join("nic.svg")).expect("a drawing");
    for words in
        ["ring AllReduce of 256 KiB among 8 NICs", "OPS: ", "REPS: ", "time (µs)", "packets lost per bin"]
    {
        assert!(svg.contains(words), "{words}");
    }

    let json: Value =
        serde_json::from_slice(&weft(folder.path(), &format!("{flags} --json")).stdout).expect("JSON");
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(2));
    let finish = format!("finished after {:.1} us", json["runs"][1]["finish_us"].as_f64().expect("a time"));
    assert!(printed.contains(&finish), "{printed}");
}

/// Every port's capture is read by stock tshark, all of it as RoCEv2.
#[test]
fn captures_are_read_by_tshark() {
    if Command::new("tshark").arg("--version").output().is_err() {
        println!("tshark is missing: apt-get install tshark");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--scenario incast --nics 5 --bytes 300000 --mtu 4096 --paths 2 --capture captures";
    let output = weft(folder.path(), flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (mut files, mut frames) = (0, 0);
    for entry in std::fs::read_dir(folder.path().join("captures")).expect("captures") {
        let path = entry.expect("a capture").path();
        let count = |filter: &str| {
            let read = Command::new("tshark")
                .arg("-r")
                .arg(&path)
                .args(["-Y", filter])
                .output()
                .expect("tshark runs");
            assert!(read.status.success(), "{}", text(&read.stderr));
            text(&read.stdout).lines().count()
        };
        assert_eq!((count("_ws.malformed"), count("!infiniband")), (0, 0), "{}", path.display());
        files += 1;
        frames += count("infiniband.bth.opcode == 10 || infiniband.bth.opcode == 17");
    }
    assert_eq!(files, 5);
    assert!(frames > 4 * 2 * 2 * 300_000 / 4096, "{frames} frames");
}

#[test]
fn what_is_wrong_is_one_line_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    for (flags, says) in [
        ("", "--nic needs --scenario"),
        ("--scenario incast8", "--nic has the scenarios pair, allreduce, incast and permutation"),
        ("--scenario pair --mtu 1000", "mtu is not possible; use a power of two, 256 to 8192"),
        ("--scenario pair --nics 3", "workload is not possible; use an even number of NICs for pairs"),
        ("--scenario incast --cut-path 9:1:2", "path is not possible; use a path that there is"),
        ("--scenario incast --cut-path 1:5", "use PATH:FROM:UNTIL, for example 3:100:400"),
    ] {
        let output = weft(folder.path(), flags);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags}: {told}");
        assert!(told.contains(says), "{flags}: {told}");
    }
}
