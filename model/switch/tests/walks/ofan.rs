//! OFAN: balance, schedules, weights, variants.

use crate::oracle::Oracle;
use crate::walk::{End, Network, Path, Sent, inter_pod};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use weft_random::Rng;
use weft_switch::kit::{Pipe, Profile};
use weft_switch::ofan::{Classes, First, Ofan, Schedule, Schedules, Step, Weights};
use weft_switch::schemes::{Queues, Scheme, Site};
use weft_switch::topology::{Role, Switch, Topology};

fn tree(k: u32) -> Topology {
    Topology::fat_tree(k).expect("even")
}

fn ofan() -> Scheme {
    Scheme::Ofan(Ofan::default())
}

/// Largest difference between the most and the least loaded port of one pointer's destination: at edge
/// uplinks, aggregation uplinks, core downlinks, aggregation downlinks (OFAN Fig 7). Keys are the switch that
/// balances and its target; each entry counts the paths.
fn differences(topology: &Topology, paths: &[(u32, u32, Path)]) -> [u32; 4] {
    type Ways = BTreeMap<(Switch, u16), u32>;
    let mut layers: [BTreeMap<(u32, u32), Ways>; 4] = Default::default();
    for (src, dst, path) in paths {
        let (from, to) = (src / topology.hosts_per_edge(), dst / topology.hosts_per_edge());
        let [edge, aggregation, core, down, _] = path[..] else { panic!("not through a core: {path:?}") };
        let pod = topology.pod_of_edge(to);
        *layers[0].entry((from, to)).or_default().entry(edge).or_default() += 1;
        *layers[1].entry((aggregation.0.0, pod)).or_default().entry(aggregation).or_default() += 1;
        *layers[2].entry((aggregation.0.0, pod)).or_default().entry(core).or_default() += 1;
        *layers[3].entry((from, to)).or_default().entry(down).or_default() += 1;
    }
    let ways =
        (topology.fabric_links().len() as u32 / topology.pods() / topology.edges_per_pod() / 2) as usize;
    layers.map(|layer| {
        let range = |ports: &BTreeMap<_, u32>| {
            let least = if ports.len() < ways { 0 } else { *ports.values().min().expect("some") };
            ports.values().max().expect("some") - least
        };
        layer.values().map(range).max().unwrap_or(0)
    })
}

/// For intact links: the difference among the paths down to a switch, minus the permitted difference of the
/// switch's pointers.
fn link_differences(network: &Network) -> [u32; 2] {
    let range = |role| {
        let mut ways: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for switch in network.topology.of_role(role) {
            for port in network.topology.down_ports(switch) {
                let below = network.topology.peer(switch, port).expect("a port").0;
                let load = network.loads.get(&(switch, port)).copied().unwrap_or(0);
                ways.entry(below).or_default().push(load);
            }
        }
        let spread = |loads: &Vec<u32>| loads.iter().max().expect("some") - loads.iter().min().expect("some");
        ways.values().map(spread).max().expect("some")
    };
    [range(Role::Core), range(Role::Aggregation)]
}

/// Walks a permutation: `packets` of each host, in step or in a random order.
fn permutation(network: &mut Network, packets: usize, seed: u64, in_step: bool) -> [u32; 4] {
    let mut rng = Rng::new(seed);
    let to = inter_pod(network, &mut rng);
    let mut order: Vec<u32> = (0..packets).flat_map(|_| 0..to.len() as u32).collect();
    if !in_step {
        rng.shuffle(&mut order);
    }
    let paths: Vec<_> = order
        .into_iter()
        .map(|src| {
            let dst = to[src as usize];
            let (path, end) = network.send(Sent::data(src, dst));
            assert_eq!(end, End::Host(dst));
            (src, dst, path)
        })
        .collect();
    differences(&network.topology, &paths)
}

#[test]
fn permutations_are_balanced_within_a_packet_per_pointer() {
    for (k, seeds) in [(4, 1..9), (8, 1..4)] {
        for (seed, in_step) in seeds.flat_map(|seed| [(seed, false), (seed, true)]) {
            let mut network = Network::new(tree(k), &ofan(), seed);
            let differences = permutation(&mut network, 37, seed, in_step);
            assert!(differences.iter().all(|by| *by <= 1), "k {k} seed {seed}: {differences:?}");
            // A way down to an aggregation switch carries at most k - 1 pointers, one to an edge switch those of k/2
            // hosts' sources.
            let [core, aggregation] = link_differences(&network);
            assert!(core < k && aggregation <= k / 2, "k {k} seed {seed}: {core} {aggregation}");
        }
    }
}

#[test]
fn simple_round_robin_is_balanced_up_and_not_down() {
    // OFAN section 6.1, Fig 7: senders in step stick to their ports, and collide on the way down.
    for (k, seed) in [(4, 1), (4, 2), (8, 1), (8, 2)] {
        let mut network = Network::new(tree(k), &Scheme::RoundRobin {}, seed);
        let differences = permutation(&mut network, 40, seed, true);
        let ways = k / 2;
        let edges = network.topology.of_role(Role::Edge);
        for edge in edges {
            let up: Vec<u32> =
                network.topology.up_ports(edge).map(|port| network.loads[&(edge, port)]).collect();
            assert_eq!(up, vec![40; ways as usize], "uplinks are even");
        }
        assert!(differences[3] >= 20, "k {k} seed {seed}: {differences:?}");
        let [core, aggregation] = link_differences(&network);
        assert!(core >= 40 && aggregation >= 40, "k {k} seed {seed}: {core} {aggregation}");
    }
}

/// The example of Appendix F.4 at an edge switch: four ports up of which one has half the paths to a pod.
fn example() -> Network {
    let seed = (0..1_000).find(|seed| {
        let network = Network::new(tree(8), &ofan(), *seed);
        let first = network.topology.up_ports(Switch(0)).start;
        Oracle::of(&network, Switch(0), 2, true).orders[&1] == [2, 1, 3, 0].map(|up| first + up)
    });
    let mut network = Network::new(tree(8), &ofan(), seed.expect("one of 24 orders"));
    // Port 4, P4, has 2 of 4 paths to pod 1.
    network.cut("agg-7", "core-12");
    network.cut("agg-7", "core-13");
    network.converge();
    network
}

/// Rules 2, 3 and 5.
#[test]
fn the_schedule_of_appendix_f_4() {
    // {1600, 1600, 1600, 800} Gb/s and the order P3 P2 P4 P1. In the paper's figure, P4 occurs once and the
    // others twice.
    let schedule = Schedule::new(&[1600, 1600, 1600, 800], vec![2, 1, 3, 0]);
    assert_eq!(schedule.weights, [2, 2, 1, 2]);
    assert_eq!(schedule.cycle(), [2, 1, 3, 0, 2, 1, 0]);

    // The program of a switch gives the same order.
    let mut network = example();
    let first = network.topology.up_ports(Switch(0)).start;
    assert_eq!(network.topology.weights(&network.failed, Switch(0), 4), [4, 4, 4, 2]);
    let pipe = &mut network.pipes[0];
    let (pointers, ..) = pipe.program().arrays().find(|(_, name, ..)| *name == "pointers").expect("it has");
    for pointer in 0..pipe.program().arrays().map(|(_, _, cells, _)| cells as u64).sum() {
        pipe.set_cell(pointers, pointer, Step { slot: 0, round: 0, started: true }.cell());
    }
    let ports: Vec<u16> = (0..14)
        .map(|_| network.decide(Switch(0), Sent::data(0, 16), &[]).expect("a way") - first + 1)
        .collect();
    assert_eq!(ports, [3, 2, 4, 1, 3, 2, 1, 3, 2, 4, 1, 3, 2, 1]);
    // Another edge switch of that pod has the same schedule and a pointer of its own, and so has the other
    // class.
    for sent in [Sent::data(1, 20), Sent { length: 74, ..Sent::data(0, 16) }] {
        let ports: Vec<u16> =
            (0..7).map(|_| network.decide(Switch(0), sent, &[]).expect("a way") - first + 1).collect();
        assert_eq!(ports, [3, 2, 4, 1, 3, 2, 1]);
    }
}

/// Rules 6 and 7: the number of schedules.
#[test]
fn sixty_four_schedules_in_place_of_2047() {
    let topology = tree(64);
    let addresses: Arc<[[u64; 2]]> = (0..topology.hosts()).map(crate::walk::address).collect();
    let count = |schedules, switch, name| {
        let site =
            Site { topology, switch, addresses: Arc::clone(&addresses), queues: Queues::default(), seed: 1 };
        let scheme = Scheme::Ofan(Ofan { schedules, ..Ofan::default() });
        let pipe: Pipe = scheme.build(site, Profile::default()).expect("fits").pipe(1, 1).expect("fits");
        let table = pipe.program().table(name).expect("it has");
        pipe.entries(table)
    };
    let edge = Switch(5);
    // One schedule for each pod, including its own, or one for each other edge switch.
    assert_eq!(count(Schedules::PerPod, edge, "schedules"), 64);
    assert_eq!(count(Schedules::PerDestination, edge, "schedules"), 2_047);
    assert_eq!(count(Schedules::PerPod, edge, "targets"), 2_047);
    assert_eq!(count(Schedules::PerPod, edge, "slots"), 64 * 32);
    assert_eq!(count(Schedules::PerDestination, edge, "slots"), 2_047 * 32);
    let aggregation = topology.of_role(Role::Aggregation).next().expect("some");
    assert_eq!(count(Schedules::PerPod, aggregation, "schedules"), 63);
}

/// Rules 5 to 7: the loads that a schedule of each kind makes of the weights.
#[test]
fn failed_links_leave_loads_by_weight() {
    for (schedules, seed) in [Schedules::PerPod, Schedules::PerDestination].into_iter().zip(3..) {
        let mut network = Network::new(tree(8), &Scheme::Ofan(Ofan { schedules, ..Ofan::default() }), seed);
        for (a, b) in [("agg-4", "core-0"), ("agg-5", "core-5"), ("edge-4", "agg-6"), ("agg-1", "core-6")] {
            network.cut(a, b);
        }
        network.converge();
        let edge = Switch(0);
        // Packets go to edge switch 4, and to its neighbour, whose links are all up.
        for (host, weights) in [(16, [3, 2, 0, 4]), (20, [3, 2, 4, 4])] {
            assert_eq!(network.topology.weights(&network.failed, edge, host / 4), weights);
            let cycle: u32 = weights.iter().sum();
            let mut counts = [0; 4];
            let mut reached: BTreeMap<Switch, u32> = BTreeMap::new();
            for _ in 0..12 * cycle {
                let (path, end) = network.send(Sent::data(0, host));
                assert_eq!(end, End::Host(host));
                counts[usize::from(path[0].1 - network.topology.up_ports(edge).start)] += 1;
                *reached.entry(path[2].0).or_default() += 1;
            }
            assert_eq!(counts, weights.map(|weight| 12 * weight));
            // So each core on a path got the same number.
            assert_eq!(reached.len() as u32, cycle);
            assert!(reached.values().all(|count| *count == 12), "{reached:?}");
        }
    }
}

#[test]
fn the_fib_variant_is_even_over_what_reaches() {
    let options = Ofan { weights: Weights::Fib, ..Ofan::default() };
    let mut network = Network::new(tree(8), &Scheme::Ofan(options), 3);
    for (a, b) in [("agg-4", "core-0"), ("edge-4", "agg-6")] {
        network.cut(a, b);
    }
    network.converge();
    let mut counts = [0; 4];
    for _ in 0..30 {
        let (path, end) = network.send(Sent::data(0, 16));
        assert_eq!(end, End::Host(16));
        counts[usize::from(path[0].1) - 4] += 1;
    }
    assert_eq!(counts, [10, 10, 0, 10]);
}

/// Rule 9.
#[test]
fn the_first_pointer_may_go_to_the_shortest_queue() {
    let options = Ofan { first: First::ShortestQueue, ..Ofan::default() };
    let mut network = Network::new(tree(8), &Scheme::Ofan(options), 3);
    let edge = Switch(0);
    let load = [0, 0, 0, 0, 70, 30, 40, 50];
    let mut ports = |host, load: &[u32], count| -> Vec<u16> {
        (0..count).map(|_| network.decide(edge, Sent::data(0, host), load).expect("a way")).collect()
    };
    assert_eq!(ports(16, &load, 6), [5, 6, 7, 4, 5, 6], "from the shortest on, in order, whatever waits");
    assert_eq!(ports(20, &[0, 0, 0, 0, 9, 9, 9, 0], 3), [7, 4, 5]);
    assert_eq!(ports(16, &[0; 8], 2), [7, 4], "it has started");
    // Equal queues: any.
    let starts: BTreeSet<u16> = (24..60).step_by(4).map(|host| ports(host, &[0; 8], 1)[0]).collect();
    assert!(starts.len() > 1, "{starts:?}");
}

/// Rule 8.
#[test]
fn starts_and_orders_are_random() {
    let network = Network::new(tree(8), &ofan(), 7);
    let oracles: Vec<Oracle> = (0..32).map(|edge| Oracle::of(&network, Switch(edge), 2, true)).collect();
    let mut orders = BTreeSet::new();
    let mut starts = [0; 4];
    for oracle in &oracles {
        orders.extend(oracle.orders.values().cloned());
        for (_, before) in oracle.pointers.values() {
            starts[(before + 1) as usize] += 1;
        }
    }
    assert_eq!(orders.len(), 24, "all orders of 4 ports");
    // 32 edge switches with 31 targets of 2 classes: 496 of each.
    assert!(starts.iter().all(|count| (400..592).contains(count)), "{starts:?}");
}

/// Rules 1, 3 and 4 for every decision, and rule 10 while links fail and recover.
#[test]
fn every_decision_is_that_of_the_paper_s_pointers() {
    for (k, seed, weights) in [(4, 1, Weights::Wecmp), (8, 2, Weights::Wecmp), (8, 3, Weights::Fib)] {
        let mut network = Network::new(tree(k), &Scheme::Ofan(Ofan { weights, ..Ofan::default() }), seed);
        let mut rng = Rng::new(seed);
        let switches = network.topology.edges() + network.topology.aggregations();
        let uses_weights = weights == Weights::Wecmp;
        let mut oracles: Vec<Oracle> =
            (0..switches).map(|switch| Oracle::of(&network, Switch(switch), 2, uses_weights)).collect();
        let links = network.topology.fabric_links();
        let hosts = network.topology.hosts() as usize;
        let mut up = 0;
        for packet in 0..6_000 {
            if packet % 1_000 == 999 {
                // Links fail; one comes back.
                network.failed.pop_first();
                for _ in 0..3 {
                    network.failed.insert(links[rng.index(links.len())]);
                }
                network.converge();
            }
            let class = u64::from(rng.below(2));
            let (src, dst) = (rng.index(hosts) as u32, rng.index(hosts / 2) as u32);
            let sent = Sent { length: [74, 4158][class as usize], ..Sent::data(src, dst) };
            let (path, _) = network.send(sent);
            for (switch, port) in path {
                let Some(oracle) = oracles.get_mut(switch.0 as usize) else { continue };
                if oracle.target(dst).is_some() {
                    let expected = oracle.next(&network.failed, dst, class);
                    assert_eq!(Some(port), expected, "packet {packet} at {switch:?} to {dst}");
                    up += 1;
                }
            }
        }
        assert!(up > 6_000, "{up} decisions");
    }
}

/// The record of a flow of an all-to-all.
#[derive(Clone, Debug, Default)]
struct Flow {
    cores: BTreeSet<Switch>,
    sent: u32,
    lost: u32,
    /// Number of packets in 64 turns that the flow may send, and the share saved up; only congestion control
    /// changes the rate.
    rate: u32,
    saved: u32,
}

type Flows = BTreeMap<(u32, u32), Flow>;

/// Every host sends to every host of other pods, in step, for a number of turns. With congestion control a
/// flow halves its rate with each loss, and regains a sixteenth with each packet that arrives.
fn all_to_all(network: &mut Network, turns: u32, has_control: bool) -> Flows {
    let hosts = network.topology.hosts();
    let mut flows = Flows::new();
    for _ in 0..turns {
        for (distance, src) in (1..hosts).flat_map(|by| (0..hosts).map(move |src| (by, src))) {
            let dst = (src + distance) % hosts;
            if network.pod_of(src) == network.pod_of(dst) {
                continue;
            }
            let flow = flows.entry((src, dst)).or_insert_with(|| Flow { rate: 64, ..Flow::default() });
            flow.saved += flow.rate;
            if flow.saved < 64 {
                continue;
            }
            flow.saved -= 64;
            let (path, end) = network.send(Sent::data(src, dst));
            flow.sent += 1;
            flow.cores.extend(path.get(2).map(|(core, _)| *core));
            let is_lost = end != End::Host(dst);
            flow.lost += u32::from(is_lost);
            if has_control {
                flow.rate = if is_lost { (flow.rate / 2).max(4) } else { (flow.rate + 4).min(64) };
            }
        }
    }
    flows
}

#[test]
fn all_to_all_in_step_anchors_flows_to_cores() {
    // Appendix F.4: all-to-all at full rate without congestion control. At first all links are up, then a link at the
    // core fails.
    let turns = 100;
    let mut network = Network::new(tree(4), &ofan(), 1);
    let topology = network.topology;
    assert_eq!(topology.hosts() / topology.pods(), topology.cores(), "as many hosts in a pod as cores");
    let flows = all_to_all(&mut network, turns, false);
    assert!(flows.values().all(|flow| flow.cores.len() == 1), "every flow is anchored to one core");
    network.cut("core-1", "agg-2");

    // Before the routes change, flows whose turn always meets this link lose all their packets, and all other
    // flows lose none.
    let losing = |flows: Flows| flows.into_values().filter(|flow| flow.lost > 0).collect::<Vec<_>>();
    let anchored = losing(all_to_all(&mut network.clone(), turns, false));
    assert!(!anchored.is_empty());
    assert!(anchored.iter().all(|flow| flow.lost == flow.sent), "{anchored:?}");

    // With congestion control the rotation is no longer in step: more flows share the loss, and no flow loses
    // all packets.
    let sharing = losing(all_to_all(&mut network.clone(), turns, true));
    assert!(sharing.len() > 2 * anchored.len(), "{} of {}", sharing.len(), anchored.len());
    assert!(sharing.iter().all(|flow| flow.lost < flow.sent), "{sharing:?}");

    // Another flow of the same pointer that sends at times has the same effect: no flow loses all packets.
    let mut shared = network.clone();
    let mut flows = Flows::new();
    for turn in 0..turns {
        for (pair, flow) in all_to_all(&mut shared, 1, false) {
            let all = flows.entry(pair).or_default();
            (all.sent, all.lost) = (all.sent + flow.sent, all.lost + flow.lost);
        }
        if turn % 5 == 0 {
            (0..topology.edges()).for_each(|edge| {
                let hosts = topology.hosts_per_edge();
                (0..topology.edges())
                    .for_each(|other| drop(shared.send(Sent::data(edge * hosts, other * hosts))));
            });
        }
    }
    let sharing = losing(flows);
    assert!(sharing.iter().all(|flow| flow.lost < flow.sent), "{sharing:?}");

    // The routes exclude the link, and the schedules change: no packet is lost.
    network.converge();
    assert!(losing(all_to_all(&mut network, turns, false)).is_empty());
}

#[test]
fn options_that_cannot_be_are_refused() {
    let build = |topology: Topology, options: Ofan| {
        let addresses = (0..topology.hosts()).map(crate::walk::address).collect();
        let site = Site { topology, switch: Switch(0), addresses, queues: Queues::default(), seed: 1 };
        Scheme::Ofan(options).build(site, Profile::default()).err().map(|error| error.to_string())
    };
    let wide = Topology::leaf_spine(2, 37, 1).expect("small");
    let ports = "a switch has 37 ports up; the state of this scheme has room for 36";
    assert_eq!(build(wide, Ofan::default()).as_deref(), Some(ports));
    for classes in [vec![1, 2, 3, 4], vec![300, 200]] {
        assert!(build(tree(4), Ofan { classes: Classes(classes), ..Ofan::default() }).is_some());
    }
    assert_eq!(build(tree(4), Ofan { classes: Classes(vec![]), ..Ofan::default() }), None);
}
