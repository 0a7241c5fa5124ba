//! The counts during a run: queues, round-trip times, packets ahead of a missing one, the share of control packets.

mod runs;

use runs::run;
use weft_fabric::report::Report;

/// Two leaves, two hosts each. Frames of 4,160 and 64 bytes; the only latency is that of links and switches,
/// 500 ns each.
fn setup(spines: u32, more: &str) -> String {
    format!(
        "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = {spines}\nhosts_per_leaf = 2\n[scheme]\nname = \"ecmp\"\n\
         [links]\nhost_gbps = 400\nfabric_gbps = 400\n[wire]\nheader_bytes = 64\nack_bytes = 64\ntrimmed_bytes = 64\n\
         gap_bytes = 0\n[series]\nevery_us = 2\n{more}"
    )
}

fn of(name: &str, spines: u32, more: &str) -> Report {
    let file = std::env::temp_dir().join(format!("weft-tallies-{}-{name}.toml", std::process::id()));
    std::fs::write(&file, setup(spines, more)).expect("written");
    let report = run(&file.to_string_lossy(), &[]);
    std::fs::remove_file(&file).expect("removed");
    report
}

const NIC: &str = "[hosts]\nclock_ns = 0\ndma_latency_ns = 0\nev_mode = \"ops\"\n";
const PAPER: &str = "[hosts]\nev_mode = \"ops\"\n[hosts.baseline]\nkind = \"dctcp\"\n";

fn incast(senders: u32, packets: u32) -> String {
    let bytes = 4096 * packets;
    format!("[workload]\nkind = \"incast\"\nbytes = {bytes}\nsenders = {senders}\nreceiver = 3\n")
}

/// Computed by hand: four links and three switches there, and the same ones for the ACK.
#[test]
fn a_packet_alone_takes_its_time_and_finds_nothing() {
    let rtt_us = (4 * 83_200 + 4 * 1_280 + 2 * 7 * 500_000) as f64 / 1e6;
    // The NIC's stamps are ticks of 32 ns.
    for (name, hosts, tick_us) in [("nic", NIC, 0.032), ("paper", PAPER, 1e-9)] {
        let report = of(name, 1, &(hosts.to_owned() + &incast(1, 1)));
        let (rtt, early) = (report.summary.rtt_us, report.summary.early);
        assert_eq!((rtt.count, rtt.most), (1, rtt.mean), "{name}");
        assert!((rtt.most.expect("an ACK came") - rtt_us).abs() <= tick_us, "{name}: {rtt:?}, not {rtt_us}");
        assert_eq!((early.count, early.most), (1, Some(0.0)), "{name}");
        let share = 64.0 / (4160.0 + 64.0);
        assert!((report.summary.control_share.expect("sent") - share).abs() < 1e-12, "{name}");
        let queues =
            report.ports.iter().map(|it| (it.kind.as_str(), it.queue_bytes.count, it.queue_bytes.most));
        let found: Vec<_> = queues.collect();
        let passed = |kind: &'static str| (kind, 1, Some(0.0));
        let up = ("host up", 0, None);
        assert_eq!(found, [up, passed("edge up"), passed("aggregation down"), passed("edge down")], "{name}");
        let up = report.ports[1].control_share.expect("it sent");
        assert!((up - share).abs() < 1e-12, "of a leaf's way up: the other's ACK, {up}");
    }
}

/// Without trimming, each packet of a flow enters one queue of each layer. The longest queue is the one that
/// a packet found, plus that packet.
#[test]
fn packets_find_what_waits() {
    for (name, hosts) in [("waits-nic", NIC), ("waits-paper", PAPER)] {
        let report = of(name, 1, &(hosts.to_owned() + &incast(2, 60)));
        assert_eq!((report.summary.trims, report.summary.again), (0, 0), "{name}");
        let at = |kind: &str| report.ports.iter().find(|it| it.kind == kind).expect("a layer");
        // One sender is at another leaf than the receiver.
        for (kind, packets) in [("edge up", 60), ("aggregation down", 60), ("edge down", 120)] {
            assert_eq!(at(kind).queue_bytes.count, packets, "{name} {kind}");
        }
        // Hosts send twice as many packets and ACKs up as leaves do: the share is the same everywhere.
        let all = report.summary.control_share.expect("sent");
        let up = at("host up").control_share.expect("sent");
        assert!((up / all - 1.0).abs() < 0.1, "{name}: {up} of what hosts send, {all} of all");
        let (up, down) = (at("edge up"), at("edge down"));
        assert_eq!(up.queue_bytes.most, Some(0.0), "{name}: what comes at the line's rate leaves at it");
        // Two flows at a line's rate share one link.
        assert_eq!(down.queue_bytes.most, Some(f64::from(down.peak_bytes) - 4160.0), "{name}");
        let (mean, most) = (down.queue_bytes.mean.expect("some"), down.queue_bytes.most.expect("some"));
        assert!(most >= 10.0 * 4160.0 && (most / 10.0..most).contains(&mean), "{name}: {mean}, {most}");
    }
}

/// There are two spines, one of them 3 µs farther. At most the packets that leave in this time are ahead.
#[test]
fn packets_ahead_are_those_of_the_longer_way() {
    for (name, hosts) in [("ahead-nic", NIC), ("ahead-paper", PAPER)] {
        let flow = hosts.to_owned() + &incast(1, 200);
        let farther = "[[link]]\na = \"leaf-0\"\nb = \"spine-1\"\nlatency_ns = 3500\none_way = true\n";
        let report = of(name, 2, &(flow.clone() + farther));
        let most = report.summary.early.most.expect("ACKs came");
        assert!((12.0..=3_000.0 / 83.2 + 2.0).contains(&most), "{name}: {most}");
        let over_time = report.early.as_ref().expect("series");
        assert_eq!(over_time.most.iter().max(), Some(&(most as u64)), "{name}");
        assert!(over_time.mean.iter().flatten().any(|mean| *mean > 4.0), "{name}: {over_time:?}");
        let table = report.early_table();
        assert_eq!(table.lines().count(), 1 + over_time.most.len(), "{name}: {table}");
        assert!(table.starts_with("begin_us,mean,most\n0,,0\n2,"), "{name}: {table}");
        let alone = of(&format!("{name}-one"), 1, &flow);
        assert_eq!(alone.summary.early.most, Some(0.0), "{name}: one way keeps the order");
    }
}

/// Reorder queues are sampled and links compared bin by bin: equal in both engines, and absent without the
/// keys.
#[test]
fn measures_are_made_where_they_are_asked_for() {
    let sets = ["workload.bytes=262144", "series.every_us=5", "series.links=[\"leaf-0\"]"];
    let without = run("conweave.toml", &sets);
    assert!(without.reorder.is_none() && without.imbalance.is_empty());
    let more = ["series.imbalance=true", "series.reorder_us=1"];
    let with = run("conweave.toml", &[&sets[..], &more].concat());
    assert_eq!(with.summary, without.summary);
    // One leaf of four has a slow link. Each leaf has eight ports to hosts.
    let reorder = with.reorder.expect("sampled");
    assert_eq!(reorder.queues.count, 8 * reorder.bytes.count);
    let last_us = with.summary.finish_us.expect("ended");
    assert!(reorder.bytes.count >= 4 * (last_us as u64), "{reorder:?}");
    let most = with.summary.reorder_bytes.most.expect("packets waited");
    assert!((1.0..=8.0 * most).contains(&reorder.bytes.most.expect("sampled")), "{reorder:?}");
    assert!((1.0..=31.0).contains(&reorder.queues.most.expect("sampled")), "{reorder:?}");
    // A TAIL that ended a wait came before T_resume, which is the estimate and 16 us.
    let released = with.switch_counters["tail_releases"];
    let errors = reorder.resume_error_us;
    assert!((1..=released).contains(&errors.count) && errors.most <= Some(16.0), "{errors:?}");
    // Compares the bins of the series again.
    let bins = (last_us / 5.0) as usize;
    let up: Vec<_> = with.series.iter().filter(|it| it.to.starts_with("spine")).collect();
    let uneven = |bin: usize| {
        let bytes: Vec<u64> = up.iter().map(|it| it.bytes.get(bin).copied().unwrap_or(0)).collect();
        let (most, least) = (bytes.iter().max()?, bytes.iter().min()?);
        let sum: u64 = bytes.iter().sum();
        (sum > 0).then(|| (most - least) as f64 * bytes.len() as f64 / sum as f64)
    };
    let by_hand: Vec<f64> = (0..bins).filter_map(uneven).collect();
    let found = with.imbalance.iter().find(|it| it.kind == "edge up").expect("uplinks").spread;
    assert_eq!((found.count as usize, found.of as usize), (by_hand.len(), by_hand.len()));
    let mean = by_hand.iter().sum::<f64>() / by_hand.len() as f64;
    assert!((found.mean.expect("bins") - mean).abs() < 1e-12, "{found:?}, {mean}");
}
