//! Both engines, and any number of threads, give the same result to the byte.

use weft_fabric::balance::{Balancer, Conga, Drill, Ecmp, Place, Random, Shortest};
use weft_fabric::engine::{Faults, Limits, Outcome, World, heap, windows};
use weft_fabric::host::fixed::{Fixed, Settings};
use weft_fabric::network::{Network, Queue, Tier, Wire};
use weft_fabric::port::Change;
use weft_random::Rng;
use weft_switch::schemes::conga;
use weft_switch::tm::{At, Over, Red};
use weft_switch::topology::Topology;

/// 400 Gb/s, 500 ns links and switches, a queue of 80 kB marked from a fifth to four fifths.
fn network(topology: Topology) -> Network {
    let tier = Tier { gbps: 400, delay_ps: 500_000 };
    let red =
        Red { kmin_bytes: 16_000, kmax_bytes: 64_000, pmax: 1 << 16, at: At::Dequeue, over: Over::Queue };
    Network {
        topology,
        tiers: [tier; 3],
        switch_ps: 500_000,
        nic_in_ps: 300_000,
        nic_out_ps: 200_000,
        queues: [Queue { data_bytes: 80_000, control_bytes: 80_000, red: Some(red), trims: true }; 3],
        wire: Wire::PAPERS,
        seed: 3,
    }
}

/// Everyone to one, or a permutation.
fn hosts(network: &Network, incast: bool) -> Vec<Fixed> {
    let count = network.topology.hosts();
    let mut to: Vec<u32> = (0..count).collect();
    Rng::new(9).shuffle(&mut to);
    (0..count)
        .map(|number| {
            let to = if incast { number / 8 * 8 } else { to[number as usize] };
            let packets = if to == number { 0 } else { 100 + number % 7 };
            let settings = Settings {
                destination: to,
                packets,
                window: 60,
                per_ack: 1,
                bytes: [4160, 64],
                start_ps: u64::from(number) * 977,
            };
            Fixed::new(number, settings, 5)
        })
        .collect()
}

/// A link is cut for a while, another one becomes slow.
fn faults() -> Faults {
    let change = |at_ps, is_cut, gbps| Change { at_ps, is_cut, gbps };
    let cut = vec![change(5_000_000, true, 400), change(9_000_000, false, 400)];
    Faults { changes: vec![(17, cut), (20, vec![change(3_000_000, false, 100)])], routing: Vec::new() }
}

fn all<B: Balancer>(
    make: impl Fn(&Place) -> B,
    topology: Topology,
    incast: bool,
    faults: &Faults,
) -> Outcome<Fixed> {
    let network = network(topology);
    let world = || World::new(network.clone(), false, &make, hosts(&network, incast), faults);
    // A window that was lost is never sent again here, so the run has a limit.
    let until_ps = 400_000_000;
    let oracle = heap::run(world(), until_ps);
    for threads in [1, 2, 3] {
        let found = windows::run(world(), Limits { threads, until_ps }, |_| true);
        assert_eq!(found.digest, oracle.digest, "{threads} threads");
        assert_eq!(found.ports, oracle.ports, "{threads} threads");
        assert_eq!((found.sent, found.received, found.losses), (oracle.sent, oracle.received, oracle.losses));
        assert_eq!(found.waiting + found.on_links, oracle.waiting + oracle.on_links);
        assert_eq!(found.sent, found.received + found.losses.all() + found.waiting + found.on_links);
        let done =
            |outcome: &Outcome<Fixed>| outcome.hosts.iter().map(|host| host.done_ps).collect::<Vec<_>>();
        assert_eq!(done(&found), done(&oracle));
        assert_eq!(found.is_complete, oracle.is_complete);
    }
    oracle
}

fn topologies() -> [Topology; 3] {
    [
        Topology::leaf_spine(4, 3, 5).expect("small"),
        Topology::fat_tree(4).expect("small"),
        Topology::fat_tree_with(6, 5).expect("small"),
    ]
}

#[test]
fn hashed_packets_come_as_in_the_oracle() {
    for topology in topologies() {
        let ended = all(Ecmp::new, topology, false, &Faults::default());
        assert!(ended.is_complete && ended.losses.all() == 0);
    }
}

#[test]
fn an_incast_is_trimmed_as_in_the_oracle() {
    for topology in topologies() {
        let ended = all(Ecmp::new, topology, true, &Faults::default());
        let trims: u64 = ended.ports.iter().map(|port| port.trims).sum();
        let marks: u64 = ended.ports.iter().map(|port| port.marks).sum();
        assert!(trims > 100 && marks > 100, "{trims} trims, {marks} marks");
        assert!(ended.is_complete);
    }
}

#[test]
fn schemes_with_memory_or_loads_choose_as_in_the_oracle() {
    for topology in topologies() {
        for incast in [false, true] {
            assert!(all(Random::new, topology, incast, &Faults::default()).is_complete);
            assert!(all(Shortest::new, topology, incast, &Faults::default()).is_complete);
            assert!(all(Drill::new, topology, incast, &Faults::default()).is_complete);
        }
    }
}

#[test]
fn metrics_go_round_as_in_the_oracle() {
    let topology = topologies()[0];
    let options = conga::Conga {
        gap_clocks: 100,
        dre_clocks: 1_000,
        age_clocks: 4_000,
        gbit_per_s: Some(400),
        ..conga::Conga::default()
    };
    let make = |place: &Place| Conga::new(place, &options).expect("they can be");
    for incast in [false, true] {
        assert!(all(make, topology, incast, &Faults::default()).is_complete);
    }
    all(make, topology, true, &faults());
}

#[test]
fn failures_strike_as_in_the_oracle() {
    for topology in topologies() {
        let ended = all(Ecmp::new, topology, false, &faults());
        assert!(ended.losses.link > 0 && ended.losses.all() == ended.losses.link);
        all(Shortest::new, topology, true, &faults());
    }
}
