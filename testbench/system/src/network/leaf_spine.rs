//! A toy leaf-spine: every leaf has a wire to every spine, and each spine is one path. Frames pass two stages
//! of queues, leaf to spine and spine to leaf, and one queue in front of every host. A hash of the frame's
//! five-tuple selects the spine.

use super::counts::Counts;
use super::flight::Flight;
use super::header::route;
use super::pace::Rate;
use super::path::{choose, meets};
use super::port::{Packet, Port};
use super::queue::Red;
use super::seam::{Frame, Network};
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::IpAddr;
use weft_random::Rng;
use weft_wire::Dscp;

/// Settings of the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fabric {
    /// Leaf switches. Hosts are assigned to them in turn. Neighbours in a ring are therefore on different
    /// leaves, and all their traffic crosses the spines (REPS section 4).
    pub leaves: u32,
    /// Spine switches: paths between any two leaves.
    pub paths: u32,
    /// Rate of a wire between leaf and spine.
    pub rate: Rate,
    /// Clocks from switch to switch.
    pub latency_clocks: u64,
    /// Queues at switches in front of the hosts' wires and of wires as fast as these. Queues of faster wires
    /// are larger in proportion.
    pub queue: Queue,
    /// Wires with half their rate.
    pub slow_path: Option<Wires>,
    /// Wires that lose every frame for a time.
    pub dead_path: Option<DeadPath>,
}

/// Wires between leaves and a spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Wires {
    /// Number of the spine.
    pub path: u32,
    /// Leaf whose two wires are selected. `None` selects all leaves.
    pub leaf: Option<u32>,
}

impl Wires {
    /// All wires of a path.
    pub fn of_path(path: u32) -> Self {
        Self { path, leaf: None }
    }

    fn has(self, leaf: u32, path: u32) -> bool {
        path == self.path && self.leaf.is_none_or(|only| only == leaf)
    }
}

/// A queue in front of a wire, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Queue {
    /// Bytes of data that fit; trimmed and control packets have the same space again.
    pub bytes: u32,
    /// Depth up to which no packet is marked.
    pub mark_from: u32,
    /// Depth from which on every packet is marked. The probability of a mark grows linearly between the two depths.
    pub mark_all: u32,
    /// Data without space is trimmed; otherwise it is dropped.
    pub trims: bool,
}

/// Wires that are dead for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DeadPath {
    /// The dead wires.
    pub wires: Wires,
    /// First clock in which the wires are dead.
    pub from: u64,
    /// First clock in which the wires work again.
    pub until: u64,
}

impl Default for Fabric {
    /// Two leaves, eight paths of 100 Gb/s, 0.5 us from switch to switch; queues of 64 KiB that trim, marking from a
    /// fifth to four fifths.
    fn default() -> Self {
        let bytes = 1 << 16;
        Self {
            leaves: 2,
            paths: 8,
            rate: Rate::GBPS_100,
            latency_clocks: 125,
            queue: Queue { bytes, mark_from: bytes / 5, mark_all: bytes / 5 * 4, trims: true },
            slow_path: None,
            dead_path: None,
        }
    }
}

impl Fabric {
    /// The leaf of a host.
    pub fn leaf_of(&self, host: u32) -> u32 {
        host % self.leaves
    }

    /// The leaf and the path of a port between leaves and spines.
    fn wire(&self, at: usize) -> (u32, u32) {
        let at = at as u32 % (self.leaves * self.paths);
        (at / self.paths, at % self.paths)
    }

    fn is_dead(&self, at: usize, clock: u64) -> bool {
        let (leaf, path) = self.wire(at);
        self.dead_path
            .is_some_and(|dead| dead.wires.has(leaf, path) && meets(&(dead.from..dead.until), clock, clock))
    }
}

/// Next place of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The queue of a path: leaf to spine, then spine to leaf.
    Path(usize),
    /// The queue in front of its host.
    Edge,
}

/// The running fabric.
#[derive(Clone, Debug)]
pub(crate) struct LeafSpine {
    settings: Fabric,
    hosts: BTreeMap<IpAddr, u32>,
    /// Salt of every leaf's hash.
    salts: Vec<u64>,
    rng: Rng,
    /// Ports from leaf to spine, by leaf and path; then from spine to leaf, by leaf and path.
    inner: Vec<Port>,
    /// Ports in front of the hosts.
    edge: Vec<Port>,
    /// Packets between switches.
    flying: Flight<(Place, Packet)>,
    /// Counts by path since the last [`Network::harvest`].
    paths: Vec<Counts>,
    /// Counts by host since the last [`Network::harvest`].
    edges: Vec<Counts>,
    strays: u64,
}

impl LeafSpine {
    /// Hosts with these addresses, on wires of rate `edge`.
    pub(crate) fn new(settings: Fabric, hosts: &[IpAddr], edge: Rate, mut rng: Rng) -> Self {
        let Fabric { leaves, paths, rate, queue, .. } = settings;
        let scale = rate.over(edge).max(1.0);
        let port = |rate, scale: f64| {
            let of = |bytes: u32| (f64::from(bytes) * scale) as u32;
            let red = Red { from_bytes: of(queue.mark_from).into(), all_bytes: of(queue.mark_all).into() };
            Port::new(rate, of(queue.bytes), red, queue.trims)
        };
        let inner = |at: usize| {
            let (leaf, path) = settings.wire(at);
            let slow = settings.slow_path.is_some_and(|slow| slow.has(leaf, path));
            port(if slow { rate.halved() } else { rate }, scale)
        };
        Self {
            settings,
            hosts: hosts.iter().zip(0..).map(|(address, host)| (*address, host)).collect(),
            salts: (0..leaves).map(|_| rng.draw()).collect(),
            rng,
            inner: (0..2 * (leaves * paths) as usize).map(inner).collect(),
            edge: hosts.iter().map(|_| port(edge, 1.0)).collect(),
            flying: Flight::new(),
            paths: vec![Counts::default(); paths as usize],
            edges: vec![Counts::default(); hosts.len()],
            strays: 0,
        }
    }

    fn enqueue(&mut self, clock: u64, place: Place, packet: Packet) {
        let (port, counts, last_hop) = match place {
            Place::Path(at) if self.settings.is_dead(at, clock) => {
                self.paths[packet.path as usize].dead += 1;
                return;
            }
            Place::Path(at) => (&mut self.inner[at], &mut self.paths[packet.path as usize], false),
            Place::Edge => (&mut self.edge[packet.to as usize], &mut self.edges[packet.to as usize], true),
        };
        port.enqueue(packet, last_hop, counts);
    }
}

impl Network<Frame> for LeafSpine {
    /// Enqueues a frame at its leaf. Switches drop frames with a wrong FCS.
    fn send(&mut self, clock: u64, from: u32, frame: Frame) {
        if frame.bad {
            return;
        }
        let found = route(&frame.bytes).and_then(|route| Some((*self.hosts.get(&route.destination)?, route)));
        let Some((to, route)) = found else {
            self.strays += 1;
            return;
        };
        let leaf = |host| self.settings.leaf_of(host);
        let path = choose(self.salts[leaf(from) as usize], &route, self.settings.paths);
        let urgent = [Dscp::DEFAULT.control, Dscp::DEFAULT.trimmed, Dscp::DEFAULT.trimmed_lasthop];
        let packet =
            Packet { bytes: frame.bytes, to, to_leaf: leaf(to), path, urgent: urgent.contains(&route.dscp) };
        let place = match leaf(from) == leaf(to) {
            true => Place::Edge,
            false => Place::Path((leaf(from) * self.settings.paths + path) as usize),
        };
        self.enqueue(clock, place, packet);
    }

    /// At most one frame leaves for each host.
    fn poll(&mut self, clock: u64, out: &mut dyn FnMut(u32, Frame)) {
        while let Some((place, packet)) = self.flying.land(clock) {
            self.enqueue(clock, place, packet);
        }
        let Self { settings, rng, inner, edge, flying, paths, edges, .. } = self;
        let upward = inner.len() / 2;
        for (at, port) in inner.iter_mut().enumerate() {
            let Some((packet, marked)) = port.clock(rng) else { continue };
            let counts = &mut paths[packet.path as usize];
            if settings.is_dead(at, clock) {
                counts.dead += 1;
                continue;
            }
            counts.packets += 1;
            counts.marks += u64::from(marked);
            let next = match at < upward {
                true => Place::Path(upward + (packet.to_leaf * settings.paths + packet.path) as usize),
                false => Place::Edge,
            };
            // A switch forwards only whole frames.
            let arrival = clock + port.clocks_of(&packet) + settings.latency_clocks;
            flying.launch(arrival, (next, packet));
        }
        for (host, port) in edge.iter_mut().enumerate() {
            let Some((packet, marked)) = port.clock(rng) else { continue };
            edges[host].packets += 1;
            edges[host].marks += u64::from(marked);
            out(host as u32, Frame { bytes: packet.bytes, bad: false });
        }
    }

    fn harvest(&mut self) -> (Vec<Counts>, Vec<Counts>) {
        let take = |counts: &mut Vec<Counts>| {
            let fresh = vec![Counts::default(); counts.len()];
            std::mem::replace(counts, fresh)
        };
        (take(&mut self.paths), take(&mut self.edges))
    }

    /// Frames without a destination among the hosts, or without IP.
    fn strays(&self) -> u64 {
        self.strays
    }

    fn is_empty(&self) -> bool {
        self.flying.is_empty() && self.inner.iter().chain(&self.edge).all(Port::is_empty)
    }
}

#[cfg(test)]
mod tests;
