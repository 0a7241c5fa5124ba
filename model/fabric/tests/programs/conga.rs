//! CONGA compared with its programs: packets arrive, wait, leave, and carry levels and metrics.

use super::{built, decide, headers, network, same_registers, strike};
use std::collections::VecDeque;
use weft_fabric::balance::hash::of_flow;
use weft_fabric::balance::{Balancer, Conga, LOOP_PS, Place};
use weft_fabric::packet::{HEADER_BYTES, Packet};
use weft_fabric::route::Router;
use weft_random::Rng;
use weft_switch::kit::intrinsic::*;
use weft_switch::kit::{Gress, Phv, Pipe};
use weft_switch::schemes::{Scheme, conga};
use weft_switch::topology::{Failed, Host, Role, Switch, Topology};

/// A switch, twice.
struct Twins {
    is_leaf: bool,
    pipe: Pipe,
    router: Router,
    balancer: Conga,
    /// The packets that wait at every port.
    queues: Vec<VecDeque<(Packet, Phv)>>,
    /// Copies in the recirculation loop, by time.
    copies: Vec<(u64, Phv)>,
    /// Packets that left with a header; copies that returned.
    left: u32,
    back: u32,
}

impl Twins {
    /// The copies that have returned pass the program.
    fn reports(&mut self, now_ps: u64) {
        self.copies.sort_by_key(|(at, phv)| (*at, phv[PORT_OUT]));
        while self.copies.first().is_some_and(|(at, _)| *at <= now_ps) {
            let (at, mut phv) = self.copies.remove(0);
            self.pipe.forget(&mut phv, false);
            (phv[PASS], phv[CLOCK]) = (2, at / 1_000);
            self.pipe.run(Gress::Ingress, &mut phv, &[]);
            assert_eq!(phv[DROP], 1, "a copy ends");
            self.back += 1;
        }
    }

    fn come(&mut self, mut packet: Packet) {
        self.reports(packet.time_ps);
        let mut phv = headers(&self.pipe, &packet);
        phv[IS_ROCE] = 1;
        if packet.header != 0 {
            write(&mut phv, packet.header);
            packet.bytes += HEADER_BYTES;
        }
        self.pipe.run(Gress::Ingress, &mut phv, &[]);
        let expected = (phv[DROP] == 0).then_some(phv[PORT_OUT] as u16);
        let found = decide(&self.router, &mut self.balancer, &mut packet, &[]);
        assert_eq!(found, expected, "{packet:?}");
        if let Some(port) = found {
            assert_eq!(packet.header, read(&phv), "{packet:?}");
            let header = if packet.header == 0 { 0 } else { HEADER_BYTES };
            assert_eq!(u64::from(packet.bytes - header), phv[LENGTH]);
            self.queues[usize::from(port)].push_back((packet, phv));
        }
    }

    /// Removes a waiting packet, which is not always the oldest one.
    fn leave(&mut self, port: usize, now_ps: u64, rng: &mut Rng) {
        let overtakes = rng.chance(1, 4);
        let queue = &mut self.queues[port];
        let Some((mut packet, mut phv)) = (if overtakes { queue.pop_back() } else { queue.pop_front() })
        else {
            return;
        };
        self.pipe.ask_anew(&mut phv);
        phv[PORT_OUT] = port as u64;
        self.pipe.run(Gress::Egress, &mut phv, &[]);
        self.balancer.leave(&mut packet, port as u16, now_ps);
        assert_eq!(packet.header, read(&phv), "{packet:?}");
        self.left += u32::from(packet.header != 0);
        if phv[MIRROR] == 1 {
            self.copies.push((now_ps + LOOP_PS, phv));
        }
    }
}

/// Writes the header of a packet into the fields of the parser.
fn write(phv: &mut Phv, bits: u16) {
    let bits = u64::from(bits);
    (phv[CW_VALID], phv[CW_PATH], phv[CW_OPCODE]) = (1, bits & 0xF, bits >> 4 & 7);
    (phv[CW_TAIL_TX], phv[CW_TX]) = (bits >> 7 & 0xF, bits >> 11);
}

/// The header in the form that the deparser writes; 0: no header.
fn read(phv: &Phv) -> u16 {
    let bits = phv[CW_PATH] | phv[CW_OPCODE] << 4 | phv[CW_TAIL_TX] << 7 | phv[CW_TX] << 11;
    if phv[CW_VALID] == 1 { bits as u16 } else { 0 }
}

/// Compares both programs on every switch; returns the twins of each switch.
fn compare(topology: Topology, options: conga::Conga) -> Vec<Twins> {
    let network = network(topology);
    let twins = |switch| {
        let (control, pipe) = built(&Scheme::Conga(options), &network, switch);
        let place = Place { network: &network, switch };
        let mut it = Twins {
            is_leaf: topology.role(switch) == Role::Edge,
            pipe,
            router: Router::new(&network, switch, false),
            balancer: Conga::new(&place, &options).expect("it can be"),
            queues: vec![VecDeque::new(); topology.ports(switch).into()],
            copies: Vec::new(),
            left: 0,
            back: 0,
        };
        let mut rng = Rng::of(&[switch.0.into(), 78]);
        let (mut failed, mut now) = (Failed::new(), 1_000_000u64);
        let uplinks = topology.up_ports(Switch(0)).len() as u32;
        for round in 0..20_000 {
            if round % 1_000 == 999 {
                strike(&mut failed, &topology, &mut rng);
                control.control.fill(&mut it.pipe, &failed).expect("it fits");
                it.router.learn(&topology, switch, &failed);
                it.balancer.learn(&place, &failed);
            }
            // At times nothing happens for many decays and ages.
            let most = if rng.chance(1, 500) { 400_000_000 } else { 300_000 };
            now += u64::from(rng.below(most));
            if rng.chance(1, 2) {
                let port = rng.index(it.queues.len());
                it.leave(port, now, &mut rng);
                continue;
            }
            let host = |rng: &mut Rng| rng.below(topology.hosts());
            let (source, destination) = (host(&mut rng), host(&mut rng));
            // The packet goes up from this leaf, comes from a spine, or passes between hosts of this leaf.
            let leaf = |host| topology.attachment(Host(host)).0;
            let [is_own, ends] = [source, destination].map(|host| leaf(host) == switch);
            if it.is_leaf && !is_own && !ends {
                continue;
            }
            let header = match is_own {
                true => 0,
                false => {
                    let uplink = 1 + rng.below(uplinks);
                    let (metric, about, told) = (rng.below(8), rng.below(uplinks + 1), rng.below(8));
                    (uplink | metric << 4 | about << 7 | told << 11) as u16
                }
            };
            let ev = 0xC000 + rng.below(6) as u16;
            let (hash, bytes) = (of_flow(source, destination), *rng.pick(&[64, 1_500, 4160]));
            let packet =
                Packet { time_ps: now, source, destination, hash, ev, bytes, header, ..Packet::default() };
            it.come(packet);
            if round % 100 == 0 {
                same_registers(&it.pipe, &it.balancer);
            }
        }
        it
    };
    (0..topology.switches()).map(Switch).map(twins).collect()
}

#[test]
fn conga() {
    let options = conga::Conga {
        gap_clocks: 2_000,
        entries: 300,
        dre_clocks: 1_000,
        dre_parts: 5,
        age_clocks: 30_000,
        gbit_per_s: Some(40),
    };
    for (leaves, spines, hosts) in [(4, 5, 3), (3, 14, 2)] {
        let topology = Topology::leaf_spine(leaves, spines, hosts).expect("small");
        for twins in compare(topology, options) {
            assert!(twins.left > 1_000, "{}", twins.left);
            assert!(!twins.is_leaf || twins.back > 100, "{}", twins.back);
        }
    }
}
