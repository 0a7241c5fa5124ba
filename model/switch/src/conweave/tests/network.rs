//! A network of ConWeave switches with links whose delays change, go-back-N hosts, and loss.

use crate::conweave::*;
use crate::switch::{Latency, Settings, Switch, Transaction, View};
use crate::tm;
use crate::topology::{Failed, Host, Node, Role, Topology};
use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::sync::Arc;
use weft_random::Rng;
use weft_wire::packet::Plain;
use weft_wire::{Body, Bth, Ecn, Envelope, frame, icrc};

/// A trial.
#[derive(Clone)]
pub(super) struct Trial {
    pub(super) topology: Topology,
    pub(super) options: Options,
    pub(super) seed: u64,
    /// Longest delay of a link between switches, in clocks beyond 1 us.
    pub(super) delay: u32,
    /// One packet in this many is lost between switches; 0: none.
    pub(super) loss: u32,
    pub(super) packets: u32,
    /// Whether all flows go to the last two hosts, at a higher rate than the ports of these hosts.
    pub(super) incast: bool,
}

/// The outcome of a trial.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Result {
    /// Number of packets that arrived after a packet that was sent later.
    pub(super) out_of_order: u64,
    /// Number of packets out of order on flows that lost no TAIL.
    pub(super) out_of_order_with_tails: u64,
    pub(super) arrived: u64,
    /// Number of flows whose last packet has been accepted.
    pub(super) finished: usize,
    pub(super) flows: usize,
    /// Number of TAILs lost between switches.
    pub(super) tails_lost: u64,
    pub(super) lost: u64,
    /// Counters summed over all switches.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// Number of TAILs that a traffic manager dropped.
    pub(super) tails_dropped: u64,
}

impl Result {
    pub(super) fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_else(|| panic!("no counter {name}"))
    }
}

struct Flow {
    source: Host,
    destination: Host,
    sport: u16,
    /// Next PSN to send, and next PSN expected.
    next: u32,
    expected: u32,
    /// Number of packets sent, including those sent again, and the highest that arrived.
    sent: u64,
    latest: u64,
    gap: u64,
    out_of_order: u64,
    tails_lost: u64,
}

#[derive(Debug)]
enum Event {
    /// The last byte of a frame arrives.
    Arrives(Node, u16, Vec<u8>),
    /// A flow may send.
    Sends(usize),
    /// The receiver reports a gap to the sender.
    Nack(usize, u32),
    /// The sender checks when its last packet arrived: after too long a silence the sender repeats its
    /// packets.
    Checks(usize, u32),
}

fn address(host: Host) -> Ipv4Addr {
    Ipv4Addr::from(0x0A00_0001 + host.0)
}

/// A plain RC packet. Its payload begins with the number of packets that its flow has sent.
pub(super) fn data(from: Ipv4Addr, to: Ipv4Addr, sport: u16, psn: u32, number: u64, bytes: usize) -> Vec<u8> {
    let envelope = Envelope::v4(from, to, sport).marked(0, Ecn::Ect0);
    let mut payload = number.to_be_bytes().to_vec();
    payload.resize(bytes.max(8), psn as u8);
    let plain = Plain { reth: None, aeth: None, immediate: None, payload: &payload };
    let bth = Bth::data(7, psn).with_opcode(0x07).with_sprayed(false);
    frame::encode(&envelope, bth, &Body::Plain(plain)).expect("short")
}

pub(super) fn settings(options: &Options, ports: u16, to_switch: Vec<bool>, seed: u64) -> Settings {
    let port = tm::Port::new(tm::Rate::gbps(100), options.reorder_queues.into());
    Settings {
        to_switch,
        form: options.form,
        tm: tm::Settings::new(vec![port; usize::from(ports) + 1], 64 << 20),
        clocks_per_tick: options.clocks_per_tick,
        latency: Latency::default(),
        loop_clocks: 1000,
        seed,
    }
}

/// Runs the trial to its end, in the transaction view.
pub(super) fn run(trial: &Trial) -> Result {
    run_in::<Transaction>(trial)
}

/// Runs the trial to its end.
pub(super) fn run_in<V: View>(trial: &Trial) -> Result {
    let Trial { topology, options, seed, .. } = trial;
    let mut rng = Rng::new(*seed);
    let sizes = Sizes { ports: 8, connections: 256, hosts: 16, groups: 9, paths: 8 };
    let edge = Arc::new(tor(options, &sizes).expect("it keeps the rules"));
    let upper = [1, 2].map(|layer| Arc::new(transit(options, &sizes, layer).expect("it keeps the rules")));
    let mut controls = Vec::new();
    let mut switches = Vec::new();
    for role in [Role::Edge, Role::Aggregation, Role::Core] {
        for id in topology.of_role(role) {
            let program = match role {
                Role::Edge => &edge,
                Role::Aggregation => &upper[0],
                Role::Core => &upper[1],
            };
            let ports = sizes.ports;
            let to_switch =
                (0..ports).map(|port| matches!(topology.peer(id, port), Some((Node::Switch(_), _))));
            let settings = settings(options, ports, to_switch.collect(), seed ^ u64::from(id.0));
            let mut switch = Switch::<V>::new(program.clone(), settings).expect("settings");
            let mut control = Control::new();
            let none = Failed::new();
            let fits = install(&mut control, switch.pipe_mut(), topology, id, &none, |host| {
                std::net::IpAddr::from(address(host)).into()
            });
            assert!(fits);
            controls.push(control);
            switches.push(switch);
        }
    }

    let mut flows = Vec::new();
    for at in 0..16_u16 {
        let source = Host(rng.below(if trial.incast { 4 } else { 6 }));
        let destination = loop {
            let host = Host(if trial.incast { 4 } else { 0 } + rng.below(if trial.incast { 2 } else { 6 }));
            if topology.attachment(host).0 != topology.attachment(source).0 {
                break host;
            }
        };
        let sport = 0xC000 + at;
        for end in [source, destination] {
            let leaf = topology.attachment(end).0.0 as usize;
            let ip = |host| std::net::IpAddr::from(address(host));
            let reply = options.theta.reply;
            let pipe = switches[leaf].pipe_mut();
            assert!(controls[leaf].connect(pipe, ip(source), ip(destination), sport, reply));
        }
        // The flows together send at about the rate of a host's link, or more.
        let gap = if trial.incast { 600 } else { 300 } + u64::from(rng.below(600));
        let (next, expected, sent, latest) = (0, 0, 0, 0);
        let flow = Flow {
            source,
            destination,
            sport,
            next,
            expected,
            sent,
            latest,
            gap,
            out_of_order: 0,
            tails_lost: 0,
        };
        flows.push(flow);
    }

    let mut result = Result { flows: flows.len(), ..Result::default() };
    let mut events: BTreeMap<(u64, u64), Event> = BTreeMap::new();
    let mut number = 0;
    let mut post = |events: &mut BTreeMap<(u64, u64), Event>, at: u64, event: Event| {
        number += 1;
        events.insert((at, number), event);
    };
    for (at, _) in flows.iter().enumerate() {
        post(&mut events, rng.below(5000).into(), Event::Sends(at));
    }
    // State of each link between switches, by its sender: present delay, end of this delay, last arrival.
    let mut links: BTreeMap<(u32, u16), (u64, u64, u64)> = BTreeMap::new();
    let (mut from, end) = (0, 40_000_000);
    while from < end {
        let due = switches.iter().filter_map(|switch| switch.next(from)).min();
        let event = events.keys().next().map(|(at, _)| *at);
        let Some(next) = due.into_iter().chain(event).min() else { break };
        // A switch runs each clock once.
        let clock = from.max(next);
        from = clock + 1;
        while let Some(entry) = events.first_entry().filter(|entry| entry.key().0 <= clock) {
            match entry.remove() {
                Event::Arrives(Node::Switch(id), port, frame) => {
                    switches[id.0 as usize].receive(clock, port, frame);
                }
                Event::Arrives(Node::Host(_), _, frame) => {
                    result.arrived += 1;
                    assert_eq!(icrc::icrc_ok(&frame), Some(true), "a host gets what a host sent");
                    let sport = u16::from_be_bytes([frame[34], frame[35]]);
                    let psn = u32::from_be_bytes([0, frame[51], frame[52], frame[53]]);
                    let stamp = u64::from_be_bytes(frame[54..62].try_into().expect("8 bytes"));
                    let at = usize::from(sport - 0xC000);
                    let flow = &mut flows[at];
                    flow.out_of_order += u64::from(stamp < flow.latest);
                    flow.latest = flow.latest.max(stamp);
                    if psn == flow.expected {
                        flow.expected += 1;
                    } else if psn > flow.expected {
                        post(&mut events, clock + 5000, Event::Nack(at, flow.expected));
                    }
                }
                Event::Sends(at) => {
                    let flow = &mut flows[at];
                    if flow.next < trial.packets {
                        flow.sent += 1;
                        let (from, to) = (address(flow.source), address(flow.destination));
                        let bytes = 200 + rng.index(800);
                        let frame = data(from, to, flow.sport, flow.next, flow.sent, bytes);
                        flow.next += 1;
                        let (leaf, port) = topology.attachment(flow.source);
                        post(&mut events, clock + 500, Event::Arrives(Node::Switch(leaf), port, frame));
                        // A flow is sometimes silent for long.
                        let pause = if rng.chance(1, 400) { 500_000 } else { 0 };
                        post(&mut events, clock + flow.gap + pause, Event::Sends(at));
                        if flow.next == trial.packets {
                            post(&mut events, clock + 2_000_000, Event::Checks(at, flow.expected));
                        }
                    }
                }
                Event::Nack(at, psn) => {
                    let flow = &mut flows[at];
                    // There is one go-back for each gap: the sender has already gone back when later NACKs of
                    // the gap arrive.
                    if psn == flow.expected && flow.next > psn {
                        let stopped = flow.next == trial.packets;
                        flow.next = psn;
                        if stopped {
                            post(&mut events, clock, Event::Sends(at));
                        }
                    }
                }
                Event::Checks(at, expected) => {
                    let flow = &mut flows[at];
                    if flow.expected < trial.packets {
                        if flow.next == trial.packets && flow.expected == expected {
                            flow.next = flow.expected;
                            post(&mut events, clock, Event::Sends(at));
                        } else {
                            post(&mut events, clock + 2_000_000, Event::Checks(at, flow.expected));
                        }
                    }
                }
            }
        }
        for (id, switch) in switches.iter_mut().enumerate() {
            if switch.next(clock).is_none_or(|next| next > clock) {
                continue;
            }
            let mut out = VecDeque::new();
            switch.clock(clock, &mut |port, frame| out.push_back((port, frame)));
            for (port, frame) in out {
                let Some((node, its)) = topology.peer(crate::topology::Switch(id as u32), port) else {
                    panic!("switch {id} sends to port {port}, where nothing is");
                };
                let wire = (frame.len() as u64 + 24) * 8 / 100 + 1;
                let mut at = clock + wire + 500;
                if let Node::Switch(_) = node {
                    let link = links.entry((id as u32, port)).or_default();
                    if clock >= link.1 {
                        let delay = if rng.chance(1, 3) { rng.below(trial.delay.max(1)).into() } else { 0 };
                        *link = (delay, clock + rng.range(20_000..=219_999), link.2);
                    }
                    at = (clock + wire + 1000 + link.0).max(link.2 + 1);
                    link.2 = at;
                    if trial.loss > 0 && rng.chance(1, trial.loss) {
                        result.lost += 1;
                        // Data has opcode 1 or 2 in the bits above.
                        if frame[46] != 0 && frame[50] & 1 == 1 && (1..3).contains(&(frame[50] >> 4 & 7)) {
                            let sport = u16::from_be_bytes([frame[34], frame[35]]);
                            flows[usize::from(sport - 0xC000)].tails_lost += 1;
                        }
                        continue;
                    }
                }
                post(&mut events, at, Event::Arrives(node, its, frame));
            }
        }
    }
    for switch in &switches {
        for (name, count) in counters(switch.pipe()) {
            *result.counts.entry(name).or_default() += count;
        }
        let counters = switch.tm().counters();
        result.tails_dropped += counters.lost_resumes;
    }
    for flow in &flows {
        result.out_of_order += flow.out_of_order;
        result.tails_lost += flow.tails_lost;
        if flow.tails_lost == 0 {
            result.out_of_order_with_tails += flow.out_of_order;
        }
    }
    result.finished = flows.iter().filter(|flow| flow.expected == trial.packets).count();
    result
}
