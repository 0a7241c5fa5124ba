//! Tests of `weft cosim fabric` with models at the hosts: no RTL is built here.

mod command;

use command::text;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fabrics").join(name)
}

fn weft(folder: &Path, file: &Path, flags: &str) -> Output {
    command::weft(folder, &format!("cosim fabric {} {flags}", file.display()))
}

#[test]
fn a_run_says_what_happened_and_draws_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = weft(folder.path(), &example("small.toml"), "--plot fabric.svg --threads 2");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    for words in [
        "4 NICs (model), 4 switches (ecmp), 2 threads",
        "leaf: 2 switches, wires up ",
        "spine: 2 switches",
        "failures: 0\n",
    ] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let svg = std::fs::read_to_string(folder.path().join("fabric.svg")).expect("a drawing");
    for words in ["4 NICs on 4 switches, 100 Gb/s", "ecmp: ", "time (µs)", "a path is dead"] {
        assert!(svg.contains(words), "{words}");
    }

    // A second run gives the same text: the text has no wall time.
    let [first, again] = [(); 2].map(|()| weft(folder.path(), &example("small.toml"), "--json").stdout);
    assert!(first == again, "two runs of one seed differ");
    let json: Value = serde_json::from_slice(&first).expect("JSON");
    let finish = format!("finished after {:.1} us", json["finish_us"].as_f64().expect("a time"));
    assert!(printed.contains(&finish), "{printed}");
    assert_eq!(json["setup"]["scheme"]["name"], "ecmp");
    let switches = json["switches"].as_array().expect("switches");
    assert_eq!(switches.len(), 4);
    let lost: u64 = switches
        .iter()
        .flat_map(|switch| switch["wires"].as_array().expect("wires"))
        .map(|wire| wire["lost"].as_u64().expect("a count"))
        .sum();
    assert!(lost > 0 && json["fabric"]["dead"] == lost, "{lost}");
    let wires: Vec<&Value> = switches[0]["wires"].as_array().expect("wires").iter().collect();
    let names: Vec<&str> = wires.iter().filter_map(|wire| wire["to"].as_str()).collect();
    assert_eq!(names, ["host-0", "host-1", "spine-0", "spine-1"]);
    assert!(json["uplinks"]["leaf"]["most"].as_u64() >= json["uplinks"]["leaf"]["least"].as_u64());

    // Another seed is another run.
    let other: Value =
        serde_json::from_slice(&weft(folder.path(), &example("small.toml"), "--json --seed 9").stdout)
            .expect("JSON");
    assert_ne!(other["switches"], json["switches"]);
}

/// A trace on OFAN: flows and their times; every port's capture is read by stock tshark, all of it as RoCEv2.
#[test]
fn captures_of_a_trace_are_read_by_tshark() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace =
        "Nodes 4\nConnections 3\n0->2 start 0 size 100000\n1->3 start 5 size 50000\n3->0 start 9 size 9\n";
    std::fs::write(folder.path().join("three.cm"), trace).expect("a trace");
    let file = folder.path().join("three.toml");
    let toml = std::fs::read_to_string(example("small.toml")).expect("an example");
    let toml = toml
        .replace("\"ecmp\"", "\"conweave\"")
        .replace("kind = \"permutation\"\nbytes = 200000", "kind = \"trace\"\nfile = \"three.cm\"");
    std::fs::write(&file, toml).expect("it is written");
    let output = weft(folder.path(), &file, "--capture captures");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert!(printed.contains("flows: 3 of 3 ended") && printed.contains("source_request"), "{printed}");
    if Command::new("tshark").arg("--version").output().is_err() {
        println!("tshark is missing: apt-get install tshark");
        return;
    }
    let (mut files, mut frames) = (0, 0);
    for entry in std::fs::read_dir(folder.path().join("captures")).expect("captures") {
        let path = entry.expect("a capture").path();
        let count = |filter: &str| {
            let read = Command::new("tshark").arg("-r").arg(&path).args(["-Y", filter]).output();
            let read = read.expect("tshark runs");
            assert!(read.status.success(), "{}", text(&read.stderr));
            text(&read.stdout).lines().count()
        };
        assert_eq!((count("_ws.malformed"), count("!infiniband")), (0, 0), "{}", path.display());
        files += 1;
        frames += count("infiniband.bth.opcode == 10 || infiniband.bth.opcode == 17");
    }
    assert_eq!(files, 4);
    assert!(frames > 4 * 150_000 / 4096, "{frames} frames");
}

#[test]
fn what_is_wrong_is_one_line_and_exit_code_2_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("it.toml");
    let good = std::fs::read_to_string(example("small.toml")).expect("an example");
    let cut_line = "it.toml:18: cut.b: there is no spine-2";
    let mistakes = [
        (good.replace("leaves", "leafs"), "", "it.toml:5: unknown field `leafs`"),
        (good.replace("spine-1", "spine-2"), "", cut_line),
        (good.replace("200000", "0"), "", "use 1 byte to 1 GiB"),
        (good.clone(), "--threads 0", "threads: 0 is not possible; use 1 to 64"),
        (good.clone(), "--loss 0.1", "--loss is a flag of `weft cosim transport` and `weft cosim nic`"),
        (
            good.replace("kind = \"permutation\"\nbytes = 200000", "kind = \"trace\"\nfile = \"no.cm\""),
            "",
            "no.cm",
        ),
    ];
    for (text_of_file, flags, says) in mistakes {
        std::fs::write(&file, text_of_file).expect("it is written");
        let output = weft(folder.path(), &file, &format!("--capture captures --plot it.svg {flags}"));
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(says) && told.lines().count() == 1, "{told}, not {says}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
    let none = weft(folder.path(), Path::new("no.toml"), "");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("cannot read no.toml"), "{}", text(&none.stderr));
}
