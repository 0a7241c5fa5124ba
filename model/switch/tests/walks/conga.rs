//! CONGA: a small leaf-spine of whole switches, so that copies return by the recirculation port.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use weft_switch::kit::Profile;
use weft_switch::schemes::{Conga, Scheme, Site};
use weft_switch::switch::{Latency, Settings, Transaction};
use weft_switch::tm;
use weft_switch::topology::{Failed, Host, Node, Switch, Topology};
use weft_wire::packet::Plain;
use weft_wire::{Body, Bth, Envelope, frame};

type Whole = weft_switch::switch::Switch<Transaction>;

/// Clocks between two packets at a link's full rate, 1,100 bytes with all headers and gaps.
const PACKET: u64 = 90;

struct Fabric {
    topology: Topology,
    switches: Vec<Whole>,
    clock: u64,
    /// Frames by clock and number, with the places of their arrival.
    wires: BTreeMap<(u64, u64), (Switch, u16, Vec<u8>)>,
    number: u64,
    /// The packets that hosts received.
    got: Vec<(Host, Vec<u8>)>,
    /// Number of frames by the port that they left.
    left: BTreeMap<(Switch, u16), u32>,
}

fn address(host: u32) -> Ipv4Addr {
    Ipv4Addr::from(0x0A00_0001 + host)
}

/// A packet of a flow, with the Resv7 bits of a weft NIC.
fn packet(src: u32, dst: u32, sport: u16, psn: u32) -> Vec<u8> {
    let payload = [psn as u8; 1000];
    let plain = Plain { reth: None, aeth: None, immediate: None, payload: &payload };
    let bth = Bth::data(7, psn).with_opcode(0x07).with_sprayed(true);
    frame::encode(&Envelope::v4(address(src), address(dst), sport), bth, &Body::Plain(plain)).expect("short")
}

impl Fabric {
    /// Two leaves with two hosts each, three spines.
    fn new(seed: u64) -> Self {
        let topology = Topology::leaf_spine(2, 3, 2).expect("small");
        let options = Conga {
            gap_clocks: 500,
            entries: 4_096,
            dre_clocks: 1_000,
            dre_parts: 5,
            age_clocks: 20_000,
            gbit_per_s: Some(100),
        };
        let scheme = Scheme::Conga(options);
        let addresses: Arc<[[u64; 2]]> =
            (0..topology.hosts()).map(|host| [0, u32::from(address(host)).into()]).collect();
        let switch = |switch| {
            let addresses = Arc::clone(&addresses);
            let site = Site { topology, switch, addresses, queues: scheme.queues(), seed };
            let built = scheme.build(site, Profile::default()).expect("fits");
            let ports = topology.ports(switch);
            let leads = |port| matches!(topology.peer(switch, port), Some((Node::Switch(_), _)));
            let port = tm::Port::new(tm::Rate::gbps(100), 2);
            let settings = Settings {
                to_switch: (0..ports).map(leads).collect(),
                form: scheme.form(),
                tm: tm::Settings::new(vec![port; usize::from(ports) + 1], 64 << 20),
                clocks_per_tick: 1_000,
                latency: Latency::default(),
                loop_clocks: 1_000,
                seed: seed << 8 | u64::from(switch.0),
            };
            let mut whole = Whole::new(Arc::clone(&built.program), settings).expect("can be");
            built.control.start(whole.pipe_mut());
            built.control.fill(whole.pipe_mut(), &Failed::new()).expect("fits");
            whole
        };
        let switches = (0..topology.switches()).map(|number| switch(Switch(number))).collect();
        Self {
            topology,
            switches,
            clock: 0,
            wires: BTreeMap::new(),
            number: 0,
            got: Vec::new(),
            left: BTreeMap::new(),
        }
    }

    /// Gives a frame to a port now.
    fn inject(&mut self, switch: Switch, port: u16, frame: Vec<u8>) {
        self.number += 1;
        self.wires.insert((self.clock, self.number), (switch, port, frame));
    }

    fn send(&mut self, src: u32, frame: Vec<u8>) {
        let (leaf, port) = self.topology.attachment(Host(src));
        self.inject(leaf, port, frame);
    }

    fn clock(&mut self) {
        while let Some(entry) = self.wires.first_entry().filter(|entry| entry.key().0 <= self.clock) {
            let (switch, port, frame) = entry.remove();
            self.switches[switch.0 as usize].receive(self.clock, port, frame);
        }
        for number in 0..self.switches.len() {
            let mut out = Vec::new();
            self.switches[number].clock(self.clock, &mut |port, frame| out.push((port, frame)));
            for (port, frame) in out {
                let switch = Switch(number as u32);
                *self.left.entry((switch, port)).or_default() += 1;
                match self.topology.peer(switch, port).expect("a port") {
                    (Node::Host(host), _) => self.got.push((host, frame)),
                    (Node::Switch(next), its) => {
                        self.number += 1;
                        self.wires.insert((self.clock + 500, self.number), (next, its, frame));
                    }
                }
            }
        }
        self.clock += 1;
    }

    fn run(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| self.clock());
    }

    /// Number of packets that left leaf 0 by each uplink since the last call.
    fn uplinks(&mut self) -> [u32; 3] {
        [2, 3, 4].map(|port| self.left.remove(&(Switch(0), port)).unwrap_or(0))
    }

    /// Sends new flowlets in both directions, each of one packet. `busy`: a spine whose link to leaf 1 is
    /// full of other packets.
    fn exchange(&mut self, flowlets: u16, busy: Option<u32>) {
        for flowlet in 0..flowlets {
            let sport = (self.clock as u16).wrapping_add(flowlet) | 0xC000;
            self.send(0, packet(0, 2, sport, 1));
            self.send(2, packet(2, 0, sport, 1));
            for _ in 0..10 {
                if let Some(spine) = busy {
                    // The packet came from a leaf that does not run CONGA.
                    self.inject(Switch(2 + spine), 0, packet(1, 3, 0xC000, 2));
                }
                self.run(PACKET);
            }
        }
    }
}

#[test]
fn packets_arrive_as_they_were_sent() {
    let mut fabric = Fabric::new(1);
    let mut sent = Vec::new();
    for psn in 0..300 {
        let (src, dst) = (psn % 4, (psn / 4) % 4);
        let packet = packet(src, dst, 0xC000 + psn as u16 % 7, psn);
        sent.push((Host(dst), packet.clone()));
        fabric.send(src, packet);
        fabric.run(100);
    }
    fabric.run(10_000);
    let mut got = std::mem::take(&mut fabric.got);
    sent.sort();
    got.sort();
    assert_eq!(got, sent);
    let [recirculated, mirrored] = [0, 1]
        .map(|leaf| fabric.switches[leaf].counters().recirculated)
        .iter()
        .zip([0, 1].map(|leaf| fabric.switches[leaf].counters().mirrored))
        .fold([0, 0], |[a, b], (c, d)| [a + c, b + d]);
    // The switch makes one copy for each change of a level and each age, and none for other packets. A copy
    // makes no copy.
    assert!(recirculated == mirrored && (3..150).contains(&mirrored), "{recirculated} {mirrored}");
}

#[test]
fn a_copy_adds_nothing_to_the_estimate_and_makes_no_copy() {
    let mut fabric = Fabric::new(4);
    // The first packet of an age makes a report.
    fabric.run(25_000);
    let sent = packet(0, 2, 0xC000, 1);
    fabric.send(0, sent.clone());
    fabric.run(10_000);
    let leaf = &fabric.switches[0];
    assert_eq!((leaf.counters().mirrored, leaf.counters().recirculated), (1, 1));
    let (load, _, cells, _) =
        leaf.pipe().program().arrays().find(|(_, name, ..)| *name == "load").expect("it has");
    let bytes: u64 = (0..cells as u64).map(|cell| leaf.pipe().cell(load, cell) & 0xFFFF_FFFF).sum();
    assert_eq!(bytes, sent.len() as u64);
}

#[test]
fn new_flowlets_avoid_the_congested_path_until_it_ages() {
    let mut fabric = Fabric::new(2);
    fabric.exchange(60, None);
    let even = fabric.uplinks();
    assert!(even.iter().all(|count| *count >= 8), "{even:?}");
    // The link from spine 1 to leaf 1 fills up. Leaf 1 sees this in packets that use the link, and sends
    // feedback to leaf 0.
    fabric.exchange(20, Some(1));
    fabric.uplinks();
    fabric.exchange(60, Some(1));
    let [a, busy, b] = fabric.uplinks();
    assert!(a + b >= 50 && busy <= 10, "{a} {busy} {b}");
    // A metric that is not renewed expires.
    fabric.exchange(60, None);
    fabric.uplinks();
    fabric.exchange(60, None);
    let again = fabric.uplinks();
    assert!(again.iter().all(|count| *count >= 8), "{again:?}");
}

#[test]
fn a_leaf_avoids_its_own_loaded_uplink() {
    let mut fabric = Fabric::new(3);
    // One flow without gaps fills an uplink.
    let mut flow = [0; 3];
    for psn in 0..200 {
        fabric.send(1, packet(1, 3, 0xFFFF, psn));
        fabric.run(PACKET);
    }
    let counts = fabric.uplinks();
    for (uplink, count) in counts.iter().enumerate() {
        flow[uplink] = *count;
    }
    let loaded = (0..3).find(|uplink| flow[*uplink] > 190).expect("one flowlet, one uplink");
    let mut others = [0; 3];
    for flowlet in 0..40 {
        fabric.send(0, packet(0, 2, 0xC000 + flowlet, 1));
        for psn in 0..10 {
            fabric.send(1, packet(1, 3, 0xFFFF, psn));
            fabric.run(PACKET);
        }
        let counts = fabric.uplinks();
        (0..3).for_each(|uplink| others[uplink] += counts[uplink]);
    }
    others[loaded] -= 400.min(others[loaded]);
    assert!(others[loaded] <= 3, "{others:?}, {loaded} is loaded");
}

#[test]
fn a_fat_tree_is_refused() {
    let topology = Topology::fat_tree(4).expect("even");
    let scheme = Scheme::Conga(Conga::default());
    let addresses = (0..topology.hosts()).map(|host| [0, host.into()]).collect();
    let site = Site { topology, switch: Switch(0), addresses, queues: scheme.queues(), seed: 1 };
    let error = scheme.build(site, Profile::default()).err().expect("three tiers");
    assert_eq!(error.to_string(), "CONGA is for a leaf-spine; a fat tree has a third tier");
}
