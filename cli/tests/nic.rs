//! Tests of `weft cosim nic` with models at the hosts: no RTL is built here.

mod command;

use command::text;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn weft(folder: &Path, flags: &str) -> Output {
    command::weft(folder, &format!("cosim nic --view model --connections 16 {flags}"))
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

/// A run with several seeds equals several runs with one seed each, on any number of threads. The figures of
/// all are the mean of theirs.
#[test]
fn seeds_are_runs_and_their_mean() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--scenario allreduce --nics 4 --bytes 131072 --paths 2 --uplink-gbps 200 --slow-path 1@0";
    let json = |more: &str| -> Value {
        let output = weft(folder.path(), &format!("{flags} --json {more}"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let all = json("--seed 3 --seeds 3 --threads 2 --cdf cdf.svg");
    let finish = |run: &Value| run["finish_us"].as_f64().expect("a time");
    let each: Vec<f64> = all["runs"].as_array().expect("runs").iter().map(finish).collect();
    let alone = ["3", "4", "5"].map(|seed| finish(&json(&format!("--seed {seed} --threads 1"))["runs"][0]));
    assert_eq!(each, alone);
    assert!(each.iter().any(|time| *time != each[0]), "{each:?}");
    let spread = &all["spread"][0];
    assert_eq!((&spread["ev_mode"], &spread["seeds"]), (&"REPS".into(), &3.into()));
    let mean = spread["figures"]["finish_us"]["mean"].as_f64().expect("a mean");
    assert!((mean - (each[0] + each[1] + each[2]) / 3.0).abs() < 1e-9, "{mean} of {each:?}");
    let svg = std::fs::read_to_string(folder.path().join("cdf.svg")).expect("a drawing");
    for words in ["completion time of a message", "goodput of a flow", "2 paths of 200 Gb/s", "REPS"] {
        assert!(svg.contains(words), "{words}");
    }
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
        ("", "<--scenario <SCENARIO>|--trace <FILE>>"),
        ("--scenario incast8", "[possible values: pair, allreduce, incast, permutation]"),
        ("--scenario pair --mtu 1000", "mtu 1000 is not possible; use a power of two, 256 to 8192"),
        ("--scenario pair --nics 3", "workload is not possible; use an even number of NICs for pairs"),
        (
            "--scenario incast --cut-path 9:1:2",
            "slow or cut path is not possible; use a path and a leaf of the fabric",
        ),
        (
            "--scenario incast --slow-path 1@2",
            "slow or cut path is not possible; use a path and a leaf of the fabric",
        ),
        ("--scenario incast --slow-path a@2", "use PATH or PATH@LEAF, for example 3 or 1@0"),
        ("--scenario incast --seeds 0", "0 is not in 1..=1000"),
        ("--scenario incast --seeds 2 --capture x", "cannot be used with"),
        ("--scenario incast --gbps 9", "9 is not in 10..=128"),
        (
            "--scenario incast --cut-path 1:5",
            "use PATH:FROM:UNTIL or PATH@LEAF:FROM:UNTIL, FROM before UNTIL, for example 3:100:400",
        ),
    ] {
        let output = weft(folder.path(), flags);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags}: {told}");
        assert!(told.contains(says), "{flags}: {told}");
    }
}

/// The traces that the project ships.
fn shipped(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces").join(name).display().to_string()
}

#[test]
fn a_trace_is_carried_out_and_its_flows_are_timed() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = shipped("incast_8n.cm");
    let flags = format!("--trace {trace} --ev-mode ops --ev-mode reps --cut-path 3:10:60 --plot nic.svg");
    let output = weft(folder.path(), &flags);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert_eq!(printed.matches("flows: 16 of 16 ended\n").count(), 2, "{printed}");
    assert!(printed.contains("9 NICs (model), REPS"), "{printed}");
    let svg = std::fs::read_to_string(folder.path().join("nic.svg")).expect("a drawing");
    assert!(svg.contains("incast_8n.cm: 16 flows among 9 NICs"), "{svg}");

    let output = weft(folder.path(), &format!("{flags} --json"));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let run = &json["runs"][1];
    let flows = run["flows"].as_array().expect("flows");
    let number = |flow: &Value, name: &str| flow[name].as_f64().expect("a number");
    assert_eq!(flows.len(), 16);
    for (flow, id) in flows.iter().zip(1..) {
        let (source, destination, bytes) = if id <= 8 { (id, 0, 262_144) } else { (0, id - 8, 65_536) };
        assert_eq!(
            (&flow["id"], &flow["src"], &flow["dst"], &flow["bytes"]),
            (&id.into(), &source.into(), &destination.into(), &bytes.into())
        );
        // No flow is faster than the wire.
        assert!(number(flow, "end_us") - number(flow, "start_us") > f64::from(bytes) * 8.0 / 100e3, "{flow}");
    }
    // The barrier is reached when the receiver has all bytes of the first eight flows, before the last sender
    // learns so.
    let (first, second) = flows.split_at(8);
    let last = first.iter().map(|flow| number(flow, "end_us")).fold(0.0, f64::max);
    let starts: Vec<f64> = second.iter().map(|flow| number(flow, "start_us")).collect();
    assert!(first.iter().all(|flow| number(flow, "start_us") == 0.0));
    assert!(
        starts.iter().all(|start| *start == starts[0] && (last - 10.0..=last).contains(start)),
        "{starts:?}, {last}"
    );
    let ends = flows.iter().map(|flow| number(flow, "end_us"));
    let mut times: Vec<f64> = ends.zip(flows).map(|(end, flow)| end - number(flow, "start_us")).collect();
    times.sort_unstable_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / 16.0;
    let line = format!(
        "completion time in us: mean {mean:.1}, p50 {:.1}, p99 {:.1}, max {:.1}\n",
        times[7], times[15], times[15]
    );
    assert!(printed.contains(&line), "{line}{printed}");
}

/// A flow that has the network to itself needs its ideal time, for any start time. Several flows of a pair
/// share a connection.
#[test]
fn flows_start_at_their_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = "Nodes 4\nConnections 4\n3->0 id 8 start 400 size 100\n0->3 start 0 size 2000000\n\
        0->3 start 200.5 size 5000\n0->2 start 420 size 9000\n";
    std::fs::write(folder.path().join("x.cm"), trace).expect("a file");
    let output = weft(folder.path(), "--trace x.cm --json");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let flows = json["runs"][0]["flows"].as_array().expect("flows");
    let starts: Vec<_> = flows.iter().map(|flow| flow["start_us"].as_f64()).collect();
    assert_eq!(starts, [Some(400.0), Some(0.0), Some(200.5), Some(420.0)]);
    for flow in flows {
        let slowdown = flow["slowdown"].as_f64().expect("it has ended");
        assert!((0.95..1.05).contains(&slowdown), "{flow}");
    }
    assert_eq!(json["scenario"]["workload"]["trace"]["file"], "x.cm");

    // The trace with times in nanoseconds.
    let output = weft(folder.path(), "--trace x.cm --start-unit ns --json");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["runs"][0]["flows"][0]["start_us"], 0.4);
}

#[test]
fn what_is_wrong_with_a_trace_is_one_line_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let file =
        |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).expect("a file");
    file("zero.cm", b"Nodes 4\nConnections 1\n0->1 start 0 size 0\n");
    file("many.cm", b"Nodes 256\nConnections 1\n103->34 start 0 size 9\n");
    file("huge.cm", b"Nodes 2\nConnections 2\n0->1 start 0 size 1000000000\n1->0 start 0 size 1000000000\n");
    file("loop.cm", b"Nodes 2\nConnections 1\nTriggers 1\n0->1 trigger 1 size 9 send_done_trigger 1\ntrigger id 1 oneshot\n");
    file("late.cm", b"Nodes 2\nConnections 1\n0->1 start 2000000000 size 9\n");
    file("capture.cm", &[0x0A, 0x0D, 0xFF, 0xFE]);
    for (flags, says) in [
        (
            "--trace zero.cm",
            "weft: workload is not possible; use flows that end: one of size 0 goes on for ever",
        ),
        (
            "--trace many.cm",
            "weft: many.cm: Nodes 256: at most 128 NICs can be run; keep the flows among 128 nodes, and number these",
        ),
        ("--trace huge.cm", "weft: workload is not possible; use a trace of at most 1 GiB in all"),
        ("--trace loop.cm", "weft: loop.cm:4: the flow never starts: trigger 1 fires 0 times"),
        (
            "--trace late.cm",
            "weft: late.cm:3: start 2000000000 us is later than 1 s; if the file counts ns or ps",
        ),
        (
            "--trace capture.cm",
            "weft: capture.cm is not text; --trace takes a connection matrix of htsim (.cm)",
        ),
        ("--trace none.cm", "weft: cannot read none.cm: "),
        ("--trace a.cm --trace b.cm", "weft: the argument '--trace <FILE>' cannot be used multiple times"),
        ("--trace zero.cm --nics 4", "cannot be used with"),
        ("--trace zero.cm --bytes 4", "cannot be used with"),
        ("--trace zero.cm --messages 4", "cannot be used with"),
        (
            "--trace zero.cm --csr mode=ops",
            "--csr is a flag of `weft cosim block reps`: weft cosim block reps --csr mode=ops",
        ),
        ("--trace zero.cm --scenario pair", "cannot be used with"),
        ("--start-unit ns", "--trace"),
    ] {
        let output = weft(folder.path(), flags);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags}: {told}");
        assert!(told.contains(says), "{flags}: {told}");
        assert_eq!(told.lines().count(), 1, "{flags}: {told}");
    }
}

#[test]
fn shipped_traces_run() {
    let folder = tempfile::tempdir().expect("a folder");
    for trace in ["alltoall_8n.cm", "permutation_16n.cm"].map(shipped) {
        let output = weft(folder.path(), &format!("--trace {trace}"));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{trace}: {printed}{}", text(&output.stderr));
        assert!(printed.contains("failures: 0\n"), "{trace}: {printed}");
    }
}
