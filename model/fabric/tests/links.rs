//! Links that differ from the others of their tier, failing switches, and switches that learn of failures at
//! their own times.

mod runs;

use runs::{read, run};
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;

/// Two leaves, two hosts each, one spine: there is one path. Frames of 4,160 and 64 bytes; the only latency
/// is that of links and switches, 500 ns each.
const ONE_WAY: &str = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 2\n[scheme]\nname = \"ecmp\"\n\
[links]\nhost_gbps = 400\nfabric_gbps = 400\n[wire]\nheader_bytes = 64\nack_bytes = 64\ntrimmed_bytes = 64\ngap_bytes = 0\n\
[hosts]\nclock_ns = 0\ndma_latency_ns = 0\n[workload]\nkind = \"incast\"\nbytes = 4096\nsenders = 1\nreceiver = 3\n";

/// Runs a text with additional keys at its end, as a file of the examples' folder.
fn with(more: &str, sets: &[&str]) -> Report {
    let file = std::env::temp_dir().join(format!("weft-links-{}-{:x}.toml", std::process::id(), name(more)));
    std::fs::write(&file, ONE_WAY.to_owned() + more).expect("written");
    let report = run(&file.to_string_lossy(), sets);
    std::fs::remove_file(&file).expect("removed");
    report
}

fn name(text: &str) -> u64 {
    text.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

/// Computed by hand: 20 ps a byte at 400 Gb/s, 80 ps at 100 Gb/s. A packet passes four links and three
/// switches, and the ACK passes the same ones back.
#[test]
fn a_link_of_its_own_takes_what_it_takes() {
    let times = |more: &str| {
        let flow = &with(more, &[]).flows[0];
        let ps = |us: Option<f64>| (us.expect("it ended") * 1e6).round() as u64;
        assert_eq!((flow.source, flow.destination), (1, 3));
        assert_eq!(flow.slowdown, Some(1.0), "{more}");
        [ps(flow.fct_us), ps(flow.acknowledged_us)]
    };
    let (data, ack, rest) = (83_200, 1_280, 4 * 500_000 + 3 * 500_000);
    let there = 4 * data + rest;
    let usual = [there, there + 4 * ack + rest];
    assert_eq!(times(""), usual);
    let link = |a: &str, b: &str, what: &str| format!("[[link]]\na = \"{a}\"\nb = \"{b}\"\n{what}\n");
    // The link is slower and longer in both directions; the order of its ends has no effect.
    let by = [3 * data + 2_000_000, 3 * data + 3 * ack + 2 * 2_000_000];
    for (a, b) in [("leaf-0", "spine-0"), ("spine-0", "leaf-0"), ("host-3", "leaf-1"), ("spine-0", "leaf-1")]
    {
        let found = times(&link(a, b, "gbps = 100\nlatency_ns = 2500"));
        assert_eq!(found, [usual[0] + by[0], usual[1] + by[1]], "{a} {b}");
    }
    // One direction alone differs: there, or back. The other direction is that of the tier.
    assert_eq!(
        times(&link("leaf-0", "spine-0", "gbps = 100\none_way = true")),
        usual.map(|it| it + 3 * data)
    );
    assert_eq!(
        times(&link("spine-0", "leaf-0", "latency_ns = 2500\none_way = true")),
        [usual[0], usual[1] + 2_000_000]
    );
    // The link is shorter than all others: the look-ahead shrinks with it.
    assert_eq!(times(&link("leaf-0", "spine-0", "latency_ns = 1")), [usual[0] - 499_000, usual[1] - 998_000]);
}

/// Full packets follow each other on the slower of a flow's two links.
#[test]
fn a_flow_alone_is_as_fast_as_the_slower_of_its_hosts_links() {
    let link = |a: &str, b: &str| format!("[[link]]\na = \"{a}\"\nb = \"{b}\"\ngbps = 100\n");
    for more in [link("host-1", "leaf-0"), link("host-3", "leaf-1")] {
        let report = with(&more, &["workload.bytes=409600", "hosts.fixed_window=true"]);
        assert!(
            report.flows[0].slowdown.is_some_and(|it| (0.9999..1.001).contains(&it)),
            "{:?}",
            report.flows
        );
        assert!(report.flows[0].fct_us.is_some_and(|us| us > 100.0 * 4_160.0 * 80e-6));
    }
}

/// Registers and queues reckon with the longest path.
#[test]
fn the_longest_way_is_what_registers_reckon_with() {
    let rtt = |sets: &[&str]| read("permutation.toml", sets).expect("a plan").network().base_rtt_ps(4_096);
    let usual = rtt(&[]);
    let longer = |a: &str, b: &str, more: &str| {
        rtt(&[&format!("link=[{{a=\"{a}\", b=\"{b}\", latency_ns=10500{more}}}]")]) - usual
    };
    // The way is 10 us longer in each direction; a packet passes such a link once.
    assert_eq!(longer("agg-5", "core-6", ""), 20_000_000);
    assert_eq!(longer("edge-3", "agg-1", ""), 20_000_000);
    assert_eq!(longer("host-7", "edge-1", ""), 20_000_000);
    assert_eq!(longer("edge-3", "agg-1", ", one_way=true"), 20_000_000);
    assert_eq!(rtt(&["link=[{a=\"host-0\", b=\"edge-0\", latency_ns=100}]"]), usual);
}

/// Every scheme on a fabric with some slow, long and short links: both engines, any number of threads.
#[test]
fn schemes_carry_flows_over_unlike_links() {
    let links = "link=[{a=\"edge-0\", b=\"agg-1\", gbps=100, latency_ns=3000}, {a=\"agg-2\", b=\"core-1\", latency_ns=7}, \
                 {a=\"host-9\", b=\"edge-4\", gbps=200, one_way=true}, {a=\"core-0\", b=\"agg-4\", latency_ns=9000, one_way=true}]";
    let sets = [links, "topology.k=4", "workload.bytes=200000"];
    for scheme in ["ecmp", "wecmp", "jsq", "drill", "ofan", "rsq"] {
        let report = run("permutation.toml", &[&sets[..], &[&format!("scheme.name={scheme}")]].concat());
        assert!(report.flows.iter().all(|flow| flow.slowdown.is_some_and(|it| it > 0.999)), "{scheme}");
    }
    let report = run(
        "dcqcn.toml",
        &["link=[{a=\"leaf-0\", b=\"spine-0\", latency_ns=2000}, {a=\"host-1\", b=\"leaf-0\", gbps=40}]"],
    );
    let setup = serde_json::to_value(&report.setup).expect("a setup");
    assert_eq!(setup["link"][0]["latency_ns"], 2000);
    assert_eq!(setup["link"][1]["gbps"], 40);
}

/// A switch that fails equals a cut of all its links, in every form of the file.
#[test]
fn a_switch_fails_as_all_its_links() {
    let sets = ["topology.k=4", "workload.bytes=1000000", "routing.converge_us=15"];
    let with = |set: &str| run("permutation.toml", &[&sets[..], &[set]].concat());
    let cut = |b: &str| format!("{{a=\"agg-2\", b=\"{b}\", from_us=20, until_us=50}}");
    let cuts = ["edge-2", "edge-3", "core-0", "core-1"].map(cut).join(", ");
    let (listed, failed) =
        (with(&format!("cut=[{cuts}]")), with("fail=[{switch=\"agg-2\", from_us=20, until_us=50}]"));
    assert_eq!(failed.summary, listed.summary);
    assert!(failed.summary.losses.link > 0);
    assert_eq!(failed.faults.len(), 8);
    assert!(failed.faults.iter().all(|fault| fault.switch.as_deref() == Some("agg-2")));
    assert!(listed.faults.iter().all(|fault| fault.switch.is_none()));
    // With an edge switch, its hosts are lost until the switch works again.
    let edge = with("fail=[{switch=\"edge-0\", from_us=20, until_us=50}]");
    assert_eq!(edge.faults.len(), 8);
    assert!(edge.flows.iter().filter(|flow| flow.source < 2).all(|flow| flow.fct_us > Some(50.0)));
}

/// The draw contains a quarter of eight aggregation switches and one of four cores, each with all its links;
/// another seed draws other switches.
#[test]
fn switches_are_drawn_by_the_seed() {
    let drawn = |of: &str, seed: u32| -> Vec<String> {
        let draw = format!("draw=[{{of=\"{of}\", share=0.25, from_us=1}}]");
        let plan = read("permutation.toml", &["topology.k=4", &draw, &format!("seed={seed}")]).expect(of);
        let faults = serde_json::to_value(plan.faults()).expect("a list");
        let faults = faults.as_array().expect("a list");
        let mut names: Vec<String> =
            faults.iter().map(|fault| fault["switch"].as_str().expect("a switch").to_owned()).collect();
        names.dedup();
        assert_eq!(faults.len(), 2 * 4 * names.len(), "{of}");
        names
    };
    for (of, most) in [("agg", 2), ("core", 1), ("edge", 2), ("switches", 3)] {
        let found: Vec<_> = (1..9).map(|seed| drawn(of, seed)).collect();
        assert!(found.iter().all(|names| names.len() == most), "{found:?}");
        assert!(found.iter().any(|names| *names != found[0]), "{found:?}");
        let is_its = |name: &String| name.starts_with(of) || (of == "switches" && !name.starts_with("edge"));
        assert!(found.iter().flatten().all(is_its), "{found:?}");
    }
    let sets = ["topology.k=4", "workload.bytes=600000", "routing.converge_us=15"];
    let draw = "draw=[{of=\"core\", share=0.25, from_us=10, until_us=40}, {of=\"agg\", share=0.1, gbps=100}]";
    let report = run("permutation.toml", &[&sets[..], &[draw]].concat());
    assert!(report.summary.losses.link > 0);
}

/// Bytes that left for a spine in each us, by leaf.
fn to_spine(report: &Report, leaf: u32) -> Vec<u64> {
    let name = format!("leaf-{leaf}");
    report
        .series
        .iter()
        .find(|link| link.from == name && link.to == "spine-1")
        .expect("asked for")
        .bytes
        .clone()
}

/// Each leaf sends to a spine that fails until its own time has arrived, and again after the repair.
#[test]
fn each_switch_learns_at_a_time_of_its_own() {
    let sets = [
        "topology={kind=\"leaf-spine\", leaves=4, spines=4, hosts_per_leaf=4}",
        "scheme.name=ecmp",
        "hosts.ev_mode=ops",
        "hosts.rto_us=40",
        "workload={kind=\"pod-permutation\", bytes=4000000}",
        "fail=[{switch=\"spine-1\", from_us=20, until_us=60}]",
        "series={every_us=1, links=[\"leaf-0\", \"leaf-1\", \"leaf-2\", \"leaf-3\"]}",
    ];
    // An entry of a single switch comes before an entry of its name, which comes before the entry of all.
    let own = "routing={converge_us=2, own={leaf-0=10, leaf=25, leaf-2=\"never\", spine=inf, leaf-3=0}}";
    let report = run("permutation.toml", &[&sets[..], &[own]].concat());
    for (leaf, quiet) in [(0, Some(33..69)), (1, Some(48..84)), (2, None), (3, Some(23..59))] {
        let bytes = to_spine(&report, leaf);
        let sends = |bins: std::ops::Range<usize>| bytes[bins].iter().filter(|bytes| **bytes > 0).count();
        let Some(quiet) = quiet else {
            assert!(sends(20..80) > 50, "{leaf}: {bytes:?}");
            continue;
        };
        assert_eq!(sends(quiet.clone()), 0, "{leaf}: {bytes:?}");
        assert!(sends(10..quiet.start) > 5 && sends(quiet.end + 2..quiet.end + 12) > 5, "{leaf}: {bytes:?}");
    }
    let setup = serde_json::to_value(&report.setup).expect("a setup");
    assert_eq!(setup["routing"]["own"]["spine"], "never");
    assert_eq!(setup["routing"]["own"]["leaf"], 25.0);
}

/// W-ECMP: agg-0 has lost one of its two cores. An edge switch that has learned of the loss sends a third of
/// its packets to agg-0; any other edge switch sends half.
#[test]
fn weights_are_those_of_what_a_switch_knows() {
    let sets = [
        "topology.k=4",
        "scheme.name=wecmp",
        "hosts.ev_mode=ops",
        "workload={kind=\"pod-permutation\", bytes=4000000}",
        "cut=[{a=\"agg-0\", b=\"core-0\", from_us=0}]",
        "routing={converge_us=0, own={edge-1=inf}}",
        "series={every_us=1000, links=[\"edge-0\", \"edge-1\"]}",
    ];
    let report = run("permutation.toml", &sets);
    let bytes = |from: &str, to: &str| -> f64 {
        let link = report.series.iter().find(|link| link.from == from && link.to == to).expect("asked for");
        link.bytes.iter().sum::<u64>() as f64
    };
    for (edge, share) in [("edge-0", 1.0 / 3.0), ("edge-1", 0.5)] {
        let up = [bytes(edge, "agg-0"), bytes(edge, "agg-1")];
        let found = up[0] / (up[0] + up[1]);
        assert!((found - share).abs() < 0.03, "{edge}: {found}");
    }
    assert!(report.summary.losses.link < 100, "{:?}", report.summary.losses);
}

#[test]
fn what_cannot_be_is_told_with_its_line() {
    let file = std::env::temp_dir().join(format!("weft-links-{}.toml", std::process::id()));
    let lines = ONE_WAY.lines().count();
    for (more, line, words) in [
        (
            "[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\ngbps = 0",
            4,
            "link.gbps: 0 is not possible; use 1 to 1600",
        ),
        ("[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\ngbps = 1601", 4, "link.gbps: 1601 is not possible"),
        (
            "[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\nlatency_ns = 0",
            4,
            "link.latency_ns: 0 is not possible; use 1",
        ),
        ("[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\nlatency_ns = 150001", 4, "link.latency_ns: 150001"),
        ("[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\nlatency_ns = -1", 4, "invalid value: integer `-1`"),
        (
            "[[link]]\na = \"leaf-0\"\nb = \"spine-0\"",
            2,
            "link.a: this link is like the others; give gbps, latency_ns or queue_bytes",
        ),
        (
            "[[link]]\na = \"leaf-0\"\nb = \"leaf-1\"\ngbps = 9",
            2,
            "link.a: there is no link between leaf-0 and leaf-1",
        ),
        ("[[link]]\na = \"leaf-0\"\nb = \"spine-9\"\ngbps = 9", 3, "link.b: there is no node spine-9"),
        (
            "[[link]]\na = \"leaf-0\"\nb = \"spine-0\"\ngbps = 9\n[[link]]\na = \"spine-0\"\nb = \"leaf-0\"\ngbps = 8\none_way = true",
            6,
            "link.a: the link from spine-0 to leaf-0 is given twice",
        ),
        ("[[fail]]\nswitch = \"host-0\"", 2, "fail.switch: there is no switch host-0"),
        ("[[fail]]\nswitch = \"core-0\"", 2, "fail.switch: there is no switch core-0"),
        (
            "[[fail]]\nswitch = \"spine-0\"\nfrom_us = 5\nuntil_us = 5",
            4,
            "fail.until_us: the end is before the start",
        ),
        ("[[fail]]\nswitch = \"spine-0\"\nfrom_us = -5", 3, "fail.from_us: -5 is not possible"),
        (
            "[[draw]]\nshare = 0.5\nof = \"core\"",
            3,
            "draw.of: there is no core; use links, switches, leaf, spine",
        ),
        ("[routing]\nconverge_us = -1", 2, "routing.converge_us: -1 is not possible; use 0 to 1e9, or inf"),
        ("[routing]\nconverge_us = nan", 2, "routing.converge_us: NaN is not possible"),
        ("[routing]\nconverge_us = \"soon\"", 2, "routing.converge_us"),
        ("[routing.own]\nagg-0 = 5", 2, "routing.own.agg-0: there is no switch agg-0"),
        ("[routing]\nown = { leaf-0 = 5, leaf-2 = 6 }", 2, "routing.own.leaf-2: there is no switch leaf-2"),
        ("[routing.own]\nhost-0 = 5", 2, "routing.own.host-0: there is no switch host-0"),
        ("[routing.own]\nleaf-0 = \"often\"", 2, "give a time in us, inf or \"never\""),
        // Host 1 sends to host 3: cut are the spine, the leaf, host 3's own link, or one direction of it.
        ("[[fail]]\nswitch = \"spine-0\"", 2, "fail.switch: no path is left from host-1 to host-3"),
        ("[[fail]]\nswitch = \"leaf-1\"\nfrom_us = 0", 2, "fail.switch: no path is left"),
        ("[[cut]]\na = \"host-1\"\nb = \"leaf-0\"\nfrom_us = 0", 2, "cut.a: no path is left"),
        ("[[cut]]\na = \"leaf-1\"\nb = \"host-3\"\nfrom_us = 0\none_way = true", 2, "cut.a: no path is left"),
        ("[[draw]]\nshare = 1.0", 2, "draw.share: no path is left"),
        ("[routing.own]\nleaf-0 = -1", 2, "routing.own.leaf-0: -1 is not possible"),
    ] {
        std::fs::write(&file, format!("{ONE_WAY}{more}\n")).expect("written");
        let error = Plan::read(&file, &[]).expect_err(more).to_string();
        let place = format!("{}:{}: ", file.display(), lines + line);
        assert!(
            error.starts_with(&place) && error.contains(words) && !error.contains('\n'),
            "{more}\n{error}"
        );
    }
    // A cut is possible if it arrives later, is temporary, or is on a link without flows.
    for more in [
        "[[fail]]\nswitch = \"spine-0\"\nfrom_us = 1",
        "[[fail]]\nswitch = \"spine-0\"\nuntil_us = 9",
        "[[cut]]\na = \"host-0\"\nb = \"leaf-0\"\nfrom_us = 0",
    ] {
        std::fs::write(&file, format!("{ONE_WAY}{more}\n")).expect("written");
        Plan::read(&file, &[]).expect(more);
    }
    std::fs::remove_file(&file).expect("removed");
    let set = "link=[{a=\"edge-0\", b=\"agg-0\", gbps=0}]";
    let error = read("permutation.toml", &[set]).expect_err(set);
    assert_eq!(error, format!("--set {set}: link.gbps: 0 is not possible; use 1 to 1600"));
    // Windows of 2 ns on a network of 8,192 hosts with a link of 80 us.
    let far = ["topology.k=32", "hosts.clock_ns=0", "switch.latency_ns=0", "links.fabric_latency_ns=1"];
    let link = "link=[{a=\"core-0\", b=\"agg-0\", latency_ns=80000}]";
    let error = read("permutation.toml", &[&far[..], &[link]].concat()).expect_err("too far apart");
    assert!(error.contains("differ too much"), "{error}");
}
