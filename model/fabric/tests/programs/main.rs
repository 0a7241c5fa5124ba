//! Every compiled load balancer makes the same decisions as its program, packet by packet, on random traffic
//! and random loads, while links fail and recover. The balancer's state equals the program's registers.

mod conga;
mod conweave;

use std::collections::BTreeMap;
use weft_fabric::balance::hash::{address, of_flow};
use weft_fabric::balance::{
    Balancer, Drill, Ecmp, LetFlow, PermutedTurns, Place, Random, Rotor, Shortest, Turns, Up, pipe_seed,
};
use weft_fabric::network::{Network, Queue, Tier, Wire};
use weft_fabric::order::Order;
use weft_fabric::packet::Packet;
use weft_fabric::route::{Router, Way};
use weft_random::Rng;
use weft_switch::kit::intrinsic::*;
use weft_switch::kit::{Gress, Phv, Pipe, Profile};
use weft_switch::schemes::{Built, Queues, Scheme, Site};
use weft_switch::topology::{Failed, Host, Switch, Topology};

fn network(topology: Topology) -> Network {
    Network {
        topology,
        order: Order::default(),
        tiers: [Tier { gbps: 400, delay_ps: 500_000 }; 3],
        unlike: BTreeMap::new(),
        switch_ps: 500_000,
        nic_in_ps: 0,
        nic_out_ps: 0,
        queues: vec![Queue { data_bytes: 1 << 20, control_bytes: 1 << 20, red: None, trims: true }; 3],
        buffer: None,
        wire: Wire::default(),
        seed: 0x5EED,
    }
}

/// The decision of the compiled balancer.
fn decide<B: Balancer>(router: &Router, balancer: &mut B, packet: &mut Packet, loads: &[u32]) -> Option<u16> {
    match router.way(packet.destination) {
        Way::Down(port) => {
            balancer.pass(packet, Some(port));
            Some(port)
        }
        Way::Up(group, target) => {
            let now_ps = packet.time_ps;
            Some(balancer.choose(packet, &Up { now_ps, group, target, loads }))
        }
        Way::None => {
            balancer.pass(packet, None);
            None
        }
    }
}

/// The program of a switch, with its control plane.
fn built(scheme: &Scheme, network: &Network, switch: Switch) -> (Built, Pipe) {
    let site = Site {
        topology: network.topology,
        switch,
        addresses: (0..network.topology.hosts()).map(address).collect(),
        queues: Queues::default(),
        seed: network.seed,
    };
    let built = scheme.build(site, Profile::default()).expect("it fits");
    let pipe = built.pipe(1, pipe_seed(network.seed, switch)).expect("it fits");
    (built, pipe)
}

/// Links fail and recover; routing learns of both.
fn strike(failed: &mut Failed, topology: &Topology, rng: &mut Rng) {
    let links = topology.links();
    match rng.chance(1, 3) {
        true => failed.clear(),
        false => failed.extend((0..1 + rng.index(3)).map(|_| *rng.pick(&links))),
    }
}

/// A packet's headers in the fields of the program's parser.
fn headers(pipe: &Pipe, packet: &Packet) -> Phv {
    let mut phv = pipe.phv();
    (phv[IS_IP], phv[CLOCK], phv[LENGTH]) = (1, packet.time_ps / 1_000, packet.bytes.into());
    [phv[SRC_HIGH], phv[SRC]] = address(packet.source);
    [phv[DST_HIGH], phv[DST]] = address(packet.destination);
    (phv[SPORT], phv[DPORT]) = (packet.ev.into(), 4791);
    phv
}

/// Runs both sides on every switch of a topology. Returns the number of packets that went up.
fn compare<B: Balancer>(
    scheme: &Scheme,
    topology: Topology,
    weighted: bool,
    make: impl Fn(&Place) -> B,
) -> u32 {
    let network = network(topology);
    let mut went_up = 0;
    for switch in (0..topology.switches()).map(Switch) {
        let (built, mut pipe) = built(scheme, &network, switch);
        let mut router = Router::new(&network, switch, weighted);
        let mut balancer = make(&Place { network: &network, switch });
        let mut rng = Rng::of(&[switch.0.into(), 77]);
        let up = topology.up_ports(switch);
        let (mut failed, mut now) = (Failed::new(), 1_000_000u64);
        for round in 0..4_000 {
            if round % 500 == 499 {
                strike(&mut failed, &topology, &mut rng);
                built.control.fill(&mut pipe, &failed).expect("it fits");
                router.learn(&topology, switch, &failed);
                balancer.learn(&Place { network: &network, switch }, &failed);
            }
            now += u64::from(rng.below(2_000_000));
            let (source, destination) = (rng.below(topology.hosts()), rng.below(topology.hosts()));
            // Few values, so that flows come back.
            let ev = 0xC000 + rng.below(8) as u16;
            let loads: Vec<u32> = (0..topology.ports(switch)).map(|_| 4160 * rng.below(6)).collect();
            let bytes = *rng.pick(&[64, 256, 257, 4160]);
            let hash = of_flow(source, destination);
            let mut packet =
                Packet { time_ps: now, source, destination, hash, ev, bytes, ..Packet::default() };
            let mut phv = headers(&pipe, &packet);
            pipe.run(Gress::Ingress, &mut phv, &loads);
            let expected = (phv[DROP] == 0).then_some(phv[PORT_OUT] as u16);
            let found = decide(&router, &mut balancer, &mut packet, &loads);
            assert_eq!(found, expected, "{switch:?}, round {round}, to {destination}, {failed:?}");
            went_up += u32::from(found.is_some_and(|port| up.contains(&port)));
            if round % 100 == 0 {
                same_registers(&pipe, &balancer);
            }
            assert!(
                found.is_some() || topology.attachment(Host(destination)).0 != switch || !failed.is_empty()
            );
        }
        same_registers(&pipe, &balancer);
    }
    went_up
}

/// Every cell of every register array of the program equals the state of the compiled one.
fn same_registers(pipe: &Pipe, balancer: &impl Balancer) {
    // A switch whose ports all lead down has no load balancer.
    let arrays: Vec<_> = pipe.program().arrays().collect();
    let registers = balancer.registers();
    assert!(arrays.is_empty() || arrays.len() == registers.len(), "{arrays:?}");
    for (array, name, cells, _) in arrays {
        let (_, found) = registers.iter().find(|(other, _)| *other == name).expect(name);
        assert_eq!(found.len(), cells, "{name}");
        for (cell, at) in found.iter().zip(0..) {
            assert_eq!(*cell, pipe.cell(array, at), "{name}, cell {at}");
        }
    }
}

fn all<B: Balancer>(scheme: &Scheme, weighted: bool, make: impl Fn(&Place) -> B) {
    for topology in [
        Topology::leaf_spine(4, 5, 3).expect("small"),
        Topology::fat_tree(4).expect("small"),
        Topology::fat_tree_with(6, 2).expect("small"),
    ] {
        assert!(compare(scheme, topology, weighted, &make) > 1_000);
    }
}

#[test]
fn ecmp() {
    all(&Scheme::Ecmp {}, false, Ecmp::new);
}

#[test]
fn weighted_ecmp() {
    all(&Scheme::Wecmp {}, true, Ecmp::new);
}

#[test]
fn random() {
    all(&Scheme::Rsq {}, false, Random::new);
}

#[test]
fn round_robin() {
    all(&Scheme::RoundRobin {}, false, Turns::new);
}

#[test]
fn permuted_round_robin() {
    let scheme = Scheme::PermutedRoundRobin { turns: 5, orders: 16 };
    all(&scheme, false, |place| PermutedTurns::new(place, 5, 16));
}

#[test]
fn jsq() {
    all(&Scheme::Jsq {}, false, Shortest::new);
}

#[test]
fn quantised() {
    let (buffer_bytes, percent) = (40_000, [5, 12, 40]);
    let scheme = Scheme::Quantised { buffer_bytes: Some(buffer_bytes), percent };
    all(&scheme, false, |place| Shortest::quantised(place, buffer_bytes, percent));
}

#[test]
fn drill() {
    all(&Scheme::Drill {}, false, Drill::new);
}

#[test]
fn let_flow() {
    let (gap_clocks, entries) = (20_000, 300);
    let scheme = Scheme::LetFlow { gap_clocks, entries };
    all(&scheme, false, |place| LetFlow::new(place, gap_clocks, entries));
}

#[test]
fn ofan() {
    use weft_switch::ofan::{Classes, First, Ofan, Schedules, Weights};
    let paper = Ofan::default();
    let fib = Ofan { weights: Weights::Fib, schedules: Schedules::PerDestination, ..paper.clone() };
    for options in [paper.clone(), fib] {
        all(&Scheme::Ofan(options.clone()), false, |place| Rotor::<false>::new(place, &options));
    }
    let shortest = Ofan { first: First::ShortestQueue, classes: Classes(vec![64, 256]), ..paper };
    all(&Scheme::Ofan(shortest.clone()), false, |place| Rotor::<true>::new(place, &shortest));
}
