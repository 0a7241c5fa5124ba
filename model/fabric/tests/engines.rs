//! Both engines, and any number of threads, give byte-identical results.

use std::collections::BTreeMap;
use weft_fabric::balance::{Balancer, Conga, Drill, Ecmp, Place, Random, Shortest};
use weft_fabric::buffer::Shared;
use weft_fabric::engine::{Faults, Limits, Outcome, World, heap, windows};
use weft_fabric::host::fixed::{Fixed, Settings};
use weft_fabric::network::{Network, Queue, Tier, Wire};
use weft_fabric::order::Order;
use weft_fabric::port::Change;
use weft_random::Rng;
use weft_switch::schemes::conga;
use weft_switch::tm::{At, Over, Pfc, Red};
use weft_switch::topology::Topology;

/// 400 Gb/s, 500 ns links and switches, a queue of 80 kB marked from a fifth to four fifths.
fn network(topology: Topology) -> Network {
    let tier = Tier { gbps: 400, delay_ps: 500_000 };
    let red =
        Red { kmin_bytes: 16_000, kmax_bytes: 64_000, pmax: 1 << 16, at: At::Dequeue, over: Over::Queue };
    Network {
        topology,
        order: Order::default(),
        tiers: [tier; 3],
        unlike: BTreeMap::new(),
        switch_ps: 500_000,
        nic_in_ps: 300_000,
        nic_out_ps: 200_000,
        queues: vec![Queue { data_bytes: 80_000, control_bytes: 80_000, red: Some(red), trims: true }; 3],
        buffer: None,
        wire: Wire::PAPERS,
        seed: 3,
    }
}

/// An incast, in which each eight hosts send to the first of the eight, or a permutation.
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

/// One link is cut for a while, another link becomes slow.
fn faults() -> Faults {
    let change = |at_ps, is_cut, gbps| Change { at_ps, is_cut, gbps, bit_errors: 0 };
    let cut = vec![change(5_000_000, true, 400), change(9_000_000, false, 400)];
    Faults { changes: vec![(17, cut), (20, vec![change(3_000_000, false, 100)])], routing: Vec::new() }
}

fn all<B: Balancer>(
    make: impl Fn(&Place) -> B,
    topology: Topology,
    incast: bool,
    faults: &Faults,
) -> Outcome<Fixed> {
    all_in(&network(topology), make, incast, faults)
}

/// The same check in one network.
fn all_in<B: Balancer>(
    network: &Network,
    make: impl Fn(&Place) -> B,
    incast: bool,
    faults: &Faults,
) -> Outcome<Fixed> {
    let world = || World::new(network.clone(), false, &make, hosts(network, incast), faults);
    // A window that was lost is never sent again here, so the run has a limit.
    let until_ps = 400_000_000;
    let oracle = heap::run(world(), until_ps);
    for threads in [1, 2, 3, 4] {
        let found = windows::run(world(), Limits { threads, until_ps }, |_| true);
        assert_eq!(found.digest, oracle.digest, "{threads} threads");
        assert_eq!(found.ports, oracle.ports, "{threads} threads");
        assert_eq!((found.sent, found.received, found.losses), (oracle.sent, oracle.received, oracle.losses));
        assert_eq!((&found.tally, &found.seen), (&oracle.tally, &oracle.seen), "{threads} threads");
        assert_eq!(found.waiting + found.on_links, oracle.waiting + oracle.on_links);
        assert_eq!((found.pauses, found.buffer_peak), (oracle.pauses, oracle.buffer_peak));
        let [told, heard] = found.pauses;
        let ended = found.received + heard + found.losses.all();
        assert_eq!(found.sent + told, ended + found.waiting + found.on_links);
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

/// A frame of n bytes is hit with a chance of 1 - (1 - e)^8n. Over eight seeds, the number of damaged frames
/// from the hosts agrees with binomial distributions within four deviations; each seed has its own errors.
#[test]
fn bit_errors_hit_as_many_frames_as_binomials_say() {
    const BER: f64 = 2e-6;
    let topology = topologies()[0];
    let ports = 0..topology.hosts();
    let noisy = vec![Change { at_ps: 0, is_cut: false, gbps: 400, bit_errors: (BER * 2f64.powi(64)) as u64 }];
    let changes = ports.clone().map(|port| (port, noisy.clone())).collect();
    let faults = Faults { changes, routing: Vec::new() };
    let (mut lost, mut mean, mut variance, mut found) = (0, 0.0, 0.0, Vec::new());
    for seed in 1..=8 {
        let ended = all_in(&Network { seed, ..network(topology) }, Ecmp::new, false, &faults);
        for port in &ended.ports[..ports.len()] {
            // Data has 4,160 bytes, an ACK 64.
            let data = (port.bytes - 64 * port.packets) / (4160 - 64);
            for (frames, bytes) in [(data, 4160), (port.packets - data, 64)] {
                let chance = 1.0 - (1.0 - BER).powi(8 * bytes);
                mean += frames as f64 * chance;
                variance += frames as f64 * chance * (1.0 - chance);
            }
        }
        assert_eq!((ended.losses.link, ended.losses.no_way), (0, 0));
        lost += ended.losses.corrupt;
        found.push(ended.losses.corrupt);
    }
    assert!(mean > 500.0 && (lost as f64 - mean).abs() < 4.0 * variance.sqrt(), "{found:?} for {mean}");
    found.dedup();
    assert!(found.len() > 4, "{found:?}");
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
    // A window longer than a level's way round: ports must have caught up before it is over.
    let mut long = network(topology);
    long.tiers[1].delay_ps = 4_000_000;
    long.tiers[0].delay_ps = 4_000_000;
    for incast in [false, true] {
        assert!(all(make, topology, incast, &Faults::default()).is_complete);
        assert!(all_in(&long, make, incast, &Faults::default()).is_complete);
    }
    all(make, topology, true, &faults());
}

/// A network whose ports share a buffer.
fn sharing(topology: Topology, bytes: u64, pfc: Option<Pfc>) -> Network {
    let mut network = network(topology);
    network.buffer = Some(Shared { bytes, frame_bytes: 4_168, pfc });
    for queue in &mut network.queues {
        (queue.data_bytes, queue.control_bytes, queue.trims) = (1 << 30, 1 << 30, pfc.is_none());
    }
    network
}

#[test]
fn pfc_loses_nothing_as_in_the_oracle() {
    for topology in topologies() {
        let network = sharing(topology, 1_500_000, Some(Pfc::CONWEAVE));
        for incast in [false, true] {
            for ended in [
                all_in(&network, Ecmp::new, incast, &Faults::default()),
                all_in(&network, Shortest::new, incast, &Faults::default()),
            ] {
                assert!(ended.is_complete && ended.losses.all() == 0, "{:?}", ended.losses);
                assert!(!incast || ended.pauses[0] > 50, "{:?}", ended.pauses);
                assert!(!incast || ended.buffer_peak.is_some_and(|peak| peak > 100_000));
            }
        }
    }
}

#[test]
fn a_shared_buffer_trims_as_in_the_oracle() {
    for topology in topologies() {
        let network = sharing(topology, 150_000, None);
        let ended = all_in(&network, Ecmp::new, true, &Faults::default());
        let trims: u64 = ended.ports.iter().map(|port| port.trims).sum();
        assert!(trims > 100 && ended.pauses == [0; 2], "{trims}");
        // A single queue may use as many bytes as it leaves free, which is half.
        let peaks = ended.ports.iter().map(|port| port.peak_bytes);
        let peak = peaks.max().unwrap_or(0);
        assert!((70_000..=75_000).contains(&peak), "{peak}");
        assert!(ended.buffer_peak.is_some_and(|peak| peak <= 150_000));
    }
}

#[test]
fn failures_strike_as_in_the_oracle() {
    for topology in topologies() {
        let ended = all(Ecmp::new, topology, false, &faults());
        assert!(ended.losses.link > 0 && ended.losses.all() == ended.losses.link);
        all(Shortest::new, topology, true, &faults());
    }
}
