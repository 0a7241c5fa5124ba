//! Hosts with the NIC: both engines give the same results, every byte arrives once, and a single flow ends in
//! the ideal time of its link.

use std::collections::BTreeMap;
use std::sync::Arc;
use weft_fabric::balance::{Drill, Ecmp};
use weft_fabric::engine::{Faults, Limits, Outcome, World, heap, windows};
use weft_fabric::flow::{Flow, Table};
use weft_fabric::host::nic::{NicHost, Shared};
use weft_fabric::host::registers::Transport;
use weft_fabric::inputs::Inputs;
use weft_fabric::network::{Network, Queue, Tier, Wire};
use weft_fabric::order::Order;
use weft_fabric::port::Change;
use weft_fabric::workload::{Site, Workload};
use weft_random::Rng;
use weft_switch::tm::{At, Over, Red};
use weft_switch::topology::Topology;

fn network(topology: Topology, queue_bytes: u32, trims: bool) -> Network {
    let tier = Tier { gbps: 400, delay_ps: 500_000 };
    let (kmin_bytes, kmax_bytes) = (queue_bytes / 5, queue_bytes / 5 * 4);
    let red = Red { kmin_bytes, kmax_bytes, pmax: 1 << 16, at: At::Dequeue, over: Over::Queue };
    Network {
        topology,
        order: Order::default(),
        tiers: [tier; 3],
        unlike: BTreeMap::new(),
        switch_ps: 500_000,
        nic_in_ps: 208_000,
        nic_out_ps: 84_000,
        queues: vec![Queue { data_bytes: queue_bytes, control_bytes: queue_bytes, red: Some(red), trims }; 3],
        buffer: None,
        wire: Wire::PAPERS,
        seed: 11,
    }
}

fn shared(network: &Network, transport: &Transport, flows: Vec<Flow>) -> Arc<Shared> {
    let table = Table::new(flows, network.topology.hosts(), 4);
    let registers = transport.registers(network).expect("registers");
    Arc::new(Shared::new(network, table, registers, 0))
}

fn hosts(shared: &Arc<Shared>, network: &Network) -> Vec<NicHost> {
    (0..network.topology.hosts()).map(|number| NicHost::new(number, shared)).collect()
}

/// Checks that every byte of every flow arrived once.
fn is_whole(outcome: &Outcome<NicHost>, flows: &[Flow]) {
    let mut next = vec![0; outcome.hosts.len()];
    for flow in flows {
        let place = &mut next[flow.destination as usize];
        let ends = &outcome.hosts[flow.destination as usize].came()[*place];
        *place += 1;
        assert!(ends.is_whole(flow.bytes, 4096), "{flow:?}: {ends:?}");
        assert!(ends.received_ps.is_some());
    }
}

fn both(network: &Network, transport: &Transport, flows: &[Flow], faults: &Faults) -> Outcome<NicHost> {
    let shared = shared(network, transport, flows.to_vec());
    let world = || World::new(network.clone(), false, Ecmp::new, hosts(&shared, network), faults);
    let until_ps = 20_000_000_000;
    let oracle = heap::run(world(), until_ps);
    for threads in [1, 2] {
        let found = windows::run(world(), Limits { threads, until_ps }, |_| true);
        assert_eq!((found.digest, found.ports), (oracle.digest, oracle.ports.clone()), "{threads} threads");
        assert!(
            found.hosts.iter().zip(&oracle.hosts).all(|(a, b)| a.came() == b.came() && a.sent() == b.sent())
        );
        assert!(found.is_complete);
    }
    assert!(oracle.is_complete);
    assert_eq!(oracle.sent, oracle.received + oracle.losses.all());
    is_whole(&oracle, flows);
    oracle
}

fn flows(pattern: &Workload, hosts: u32) -> Vec<Flow> {
    let site = Site {
        hosts,
        pod: 4,
        order: &Order::default(),
        gbps: 400,
        full_load: 1.0,
        folder: "".as_ref(),
        inputs: &Inputs::default(),
    };
    pattern.flows(&site, &mut Rng::new(5)).expect("it can be")
}

#[test]
fn patterns_end_as_in_the_oracle() {
    let tree = network(Topology::fat_tree(4).expect("small"), 600_000, true);
    let leaves = network(Topology::leaf_spine(4, 4, 4).expect("small"), 600_000, true);
    for network in [&tree, &leaves] {
        for pattern in [
            Workload::Permutation { bytes: 300_001, at_once: 1, long_bytes: None },
            Workload::Tornado { bytes: 1_000_000 },
            Workload::AllToAll { bytes: 20_000, window: 3, shuffled: false },
            Workload::AllReduce { bytes: 400_000, rounds: 1, across: false },
            Workload::Butterfly { bytes: 400_000 },
        ] {
            let ended = both(network, &Transport::default(), &flows(&pattern, 16), &Faults::default());
            assert_eq!(ended.losses.all(), 0, "{pattern:?}");
        }
    }
}

#[test]
fn an_incast_is_trimmed_and_whole() {
    let network = network(Topology::leaf_spine(4, 4, 4).expect("small"), 60_000, true);
    let incast = Workload::Incast { bytes: 500_000, senders: None, receiver: 2 };
    let ended = both(&network, &Transport::default(), &flows(&incast, 16), &Faults::default());
    let trims: u64 = ended.ports.iter().map(|port| port.trims).sum();
    assert!(trims > 50, "{trims}");
    assert_eq!(ended.losses.all(), 0);
}

#[test]
fn without_trimming_what_is_dropped_comes_again() {
    let network = network(Topology::leaf_spine(4, 4, 4).expect("small"), 60_000, false);
    let incast = Workload::Incast { bytes: 200_000, senders: Some(6), receiver: 2 };
    let transport = Transport { gap: Some(64), ..Transport::default() };
    let ended = both(&network, &transport, &flows(&incast, 16), &Faults::default());
    assert!(ended.losses.data_queue > 10 && ended.losses.all() == ended.losses.data_queue);
}

#[test]
fn a_cut_link_loses_packets_and_no_bytes() {
    let network = network(Topology::leaf_spine(4, 4, 4).expect("small"), 600_000, true);
    let change = |at_ps, is_cut| Change { at_ps, is_cut, gbps: 400, bit_errors: 0 };
    let port = network.wiring().first[16] + 5;
    let cut = vec![change(10_000_000, true), change(200_000_000, false)];
    let faults = Faults { changes: vec![(port, cut)], routing: Vec::new() };
    let ended = both(
        &network,
        &Transport::default(),
        &flows(&Workload::Permutation { bytes: 2_000_000, at_once: 1, long_bytes: None }, 16),
        &faults,
    );
    assert!(ended.losses.link > 0);
}

#[test]
fn a_flow_alone_takes_what_its_links_take() {
    // By hand: at 400 Gb/s a byte lasts 20 ps. One packet of 4,160 bytes over four links stored and
    // forwarded: 4 x 83,200 ps, 4 x 500 ns of light, 3 switches of 500 ns, the NICs' 292 ns.
    let network = network(Topology::leaf_spine(2, 2, 2).expect("small"), 600_000, true);
    let one = vec![Flow::at(0, 2, 4096, 0)];
    let ended = both(&network, &Transport::default(), &one, &Faults::default());
    let expected = 4 * 83_200 + 4 * 500_000 + 3 * 500_000 + 292_000;
    assert_eq!(ended.hosts[2].came()[0].received_ps, Some(expected));
    assert_eq!(network.flight_ps(0, 2, 4160), expected);
    // With a hundred packets, the rest follows without a gap.
    let many = vec![Flow::at(0, 2, 100 * 4096, 0)];
    let ended = both(&network, &Transport::default(), &many, &Faults::default());
    assert_eq!(ended.hosts[2].came()[0].received_ps, Some(expected + 99 * 83_200));
    assert_eq!(network.ideal_ps(0, 2, 100 * 4096, 4096), expected + 99 * 83_200);
}

#[test]
fn a_queue_aware_scheme_carries_nics() {
    let network = network(Topology::fat_tree(4).expect("small"), 600_000, true);
    let flows = flows(&Workload::Permutation { bytes: 1_000_000, at_once: 1, long_bytes: None }, 16);
    let shared = shared(&network, &Transport::default(), flows.clone());
    let world =
        || World::new(network.clone(), false, Drill::new, hosts(&shared, &network), &Faults::default());
    let oracle = heap::run(world(), u64::MAX);
    let found = windows::run(world(), Limits { threads: 2, until_ps: u64::MAX }, |_| true);
    assert_eq!((found.digest, found.ports.clone()), (oracle.digest, oracle.ports));
    is_whole(&found, &flows);
}
