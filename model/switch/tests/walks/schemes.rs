//! All other schemes: all of them use shortest paths, and each makes its own kind of choice.

use crate::walk::{End, Network, Sent};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use weft_random::Rng;
use weft_switch::ofan::{First, Ofan, Schedules, Weights};
use weft_switch::schemes::Scheme;
use weft_switch::topology::{Host, Switch, Topology};

fn all() -> Vec<Scheme> {
    let ofan =
        |schedules, weights, first| Scheme::Ofan(Ofan { schedules, weights, first, ..Ofan::default() });
    vec![
        Scheme::Ecmp {},
        Scheme::Wecmp {},
        Scheme::Rsq {},
        Scheme::RoundRobin {},
        Scheme::PermutedRoundRobin { turns: 5, orders: 16 },
        Scheme::Jsq {},
        Scheme::Quantised { buffer_bytes: Some(800_000), percent: [5, 10, 20] },
        Scheme::Drill {},
        Scheme::LetFlow { gap_clocks: 100, entries: 64 },
        ofan(Schedules::PerPod, Weights::Wecmp, First::Random),
        ofan(Schedules::PerDestination, Weights::Fib, First::Random),
        ofan(Schedules::PerPod, Weights::Wecmp, First::ShortestQueue),
    ]
}

fn topologies() -> impl Strategy<Value = Topology> {
    let leaf_spine = (2..5u32, 1..5u32, 1..3u32).prop_map(|(l, s, h)| Topology::leaf_spine(l, s, h));
    let fat_tree = (1..4u32, 1..3u32).prop_map(|(half, hosts)| Topology::fat_tree_with(2 * half, hosts));
    prop_oneof![leaf_spine, fat_tree].prop_map(|made| made.expect("small"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Rules 2 and 3: links count and loads do not. A packet without a path is dropped (rule 11 of OFAN,
    /// too).
    #[test]
    fn every_packet_takes_a_shortest_path_that_is_left(
        topology in topologies(),
        seed in 0..1000u64,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        for scheme in all() {
            let mut network = Network::new(topology, &scheme, seed);
            let mut rng = Rng::new(seed);
            for converged in [false, true] {
                if converged {
                    let links = topology.fabric_links();
                    network.failed = picks.iter().map(|pick| *pick.get(&links)).collect();
                    network.converge();
                }
                for _ in 0..60 {
                    let (src, dst) = (rng.index(topology.hosts() as usize), rng.index(topology.hosts() as usize));
                    let sent = Sent { sport: u64::from(rng.below(8)), ..Sent::data(src as u32, dst as u32) };
                    network.clock += u64::from(rng.below(80));
                    let (path, end) = network.walk(sent, |_| (0..16).map(|_| rng.below(200_000)).collect());
                    let (from, to) = (network.edge_of(sent.src), network.edge_of(sent.dst));
                    let is_same_pod = topology.pod_of_edge(from) == topology.pod_of_edge(to);
                    let hops = if from == to { 1 } else if is_same_pod { 3 } else { 5 };
                    let has_way = from == to
                        || topology.weights(&network.failed, Switch(from), to).iter().any(|weight| *weight > 0);
                    match has_way {
                        true => prop_assert_eq!((path.len(), end), (hops, End::Host(sent.dst)), "{:?}", scheme),
                        false => prop_assert_eq!((path.len(), end), (0, End::Dropped), "{:?}", scheme),
                    }
                }
            }
        }
    }

    #[test]
    fn adaptive_schemes_choose_by_load(
        spines in 2..7u32,
        loads in prop::collection::vec(prop::collection::vec(0..300_000u32, 8), 40),
        coarse in any::<bool>(),
        seed in 0..1000u64,
    ) {
        let topology = Topology::leaf_spine(2, spines, 1).expect("small");
        // The leaf has its host at port 0. Coarse loads have many ties.
        let ports = 1..=spines as usize;
        let levels = |bytes: u32| [40_000, 80_000, 160_000].iter().filter(|level| bytes >= **level).count() as u32;
        let quantised = Scheme::Quantised { buffer_bytes: Some(800_000), percent: [5, 10, 20] };
        let mut jsq = Network::new(topology, &Scheme::Jsq {}, seed);
        let mut quantised = Network::new(topology, &quantised, seed);
        let mut drill = Network::new(topology, &Scheme::Drill {}, seed);
        let sent = Sent::data(0, 1);
        let mut remembered: Option<usize> = None;
        for mut load in loads {
            if coarse {
                load.iter_mut().for_each(|bytes| *bytes = *bytes / 60_000 * 60_000);
            }
            load[0] = 0;
            let of = |port: usize| load[port];
            let least = ports.clone().map(of).min().expect("some");
            let lowest = ports.clone().map(|port| levels(of(port))).min().expect("some");
            let [exact, level, sampled] = [&mut jsq, &mut quantised, &mut drill]
                .map(|network| usize::from(network.decide(Switch(0), sent, &load).expect("a way")));
            prop_assert_eq!(of(exact), least);
            prop_assert_eq!(levels(of(level)), lowest);
            if let Some(port) = remembered {
                // The choice is not worse than the remembered port, which is kept if equal. At least one of
                // two samples is not the worst port.
                prop_assert!(of(sampled) <= of(port));
                prop_assert!(sampled == port || of(sampled) < of(port));
            }
            let better = ports.clone().filter(|port| of(*port) <= of(sampled)).count();
            prop_assert!(better < spines as usize || spines == 2 && ports.clone().all(|port| of(port) >= of(sampled))
                || ports.clone().filter(|port| of(*port) == of(sampled)).count() > 1);
            remembered = Some(sampled);
        }
    }
}

fn leaf_spine() -> Topology {
    Topology::leaf_spine(3, 4, 2).expect("small")
}

/// Number of times that each port up of leaf 0 is chosen.
fn counts(network: &mut Network, packets: u32, mut sent: impl FnMut(u32) -> Sent) -> Vec<u32> {
    let mut counts = vec![0; 4];
    for packet in 0..packets {
        let sent = sent(packet);
        let port = network.decide(Switch(0), sent, &[]).expect("a way");
        counts[usize::from(port) - 2] += 1;
    }
    counts
}

#[test]
fn ties_are_broken_at_random_and_levels_hide_differences() {
    let quantised = Scheme::Quantised { buffer_bytes: Some(1_000), percent: [5, 10, 20] };
    let load = [0, 0, 49, 0, 50, 30];
    for (scheme, among) in [(Scheme::Jsq {}, vec![3]), (quantised, vec![2, 3, 5])] {
        let mut network = Network::new(leaf_spine(), &scheme, 5);
        let mut seen: BTreeMap<u16, u32> = BTreeMap::new();
        for _ in 0..3_000 {
            let port = network.decide(Switch(0), Sent::data(0, 2), &load).expect("a way");
            *seen.entry(port).or_default() += 1;
        }
        assert_eq!(seen.keys().copied().collect::<Vec<_>>(), among);
        let each = 3_000 / among.len() as u32;
        assert!(seen.values().all(|count| count.abs_diff(each) < 150), "{seen:?}");
    }
}

#[test]
fn a_flow_keeps_its_path_under_ecmp_and_flows_are_spread() {
    let mut network = Network::new(leaf_spine(), &Scheme::Ecmp {}, 5);
    assert!(counts(&mut network, 100, |_| Sent::data(0, 2)).contains(&100));
    let spread = counts(&mut network, 4_000, |packet| Sent { sport: packet.into(), ..Sent::data(0, 2) });
    assert!(spread.iter().all(|count| count.abs_diff(1_000) < 120), "{spread:?}");
    // Edge and aggregation switches have different hashes: flows of one host use all cores.
    let tree = Topology::fat_tree(8).expect("even");
    let mut network = Network::new(tree, &Scheme::Ecmp {}, 5);
    let cores: BTreeSet<Switch> =
        (0..400).map(|sport| network.send(Sent { sport, ..Sent::data(0, 100) }).0[2].0).collect();
    assert_eq!(cores.len(), 16);
}

/// Rule 5.
#[test]
fn wecmp_spreads_flows_by_weight() {
    let tree = Topology::fat_tree(8).expect("even");
    for (scheme, expected) in
        [(Scheme::Wecmp {}, [1_000, 2_000, 2_000, 2_000]), (Scheme::Ecmp {}, [1_750; 4])]
    {
        let mut network = Network::new(tree, &scheme, 5);
        network.cut("agg-4", "core-0");
        network.cut("agg-4", "core-1");
        network.converge();
        let mut counts = [0u32; 4];
        for sport in 0..7_000 {
            let sent = Sent { sport, ..Sent::data(0, 16) };
            counts[usize::from(network.decide(Switch(0), sent, &[]).expect("a way")) - 4] += 1;
        }
        for (count, expected) in counts.iter().zip(expected) {
            assert!(count.abs_diff(expected) < 160, "{scheme:?} {counts:?}");
        }
    }
}

#[test]
fn random_spraying_is_even_and_not_in_turn() {
    let mut network = Network::new(leaf_spine(), &Scheme::Rsq {}, 5);
    let spread = counts(&mut network, 4_000, |_| Sent::data(0, 2));
    assert!(spread.iter().all(|count| count.abs_diff(1_000) < 120), "{spread:?}");
    assert!(spread.iter().any(|count| *count != 1_000), "{spread:?}");
}

#[test]
fn round_robin_has_one_pointer_for_all_destinations() {
    let mut network = Network::new(leaf_spine(), &Scheme::RoundRobin {}, 5);
    let mut rng = Rng::new(1);
    let ports: Vec<u16> = (0..40)
        .map(|_| {
            let sent = Sent::data(rng.below(2), 2 + rng.below(4));
            network.decide(Switch(0), sent, &[]).expect("a way")
        })
        .collect();
    for pair in ports.windows(2) {
        assert_eq!((pair[1] - 2) % 4, (pair[0] - 1) % 4);
    }
    // After a failure of the path to leaf 1, this leaf has its own group.
    network.cut("leaf-1", "spine-2");
    network.converge();
    let to =
        |network: &mut Network, host| network.decide(Switch(0), Sent::data(0, host), &[]).expect("a way");
    let alternate: Vec<[u16; 2]> = (0..6).map(|_| [to(&mut network, 2), to(&mut network, 4)]).collect();
    let ports: BTreeSet<u16> = alternate.iter().map(|[first, _]| *first).collect();
    assert_eq!(ports, BTreeSet::from([2, 3, 5]));
    assert!(alternate.windows(2).all(|pair| (pair[1][1] - 2) % 4 == (pair[0][1] - 1) % 4), "{alternate:?}");
}

#[test]
fn permuted_round_robin_changes_its_order_after_five_turns() {
    let scheme = Scheme::PermutedRoundRobin { turns: 5, orders: 16 };
    let mut network = Network::new(leaf_spine(), &scheme, 6);
    // The first turn begins anywhere.
    let (pointer, ..) = network.pipes[0].program().arrays().next().expect("it has");
    (0..3).for_each(|group| network.pipes[0].set_cell(pointer, group, 0));
    let mut orders = Vec::new();
    for _ in 0..40 {
        let turns: Vec<Vec<u16>> = (0..5)
            .map(|_| {
                (0..4).map(|_| network.decide(Switch(0), Sent::data(0, 2), &[]).expect("a way")).collect()
            })
            .collect();
        assert!(turns.iter().all(|turn| *turn == turns[0]), "{turns:?}");
        assert_eq!(turns[0].iter().collect::<BTreeSet<_>>().len(), 4);
        orders.push(turns[0].clone());
    }
    assert!(orders.iter().collect::<BTreeSet<_>>().len() > 5, "{orders:?}");
}

#[test]
fn a_flowlet_keeps_its_path_within_the_gap() {
    let scheme = Scheme::LetFlow { gap_clocks: 100, entries: 65_536 };
    let mut network = Network::new(leaf_spine(), &scheme, 5);
    let mut rng = Rng::new(9);
    let mut last: BTreeMap<u64, (u64, u16)> = BTreeMap::new();
    let (mut kept, mut changed) = (0, 0);
    for _ in 0..4_000 {
        network.clock += u64::from(rng.below(21));
        let sport = u64::from(rng.below(8));
        let port = network.decide(Switch(0), Sent { sport, ..Sent::data(0, 2) }, &[]).expect("a way");
        if let Some((clock, before)) = last.insert(sport, (network.clock, port)) {
            if network.clock - clock <= 100 {
                assert_eq!(port, before, "within the gap");
                kept += 1;
            } else {
                changed += u32::from(port != before);
            }
        }
    }
    // Three in four flowlets beyond the gap change.
    let beyond = 4_000 - 8 - kept;
    assert!(
        kept > 1_000 && changed.abs_diff(beyond * 3 / 4) < 150,
        "{kept} kept, {changed} of {beyond} changed"
    );
}

#[test]
fn a_flowlet_whose_way_fails_goes_on_by_another() {
    let mut network = Network::new(leaf_spine(), &Scheme::LetFlow { gap_clocks: 1_000, entries: 16 }, 5);
    let path = network.send(Sent::data(0, 2)).0;
    let spine = path[1].0.0 - 3;
    network.cut("leaf-0", &format!("spine-{spine}"));
    assert_eq!(network.send(Sent::data(0, 2)).1, End::Lost);
    network.converge();
    let (path, end) = network.send(Sent::data(0, 2));
    assert_eq!(end, End::Host(2));
    assert_eq!(network.send(Sent::data(0, 2)).0, path);
}

/// Rule 1.
#[test]
fn a_host_whose_link_failed_has_no_route() {
    let mut network = Network::new(leaf_spine(), &Scheme::Ecmp {}, 5);
    network.cut("host-1", "leaf-0");
    network.converge();
    assert_eq!(network.send(Sent::data(0, 1)), (vec![], End::Dropped));
    assert_eq!(network.topology.attachment(Host(1)), (Switch(0), 1));
    network.failed.clear();
    network.converge();
    assert_eq!(network.send(Sent::data(0, 1)), (vec![(Switch(0), 1)], End::Host(1)));
}

#[test]
fn schemes_are_read_by_name_with_the_papers_defaults() {
    let read = |text: &str| serde_json::from_str::<Scheme>(text);
    let names = r#"{"name":"ecmp"} {"name":"wecmp"} {"name":"rsq"} {"name":"round-robin"}
        {"name":"permuted-round-robin","turns":5,"orders":16} {"name":"jsq"}
        {"name":"quantised","buffer-bytes":800000} {"name":"drill"}
        {"name":"let-flow","gap-clocks":100,"entries":64} {"name":"ofan"}
        {"name":"ofan","schedules":"per-destination","weights":"fib"} {"name":"ofan","first":"shortest-queue"}"#;
    for (text, expected) in names.split_whitespace().zip(all()) {
        assert_eq!(read(text).expect("it is one"), expected);
    }
    let default = Scheme::PermutedRoundRobin { turns: 5, orders: 16 };
    assert_eq!(read(r#"{"name":"permuted-round-robin"}"#).expect("it is one"), default);
    for wrong in ["", r#","schedule":"per-pod""#, r#","weights":"even""#] {
        let scheme = read(&format!(r#"{{"name":"ofan"{wrong}}}"#));
        assert_eq!(scheme.is_ok(), wrong.is_empty(), "{wrong}");
    }
    assert!(read(r#"{"name":"let-flow","gap":100}"#).is_err());
    assert!(read(r#"{"name":"conga","gap-clocks":100}"#).is_ok());
    assert!(read(r#"{"name":"fastest"}"#).is_err());
}
