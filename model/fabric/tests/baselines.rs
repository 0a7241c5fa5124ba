//! Hosts of the papers' baselines: shares of a link, retransmission of lost packets, the same bytes from both
//! engines with any number of threads, refused keys.

use std::path::Path;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;

fn read(file: &str, sets: &[&str]) -> Result<Plan, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    Plan::read(&file, &sets).map_err(|error| error.to_string())
}

/// Runs the file in both engines, with one thread, two and four. Checks that the sums of packets balance.
fn run(file: &str, sets: &[&str]) -> Report {
    let json = |report: &Report| serde_json::to_string(report).expect("a report");
    let one = |sets: &[&str], engine| read(file, sets).expect(file).run(engine, |_| true);
    let report = one(sets, Engine::Windows);
    for (threads, engine) in
        [("threads=1", Engine::Heap), ("threads=2", Engine::Windows), ("threads=4", Engine::Windows)]
    {
        assert_eq!(json(&one(&[sets, &[threads]].concat(), engine)), json(&report), "{file}, {threads}");
    }
    assert!(report.violations.is_empty(), "{file}: {:?}", report.violations);
    assert!(report.summary.is_complete, "{file}: {:?}", report.summary);
    report
}

const IRN: [&str; 3] = ["hosts.baseline.recovery=irn", "switch.pfc=false", "switch.queue_bytes=2000000"];

/// Jain's index of the rates of flows: 1 if all rates are equal.
fn jain(report: &Report) -> f64 {
    let rates: Vec<f64> = report.flows.iter().filter_map(|flow| Some(1.0 / flow.fct_us?)).collect();
    let (sum, squares) = rates.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    sum * sum / (rates.len() as f64 * squares)
}

/// A single flow is never marked: it has the line's rate from its first packet to its last, and ends in the
/// least possible time.
#[test]
fn dcqcn_alone_has_the_line() {
    for sets in [&[][..], &IRN[..]] {
        let report = run("dcqcn.toml", &[sets, &["workload.senders=1"]].concat());
        let slowdown = report.summary.slowdown.most.expect("ended");
        assert!((0.999..1.001).contains(&slowdown), "{slowdown}");
        assert_eq!((report.summary.again, report.summary.marks), (0, 0));
    }
}

/// Two flows of 20 MB into one link. The same marks reduce both flows, hence each gets about half: Jain's
/// index of their rates is at least the index of the ratio 1.5 to 1. The link is idle for less than a third
/// of the time.
#[test]
fn two_flows_of_dcqcn_share_a_link() {
    for sets in [&[][..], &IRN[..]] {
        let sets = [sets, &["workload.senders=2", "workload.bytes=20000000"]].concat();
        let report = read("dcqcn.toml", &sets).expect("a plan").run(Engine::Windows, |_| true);
        let last = report.summary.fct_us.most.expect("ended");
        // 40 MB with headers of 48 in 1,000 at 100 Gb/s.
        let least = 40e6 * 1.048 * 8.0 / 100e3;
        assert!(jain(&report) > 0.96, "{:?}", report.summary.fct_us);
        assert!(last > least && last < 1.5 * least, "{last} {least}");
        assert!(report.summary.marks > 0 && report.summary.losses.all() == 0, "{:?}", report.summary);
    }
}

/// PFC loses no packet, so each is sent once, although peers are stopped.
#[test]
fn under_pfc_nothing_goes_again() {
    let report = run("dcqcn.toml", &["workload.senders=31"]);
    let buffer = report.summary.buffer.expect("it is shared");
    assert!(buffer.pauses_sent > 0 && report.summary.again == 0, "{:?}", report.summary);
}

/// Queues of 60 kB lose packets of an incast. IRN retransmits each lost packet; go-back-N also retransmits
/// the packets after the lost one.
#[test]
fn what_queues_lose_is_sent_again() {
    let small = ["switch.pfc=false", "switch.buffer_bytes=4194304", "switch.queue_bytes=60000"];
    let irn = run("dcqcn.toml", &[&IRN[..1], &small].concat()).summary;
    assert!(irn.losses.data_queue > 100, "{irn:?}");
    assert!(irn.again >= irn.losses.data_queue && irn.again < irn.losses.data_queue * 11 / 10, "{irn:?}");
    let back = run("dcqcn.toml", &small).summary;
    assert!(back.losses.data_queue > 0 && back.again > back.losses.data_queue, "{back:?}");
    assert!(back.finish_us > irn.finish_us, "{:?} {:?}", back.finish_us, irn.finish_us);
}

#[test]
fn what_a_baseline_cannot_have_is_refused() {
    for (sets, words) in [
        (vec!["hosts.baseline.kind=timely"], "unknown variant `timely`"),
        (vec!["hosts.baseline.nonsense=1"], "unknown field `nonsense`"),
        (vec!["hosts.baseline.gain=2"], "hosts.baseline.gain=2: 2 is not possible; use 0 to 1"),
        (vec!["hosts.baseline.alpha_us=0"], "0 is not possible; use 0.1"),
        (vec!["hosts.baseline.kind=dctcp", "hosts.baseline.decrease=3"], "3 is not possible; use 0 to 1"),
        (vec!["hosts.baseline.kind=paced", "hosts.baseline.share=0"], "0 is not possible; use 0.001 to 1"),
        (
            vec!["hosts.baseline.kind=swift", "hosts.baseline.target_rtt=0.5"],
            "0.5 is not possible; use 1 to 100",
        ),
        (vec!["hosts.baseline.kind=swift", "hosts.baseline.median_of=0"], "0 is not possible; use 1 to 1000"),
        (
            vec!["hosts.baseline.kind=bbr", "hosts.baseline.first_packets=0"],
            "0 is not possible; use 1 to 1000000",
        ),
        (vec!["hosts.baseline.kind=bbr", "hosts.baseline.rtt_window=0.5"], "0.5 is not possible; use 1 to"),
        (vec!["hosts.baseline.kind=eqds", "hosts.baseline.pull_share=2"], "2 is not possible; use 0.01 to 1"),
        (vec!["hosts.baseline.kind=dctcp", "hosts.baseline.paths.name=conga"], "unknown variant `conga`"),
        (vec!["hosts.baseline.kind=dctcp", "hosts.baseline.paths.share=2"], "2 is not possible; use 0 to 1"),
        (vec!["hosts.baseline.window_bytes=9000"], "only IRN has a window"),
        (vec!["hosts.preset=artifact"], "hosts.preset=artifact: only the NIC has this key"),
        (vec!["hosts.ev_mode=ops"], "hosts.ev_mode=ops: only the NIC has this key"),
        (vec!["hosts.mtu=100"], "use 256 to 8192"),
        (vec!["switch.pfc=false", "switch.trim=true"], "cannot handle trimmed packets"),
    ] {
        let error = read("dcqcn.toml", &sets).expect_err(words);
        assert!(error.contains(words) && !error.contains('\n'), "{sets:?}: {error}");
    }
    // The latencies of the NIC are none already.
    read("dcqcn.toml", &["hosts.clock_ns=0", "hosts.dma_latency_ns=0"]).expect("it is well");
}

/// A permutation between pods of 128 hosts, 64 packets each, on 16 cores.
const EVEN: [&str; 4] = [
    "hosts.baseline.rotation=true",
    "workload.kind=pod-permutation",
    "workload.bytes=262144",
    "switch.trim=false",
];

/// OFAN section 6.1: HOST DR loads all paths equally. If 64 packets use each of 16 paths four times, the
/// links of a tier carry the same bytes; with random paths they do not.
#[test]
fn host_dr_loads_all_links_alike() {
    let spread = |sets: &[&str]| -> Vec<[f64; 3]> {
        let ports = run("host_dr.toml", sets).ports;
        ports.into_iter().filter(|port| !port.kind.starts_with("host")).map(|port| port.bytes).collect()
    };
    let even = spread(&EVEN);
    assert_eq!(even.len(), 5);
    assert!(even.iter().all(|[least, _, most]| least == most), "{even:?}");
    let random = spread(&[&EVEN[1..], &["hosts.baseline.rotation=false", "hosts.ev_mode=ops"]].concat());
    assert!(random.iter().filter(|[least, _, most]| least < most).count() >= 4, "{random:?}");
}

/// Computed by hand: leaf 0 of eight hosts has seven of eight uplinks, so each of its hosts can send at 7/8
/// of its rate, and all hosts do so. 1,000 packets at 7/8 of 800 Gb/s, plus the latency of the path.
#[test]
fn all_hosts_have_the_rate_that_all_can_have() {
    let common = [
        "topology.kind=leaf-spine",
        "topology.leaves=4",
        "topology.spines=8",
        "topology.hosts_per_leaf=8",
        "workload.kind=tornado",
        "workload.bytes=4096000",
        "cut=[{ a = \"leaf-0\", b = \"spine-3\", from_us = 0 }]",
    ];
    let report = run("host_dr.toml", &common);
    let [first, last] =
        [report.summary.fct_us.least, report.summary.fct_us.most].map(|us| us.expect("ended"));
    let paced = 1_000.0 * (4_096.0 + 62.0 + 20.0) * 8.0 / (800e3 * 7.0 / 8.0);
    assert!(first > paced && last < paced + 10.0, "{first} {last} {paced}");
    // Flows avoid the way that is cut, and seven ways in turn keep the queues empty.
    assert_eq!(report.summary.losses.all(), 0);
}

/// A cut that routing has not learned of loses packets. A new packet with any number replaces each lost packet.
#[test]
fn what_is_lost_is_replaced() {
    let sets = [
        "topology.kind=leaf-spine",
        "topology.leaves=4",
        "topology.spines=8",
        "topology.hosts_per_leaf=8",
        "workload.kind=tornado",
        "workload.bytes=4096000",
        "hosts.baseline.rotation=false",
        "hosts.baseline.share=0.5",
        "hosts.ev_mode=ops",
        "cut=[{ a = \"leaf-0\", b = \"spine-3\", from_us = 0, one_way = true }]",
    ];
    let report = run("host_dr.toml", &sets);
    let sent: u64 = report.flows.iter().map(|flow| u64::from(flow.packets)).sum();
    let lost = report.summary.losses.link;
    // An eighth of 8,000 packets and as many ACKs.
    assert!((1_500..2_500).contains(&lost), "{lost}");
    assert!(sent > 32_000 + lost / 2 && sent <= 32_000 + lost, "{sent} {lost}");
}

/// The window of the REPS papers: a single flow has the whole line; eight flows to one host share the line,
/// and marks keep the queue from filling up.
#[test]
fn a_window_that_follows_acks_shares_a_link() {
    let alone = run("dctcp.toml", &["workload.senders=1"]).summary;
    assert!(alone.slowdown.most.is_some_and(|most| (0.999..1.001).contains(&most)), "{alone:?}");
    let eight = run("dctcp.toml", &["workload.senders=8", "workload.bytes=4194304"]);
    let most = eight.summary.fct_us.most.expect("ended");
    // 32 MiB with headers of 64 at 400 Gb/s, and a round trip.
    let bound = 8.0 * 1_024.0 * 4_160.0 * 8.0 / 400e3;
    assert!(most > bound && most < 1.05 * bound, "{most} {bound}");
    assert!(jain(&eight) > 0.96, "{:?}", eight.summary.fct_us);
    assert!(eight.summary.marks > 0, "{:?}", eight.summary);
}

/// The bit-exact block chooses entropy values: a constant one, or many. With a constant value, the excess of
/// the busiest uplink over the mean is more than twice as high.
#[test]
fn a_window_sprays_or_stays() {
    let used = |mode: &str| {
        let mode = format!("hosts.ev_mode={mode}");
        let report = run("dctcp.toml", &["workload.kind=permutation", "workload.bytes=1048576", &mode]);
        let up = report.ports.iter().find(|port| port.kind == "edge up").expect("a kind");
        up.bytes[2] / up.bytes[1]
    };
    let [fixed, ops, reps] = ["fixed", "ops", "reps"].map(used);
    assert!(fixed > 2.0 * ops && fixed > 2.0 * reps, "{fixed} {ops} {reps}");
}

/// Eight hosts send to one with Swift, MSwift and EQDS: the link is never idle for long, all flows have about
/// the same share, and the only losses are trimmed packets. EQDS: after the first window, credits keep the
/// arriving data at the link's rate.
#[test]
fn swift_and_eqds_share_a_link() {
    // 32 MiB with headers of 64 at 400 Gb/s.
    let bound = 8.0 * 1_024.0 * 4_160.0 * 8.0 / 400e3;
    let [swift, eqds] = ["hosts.baseline.kind=swift", "hosts.baseline.kind=eqds"];
    for kind in [&[swift][..], &[swift, "hosts.baseline.median_of=31"], &[eqds]] {
        let of = |sets: &[&str]| run("dctcp.toml", &[kind, sets].concat());
        let alone = of(&["workload.senders=1"]).summary;
        assert!(alone.slowdown.most.is_some_and(|most| (0.999..1.03).contains(&most)), "{kind:?} {alone:?}");
        let eight = of(&["workload.senders=8", "workload.bytes=4194304"]);
        let most = eight.summary.fct_us.most.expect("ended");
        assert!(most > bound && most < 1.06 * bound, "{kind:?} {most} {bound}");
        assert!(jain(&eight) > 0.96, "{kind:?} {:?}", eight.summary.fct_us);
    }
}

/// A single BBR flow fills no queue, and loses only the time of its startup. With a BDP of 88 packets,
/// startup sends 10, 20, 40 and 80 packets in a round trip each. The loss by hand is 2.3 round trips of 7.3
/// us. Two flows share the link. Then each window is twice a BDP of half the link, so the queue is one BDP:
/// "1 to 1.5 BDP" with several flows (Hock, Bless, Zitterbart, ICNP 2017).
#[test]
fn bbr_finds_the_rate_and_shares_it() {
    let of = |sets: &[&str]| run("dctcp.toml", &[&["hosts.baseline.kind=bbr"], sets].concat());
    let alone = of(&["workload.senders=1", "workload.bytes=16777216"]).summary;
    // 4,096 packets with headers of 64 at 400 Gb/s.
    let line_us = 4_096.0 * 4_160.0 * 8.0 / 400e3;
    let base_us = alone.rtt_us.p50.expect("answers");
    let late = (alone.fct_us.most.expect("ended") - line_us - base_us / 2.0) / base_us;
    assert!((1.8..3.0).contains(&late) && alone.peak_bytes == 0, "{late} {alone:?}");
    let two = of(&["workload.senders=2", "workload.bytes=16777216"]);
    let last_us = two.summary.fct_us.most.expect("ended");
    assert!(last_us > 2.0 * line_us && last_us < 2.3 * line_us, "{last_us} {line_us}");
    assert!(jain(&two) > 0.96, "{:?}", two.summary.fct_us);
    let rounds = two.summary.rtt_us.p50.expect("answers") / base_us;
    assert!((1.8..2.1).contains(&rounds), "{rounds}");
    for name in ["plb", "flowlet", "bitmap", "mprdma", "mptcp"] {
        let name = format!("hosts.baseline.paths.name={name}");
        of(&["workload.senders=8", "hosts.evs=256", &name]);
    }
}

/// EQDS in a network at 4:1, with and without the cap. Credits fill only the receiver's link, so uplinks trim
/// packets; the cap follows marks, so far fewer packets are trimmed.
#[test]
fn a_cap_saves_eqds_from_trimming() {
    let trims = |[capped, cap]: [&str; 2]| {
        let sets = ["hosts.baseline.kind=eqds", "topology.spines=1", "workload.kind=pod-permutation"];
        let caps = [&format!("hosts.baseline.capped={capped}"), &format!("hosts.baseline.cap={cap}")];
        run("dctcp.toml", &[&sets[..], &["workload.bytes=4194304"], &caps.map(String::as_str)].concat())
            .summary
            .trims
    };
    let [alone, marks, smartt] = [["false", "marks"], ["true", "marks"], ["true", "smartt"]].map(trims);
    assert!(alone > 3 * marks && alone > 3 * smartt, "{alone} {marks} {smartt}");
    assert!(marks != smartt, "they are two windows");
}

/// Every choice of entropy values, on a permutation with a slow uplink: books, engines and threads. PLB,
/// flowlets and MPTCP use few values; MP-RDMA and BitMap spray, so their busiest uplink carries less.
#[test]
fn values_are_chosen_as_the_papers_compare() {
    let used = |name: &str| {
        let name = format!("hosts.baseline.paths.name={name}");
        let sets = ["workload.kind=permutation", "workload.bytes=1048576", "hosts.evs=256", &name];
        let report = run("dctcp.toml", &sets);
        let up = report.ports.iter().find(|port| port.kind == "edge up").expect("a kind");
        up.bytes[2] / up.bytes[1]
    };
    let [plb, flowlet, mptcp, bitmap, mprdma] = ["plb", "flowlet", "mptcp", "bitmap", "mprdma"].map(used);
    assert!(
        [plb, flowlet, mptcp].iter().all(|few| *few > bitmap.max(mprdma)),
        "{plb} {flowlet} {mptcp} {bitmap} {mprdma}"
    );
}

/// One path stays cut. PLB leaves this path after a timeout, so every flow ends; a flow with a single value
/// on this path never ends.
#[test]
fn plb_leaves_a_dead_way() {
    let sets = [
        "workload.kind=pod-permutation",
        "workload.bytes=1048576",
        "cut=[{ a = \"leaf-0\", b = \"spine-1\", from_us = 0, one_way = true }]",
        "until_us=5000",
    ];
    run("dctcp.toml", &[&sets[..], &["hosts.baseline.paths.name=plb"]].concat());
    let ends = |seed: &str| {
        let sets = [&sets[..], &["hosts.ev_mode=fixed", seed]].concat();
        read("dctcp.toml", &sets).expect("a plan").run(Engine::Windows, |_| true).summary.is_complete
    };
    assert!(!["seed=1", "seed=2", "seed=3"].into_iter().all(ends));
}

/// Every flow that sends at that time or later freezes once, without a real failure, and then reuses the
/// values of its buffer.
#[test]
fn a_freeze_can_be_forced() {
    let sets = ["workload.bytes=1048576", "switch.trim=true"];
    let free = run("dctcp.toml", &sets);
    assert!(free.flows.iter().all(|flow| (flow.freezes, flow.reused) == (0, 0)));
    let at = |us: &str| {
        run("dctcp.toml", &[&sets[..], &[&format!("hosts.baseline.paths.freeze_at_us={us}")]].concat())
    };
    assert!(at("10").flows.iter().all(|flow| flow.freezes == 1 && flow.reused > 0));
    assert!(at("1000000").flows.iter().all(|flow| flow.freezes == 0));
    let error = read("dctcp.toml", &["hosts.baseline.paths.freeze_at_us=1", "hosts.ev_mode=ops"])
        .expect_err("refused");
    assert!(error.contains("only REPS freezes"), "{error}");
}

/// The error has file, line and key, for a table with a header and for an inline table.
#[test]
fn a_mistake_in_a_file_is_told_with_its_line() {
    let file = std::env::temp_dir().join(format!("weft-baselines-{}.toml", std::process::id()));
    let start = "[topology]\nkind = \"fat-tree\"\nk = 4\n[scheme]\nname = \"ecmp\"\n[workload]\nkind = \"incast\"\nbytes = 9\n";
    for (hosts, words) in [
        (
            "[hosts.baseline]\nkind = \"dcqcn\"\ngain = 2.0\n",
            ".toml:11: hosts.baseline.gain: 2 is not possible",
        ),
        (
            "[hosts]\nbaseline = { kind = \"paced\", share = 2.0 }\n",
            ".toml:10: hosts.baseline.share: 2 is not possible",
        ),
        (
            "[hosts]\ngap = 3\n[hosts.baseline]\nkind = \"dctcp\"\n",
            ".toml:10: hosts.gap: only the NIC has this key",
        ),
        (
            "[hosts.baseline]\nkind = \"dcqcn\"\n[switch]\ntrim = true\n",
            ".toml:12: switch.trim: hosts of hosts.baseline",
        ),
    ] {
        std::fs::write(&file, format!("{start}{hosts}")).expect("written");
        let error = Plan::read(&file, &[]).expect_err(words).to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{words}\n{error}");
    }
    std::fs::remove_file(&file).expect("removed");
}
