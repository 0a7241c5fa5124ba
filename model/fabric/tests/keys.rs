//! Tests each key of the file by its effect: warm-up, loads, windows, flaps, draws that leave paths, queues
//! of single links, hosts with their own entropy values.

mod runs;

use runs::{read, run};
use weft_fabric::flow::Start;
use weft_fabric::plan::Plan;

const SMALL: [&str; 2] = ["topology.k=4", "workload.bytes=200000"];

#[test]
fn what_starts_during_the_warm_up_is_in_no_distribution() {
    let report = run("web_search.toml", &["workload.flows=60", "warmup_us=200"]);
    let late: Vec<_> = report.flows.iter().filter(|flow| flow.start_us >= Some(200.0)).collect();
    let summary = &report.summary;
    assert!((10..50).contains(&late.len()) && report.flows.len() == 60, "{}", late.len());
    assert_eq!((summary.warmup_flows, summary.slowdown.of), (60 - late.len() as u32, late.len() as u32));
    let mean = late.iter().filter_map(|flow| flow.sender_slowdown).sum::<f64>() / late.len() as f64;
    assert!(summary.sender_slowdown.mean.is_some_and(|it| (it - mean).abs() < 1e-9));
    // All flows ended.
    assert_eq!((summary.flows, summary.finished), (60, 60));
}

/// Eight hosts of a leaf send at 100 Gb/s to 31 other hosts, of which 24 are at other leaves. The two spines
/// carry 2 / (8 x 24 / 31) of this load.
#[test]
fn a_load_that_the_uplinks_do_not_carry_is_told() {
    let plan = |sets: &[&str]| read("web_search.toml", sets).expect("a plan");
    let few = ["topology.spines=2", "workload.flows=50"];
    assert_eq!(plan(&[]).warnings(), [""; 0]);
    let told = plan(&few).warnings();
    assert!(told.len() == 1 && told[0].contains("carry 0.323"), "{told:?}");
    let of = |sets: &[&str]| plan(&[&few, sets].concat());
    assert_eq!(of(&["workload.load=0.3"]).warnings(), [""; 0]);
    assert_eq!(of(&["workload.load=1.1", "topology.spines=16"]).warnings().len(), 1);
    let uplinks = of(&["workload.load_of=uplinks"]);
    assert_eq!(uplinks.warnings(), [""; 0]);
    // The flows are the same, but later by the ratio of the rates.
    let last = |plan: &Plan| match plan.flows().last().map(|flow| flow.start) {
        Some(Start::AtPs(at)) => at as f64,
        other => panic!("{other:?}"),
    };
    let ratio = last(&uplinks) / last(&of(&[]));
    assert!((ratio - 192.0 / 62.0).abs() < 1e-6, "{ratio}");
    // In a fat tree the tier above counts as well.
    let cdf = "workload={kind=\"poisson\",load=0.6,flows=50,cdf=[[0,0],[1000,100]]}";
    let told =
        read("permutation.toml", &["topology.cores_per_aggregation=1", cdf]).expect("a plan").warnings();
    assert!(told.len() == 1 && told[0].contains("the links above a pod carry"), "{told:?}");
}

/// Links that are slow or cut for good carry less; those that recover do not count.
#[test]
fn an_overload_knows_the_links_that_stay_slow() {
    let cdf = "workload={kind=\"poisson\",load=0.6,flows=50,cdf=[[0,0],[1000,100]]}";
    let told =
        |table: &str| read("permutation.toml", &["topology.k=4", cdf, table]).expect("a plan").warnings();
    let links = |more: &str| {
        let link = |a: u32| format!("{{a=\"edge-0\",b=\"agg-{a}\"{more}}}");
        format!("[{},{}]", link(0), link(1))
    };
    assert_eq!(told("degrade=[]"), [""; 0]);
    assert!(
        told(&format!("degrade={}", links(",gbps=40")))[0].contains("the links above an edge switch carry")
    );
    assert!(told("cut=[{a=\"edge-0\",b=\"agg-0\",from_us=100}]")[0].contains("an edge switch carry 0.536"));
    assert_eq!(told(&format!("degrade={}", links(",gbps=40,until_us=100"))), [""; 0]);
}

/// At most 256 packets of the NIC are in flight: on a long path a single flow needs a round trip for each
/// 256.
#[test]
fn a_flow_alone_knows_the_window_of_the_nic() {
    let sets = [
        "workload.senders=1",
        "workload.bytes=8388608",
        "links.fabric_latency_ns=20000",
        "hosts.fixed_window=true",
        "hosts.rto_us=2000",
    ];
    let report = run("incast.toml", &sets);
    let flow = &report.flows[0];
    assert!(flow.slowdown.is_some_and(|it| (0.999..1.02).contains(&it)), "{flow:?}");
    // 4,096 packets are 16 windows: fifteen round trips of 83.5 us and the time of the last window.
    assert!(flow.ideal_us > 15.0 * 83.0 && flow.ideal_us < 16.0 * 84.0, "{flow:?}");
    assert!(flow.sender_slowdown.is_some_and(|it| (0.999..1.02).contains(&it)), "{flow:?}");
}

#[test]
fn a_link_flaps() {
    let flap = "flap=[{a=\"edge-0\",b=\"agg-0\",from_us=10,down_us=5,up_us=15,times=3}]";
    let plan = read("permutation.toml", &[&SMALL[..], &[flap]].concat()).expect("a plan");
    let times: Vec<_> = plan.faults().iter().map(|it| (it.from.as_str(), it.from_ps, it.until_ps)).collect();
    let us = 1_000_000;
    let by_hand = [10, 30, 50]
        .map(|at| [("edge-0", at * us, Some((at + 5) * us)), ("agg-0", at * us, Some((at + 5) * us))]);
    assert_eq!(times, by_hand.concat());
    run("permutation.toml", &[&SMALL[..], &[flap]].concat());
    for (wrong, says) in [
        (flap.replace("down_us=5", "down_us=0"), "flap.down_us: 0 is not possible"),
        (flap.replace("times=3", "times=0"), "flap.times: 0 is not possible"),
        (flap.replace("agg-0", "agg-9"), "there is no link between edge-0 and agg-9"),
    ] {
        let error = read("permutation.toml", &[&wrong]).map(drop).expect_err(says);
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_draw_can_leave_ways_between_all_hosts() {
    let drawn = |share: &str, seed: u64| {
        let (draw, seed) = (format!("draw=[{{{share}}}]"), format!("seed={seed}"));
        read("permutation.toml", &[&SMALL[..], &[&draw, &seed]].concat())
    };
    // Half of 32 links, cut forever.
    let fails = (1..=20).filter(|seed| drawn("share=0.5", *seed).is_err()).count();
    assert!(fails > 5, "{fails}");
    for seed in 1..=20 {
        let plan = drawn("share=0.5,connected=true", seed).expect("a way is left");
        assert_eq!(plan.faults().len(), 32);
        // A core or aggregation switch of each three.
        assert!(drawn("share=0.3,connected=true,of=\"switches\"", seed).is_ok(), "{seed}");
    }
    let error = drawn("share=0.9,connected=true", 1).map(drop).expect_err("no way");
    assert!(
        error.contains(": draw.share: only ") && error.contains(" can be cut with a path left"),
        "{error}"
    );
    let error = drawn("share=0.1,connected=true,gbps=1", 1).map(drop).expect_err("slow links are ways");
    assert!(error.contains("draw.connected: "), "{error}");
    // Two spines, two leaves: half of the links leave a way only if one of each spine stays.
    let sets = [
        "topology={kind=\"leaf-spine\",leaves=2,spines=2,hosts_per_leaf=2}",
        "draw=[{share=0.5,connected=true}]",
    ];
    for seed in 1..=20 {
        read("permutation.toml", &[&sets[..], &[&format!("seed={seed}")]].concat()).expect("a way is left");
    }
}

#[test]
fn a_link_of_its_own_has_a_queue_of_its_own() {
    let queues = |link: &str, in_proportion: bool| {
        let switch = format!("switch.in_proportion={in_proportion}");
        let sets = [&SMALL[..], &["switch.queue_bytes=400000", &switch, link]].concat();
        let plan = read("permutation.toml", &sets).expect("a plan");
        let network = plan.network();
        let (edge, agg) = (network.topology.hosts(), network.topology.hosts() + network.topology.edges());
        let link = |from: u32, to: u32| {
            let wiring = network.wiring();
            let port =
                wiring.ports_of(from).find(|port| wiring.links[*port as usize].to == to).expect("a link");
            network.queues[usize::from(wiring.links[port as usize].queue)]
        };
        [link(edge, agg), link(agg, edge), link(edge, agg + 1)]
            .map(|it| [it.data_bytes, it.red.map_or(0, |red| red.kmin_bytes)])
    };
    let usual = [400_000, 80_000];
    let slow = "link=[{a=\"edge-0\",b=\"agg-0\",gbps=100}]";
    assert_eq!(queues(slow, false), [usual; 3]);
    let quarter = [100_000, 20_000];
    assert_eq!(queues(slow, true), [quarter, quarter, usual]);
    let own = "link=[{a=\"edge-0\",b=\"agg-0\",queue_bytes=50000,one_way=true}]";
    assert_eq!(queues(own, false), [[50_000, 10_000], usual, usual]);
    run("permutation.toml", &[&SMALL[..], &[slow, "switch.in_proportion=true"]].concat());
    let error = read("permutation.toml", &["link=[{a=\"edge-0\",b=\"agg-0\",queue_bytes=100}]"])
        .map(drop)
        .expect_err("no room");
    assert!(error.contains("link.queue_bytes: 100 is not possible"), "{error}");
}

#[test]
fn hosts_choose_entropy_values_in_their_own_way() {
    let own = "hosts.own=[{from=0,to=7,ev_mode=\"fixed\"}]";
    let report = run("permutation.toml", &[&SMALL[..], &[own]].concat());
    for flow in &report.flows {
        let chosen = flow.explored + flow.recycled + flow.reused;
        assert_eq!(flow.source < 8, chosen == 0, "{flow:?}");
    }
    let error = read("permutation.toml", &["hosts.own=[{from=0,to=128,ev_mode=\"ops\"}]"])
        .map(drop)
        .expect_err("no host");
    assert!(error.contains(": from 0 to 128 is not possible; use hosts from 0 to 127"), "{error}");
    let overlap = "hosts.own=[{from=9,to=20,ev_mode=\"ops\"},{from=0,to=9,ev_mode=\"fixed\"}]";
    let error = read("permutation.toml", &[overlap]).map(drop).expect_err("host 9 is in both");
    assert!(error.contains("two entries have host 9; give ranges that do not overlap"), "{error}");
}

/// Numbers out of range name the range, in the words of a user.
#[test]
fn a_number_out_of_range_names_the_range() {
    for (set, says) in [
        ("workload.at_once=4294967296", "expected a whole number from 0 to 4294967295"),
        ("hosts.psns=-1", "expected a whole number from 0 to 4294967295"),
        ("until_us=\"long\"", "expected a number"),
        ("hosts.psns=300", "hosts.psns=300: 300 is not possible: use 256, 512 or 1024"),
    ] {
        let error = read("permutation.toml", &[set]).map(drop).expect_err(set);
        assert!(error.contains(says) && !error.contains('\n'), "{error}");
    }
    for table in ["degrade=[{a=\"edge-0\",b=\"agg-1\",gbps=1600}]", "draw=[{share=0.1,gbps=1600}]"] {
        let error = read("permutation.toml", &[table]).map(drop).expect_err("faster");
        assert!(
            error.contains("1600 is not possible: the link from ") && error.contains("use 1 to "),
            "{error}"
        );
    }
}

/// The window of Ultra Ethernet keeps the links of an incast as full as SMaRTT's window, and its results
/// differ. Keys that only SMaRTT has cannot be set with this window.
#[test]
fn a_window_is_chosen() {
    let all_done = |window: &str| {
        let report = run("nscc.toml", &["workload.bytes=1048576", window]);
        assert!(report.flows.iter().all(|flow| flow.fct_us.is_some()), "{window}");
        report.flows.iter().filter_map(|flow| flow.fct_us).fold(0.0, f64::max)
    };
    let [smartt, nscc] = ["hosts.window=smartt", "hosts.window=nscc"].map(all_done);
    assert!(smartt != nscc && (nscc / smartt - 1.0).abs() < 0.1, "{smartt} and {nscc} us");
    for key in [
        "hosts.fixed_window=true",
        "hosts.wait_to_decrease=false",
        "hosts.signals=ecn",
        "hosts.preset=artifact",
    ] {
        let error = read("nscc.toml", &[key]).expect_err(key).to_string();
        assert!(error.contains("leave it out with hosts.window"), "{key}: {error}");
    }
}
