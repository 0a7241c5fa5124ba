//! The shapes of the papers' figures at a small scale (`docs/results`): the files there, with fewer hosts and bytes.

use std::path::{Path, PathBuf};
use weft_fabric::bounds::Permutation;
use weft_fabric::plan::Plan;
use weft_fabric::report::{Report, Spread};
use weft_fabric::simulate::Engine;
use weft_nic::block::smartt::{Case, Event, Kind, Smartt};
use weft_params::{Network, SmarttCsr, SmarttParams};

fn plan(file: &str, sets: &[&[&str]]) -> Plan {
    let results: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results");
    let sets: Vec<String> = sets.concat().iter().map(ToString::to_string).collect();
    Plan::read(&results.join(file), &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn run(file: &str, sets: &[&[&str]]) -> Report {
    let report = plan(file, sets).run(Engine::Windows, |_| true);
    assert!(report.violations.is_empty(), "{file}: {:?}", report.violations);
    report
}

/// Time at which the last receiver had all bytes; no flow is left.
fn finish_us(report: &Report) -> f64 {
    assert!(report.summary.is_complete, "{:?}", report.summary);
    report.summary.finish_us.expect("flows have ended")
}

/// Computed by hand: links and switches in both directions, a full packet and its ACK into every link. R: 8 x
/// 500 + 6 x 500 ns, 4 x 4,160 and 4 x 64 bytes at 400 Gb/s; S: 8 x 600 + 6 x 400 ns, at 800 Gb/s; O: 12 x
/// 500 ns, 6 x 4,178 and 6 x 84 bytes.
#[test]
fn hosts_and_round_trips_are_the_papers() {
    for (file, hosts, rtt_ns) in [
        ("r7.toml", 128, 7_338),
        ("r10.toml", 128, 7_338),
        ("r18.toml", 32, 7_338),
        ("s2.toml", 1_024, 7_369),
        ("s4.toml", 1_024, 7_369),
        ("s6.toml", 1_024, 7_369),
        ("o1.toml", 128, 6_256),
        ("o5.toml", 128, 6_256),
        ("o6.toml", 128, 6_256),
        ("o13.toml", 128, 6_256),
    ] {
        let plan = plan(file, &[]);
        let network = plan.network();
        let read = (network.topology.hosts(), network.base_rtt_ps(4_096) / 1_000);
        assert!(read.0 == hosts && read.1.abs_diff(rtt_ns) <= 1, "{file}: {read:?}");
    }
}

/// OFAN Figure 1: in an all-to-all, the packets of OFAN arrive within 1 % of the least time. The least time
/// is the time of the bytes that a host sends, with ACKs, plus the latency of the path. With one path for
/// each flow they carry different bytes.
#[test]
fn all_to_all_with_ofan_takes_the_least_time() {
    let small = ["topology.k=4", "workload.bytes=262144", "workload.window=15"];
    // 15 times 64 packets and ACKs of a host at 800 Gb/s, six links of 0.5 us.
    let least_us = 15.0 * 64.0 * f64::from(4_158 + 20 + 64 + 20) * 8.0 / 800e3 + 3.0;
    let ofan = finish_us(&run("o1.toml", &[&small, &["scheme.name=ofan"]]));
    assert!(ofan < 1.01 * least_us, "{ofan} {least_us}");
    let flow = finish_us(&run("o1.toml", &[&small]));
    assert!(flow > 1.1 * least_us, "{flow} {least_us}");
}

/// OFAN Figure 8: a small network has the same order of schemes as a large one.
#[test]
fn ofan_is_ahead_in_a_small_network() {
    let done = |sets: &[&str]| finish_us(&run("o5.toml", &[&["topology.k=4"], sets]));
    let (ofan, adaptive) = (done(&["scheme.name=ofan"]), done(&["scheme.name=quantised"]));
    let hosts = done(&["hosts.ev_mode=reps"]);
    assert!(ofan < 0.97 * adaptive && ofan < 0.97 * hosts, "{ofan} {adaptive} {hosts}");
}

/// OFAN Figure 14: four steps of rings with 104 packets a flow, the size of 7 billion parameters. Each of
/// four hops in a row crosses the core, so four times the bound is the least time. OFAN exceeds this time by
/// at most 3 %, the other schemes by at least 7 %.
#[test]
fn rings_of_servers_have_few_queues_with_ofan() {
    let step = Permutation {
        hops: 6,
        data_ps: 41_580,
        ack_ps: 640,
        gap_ps: 200,
        propagation_ps: 3_000_000,
        packets: 104,
    };
    let least_us = 4.0 * step.least_data_ps() as f64 / 1e6;
    let above = |sets: &[&str]| finish_us(&run("o13.toml", &[sets])) / least_us;
    let (ofan, switches) = (above(&[]), above(&["scheme.name=quantised"]));
    let hosts = above(&["scheme.name=ecmp", "hosts.ev_mode=reps"]);
    assert!((1.0..1.03).contains(&ofan), "{ofan}");
    assert!(switches > 1.07 && hosts > 1.07, "{switches} {hosts}");
}

/// REPS Figure 7: uplinks that are cut for a time. REPS loses less than half as many packets as OPS, and ends earlier.
#[test]
fn reps_leaves_uplinks_that_are_cut_for_a_time() {
    let of = |mode: &str| run("r7.toml", &[&["topology.leaves=2", mode]]);
    let (reps, ops) = (of("hosts.ev_mode=reps"), of("hosts.ev_mode=ops"));
    let lost = [&reps, &ops].map(|report| report.summary.losses.link);
    assert!(lost[0] > 0 && 5 * lost[0] < 2 * lost[1], "{lost:?}");
    let done = [&reps, &ops].map(finish_us);
    assert!(done[0] < 0.95 * done[1], "{done:?}");
}

/// REPS Figure 11: with a slow uplink, REPS ends a tenth before OPS for any number of packets per ACK. At
/// 4:1, REPS ends about when it ends at 1:1.
#[test]
fn reps_is_ahead_with_an_ack_for_many_packets() {
    let slow = "degrade=[{ a = \"leaf-0\", b = \"spine-1\", gbps = 200 }]";
    let done = |packets: u32, mode: &str| {
        let ack = format!("hosts.ack_packets={packets}");
        finish_us(&run("r10.toml", &[&["topology.leaves=4", slow, &ack, mode]]))
    };
    let reps = [1, 2, 4, 8, 16].map(|packets| done(packets, "hosts.ev_mode=reps"));
    let ops = [1, 2, 4, 8, 16].map(|packets| done(packets, "hosts.ev_mode=ops"));
    assert!(reps.iter().zip(&ops).all(|(reps, ops)| 1.1 * reps < *ops), "{reps:?} {ops:?}");
    assert!(reps[2] < 1.05 * reps[0], "{reps:?}");
}

/// REPS Figure 19: three of four uplinks fail for good. OPS sends three of four packets into them, and needs
/// at least five times as long as REPS. Before rule 7 of the SACK sender, where an EPOCH late in a silence
/// finds losses, OPS needed fifty times as long.
#[test]
fn reps_lives_with_the_last_uplink() {
    let small = ["topology.leaves=2", "hosts.freeze_us=10000"];
    let all = |mode: &str| -> f64 {
        let one = |seed: u64| finish_us(&run("r18.toml", &[&small, &[mode, &format!("seed={seed}")]]));
        (1..=5).map(one).sum()
    };
    let [reps, ops] = ["hosts.ev_mode=reps", "hosts.ev_mode=ops"].map(all);
    assert!(ops > 5.0 * reps, "{reps} {ops}");
}

/// Three racks of 16 hosts replace the paper's 32 of 32, for incasts from the first rack to the last one.
const RACKS: [&str; 3] = ["topology.leaves=3", "topology.hosts_per_leaf=16", "workload.receiver=40"];

/// SMaRTT Figure 3a: windows that react only to delay are fairer than windows that react to ECN. With ECN
/// flows end earlier on average.
#[test]
fn delay_is_fairer_than_ecn() {
    let of = |signals: &str| {
        let times = ["seed=1", "seed=2", "seed=3", "seed=4", "seed=5"]
            .map(|seed| run("s2.toml", &[&RACKS, &[signals, seed]]).summary.fct_us);
        let spread = |it: &Spread| Some([it.most? - it.least?, it.mean?]);
        let spreads: Vec<[f64; 2]> = times.iter().map(|it| spread(it).expect("all have ended")).collect();
        [0, 1].map(|at| spreads.iter().map(|it| it[at]).sum::<f64>())
    };
    let [ecn, delay] = ["hosts.signals=ecn", "hosts.signals=delay"].map(of);
    assert!(delay[0] < 0.75 * ecn[0] && ecn[1] < delay[1], "{delay:?} {ecn:?}");
}

/// SMaRTT section 4.2: without trimming an incast takes longer, and less than 0.2 % of the packets arrive
/// twice.
#[test]
fn an_incast_without_trimming_takes_longer() {
    let trims = run("s6.toml", &[&RACKS]);
    let drops = run("s6.toml", &[&RACKS, &["switch.trim=false"]]);
    assert!(trims.summary.trims > 0 && drops.summary.losses.data_queue > 0);
    assert!(finish_us(&drops) > finish_us(&trims));
    let twice = drops.counters.get("sack_rx_duplicates").copied().unwrap_or(0);
    assert!(500 * twice <= drops.counters["receiver_placed"], "{twice}");
}

/// SMaRTT Figure 4: two senders with windows of four packets share a link. Two packets of each sender arrive,
/// and two are trimmed. A target RTT after the previous ACK, the window becomes the bytes acknowledged since
/// then: two packets. The paper sets `qa_scaling` to 0.8 (section 3.5); the figure is drawn with 1.
#[test]
fn quick_adapt_takes_what_was_acknowledged() {
    let network = Network { link_gbps: 800, base_rtt_ns: vec![7_369], ..Network::default() };
    let mut csr = network.csr().expect("constants");
    csr.classes[0].max_cwnd_bytes = 4 * 4_096;
    let target = csr.classes[0].target_rtt_ticks;
    for (qa_scaling, window) in [(1 << 23, 8_192), (csr.qa_scaling, 6_553)] {
        let params = SmarttParams::default();
        let mut smartt = Smartt::new(params, SmarttCsr { qa_scaling, ..csr });
        let mut step = |kind, now_ticks, left: u32| {
            let (bytes, in_flight_bytes) = (4_096, 4_096 * left);
            let rtt_ticks = if kind == Kind::Ack { target as u16 } else { 0 };
            let (connection, class, ecn, packets) = (0, 0, false, 1);
            let what =
                Event { kind, connection, class, ecn, packets, bytes, rtt_ticks, in_flight_bytes, now_ticks };
            smartt.step(&what)
        };
        step(Kind::Open, 0, 0);
        let first = target;
        assert_eq!(step(Kind::Ack, first, 3).cwnd_bytes, 16_384);
        step(Kind::Ack, first + 1, 3);
        step(Kind::Trim, first + 2, 2);
        let before = step(Kind::Trim, first + 3, 1);
        assert_ne!(before.case, Case::QuickAdapt);
        let last = step(Kind::Ack, first + target, 0);
        assert_eq!((last.case, last.cwnd_bytes), (Case::QuickAdapt, window));
    }
}

/// ConWeave Figures 12 and 13, with the paper's hosts and two fifths of the flows: the switches know every
/// connection, and the tail of the slowdown is below ECMP's, lossless and lossy.
#[test]
fn conweave_cuts_the_tail_of_ecmp() {
    let lossy = ["switch.pfc=false", "hosts.baseline.recovery=irn"];
    for network in [&[][..], &lossy] {
        let of = |scheme| run("c1_dcqcn.toml", &[&["workload.flows=8000", scheme], network]);
        let (ecmp, conweave) = (of("scheme.name=ecmp"), of("scheme.name=conweave"));
        assert_eq!(conweave.switch_counters.get("not_in_table").copied().unwrap_or(0), 0, "{network:?}");
        assert!(conweave.switch_counters["source_rerouted"] > 0, "{network:?}");
        let [tail, other] = [&conweave, &ecmp].map(|report| report.summary.slowdown.p99.expect("ended"));
        assert!(tail < 0.9 * other, "{network:?}: {tail} {other}");
    }
}
