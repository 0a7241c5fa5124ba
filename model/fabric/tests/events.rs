//! Compares the events of connections with the counts of the same run; other code counts the packets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use weft_fabric::events::{Choice, Chosen, Detection, Event, What};
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;

/// Eight hosts below four leaves.
fn plan(text: &str, sets: &[&str]) -> Plan {
    let topology = "topology = { kind = 'leaf-spine', leaves = 4, spines = 2, hosts_per_leaf = 2 }\n\
                    scheme = { name = 'ecmp' }\n";
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Plan::parse("setup", &format!("{topology}{text}"), Path::new(""), &sets)
        .unwrap_or_else(|error| panic!("{sets:?}: {error}"))
}

fn noted(mut plan: Plan, chosen: Chosen, engine: Engine) -> Report {
    plan.note(chosen).unwrap_or_else(|error| panic!("{error}"));
    plan.run(engine, |_| true)
}

fn lines(report: &Report) -> String {
    let mut bytes = Vec::new();
    report.write_events(&mut bytes).expect("a vector takes all");
    String::from_utf8(bytes).expect("JSON")
}

const INCAST: &str = "workload = { kind = 'incast', bytes = 300000, senders = 4 }\n";
const ALL: &str = "workload = { kind = 'alltoall', bytes = 40000, window = 7 }\n";
const FAILS: &str = "workload = { kind = 'permutation', bytes = 600000 }\n\
                     fail = [{ switch = 'spine-0', from_us = 15, until_us = 400 }, \
                             { switch = 'spine-1', from_us = 15, until_us = 150 }]\n";

/// Runs with trims, with drops, with timeouts and freezes, and with several flows of a connection.
const RUNS: [(&str, &[&str]); 4] = [
    (INCAST, &["switch.queue_bytes=40000"]),
    (INCAST, &["switch.queue_bytes=40000", "switch.trim=false", "hosts.gap=16"]),
    (FAILS, &["hosts.rto_us=25"]),
    (ALL, &["hosts.pair_connections=1", "hosts.ack_packets=4"]),
];

/// Counts events to which a closure gives a key.
fn count<K: Ord>(events: &[Event], key: impl Fn(&Event) -> Option<K>) -> BTreeMap<K, u64> {
    let mut counts = BTreeMap::new();
    events.iter().filter_map(key).for_each(|key| *counts.entry(key).or_default() += 1);
    counts
}

#[test]
fn events_add_up_to_the_counts_of_the_run() {
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for (text, sets) in RUNS {
        for seed in 1..=10 {
            let seed = format!("seed={seed}");
            let sets = [sets, &[&seed]].concat();
            let report = noted(plan(text, &sets), Chosen::default(), Engine::Windows);
            let told = format!("weft-fabric --test events: {sets:?} of {text}");
            assert!(report.summary.is_complete && report.violations.is_empty(), "{told}");
            let events = &report.events;
            assert!(events.is_sorted_by_key(|event| event.time_ps), "{told}");
            adds_up(&report, &told);
            let name = |event: &Event| {
                Some(match event.what {
                    What::PacketTrimmed { .. } => "trimmed",
                    What::PacketLost { .. } => "lost",
                    What::FreezeBegan => "began",
                    What::FreezeEnded => "ended",
                    What::NackReceived(_) => "refused",
                    What::PacketSent { again: Some(Detection::Timeout), .. } => "late",
                    _ => return None,
                })
            };
            count(events, name).into_iter().for_each(|(name, more)| *seen.entry(name).or_default() += more);
        }
    }
    assert!(seen.len() == 6 && seen.values().all(|count| *count > 9), "{seen:?}");
}

/// Compares the events of a run with the run's counts; the run notes the events of all connections.
fn adds_up(report: &Report, told: &str) {
    let events = &report.events;
    for (number, row) in (0..).zip(&report.flows) {
        let of = |key: fn(&What) -> Option<(u32, usize)>| {
            let mut counts = [0u32; 4];
            for (flow, at) in events.iter().filter_map(|event| key(&event.what)) {
                counts[at] += u32::from(flow == number);
            }
            counts
        };
        let sent = of(|what| match what {
            What::PacketSent { flow, choice, .. } => Some((*flow, *choice as usize)),
            _ => None,
        });
        let [_, explored, recycled, reused] = sent;
        let told = format!("{told}, flow {number}");
        assert_eq!(sent.iter().sum::<u32>(), row.packets, "{told}");
        assert_eq!([explored, recycled, reused], [row.explored, row.recycled, row.reused], "{told}");
        assert_eq!(Choice::Explored as usize, 1, "the order of the choices is that of the counts");
        let again = of(|what| match what {
            What::PacketSent { flow, again: Some(cause), .. } => Some((*flow, *cause as usize)),
            _ => None,
        });
        assert_eq!(again, [row.by_nack, row.by_verdict, row.by_timeout, row.by_probe], "{told}");
        let [came, marked, trimmed, _] = of(|what| match what {
            What::PacketReceived { flow, marked, .. } => Some((*flow, usize::from(*marked))),
            What::PacketTrimmed { flow, .. } => Some((*flow, 2)),
            _ => None,
        });
        assert_eq!(came + marked + trimmed, row.received, "{told}");
        let marks = of(|what| match what {
            What::PacketReceived { flow, marked, .. } | What::PacketTrimmed { flow, marked, .. } => {
                Some((*flow, usize::from(*marked)))
            }
            _ => None,
        });
        assert_eq!(marks[1], row.marks, "{told}");
        let time = |is: &dyn Fn(&What) -> bool| {
            let mut times = events.iter().filter(|event| is(&event.what)).map(|event| event.time_ps as f64);
            times.next().filter(|_| times.next().is_none()).map(|ps| ps / 1e6)
        };
        let start = row.start_us.expect("it has started");
        let end = time(&|what| *what == What::FlowReceived { flow: number }).map(|us| us - start);
        let known = time(&|what| *what == What::FlowAcknowledged { flow: number }).map(|us| us - start);
        let is_same = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 1e-6);
        assert!(
            is_same(end, row.fct_us) && is_same(known, row.acknowledged_us),
            "{told}: {end:?}, {known:?}"
        );
        let begun = time(&|what| *what == What::FlowStarted { flow: number, bytes: row.bytes });
        assert!(begun.is_some_and(|us| us >= start), "{told}: {begun:?}");
    }
    let all = |is: fn(&What) -> bool| events.iter().filter(|event| is(&event.what)).count() as u64;
    let sent = all(|it| matches!(it, What::PacketSent { .. } | What::AckSent(_) | What::NackSent(_)));
    assert_eq!(sent, report.summary.sent, "{told}");
    let came = all(|it| {
        use What::{AckReceived, NackReceived, PacketReceived, PacketTrimmed};
        matches!(it, PacketReceived { .. } | PacketTrimmed { .. } | AckReceived(_) | NackReceived(_))
    });
    assert_eq!(came, report.summary.received, "{told}");
    let counted = |name: &str| report.counters.get(name).copied().unwrap_or_default();
    // A probe loses one packet.
    let lost =
        ["recovery_lost_by_nack", "recovery_lost_by_verdict", "recovery_lost_by_timeout", "sender_probes"];
    let lost = lost.map(counted);
    assert_eq!(all(|it| matches!(it, What::PacketLost { .. })), lost.iter().sum::<u64>(), "{told}: {lost:?}");
    let began = count(events, |it| (it.what == What::FreezeBegan).then_some(it.connection));
    let ended = count(events, |it| (it.what == What::FreezeEnded).then_some(it.connection));
    assert_eq!(began.values().sum::<u64>(), counted("paths_freezes"), "{told}");
    for (connection, began) in &began {
        let ended = ended.get(connection).copied().unwrap_or_default();
        assert!(ended == *began || ended + 1 == *began, "{told}: {connection:?}");
    }
    // The last news of each connection is that nothing is in flight.
    let mut last = BTreeMap::new();
    for event in events {
        if let What::MetricsUpdated { window_bytes, in_flight_bytes } = event.what {
            assert!(window_bytes > 0 && event.host == event.connection.0, "{told}: {event:?}");
            last.insert(event.connection, in_flight_bytes);
        }
    }
    assert!(!last.is_empty() && last.values().all(|bytes| *bytes == 0), "{told}: {last:?}");
}

/// Notes do not affect the run, and are the same in both engines and with threads.
#[test]
fn events_are_the_same_in_both_engines_and_change_no_result() {
    for (text, sets) in RUNS {
        let json = |report: &Report| serde_json::to_string(report).expect("JSON");
        let report = noted(plan(text, sets), Chosen::default(), Engine::Windows);
        let without = plan(text, sets).run(Engine::Windows, |_| true);
        assert!(json(&report) == json(&without) && without.events.is_empty(), "{sets:?}");
        let two = [sets, &["threads=2"]].concat();
        for (sets, engine) in [(sets, Engine::Heap), (&two, Engine::Windows)] {
            let other = noted(plan(text, sets), Chosen::default(), engine);
            assert!(other.events == report.events, "{sets:?}, {engine:?}");
        }
    }
}

/// Chosen connections have the same events as in a run that notes all connections.
#[test]
fn a_choice_takes_connections_out_of_all() {
    let (text, sets) = RUNS[3];
    let all = noted(plan(text, sets), Chosen::default(), Engine::Windows);
    let numbers = |number: u32| BTreeSet::from([number]);
    let (of_host, of_flow) = (
        Chosen { hosts: numbers(3), ..Chosen::default() },
        Chosen { flows: numbers(5), ..Chosen::default() },
    );
    let pair = (all.flows[5].source, all.flows[5].destination);
    // The hosts at both ends of each connection.
    let mut ends: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
    for event in &all.events {
        ends.entry(event.connection).or_default().insert(event.host);
    }
    let is_of_host = |event: &Event| ends[&event.connection].contains(&3);
    let is_of_flow = |event: &Event| {
        event.connection.0 == pair.0 && ends[&event.connection] == BTreeSet::from([pair.0, pair.1])
    };
    for (chosen, is_of) in [(of_host, &is_of_host as &dyn Fn(&Event) -> bool), (of_flow, &is_of_flow)] {
        let some = noted(plan(text, sets), chosen.clone(), Engine::Windows).events;
        let wanted: Vec<Event> = all.events.iter().copied().filter(|event| is_of(event)).collect();
        assert!(!some.is_empty() && some.len() < all.events.len() && some == wanted, "{chosen:?}");
    }
}

#[test]
fn a_file_has_a_header_and_a_line_for_each_event() {
    let (text, sets) = RUNS[0];
    let report = noted(plan(text, sets), Chosen::default(), Engine::Windows);
    let file = lines(&report);
    let mut values = file.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let header = values.next().expect("a header");
    assert_eq!((&header["weft_events"], &header["mtu_bytes"]), (&1.into(), &4096.into()));
    let other = noted(plan(text, &[sets, &["seed=2"]].concat()), Chosen::default(), Engine::Windows);
    let digest = |file: &str| file.lines().next().map(str::to_owned);
    assert_ne!(digest(&file), digest(&lines(&other)), "another setup has another digest");
    let events: Vec<_> = values.collect();
    assert_eq!(events.len(), report.events.len());
    for (line, event) in events.iter().zip(&report.events) {
        let (source, number) = event.connection;
        assert_eq!(line["time_ns"].as_f64(), Some(event.time_ps as f64 / 1e3));
        assert_eq!(
            (&line["host"], &line["connection"]),
            (&event.host.into(), &format!("{source}.{number}").into())
        );
    }
    let first = |name: &str| events.iter().find(|line| line["name"] == name).map(|line| line["data"].clone());
    let sent = first("packet_sent").expect("one was sent");
    assert!(sent["psn"] == 1 && sent["choice"] == "explored" && sent["again"].is_null(), "{sent}");
    for name in
        ["flow_started", "packet_trimmed", "ack_received", "nack_received", "packet_lost", "metrics_updated"]
    {
        assert!(first(name).is_some(), "{name}");
    }
}

#[test]
fn what_cannot_be_noted_is_told() {
    let why = |sets: &[&str], chosen: Chosen| plan(INCAST, sets).note(chosen).expect_err("it cannot be");
    let numbers = |number: u32| BTreeSet::from([number]);
    let (hosts, flows) = (numbers(8), numbers(4));
    assert_eq!(why(&[], Chosen { hosts, ..Chosen::default() }), "there is no host 8: use 0 to 7");
    assert_eq!(why(&[], Chosen { flows, ..Chosen::default() }), "there is no flow 4: use 0 to 3");
    let said = why(&["hosts.baseline={ kind = 'dctcp' }"], Chosen::default());
    assert!(said.starts_with("hosts.baseline: "), "{said}");
}
