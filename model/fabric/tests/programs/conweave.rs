//! ConWeave compared with its programs: packets arrive, wait and leave; second passes follow; loop packets
//! loop; copies return.

use super::{built, headers, network, same_registers, strike};
use std::collections::{BTreeMap, VecDeque};
use weft_fabric::balance::hash::{address, of_flow};
use weft_fabric::balance::{Act, Balancer, CUT_BYTES, ConWeave, Course, LOOP_PS, Place};
use weft_fabric::packet::{CONTROL, ECN, HEADER_BYTES, MADE, MARKER, Packet, TRIMMED};
use weft_fabric::route::{Router, Way};
use weft_random::Rng;
use weft_switch::conweave::{self, Notify, Preset, counter, opcode};
use weft_switch::kit::intrinsic::ECN as ECN_FIELD;
use weft_switch::kit::intrinsic::*;
use weft_switch::kit::{Field, Gress, Phv, Pipe};
use weft_switch::schemes::{Flow, Scheme};
use weft_switch::topology::{Failed, Host, Role, Switch, Topology};

/// DSCP of ACKs, of trimmed packets, of data.
const DSCPS: [u64; 3] = [46, 12, 4];

/// For both sides, a packet that waits in a queue, and the queue that resumes when the packet leaves.
struct Waiting {
    packet: Packet,
    phv: Phv,
    resumes: Option<(u16, u8)>,
}

/// A switch, twice.
struct Twins {
    pipe: Pipe,
    router: Router,
    balancer: ConWeave,
    is_edge: bool,
    ports: u16,
    hosts: u16,
    control_queue: u64,
    clocks_per_tick: u64,
    now_ps: u64,
    /// Queues by port and queue number, as the compiled program counts queues.
    queues: BTreeMap<(u16, u8), VecDeque<Waiting>>,
    /// Loop packets of the program, by time and number.
    loops: BTreeMap<(u64, u64), Phv>,
    number: u64,
}

/// The requests of the program in a pass.
#[derive(Default)]
struct Asked {
    acts: Vec<Act>,
    /// The copies, and loop packets that enter queues, in the order of their actions.
    sent: Vec<Phv>,
    course: Option<(u16, u8)>,
    /// A packet for switches has ended, or is dropped.
    resumes: Option<(u16, u8)>,
    phv: Phv,
}

impl Twins {
    fn pass(&mut self, phv: &mut Phv, number: u64) {
        self.pipe.forget(phv, false);
        let clock = self.now_ps / 1_000;
        (phv[PASS], phv[CLOCK]) = (number, clock);
        phv[TICK] = (clock / self.clocks_per_tick) & u64::from(u32::MAX);
        self.pipe.run(Gress::Ingress, phv, &[]);
    }

    /// The recirculation port: a packet passes the egress stages and enters again.
    fn recirculate(&mut self, mut phv: Phv, at_ps: u64) {
        self.pipe.ask_anew(&mut phv);
        phv[PORT_OUT] = self.ports.into();
        self.pipe.run(Gress::Egress, &mut phv, &[]);
        self.number += 1;
        self.loops.insert((at_ps, self.number), phv);
    }

    /// The effect of a pass on the hardware.
    fn settle(&mut self, mut phv: Phv, asked: &mut Asked) {
        let (port, queue) = (phv[AFC_PORT] as u16, phv[AFC_QUEUE] as u8);
        match phv[AFC] {
            1 => asked.acts.push(Act::Hold { port, queue }),
            2 => asked.acts.push(Act::Release { port, queue }),
            3 => asked.resumes = Some((port, queue)),
            _ => {}
        }
        self.mirror(&phv, asked);
        let (port, queue) = (phv[PORT_OUT] as u16, phv[QUEUE]);
        if phv[RESUBMIT] == 1 {
            self.pass(&mut phv, 1);
            self.settle(phv, asked);
            return;
        }
        if phv[DROP] == 0 && port == self.ports {
            let again_ps = phv[CLOCK] * 1_000 + LOOP_PS;
            self.recirculate(phv.clone(), again_ps);
        } else if phv[DROP] == 0 {
            asked.course = Some((port, if queue == self.control_queue { 0 } else { queue as u8 }));
        }
        asked.phv = phv;
    }

    fn mirror(&mut self, phv: &Phv, asked: &mut Asked) {
        if phv[MIRROR] == 0 {
            return;
        }
        let mut copy = phv.clone();
        copy[PASS] = 3;
        let port = copy[MIRROR_PORT] as u16;
        assert_eq!(copy[MIRROR_QUEUE], self.control_queue);
        if port == self.ports {
            let again_ps = (copy[CLOCK] * 1_000 + LOOP_PS).max(self.now_ps);
            self.recirculate(copy, again_ps);
        } else {
            asked.acts.push(Act::Send { port, queue: 0, packet: Packet::default() });
            asked.sent.push(copy);
        }
    }

    /// Compares the requests of both sides. Packets that are sent wait in their queue.
    fn compare(&mut self, asked: &mut Asked) {
        let (mut sent, mut found) = (std::mem::take(&mut asked.sent).into_iter(), Vec::new());
        while let Some(act) = self.balancer.act() {
            found.push(match act {
                Act::Send { port, queue, packet } => {
                    let phv = sent.next().expect("the program sends no more");
                    self.wait((port, queue), Waiting { packet, phv, resumes: None });
                    Act::Send { port, queue, packet: Packet::default() }
                }
                other => other,
            });
        }
        assert_eq!(found, asked.acts);
        assert!(sent.next().is_none());
    }

    fn wait(&mut self, place: (u16, u8), waiting: Waiting) {
        self.queues.entry(place).or_default().push_back(waiting);
    }

    /// Makes the passes of loop packets whose time has arrived.
    fn rounds(&mut self, until_ps: u64) {
        while let Some((at_ps, _)) = self.loops.first_key_value().map(|(at, _)| *at)
            && at_ps <= until_ps
        {
            assert_eq!(self.balancer.due(), Some(at_ps));
            self.now_ps = at_ps;
            let (_, mut phv) = self.loops.pop_first().expect("there is one");
            let mut asked = Asked::default();
            self.pass(&mut phv, 2);
            self.settle(phv, &mut asked);
            if let Some((port, queue)) = asked.course {
                asked.acts.push(Act::Send { port, queue, packet: Packet::default() });
                asked.sent.push(asked.phv.clone());
            }
            self.balancer.wake(at_ps);
            self.compare(&mut asked);
        }
        assert!(self.balancer.due().is_none_or(|due| due > until_ps));
        self.now_ps = until_ps;
    }

    /// A packet arrives.
    fn come(&mut self, mut packet: Packet) {
        self.rounds(packet.time_ps);
        let mut phv = headers(&self.pipe, &packet);
        (phv[IS_ROCE], phv[PORT_IN], phv[OPCODE]) = (1, packet.ingress.into(), 0x2A);
        phv[ECN_FIELD] = if packet.flags & ECN != 0 { 3 } else { 2 };
        phv[DSCP] = match packet.flags {
            flags if flags & TRIMMED != 0 => DSCPS[1],
            flags if flags & (CONTROL | MADE) == CONTROL => DSCPS[0],
            _ => DSCPS[2],
        };
        if packet.header != 0 {
            write(&mut phv, &packet);
        }
        let mut asked = Asked::default();
        self.pass(&mut phv, 0);
        self.settle(phv, &mut asked);
        let way = self.router.way(packet.destination);
        let course =
            self.balancer.take(&mut packet, if let Way::Down(port) = way { Some(port) } else { None });
        self.compare(&mut asked);
        let found = if let Course::Out(port, queue) = course { Some((port, queue)) } else { None };
        assert_eq!(found, asked.course, "{packet:?}");
        assert_eq!(
            course == Course::Ends,
            asked.course.is_none() && packet.flags & MADE != 0 && self.is_edge
        );
        if let Some(place) = found {
            let resumes = asked.resumes;
            self.wait(place, Waiting { packet, phv: asked.phv, resumes });
        }
    }

    /// Removes a waiting packet, which is not always the oldest one. In other cases the packet finds no
    /// space.
    fn leave(&mut self, rng: &mut Rng) {
        self.rounds(self.now_ps);
        let places: Vec<(u16, u8)> =
            self.queues.iter().filter(|(_, queue)| !queue.is_empty()).map(|(place, _)| *place).collect();
        if places.is_empty() {
            return;
        }
        let place = *rng.pick(&places);
        let queue = self.queues.get_mut(&place).expect("it is there");
        let waiting = if rng.chance(1, 4) { queue.pop_back() } else { queue.pop_front() };
        let Waiting { mut packet, mut phv, resumes } = waiting.expect("it is not empty");
        let mut asked = Asked::default();
        asked.acts.extend(resumes.map(|(port, queue)| Act::Release { port, queue }));
        if packet.flags & MADE == 0 && rng.chance(1, 10) {
            self.balancer.lose(&packet, place.0);
            self.compare(&mut asked);
            return;
        }
        self.pipe.ask_anew(&mut phv);
        phv[PORT_OUT] = place.0.into();
        self.pipe.run(Gress::Egress, &mut phv, &[]);
        self.mirror(&phv, &mut asked);
        let bytes = packet.bytes;
        let had_header = packet.header != 0;
        self.balancer.leave(&mut packet, place.0, self.now_ps);
        self.compare(&mut asked);
        assert_eq!(phv[DROP] == 1, packet.flags & MARKER != 0);
        if phv[DROP] == 1 {
            return;
        }
        assert_eq!(packet.header != 0, phv[CW_VALID] == 1, "{packet:?}");
        let is_stripped = had_header && packet.header == 0;
        assert_eq!(packet.bytes, bytes - if is_stripped { HEADER_BYTES } else { 0 });
        let ends = [packet.source, packet.destination].map(address);
        assert_eq!(ends, [[phv[SRC_HIGH], phv[SRC]], [phv[DST_HIGH], phv[DST]]]);
        if packet.header != 0 {
            let mut other = self.pipe.phv();
            write(&mut other, &packet);
            let mut fields = vec![CW_PATH, CW_OPCODE, CW_EPOCH, CW_REROUTED, CW_TAIL];
            if packet.flags & MADE == 0 {
                fields.extend([CW_TX, CW_TAIL_TX]);
            } else {
                assert_eq!(packet.bytes, CUT_BYTES);
            }
            for field in fields {
                assert_eq!(phv[field], other[field], "{packet:?}");
            }
        }
    }
}

/// Writes the header of a packet into the fields of the parser.
fn write(phv: &mut Phv, packet: &Packet) {
    let at = |shift: u32, bits: u32| u64::from(packet.header) >> shift & ((1 << bits) - 1);
    let stamps = [packet.hash & 0xFFFF, packet.hash >> 16].map(u64::from);
    let values: [(Field, u64); 8] = [
        (CW_VALID, 1),
        (CW_PATH, at(0, 8)),
        (CW_OPCODE, at(8, 3)),
        (CW_EPOCH, at(11, 2)),
        (CW_REROUTED, at(13, 1)),
        (CW_TAIL, at(14, 1)),
        (CW_TX, stamps[0]),
        (CW_TAIL_TX, stamps[1]),
    ];
    values.into_iter().for_each(|(field, value)| phv[field] = value);
}

/// A random packet for a switch: from a host of the switch or from another switch.
fn packet(
    twins: &Twins,
    topology: &Topology,
    switch: Switch,
    flows: &[Flow],
    epochs: &mut [u64],
    rng: &mut Rng,
) -> Packet {
    let edge = |host: Host| topology.attachment(host).0;
    let tick = (twins.now_ps / 1_000 / twins.clocks_per_tick) as u32;
    let at = rng.index(flows.len());
    let Flow { source, destination, mut port } = flows[at];
    let (mut ends, mut header, mut flags, mut hash) = ([source.0, destination.0], 0u16, 0, 0);
    if rng.chance(1, 20) {
        // A flow outside of the table, perhaps to a host of the same switch.
        port = 7;
        ends = [rng.below(topology.hosts()), rng.below(topology.hosts())];
    }
    let is_control = rng.chance(1, 5);
    if is_control {
        ends.swap(0, 1);
    }
    let from_switch = !twins.is_edge || edge(Host(ends[0])) != switch;
    let path = 1 + rng.below(u32::from(twins.ports - twins.hosts).max(1) * 2) as u16;
    let bits = |path: u16, opcode: u64, epoch: u64, low: u64| {
        path | (opcode as u16) << 8 | (epoch as u16) << 11 | (low as u16) << 13
    };
    if from_switch && is_control {
        let opcode = *rng.pick(&[opcode::RTT_REPLY, opcode::CLEAR, opcode::NOTIFY]);
        header = bits(path, opcode, rng.below(4).into(), rng.below(2) as u64 * 2);
        flags = CONTROL | MADE;
    } else if is_control {
        flags = CONTROL;
    } else if from_switch && !rng.chance(1, 20) {
        let epoch = match rng.below(40) {
            0 => 2,
            1..3 => 1,
            3 => 3,
            _ => 0,
        };
        epochs[at] = if epoch == 3 { epochs[at] } else { (epochs[at] + epoch) & 3 };
        let epoch = if epoch == 3 { (epochs[at] + 3) & 3 } else { epochs[at] };
        let low = *rng.pick(&[0, 0, 0, 1, 1, 1, 1, 1, 2]);
        let asks = low == 0 && rng.chance(1, 4);
        header = bits(path, if asks { opcode::RTT_REQUEST } else { opcode::DATA }, epoch, low);
        let stamp = |rng: &mut Rng| tick.wrapping_sub(rng.below(30)) & 0xFFFF;
        hash = stamp(rng) | stamp(rng) << 16;
        flags = if rng.chance(1, 4) { ECN } else { 0 } | if rng.chance(1, 20) { TRIMMED } else { 0 };
    }
    let [source, destination] = ends;
    let hosts = u32::from(twins.hosts);
    let ingress = if from_switch && twins.is_edge { twins.hosts as u8 } else { (source % hosts) as u8 };
    let hash = if header == 0 { of_flow(source, destination) } else { hash };
    let bytes = if flags & MADE == 0 { 4168 } else { CUT_BYTES };
    Packet {
        time_ps: twins.now_ps,
        source,
        destination,
        hash,
        ev: port,
        bytes,
        header,
        flags,
        ingress,
        ..Packet::default()
    }
}

/// The sums of the counters of both programs on every switch.
fn compare(topology: Topology, options: &conweave::ConWeave) -> BTreeMap<&'static str, u64> {
    let network = network(topology);
    let mut seen = BTreeMap::new();
    for switch in (0..topology.switches()).map(Switch) {
        let mut rng = Rng::of(&[switch.0.into(), 79]);
        let edge = |host: Host| topology.attachment(host).0;
        let is_edge = topology.role(switch) == Role::Edge;
        let host = |rng: &mut Rng| Host(rng.below(topology.hosts()));
        let flows: Vec<Flow> = std::iter::repeat_with(|| (host(&mut rng), host(&mut rng)))
            .filter(|(a, b)| edge(*a) != edge(*b) && (!is_edge || edge(*a) == switch || edge(*b) == switch))
            .zip(0xC000..0xC010)
            .map(|((source, destination), port)| Flow { source, destination, port })
            .collect();
        let (control, mut pipe) = built(&Scheme::Conweave(options.clone()), &network, switch);
        let none = Failed::new();
        control.control.connect(&mut pipe, &flows, &none).expect("it fits");
        let place = Place { network: &network, switch };
        let mut twins = Twins {
            pipe,
            router: Router::new(&network, switch, false),
            balancer: ConWeave::new(&place, options, &flows),
            is_edge,
            ports: topology.ports(switch),
            hosts: topology.down_ports(switch).len() as u16,
            control_queue: options.options().control_queue().into(),
            clocks_per_tick: options.options().clocks_per_tick,
            now_ps: 1_000_000,
            queues: BTreeMap::new(),
            loops: BTreeMap::new(),
            number: 0,
        };
        let (mut failed, mut epochs) = (none, vec![1; flows.len()]);
        let rounds = if is_edge { 12_000 } else { 3_000 };
        for round in 0..rounds {
            if round % 1_000 == 999 {
                twins.rounds(twins.now_ps);
                strike(&mut failed, &topology, &mut rng);
                control.control.fill(&mut twins.pipe, &failed).expect("it fits");
                twins.router.learn(&topology, switch, &failed);
                twins.balancer.learn(&place, &failed);
            }
            // At times nothing happens for long.
            let most = if rng.chance(1, 300) { 2_000_000 } else { 700 };
            let now_ps = twins.now_ps + 1_000 * u64::from(rng.below(most));
            twins.rounds(now_ps);
            if rng.chance(2, 5) {
                twins.leave(&mut rng);
            } else {
                let packet = packet(&twins, &topology, switch, &flows, &mut epochs, &mut rng);
                // A switch between edge switches sees the packets that pass it; an edge switch its own.
                let ends = [packet.source, packet.destination].map(|host| edge(Host(host)));
                if !is_edge || ends.contains(&switch) {
                    twins.come(packet);
                }
            }
            if round % 50 == 0 {
                same_registers(&twins.pipe, &twins.balancer);
            }
        }
        same_registers(&twins.pipe, &twins.balancer);
        for (name, count) in twins.balancer.counters() {
            assert_eq!(count, counter(&twins.pipe, name), "{name}");
            *seen.entry(name).or_default() += count;
        }
    }
    seen
}

/// Options of a preset, with few connections and queues.
fn options(preset: Preset) -> conweave::ConWeave {
    conweave::ConWeave {
        preset,
        connections: Some(14),
        reorder_queues: Some(6),
        inactive_ticks: Some(400),
        ..conweave::ConWeave::default()
    }
}

/// The events that happened often in a run.
fn happened(seen: &BTreeMap<&'static str, u64>, names: &[&str]) {
    for name in names {
        assert!(seen.get(name).is_some_and(|count| *count >= 10), "{name}: {seen:?}");
    }
}

fn all(options: &conweave::ConWeave, names: &[&str]) {
    for topology in [
        Topology::leaf_spine(3, 4, 3).expect("small"), //
        Topology::fat_tree(4).expect("small"),
    ] {
        let seen = compare(topology, options);
        happened(&seen, names);
        if topology.is_fat_tree() {
            happened(&seen, &["transit_up_by_path", "transit_up_by_hash", "transit_down"]);
        }
    }
}

const USUAL: [&str; 21] = [
    "plain_down",
    "plain_up",
    "not_in_table",
    "source_request",
    "source_old",
    "source_tail",
    "source_rerouted",
    "reply_accepted",
    "reply_late",
    "clear_accepted",
    "control_refused",
    "settled",
    "notify_noted",
    "stale_epoch",
    "old_while_waiting",
    "tail_releases",
    "first_waits",
    "waits",
    "loop",
    "queue_freed",
    "reply",
];

#[test]
fn conweave_of_the_paper() {
    all(&options(Preset::Paper), &USUAL);
    all(
        &options(Preset::Paper),
        &["source_aborted", "timer_flush", "epoch_flush", "notify", "clear", "marker"],
    );
}

#[test]
fn conweave_of_ns3() {
    all(&options(Preset::Ns3), &USUAL);
}

#[test]
fn conweave_of_p4() {
    all(&options(Preset::P4), &["source_tail", "first_waits", "reply_of_marked_request", "queue_freed"]);
}

#[test]
fn conweave_without_reordering_or_with_other_signals() {
    let merged = conweave::ConWeave { notify: Some(Notify::Merged), ..options(Preset::Paper) };
    all(&merged, &["notify_lost", "first_waits"]);
    let few = conweave::ConWeave { reorder_queues: Some(1), ..options(Preset::Paper) };
    all(&few, &["no_reorder_queue", "gave_up"]);
    let open = conweave::ConWeave { reorder: Some(false), ..options(Preset::Paper) };
    all(&open, &["source_tail", "rerouted_in_order"]);
}
