//! An edge switch. The switch carries out the passes of a packet one after another, as its program does. The
//! second pass follows the first in the same call.

mod destination;
mod source;

use super::busy::{Busy, Look};
use super::{CUT_BYTES, Header, LOOP_PS, hash, select};
use crate::balance::{Act, Books, Course, Place, draw16};
use crate::packet::{CONTROL, ECN, HEADER_BYTES, MADE, MARKER, Packet};
use std::collections::{BTreeMap, HashMap, VecDeque};
use weft_random::Rng;
use weft_switch::conweave::opcode::{CLEAR, NOTIFY, RTT_REPLY, is_of_switches};
use weft_switch::conweave::rules::{self, copy, role};
use weft_switch::conweave::{ConWeave, Notify, Options};
use weft_switch::schemes::Flow;
use weft_switch::topology::Failed;

/// The state of a connection at the source.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    active: u64,
    watch_path: u64,
    epoch: u64,
    tail_ts: u64,
}

/// The state of a connection at the destination.
#[derive(Clone, Copy, Debug, Default)]
struct Destination {
    epoch: u64,
    order: [u64; 4],
    old_tx: u64,
    old_rx: u64,
    tail_tx: u64,
    resume: u64,
    /// Whether an OLD packet has set `resume`, and the TAIL has not arrived.
    is_told: bool,
}

/// The paths to an edge switch that have no failure.
#[derive(Clone, Debug, Default)]
struct Paths {
    all: Vec<u8>,
    leads: [u64; 4],
}

impl Paths {
    fn of(all: Vec<u8>) -> Self {
        let mut leads = [0; 4];
        all.iter().for_each(|path| leads[usize::from(path >> 6)] |= 1 << (path & 63));
        Self { all, leads }
    }

    fn lead(&self, path: u64) -> bool {
        self.leads[(path >> 6) as usize & 3] >> (path & 63) & 1 == 1
    }

    /// Selects a path by 16 bits. Returns 0 if no path is selected.
    fn select(&self, value: u64) -> u64 {
        select(&self.all, value).map_or(0, u64::from)
    }
}

/// A loop packet: a copy of the first packet that waits.
#[derive(Clone, Copy, Debug)]
struct Loop {
    packet: Packet,
    connection: u64,
    port: u16,
    queue: u8,
    has_expired: bool,
    was_flushed: bool,
    /// Whether the packet has left its queue.
    is_drained: bool,
}

/// The kind of a packet's pass.
#[derive(Clone, Copy, Debug)]
enum Pass {
    /// The first pass.
    First,
    /// A pass of an accepted reply or CLEAR, with the value seen in the first pass.
    Accepted(u64),
    /// A pass after a failed claim of a reorder queue.
    GiveUp,
    /// A pass of a loop packet.
    Loop(Loop),
}

/// ConWeave of an edge switch.
#[derive(Clone, Debug)]
pub(super) struct Tor {
    options: Options,
    edge: u32,
    hosts: u32,
    /// Reorder queues of each choice: the first queue, and the number of queues.
    blocks: Vec<(u64, u64)>,
    /// The port of each path.
    ports: Vec<Option<u16>>,
    draws: [Rng; 2],
    connections: HashMap<(u32, u32, u16), u16>,
    /// The paths by group. The group of an edge switch is its number + 1.
    paths: Vec<Paths>,
    busy: Busy,
    sources: Vec<Source>,
    destinations: Vec<Destination>,
    held: Vec<Vec<u64>>,
    events: [u64; 64],
    extras: [u64; 16],
    copies: [u64; 8],
    /// Loop packets by the time of their next pass, and for one time in the order in which they entered the
    /// loop.
    loops: BTreeMap<(u64, u64), Loop>,
    number: u64,
    acts: VecDeque<Act>,
    books: Books,
    /// Delays of TAILs after T_resume without its extra term, in ns, with their counts.
    resume_errors: BTreeMap<i64, u64>,
}

impl Tor {
    pub(super) fn new(place: &Place, options: &ConWeave, flows: &[Flow]) -> Self {
        let topology = &place.network.topology;
        let (options, room) = (options.options(), options.room() as usize);
        let blocks: Vec<_> = options.blocks().collect();
        let ports = usize::from(topology.ports(place.switch));
        let mut connections = HashMap::new();
        for Flow { source, destination, port } in flows {
            let edges = [source, destination].map(|host| topology.attachment(*host).0);
            let key = (source.0, destination.0, *port);
            if edges.contains(&place.switch) && edges[0] != edges[1] && connections.len() < room {
                let number = connections.len() as u16;
                connections.entry(key).or_insert(number);
            }
        }
        let mut tor = Self {
            edge: place.switch.0,
            hosts: topology.hosts_per_edge(),
            ports: (0..=u8::MAX).map(|path| rules::port_of(topology, place.switch, path)).collect(),
            draws: [place.pipe(0), place.pipe(1)],
            connections,
            paths: Vec::new(),
            busy: Busy::new(&options, topology.edges() as usize + 1),
            sources: vec![Source::default(); room],
            destinations: vec![Destination::default(); room],
            held: blocks.iter().map(|(_, size)| vec![0; (ports * *size as usize).max(1)]).collect(),
            blocks,
            options,
            events: [0; 64],
            extras: [0; 16],
            copies: [0; 8],
            loops: BTreeMap::new(),
            number: 0,
            acts: VecDeque::new(),
            books: Books::default(),
            resume_errors: BTreeMap::new(),
        };
        tor.learn(place, &Failed::new());
        tor
    }

    pub(super) fn learn(&mut self, place: &Place, failed: &Failed) {
        let topology = &place.network.topology;
        let others = (0..topology.edges()).map(|edge| {
            let is_own = edge == place.switch.0;
            let paths = (!is_own).then(|| rules::paths(topology, place.switch, edge, failed));
            Paths::of(paths.flatten().unwrap_or_default())
        });
        self.paths = std::iter::once(Paths::default()).chain(others).collect();
    }

    /// Accepts a packet and returns its course.
    pub(super) fn take(&mut self, packet: &mut Packet, down: Option<u16>) -> Course {
        self.pass(packet, Pass::First, down, packet.time_ps)
    }

    /// The group of a host; 0 is the switch's own group.
    fn group(&self, host: u32) -> u64 {
        let edge = host / self.hosts;
        if edge == self.edge { 0 } else { u64::from(edge) + 1 }
    }

    fn pass(&mut self, packet: &mut Packet, pass: Pass, down: Option<u16>, now_ps: u64) -> Course {
        let draws = self.draws.each_mut().map(|random| u64::from(draw16(random)));
        let tick = (now_ps / 1_000 / self.options.clocks_per_tick) & u64::from(u32::MAX);
        let header = Header::of(packet.header);
        let from_switch = u32::from(packet.ingress) >= self.hosts;
        let [src_group, dst_group] = [packet.source, packet.destination].map(|host| self.group(host));
        let dst_hit = dst_group != 0 || down.is_some();
        let group = if dst_group == 0 { src_group } else { dst_group };
        let is_control = packet.header != 0 && is_of_switches(header.opcode);
        let wanted = match pass {
            Pass::Loop(it) if it.is_drained => role::DRAINED,
            Pass::Loop(_) => role::LOOP,
            Pass::Accepted(_) => role::ACCEPTED,
            Pass::GiveUp => role::GIVE_UP,
            Pass::First if from_switch && is_control => role::CONTROL,
            Pass::First if !dst_hit || packet.is_control() => role::PLAIN,
            Pass::First if from_switch && packet.header != 0 && dst_group == 0 && src_group != 0 => {
                role::DESTINATION
            }
            Pass::First if !from_switch && src_group == 0 && dst_group != 0 => role::SOURCE,
            Pass::First => role::PLAIN,
        };
        let found = self.connection(packet, wanted, is_control).filter(|_| dst_hit);
        let role = match wanted {
            role::SOURCE | role::DESTINATION | role::GIVE_UP if found.is_none() => role::PLAIN,
            _ => wanted,
        };
        let it = Ingress { tick, header, from_switch, dst_group, dst_hit, group, wanted, role, found, draws };
        match role {
            role::PLAIN => self.plain(packet, &it, down),
            role::SOURCE => self.source(packet, &it),
            role::CONTROL | role::ACCEPTED => self.control(packet, &it, pass, down, now_ps),
            _ => self.destination(packet, &it, pass, down, now_ps),
        }
    }

    /// The number of a packet's connection. A control packet travels against the direction of its connection.
    fn connection(&self, packet: &Packet, wanted: u64, is_control: bool) -> Option<u64> {
        if matches!(wanted, role::PLAIN | role::LOOP | role::DRAINED) {
            return None;
        }
        let Packet { source, destination, ev, .. } = *packet;
        let key = if is_control { (destination, source, ev) } else { (source, destination, ev) };
        self.connections.get(&key).copied().map(u64::from)
    }

    /// The port up that the hash of a packet selects.
    fn by_hash(&self, packet: &Packet, group: u64) -> Option<u16> {
        let path = self.paths[group as usize].select(hash(rules::FLOW_SEED, packet));
        self.ports[path as usize]
    }

    /// Looks up a path in the path-busy table, or writes a path into the table.
    fn look(&mut self, it: &Ingress, notes: bool) -> (u64, u64, bool) {
        let paths = &self.paths[it.group as usize];
        let samples = it.draws.map(|draw| paths.select(draw));
        let looked = if notes { [it.header.path; 2] } else { samples };
        let look = Look { group: it.group, paths: looked, notes, tick: it.tick };
        let (busy, is_lost) = self.busy.look(look, self.options.theta.path_busy.into());
        (rules::choice(looked, busy), busy, is_lost)
    }

    /// Counts a pass.
    fn count(&mut self, it: &Ingress, told: Told) {
        let Told { outcome, action, found, up, epoch, extra } = told;
        let event = rules::event([
            it.role,
            it.wanted,
            outcome,
            action,
            found,
            it.found.is_some().into(),
            it.dst_hit.into(),
            it.dst_group,
            it.from_switch.into(),
            up.is_some().into(),
            epoch,
            it.header.epoch,
            it.header.opcode,
        ]);
        self.events[event as usize] += 1;
        self.extras[rules::extra(extra) as usize] += 1;
    }

    fn plain(&mut self, packet: &mut Packet, it: &Ingress, down: Option<u16>) -> Course {
        if self.busy.ages() {
            self.look(it, false);
        }
        let goes_up = it.dst_group != 0 && !it.from_switch;
        let up = if goes_up { self.by_hash(packet, it.group) } else { None };
        self.count(it, Told { up, extra: extra(it), ..Told::default() });
        if packet.header != 0 {
            packet.hash = 0;
        }
        down.filter(|_| it.dst_group == 0).or(up).map_or(Course::Nowhere, |port| Course::Out(port, 0))
    }

    /// Sends a packet into the loop.
    fn again(&mut self, it: Loop, at_ps: u64) {
        self.number += 1;
        self.loops.insert((at_ps, self.number), it);
    }

    /// Sends a copy of a packet back to the source.
    fn send(&mut self, up: Option<u16>, opcode: u64, cause: &Packet, now_ps: u64) {
        let Some(port) = up else { return };
        let Header { path, epoch, .. } = Header::of(cause.header);
        let marked =
            self.options.notify == Notify::Piggyback && opcode == RTT_REPLY && cause.flags & ECN != 0;
        let header = Header { path, opcode, epoch, rerouted: 0, tail: marked.into() }.bits();
        self.books.made += 1;
        let packet = Packet {
            time_ps: now_ps,
            source: cause.destination,
            destination: cause.source,
            ev: cause.ev,
            bytes: CUT_BYTES,
            flags: CONTROL | MADE,
            header,
            ..Packet::default()
        };
        self.acts.push_back(Act::Send { port, queue: 0, packet });
    }

    /// Handles a packet that starts to leave.
    pub(super) fn leave(&mut self, packet: &mut Packet, port: u16, now_ps: u64) {
        if packet.header == 0 {
            return;
        }
        if packet.flags & MARKER != 0 {
            // The queue passes the marker after all packets before it.
            self.copies[copy::MARKER as usize] += 1;
            let round = Loop {
                packet: *packet,
                connection: u64::from(packet.hash & 0xFFFF),
                port,
                queue: (packet.hash >> 16) as u8,
                has_expired: false,
                was_flushed: packet.hash >> 24 & 1 == 1,
                is_drained: true,
            };
            self.again(round, now_ps.max(packet.time_ps + LOOP_PS));
        } else if packet.flags & MADE != 0 {
            self.copies[copy_of(Header::of(packet.header).opcode) as usize] += 1;
        } else if u32::from(port) < self.hosts {
            let Tag { queue, up } = Tag::of(packet.hash);
            if queue != 0 {
                self.acts.push_back(Act::Release { port, queue });
            }
            self.send(up, NOTIFY, packet, now_ps);
            (packet.header, packet.bytes) = (0, packet.bytes - HEADER_BYTES);
        }
    }

    /// Handles a packet that found no space, so that its reorder queue does not wait for that packet.
    pub(super) fn lose(&mut self, packet: &Packet, port: u16) {
        let is_data = packet.header != 0 && packet.flags & MADE == 0 && u32::from(port) < self.hosts;
        let Tag { queue, .. } = Tag::of(packet.hash);
        if is_data && queue != 0 {
            self.acts.push_back(Act::Release { port, queue });
        }
    }

    pub(super) fn due(&self) -> Option<u64> {
        self.loops.first_key_value().map(|((at, _), _)| *at)
    }

    /// Makes the pass of the next loop packet.
    pub(super) fn wake(&mut self, now_ps: u64) {
        if let Some((_, round)) = self.loops.pop_first() {
            let mut packet = round.packet;
            self.pass(&mut packet, Pass::Loop(round), Some(round.port), now_ps);
        }
    }

    pub(super) fn act(&mut self) -> Option<Act> {
        self.acts.pop_front()
    }

    pub(super) fn books(&self) -> Books {
        Books { holds: self.loops.len() as u64, ..self.books }
    }

    pub(super) fn resume_errors(&self) -> &BTreeMap<i64, u64> {
        &self.resume_errors
    }

    pub(super) fn counts(&self) -> [&[u64]; 3] {
        [&self.events, &self.extras, &self.copies]
    }

    pub(super) fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        let sources = |cell: fn(&Source) -> u64| self.sources.iter().map(cell).collect();
        let destinations = |cell: fn(&Destination) -> u64| self.destinations.iter().map(cell).collect();
        let mut all = vec![
            ("source_active", sources(|it| it.active)),
            ("source_watch_path", sources(|it| it.watch_path)),
            ("source_epoch", sources(|it| it.epoch)),
            ("source_tail_ts", sources(|it| it.tail_ts)),
            ("destination_epoch", destinations(|it| it.epoch)),
            ("destination_order", self.destinations.iter().flat_map(|it| it.order).collect()),
            ("destination_old_tx", destinations(|it| it.old_tx)),
            ("destination_old_rx", destinations(|it| it.old_rx)),
            ("destination_tail_tx", destinations(|it| it.tail_tx)),
            ("destination_resume", destinations(|it| it.resume)),
            ("events", self.events.to_vec()),
            ("extras", self.extras.to_vec()),
            ("copies", self.copies.to_vec()),
        ];
        all.extend(self.busy.registers());
        let names = ["queues_held_0", "queues_held_1", "queues_held_2", "queues_held_3"];
        all.extend(names.into_iter().zip(self.held.iter().cloned()));
        all
    }
}

/// The facts about a packet at its arrival.
#[derive(Clone, Copy, Debug)]
struct Ingress {
    tick: u64,
    header: Header,
    from_switch: bool,
    dst_group: u64,
    dst_hit: bool,
    group: u64,
    wanted: u64,
    role: u64,
    found: Option<u64>,
    draws: [u64; 2],
}

/// The facts of a pass that the counters need.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    outcome: u64,
    action: u64,
    found: u64,
    up: Option<u16>,
    epoch: u64,
    extra: [u64; 10],
}

/// The inputs of the cell of `extras` for a pass without further facts.
fn extra(it: &Ingress) -> [u64; 10] {
    [it.role, 0, 0, it.header.opcode, 0, 0, 0, 0, 0, 0]
}

/// The tag of a data packet that waits for a host's link. The tag is in place of the packet's time stamps,
/// and has the actions at the packet's departure.
#[derive(Clone, Copy, Debug, Default)]
struct Tag {
    /// The reorder queue that resumes when the packet's loop ends.
    queue: u8,
    /// The port of a NOTIFY that the switch sends when the packet's loop ends.
    up: Option<u16>,
}

impl Tag {
    fn bits(self) -> u32 {
        u32::from(self.queue) | self.up.map_or(0, |port| u32::from(port) + 1) << 8
    }

    fn of(bits: u32) -> Self {
        Self { queue: bits as u8, up: (bits >> 8).checked_sub(1).map(|port| port as u16) }
    }
}

/// The opcode of a copy.
fn of_copy(copy: u64) -> u64 {
    match copy {
        copy::REPLY => RTT_REPLY,
        copy::CLEAR => CLEAR,
        _ => NOTIFY,
    }
}

/// The kind of copy that has an opcode.
fn copy_of(opcode: u64) -> u64 {
    match opcode {
        RTT_REPLY => copy::REPLY,
        CLEAR => copy::CLEAR,
        _ => copy::NOTIFY,
    }
}
