//! Events and captures of `weft sim`, and their drawing.

mod command;

use command::{text, weft};
use serde_json::Value;
use std::path::Path;

/// Runs an example, whose result is the file `a.json`.
fn run(folder: &Path, example: &str, flags: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
    let output = weft(folder, &format!("sim {} {flags} --json a.json", file.display()));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json = std::fs::read(folder.join("a.json")).expect("a result");
    serde_json::from_slice(&json).expect("JSON")
}

/// The port of a host with clocks is a capture that weft reads.
#[test]
fn ports_of_hosts_with_clocks_are_captured() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--rtl host=0 --view model --alone --capture caps";
    let json = run(folder.path(), "flow_list.toml", flags);
    let sum = |host: &str, count: &str| -> u64 {
        let rows = json["flows"].as_array().into_iter().flatten().filter(|row| row[host] == 0);
        rows.filter_map(|row| row[count].as_u64()).sum()
    };
    let packets = sum("source", "packets") + sum("destination", "received");
    assert!(packets > 100, "{packets}");
    let capture = std::fs::read(folder.path().join("caps/nic0.pcapng")).expect("the capture");
    let frames = weft_wire::CaptureReader::new(&capture[..], "nic0.pcapng").expect("a capture");
    let frames: Vec<_> = frames.collect::<Result<_, _>>().expect("frames");
    assert!(frames.is_sorted_by_key(|frame| frame.time_ns));
    let is_data = |frame: &&weft_wire::Frame| {
        let parsed = weft_wire::parse(&frame.data).expect("RoCE");
        matches!(parsed.body, weft_wire::Body::Data(_) | weft_wire::Body::Trimmed(_))
    };
    assert_eq!(frames.iter().filter(is_data).count() as u64, packets);
}

/// The command writes events as lines of JSON, and draws them.
#[test]
fn events_of_a_flow_are_written_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let sets = "--set workload.senders=8 --set workload.bytes=131072";
    let flags = format!("{sets} --events a.jsonl --events-of flow=3");
    let json = run(folder.path(), "incast.toml", &flags);
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).expect(file);
    let events = read("a.jsonl");
    let mut lines = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let header = lines.next().expect("a header");
    assert_eq!((&header["weft_events"], &header["seed"]), (&1.into(), &json["setup"]["seed"]));
    let lines: Vec<Value> = lines.collect();
    let flow = &json["flows"][3];
    assert!(lines.iter().all(|line| line["connection"] == format!("{}.0", flow["source"])), "one connection");
    let sent = lines.iter().filter(|line| line["name"] == "packet_sent").count();
    assert_eq!(flow["packets"], sent);
    let output = weft(folder.path(), "plot a.jsonl --kind connection --out a.svg");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let name = format!("Connection {}.0: window", flow["source"]);
    assert!(read("a.svg").contains(&name), "{name}");
    for (line, words) in [
        ("plot a.json --kind connection --out b.svg", "a.json: this is not a file of events"),
        (
            "plot a.jsonl --kind connection --connection 99.0 --out b.svg",
            "the file has no event of connection 99.0",
        ),
        ("plot a.jsonl a.jsonl --kind connection --out b.svg", "one file of events"),
    ] {
        let output = weft(folder.path(), line);
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
    }
}
