//! The table of flows: the counts of all flows add up to the counts of NICs, switches and links for the whole run.
//!
//! The rows are counted at the hosts, packet by packet, and where the contents of a packet end. The run's figures are counted
//! elsewhere: by the NICs' own counters, by the ports that trim, by the causes of losses.

mod runs;

use runs::{read, run};
use weft_fabric::report::{FlowRow, Report};
use weft_fabric::simulate::Engine;

fn sum(report: &Report, count: fn(&FlowRow) -> u32) -> u64 {
    report.flows.iter().map(|flow| u64::from(count(flow))).sum()
}

/// The rows of a run of NICs, whole.
fn balances(report: &Report) {
    let counter = |name: &str| report.counters.get(name).copied().unwrap_or(0);
    let summary = &report.summary;
    for (what, rows, all) in [
        ("explored", sum(report, |it| it.explored), counter("paths_explored")),
        ("recycled", sum(report, |it| it.recycled), counter("paths_recycled")),
        ("reused", sum(report, |it| it.reused), counter("paths_reused")),
        ("freezes", sum(report, |it| it.freezes), counter("paths_freezes")),
        ("again", sum(report, |it| it.again), counter("recovery_again")),
        ("packets", sum(report, |it| it.packets), counter("sender_orders")),
        ("trims", sum(report, |it| it.trims), summary.trims),
        ("drops", sum(report, |it| it.drops), summary.losses.data),
    ] {
        assert_eq!(rows, all, "{what}");
    }
    for (what, rows, found) in [
        ("nack", sum(report, |it| it.by_nack), counter("recovery_lost_by_nack")),
        ("verdict", sum(report, |it| it.by_verdict), counter("recovery_lost_by_verdict")),
        ("timeout", sum(report, |it| it.by_timeout), counter("recovery_lost_by_timeout")),
        ("probe", sum(report, |it| it.by_probe), counter("sender_probes")),
    ] {
        // Packets found lost go again, except those acknowledged meanwhile.
        assert!(rows <= found, "{what}: {rows} sent again, {found} found lost");
    }
    rows_balance(report);
}

/// The rows of any hosts.
fn rows_balance(report: &Report) {
    assert!(report.summary.is_complete);
    for flow in &report.flows {
        assert_eq!(flow.packets, flow.received + flow.drops, "{flow:?}");
        assert_eq!(flow.again, flow.by_nack + flow.by_verdict + flow.by_timeout + flow.by_probe, "{flow:?}");
        assert!(flow.packets - flow.again == flow.bytes.div_ceil(4_096) as u32, "{flow:?}");
    }
    assert_eq!(sum(report, |it| it.trims), report.summary.trims);
    assert_eq!(sum(report, |it| it.drops), report.summary.losses.data);
    assert_eq!(sum(report, |it| it.answer_drops), report.summary.losses.all() - report.summary.losses.data);
}

#[test]
fn an_incast_is_trimmed_flow_by_flow() {
    let report = run("incast.toml", &["switch.queue_bytes=40000"]);
    balances(&report);
    assert!(sum(&report, |it| it.trims) > 100 && report.flows.iter().filter(|it| it.by_nack > 0).count() > 4);
    // Headers are dropped, too, where the control queue is short: they are trims and drops.
    let short = ["switch.queue_bytes=40000", "switch.control_bytes=400", "hosts.rto_us=30"];
    let report = run("incast.toml", &short);
    balances(&report);
    assert!(report.summary.losses.control_queue > 10);
    assert!(sum(&report, |it| it.by_timeout + it.by_probe) > 0);
}

#[test]
fn what_is_dropped_goes_again_by_verdicts_and_timeouts() {
    let sets = ["switch.trim=false", "switch.queue_bytes=40000", "hosts.gap=16", "hosts.rto_us=40"];
    let report = run("incast.toml", &sets);
    balances(&report);
    assert!(sum(&report, |it| it.by_verdict) > 20, "{:?}", report.counters);
    assert_eq!(sum(&report, |it| it.by_nack) + sum(&report, |it| it.trims), 0);
}

/// A failing switch freezes the flows whose packets it loses.
#[test]
fn flows_freeze_as_a_switch_fails() {
    let fail = "fail=[{switch=\"agg-2\", from_us=15, until_us=400}]";
    let sets = ["topology.k=4", "workload.bytes=3000000", fail, "hosts.rto_us=25"];
    let report = run("permutation.toml", &sets);
    balances(&report);
    // ACKs are lost, too.
    let losses = report.summary.losses;
    assert!(losses.data > 0 && losses.data < losses.all(), "{losses:?}");
    // Flows whose data arrived completely.
    let lost = report.flows.iter().filter(|it| it.answer_drops > 0);
    assert!(lost.clone().count() > 2 && lost.clone().all(|it| it.received >= it.answer_drops), "{losses:?}");
    let drops = |flow: &&FlowRow| flow.drops > 0;
    assert!(sum(&report, |it| it.freezes) > 2 && sum(&report, |it| it.reused) > 100);
    assert!(report.flows.iter().filter(|it| it.freezes > 0).all(|flow| drops(&flow)), "{:?}", report.flows);
    // Several flows to a pair of hosts.
    let shared = [
        "topology.k=4",
        "workload={kind=\"alltoall\", bytes=90000, window=8}",
        "hosts.pair_connections=1",
        "corrupt=[{a=\"edge-0\", b=\"agg-0\", ber=1e-6}]",
        "hosts.rto_us=25",
        "seed=3",
    ];
    balances(&run("permutation.toml", &shared));
}

/// Several flows share one connection at a time: a loss counts for the flow whose packet was lost.
#[test]
fn flows_of_one_connection_are_told_apart() {
    let mut flows = String::new();
    for at in 0..12 {
        flows += &format!("1,6,{},{}\n2,6,{},{}\n", 50_000 + 4_096 * at, at, 60_000, 2 * at);
    }
    let file = std::env::temp_dir().join(format!("weft-flows-{}.csv", std::process::id()));
    std::fs::write(&file, flows).expect("written");
    let workload = format!("workload={{kind=\"flows\", file={:?}}}", file.to_string_lossy());
    let sets = [&workload, "topology.k=4", "hosts.pair_connections=1", "switch.queue_bytes=20000"];
    for more in [&[][..], &["switch.trim=false", "hosts.gap=8", "hosts.rto_us=20"]] {
        let report = run("permutation.toml", &[&sets[..], more].concat());
        balances(&report);
        assert!(report.flows.iter().filter(|it| it.again > 0).count() > 3, "{:?}", report.flows);
    }
    // All flows of a connection, before the failure and after it, are complete: none of them froze.
    let fail = "fail=[{switch=\"agg-2\", from_us=45, until_us=60}]";
    let slow: String = (0..20).map(|at| format!("1,6,200000,{}\n", 6 * at)).collect();
    std::fs::write(&file, slow).expect("written");
    let report = run("permutation.toml", &[&sets[..3], &[fail, "hosts.rto_us=15"]].concat());
    balances(&report);
    let frozen = report.flows.iter().filter(|it| it.freezes > 0);
    assert!(frozen.clone().count() > 0 && frozen.clone().all(|flow| flow.drops > 0), "{:?}", report.flows);
    assert!(report.flows[..4].iter().all(|flow| flow.drops == 0), "{:?}", report.flows);
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn the_papers_hosts_have_rows_too() {
    let cut = "corrupt=[{a=\"leaf-0\", b=\"spine-0\", ber=1e-7}]";
    for (file, sets) in [
        ("dcqcn.toml", &["switch.pfc=false", "switch.queue_bytes=60000"][..]),
        ("dcqcn.toml", &["hosts.baseline.recovery=irn", "switch.pfc=false", "switch.queue_bytes=60000"]),
        ("dctcp.toml", &["switch.queue_bytes=30000"]),
        ("dctcp.toml", &["switch.queue_bytes=30000", "switch.trim=false"]),
        ("dcqcn.toml", &[cut]),
    ] {
        let report = run(file, sets);
        assert!(sum(&report, |it| it.again) > 10, "{file} {sets:?}");
        for flow in &report.flows {
            assert_eq!(flow.packets, flow.received + flow.drops, "{flow:?}");
            assert_eq!(flow.again, flow.by_nack + flow.by_verdict + flow.by_timeout + flow.by_probe);
        }
        assert_eq!(sum(&report, |it| it.trims), report.summary.trims);
        assert_eq!(sum(&report, |it| it.drops), report.summary.losses.data);
        assert_eq!(
            sum(&report, |it| it.answer_drops),
            report.summary.losses.all() - report.summary.losses.data
        );
    }
}

/// Packets in transit at the end are neither received nor lost.
#[test]
fn an_interrupted_run_has_rows_that_are_not_more_than_all() {
    let sets = ["switch.queue_bytes=40000", "fail=[{switch=\"agg-3\", from_us=5}]", "until_us=30"];
    let report = read("permutation.toml", &sets).expect("a plan").run(Engine::Windows, |_| true);
    assert!(report.violations.is_empty() && !report.summary.is_complete);
    assert_eq!(sum(&report, |it| it.drops), report.summary.losses.data);
    assert!(sum(&report, |it| it.trims) <= report.summary.trims && report.summary.trims > 0);
    assert!(sum(&report, |it| it.packets) > sum(&report, |it| it.received + it.drops));
    assert_eq!(sum(&report, |it| it.explored), report.counters["paths_explored"]);
    assert_eq!(sum(&report, |it| it.freezes), report.counters.get("paths_freezes").copied().unwrap_or(0));
}

/// The limit of a run is inside a window: both engines end there, and no flow ends later.
#[test]
fn a_run_ends_at_its_limit() {
    let small = ["topology.k=4", "workload.bytes=200000"];
    let far = [
        "topology.k=4",
        "workload.bytes=200000",
        "links.host_latency_ns=12000",
        "links.fabric_latency_ns=12000",
    ];
    let lossless = ["workload.bytes=200000"];
    let conweave = ["hosts.ack_packets=1"];
    let cases = [
        ("permutation.toml", &small[..], [0.7, 7.3, 13.01]),
        ("permutation.toml", &far[..], [30.0, 79.5, 110.0]),
        ("lossless.toml", &lossless[..], [3.3, 9.9, 20.4]),
        ("conweave.toml", &conweave[..], [3.3, 9.9, 20.4]),
    ];
    for (example, sets, limits) in cases {
        for limit in limits {
            let until = format!("until_us={limit}");
            let sets = [sets, &[&until]].concat();
            let [found, oracle] = [Engine::Windows, Engine::Heap].map(|engine| {
                let report = read(example, &sets).expect("a plan").run(engine, |_| true);
                assert!(report.violations.is_empty() && !report.summary.is_complete, "{example}, {limit} us");
                assert!(
                    report
                        .flows
                        .iter()
                        .all(|it| it.start_us.zip(it.fct_us).is_none_or(|(start, fct)| start + fct <= limit))
                );
                report
            });
            let of = |it: &Report| (it.summary.sent, it.summary.received, it.summary.digest.clone());
            assert_eq!(of(&found), of(&oracle), "{example}, {limit} us");
            assert_eq!(found.flows, oracle.flows, "{example}, {limit} us");
            assert_eq!(found.summary.goodput_gbps, oracle.summary.goodput_gbps, "{example}, {limit} us");
            assert_eq!(found.counters, oracle.counters, "{example}, {limit} us");
        }
    }
}

#[test]
fn the_table_has_a_column_for_each_count() {
    let report = read("incast.toml", &[]).expect("a plan").run(Engine::Windows, |_| true);
    let table = report.flow_table();
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let rows = serde_json::to_value(&report.flows).expect("rows");
    for (line, row) in lines.zip(rows.as_array().expect("rows")) {
        let values: Vec<&str> = line.split(',').collect();
        assert_eq!(values.len(), names.len());
        for (name, value) in names.iter().zip(values) {
            let said = row[*name].as_f64().unwrap_or_else(|| panic!("no {name} in JSON"));
            assert_eq!(value.parse::<f64>().expect(name), said, "{name}");
        }
        assert_eq!(row.as_object().map(serde_json::Map::len), Some(names.len()));
    }
}
