//! Flows that a program adds while the engine runs (page `docs/ai-simulators.md`).

use std::collections::BTreeMap;
use std::path::Path;
use weft_fabric::flow::{Flow, Start};
use weft_fabric::live::{Done, LATEST_PS, SendError};
use weft_fabric::prelude::*;

/// Sixteen hosts, queues that fill, a link that is cut and routing that learns of it.
const SETUP: &str = r#"
    seed = 5
    topology = { kind = "fat-tree", k = 4 }
    scheme = { name = "ecmp" }
    links = { host_gbps = 100, fabric_gbps = 100 }
    switch = { queue_bytes = 60000 }
    workload = { kind = "none" }
    cut = [{ a = "edge-0", b = "agg-1", from_us = 30, until_us = 90 }]
    routing = { converge_us = 20 }
"#;

/// Flows start at random times, often enough to fill queues.
const POISSON: &str = r#"workload={ kind = "poisson", load = 0.7, flows = 400, cdf = [[1000, 0], [4096, 40], [100000, 80], [400000, 100]] }"#;

fn plan(sets: &[&str]) -> Plan {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    Plan::parse("setup", SETUP, Path::new(""), &sets).expect("a plan")
}

fn fabric(sets: &[&str]) -> Fabric {
    Fabric::new(plan(sets)).expect("a fabric")
}

/// All completions up to a time.
fn until(fabric: &mut Fabric, until_ps: u64) -> Vec<Done> {
    let mut all = Vec::new();
    loop {
        let done = fabric.advance(until_ps);
        if done.is_empty() {
            return all;
        }
        all.extend(done);
    }
}

/// The connections of a closed run, in its order.
fn connect(fabric: &mut Fabric, flows: &[Flow], most: u32) {
    let mut pairs = BTreeMap::new();
    flows.iter().for_each(|flow| *pairs.entry((flow.source, flow.destination)).or_insert(0) += 1);
    for ((source, destination), count) in pairs {
        fabric.connect(source, destination, most.min(count)).expect("a pair");
    }
}

/// The report as `weft sim --json` writes it, without the workload's name.
fn json(report: Report) -> String {
    let mut report = report;
    report.setup.workload = plan(&[]).setup().workload.clone();
    serde_json::to_string_pretty(&report).expect("a report")
}

/// Groups of four hosts with 800 Gb/s and 500 ns. By hand: 1,000,000 bytes leave in 10 us and arrive 0.5 us
/// later; flows of one host leave one after the other; flows of another host do not wait; 100 bytes leave in
/// 1 ns.
#[test]
fn flows_of_a_group_take_the_times_of_the_inner_network() {
    let inner = "inner={ hosts = 4, gbps = 800, latency_ns = 500 }";
    for threads in ["threads=1", "threads=3"] {
        let mut fabric = fabric(&[inner, threads]);
        for (user, source, destination, bytes, at_ps) in [
            (1, 0, 1, 1_000_000, 0),
            (2, 0, 2, 1_000_000, 1_000),
            (3, 3, 0, 100, 1_000_000),
            (4, 0, 3, 100, 30_000_000),
        ] {
            fabric.send(source, destination, bytes, at_ps, user).expect("a flow");
        }
        let ends = |done: Vec<Done>| -> Vec<_> {
            done.iter().map(|it| (it.at_ps, it.user, it.flow + 1, it.is_sender)).collect()
        };
        assert_eq!(ends(until(&mut fabric, 999_999)), []);
        let first = [(1_001_000, 3, 3, true), (1_501_000, 3, 3, false), (10_000_000, 1, 1, true)];
        assert_eq!(ends(until(&mut fabric, 10_000_000)), first, "{threads}");
        assert!(!fabric.is_idle());
        let rest = [
            (10_500_000, 1, 1, false),
            (20_000_000, 2, 2, true),
            (20_500_000, 2, 2, false),
            (30_001_000, 4, 4, true),
            (30_501_000, 4, 4, false),
        ];
        assert_eq!(ends(until(&mut fabric, u64::MAX)), rest, "{threads}");
        assert!(fabric.is_idle() && fabric.late() == Default::default());
        let report = fabric.finish();
        assert_eq!((report.summary.flows, report.summary.sent, report.is_interrupted), (0, 0, false));
    }
}

/// A flow of the network that answers a flow of the inner network starts exactly when that flow ends, and
/// lasts as long as without an inner network. An inner flow that answers a flow of the network starts late,
/// as any answer does.
#[test]
fn what_answers_an_inner_flow_is_not_late() {
    let inner = "inner={ hosts = 4, gbps = 800, latency_ns = 500 }";
    let mut with = fabric(&[inner]);
    with.send(0, 1, 1_000_123, 0, 1).expect("a flow");
    let end = until(&mut with, u64::MAX).into_iter().find(|it| !it.is_sender).expect("an end");
    assert_eq!(end.at_ps, 10_501_230);
    assert!(!end.at_ps.is_multiple_of(with.window_ps()));
    with.send(1, 9, 50_000, end.at_ps, 2).expect("a flow");
    let times = |done: &[Done]| done.iter().map(|it| (it.at_ps, it.user, it.is_sender)).collect::<Vec<_>>();
    let found = until(&mut with, u64::MAX);
    assert_eq!(with.late().flows, 0);
    let mut without = fabric(&[]);
    without.send(1, 9, 50_000, end.at_ps, 2).expect("a flow");
    assert_eq!(times(&found), times(&until(&mut without, u64::MAX)));
    // The flow's end in the network is in a window that has run.
    with.send(9, 10, 1_000, found[0].at_ps, 3).expect("a flow");
    assert_eq!(with.late().flows, 1);
    let done = until(&mut with, u64::MAX);
    assert_eq!(done[0].at_ps, with.late().sum_ps + found[0].at_ps + 10_000);
}

#[test]
fn an_inner_network_that_cannot_be_is_refused() {
    let refused = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        Plan::parse("setup", SETUP, Path::new(""), &sets).expect_err("it cannot be").to_string()
    };
    for (set, says) in [
        ("inner={ hosts = 1, gbps = 800, latency_ns = 0 }", "inner.hosts: 1 is not possible; use 2 to"),
        ("inner={ hosts = 4, gbps = 0, latency_ns = 0 }", "inner.gbps: 0 is not possible; use 1 to 100000"),
        (
            "inner={ hosts = 4, gbps = 1, latency_ns = 9000000 }",
            "inner.latency_ns: 9000000 is not possible; use 0 to 1000000",
        ),
    ] {
        let found = refused(&[set]);
        assert!(found.contains(says), "{found}, not {says}");
    }
    let found = refused(&["inner={ hosts = 4, gbps = 800, latency_ns = 0 }", POISSON]);
    assert!(found.contains("a program sends flows over it; set workload.kind to none"), "{found}");
}

#[test]
fn flows_that_come_at_their_times_have_the_bytes_of_a_closed_run() {
    for (scheme, mode, threads) in
        [("ecmp", "reps", 1), ("ecmp", "ops", 3), ("drill", "reps", 2), ("ecmp", "fixed", 1)]
    {
        let sets = [&format!("scheme.name={scheme}"), &format!("hosts.ev_mode={mode}")];
        let mut sets: Vec<&str> = sets.map(String::as_str).to_vec();
        let closed = plan(&[&sets[..], &[POISSON]].concat());
        let threads = format!("threads={threads}");
        sets.push(&threads);
        let mut fabric = fabric(&sets);
        connect(&mut fabric, closed.flows(), closed.setup().hosts.pair_connections);
        let mut done = Vec::new();
        for (user, flow) in (1_000..).zip(closed.flows()) {
            let Start::AtPs(at_ps) = flow.start else { panic!("a flow with a time") };
            done.extend(until(&mut fabric, at_ps));
            assert!(fabric.now_ps() <= at_ps && at_ps < fabric.now_ps() + fabric.window_ps());
            fabric.send(flow.source, flow.destination, flow.bytes, at_ps, user).expect("a flow");
        }
        done.extend(until(&mut fabric, u64::MAX));
        assert!(fabric.is_idle() && fabric.late().flows == 0);
        let closed = closed.run(Engine::Windows, |_| true);
        assert!(closed.summary.is_complete && closed.summary.losses.link > 0 && closed.summary.trims > 0);
        // Each flow ended at both hosts, at the times of the report.
        assert_eq!(done.len(), 800);
        for it in &done {
            let row = &closed.flows[it.flow as usize];
            let took = if it.is_sender { row.acknowledged_us } else { row.fct_us };
            let at_us = row.start_us.expect("a start") + took.expect("an end");
            assert!((at_us - it.at_ps as f64 / 1e6).abs() < 1e-6, "{it:?}");
            assert_eq!((it.user, it.bytes), (1_000 + u64::from(it.flow), row.bytes));
        }
        assert_eq!(json(fabric.finish()), json(closed), "{scheme} {mode} {threads}");
    }
}

/// Without `connect` the hosts number connections by their first flows. The result then has other bytes, and
/// is the same for any number of threads.
#[test]
fn the_same_calls_have_the_same_result_with_any_number_of_threads() {
    let run = |threads: &str| {
        let mut fabric = fabric(&[threads]);
        let mut answers = Vec::new();
        for host in 0..16 {
            fabric.send(host, (host + 5) % 16, 150_000, 0, 3).expect("a flow");
        }
        // Each answer is sent on to the next host, three times.
        loop {
            let done = fabric.advance(u64::MAX);
            if done.is_empty() {
                break;
            }
            for it in done.iter().filter(|it| !it.is_sender && it.user > 0) {
                let to = (it.destination + 3) % 16;
                fabric.send(it.destination, to, 150_000, it.at_ps, it.user - 1).expect("a flow");
            }
            answers.extend(done);
        }
        let late = fabric.late();
        assert_eq!(late.flows, 48, "answers leave with the next window");
        assert!(late.most_ps <= fabric.window_ps() && late.sum_ps <= 48 * fabric.window_ps());
        (answers, late, json(fabric.finish()))
    };
    let one = run("threads=1");
    assert_eq!(one.0.len(), 128);
    assert!(one == run("threads=3"));
}

#[test]
fn time_goes_as_far_as_it_is_told() {
    let mut fabric = fabric(&[]);
    let window_ps = fabric.window_ps();
    assert_eq!((fabric.now_ps(), fabric.hosts()), (0, 16));
    assert!(fabric.advance(u64::MAX).is_empty() && fabric.now_ps() == 0, "nothing is left to do");
    assert!(fabric.advance(10 * window_ps + 1).is_empty());
    assert_eq!(fabric.now_ps(), 10 * window_ps);
    assert!(fabric.advance(3 * window_ps).is_empty());
    assert_eq!(fabric.now_ps(), 10 * window_ps, "time does not go back");
    // A flow in the future: idle windows are skipped, and nothing ends before it begins.
    let at_ps = 5_000_000_000;
    fabric.send(1, 2, 1, at_ps, 0).expect("a flow");
    assert!(fabric.advance(at_ps).is_empty() && !fabric.is_idle());
    let done = fabric.advance(LATEST_PS);
    assert_eq!(done.len(), 1);
    assert!(done[0].at_ps > at_ps && done[0].at_ps < fabric.now_ps());
    assert!(
        fabric.now_ps() - done[0].at_ps <= window_ps,
        "it stops behind the first window in which a flow ends"
    );
    assert!(fabric.advance(u64::MAX)[0].is_sender && fabric.advance(u64::MAX).is_empty() && fabric.is_idle());
}

#[test]
fn what_cannot_be_is_refused() {
    let mut fabric = fabric(&[]);
    assert_eq!(fabric.send(0, 16, 1, 0, 0), Err(SendError::Host(16, 15)));
    assert_eq!(fabric.send(3, 3, 1, 0, 0), Err(SendError::Same(3)));
    assert_eq!(fabric.send(0, 1, 0, 0, 0), Err(SendError::Bytes(0)));
    assert_eq!(fabric.send(0, 1, 1, LATEST_PS, 0), Err(SendError::Time(LATEST_PS)));
    assert_eq!(fabric.connect(0, 1, 0), Err(SendError::Connections(0)));
    for (set, key) in [
        (POISSON, "workload.kind"),
        (r#"hosts.baseline={ kind = "dcqcn" }"#, "hosts.baseline"),
        ("hosts.probe={ every_us = 100, count = 4 }", "hosts.probe"),
        ("scheme={ name = \"conweave\", reply-ticks = 40 }", "scheme.name"),
    ] {
        let error = Fabric::new(plan(&[set])).expect_err("no fabric");
        assert_eq!(error.key.as_deref(), Some(key), "{error}");
    }
}

/// Host 0 has no path: its flow never ends, and the fabric runs to the given time.
#[test]
fn a_flow_without_a_way_never_ends() {
    let cut = r#"cut=[{ a = "edge-0", b = "host-0", from_us = 0 }]"#;
    let mut fabric = fabric(&[cut]);
    fabric.send(0, 9, 10_000, 0, 1).expect("a flow");
    let until_ps = 1_000 * fabric.window_ps();
    assert!(fabric.advance(until_ps).is_empty() && fabric.now_ps() == until_ps && !fabric.is_idle());
    let report = fabric.finish();
    assert!(report.is_interrupted && !report.summary.is_complete && report.violations.is_empty());
}
