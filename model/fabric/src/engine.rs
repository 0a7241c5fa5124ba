//! The engines: events and their order (page `docs/fabric-engine.md`).
//!
//! [`windows`] is the usual engine: all nodes advance window by window. The length of a window is the least
//! time from the departure at one queue to the arrival at the next. [`heap`] handles events one by one from a
//! heap. That engine is slow and simple, and serves as oracle: both engines give the same result to the byte.

pub mod heap;
mod links;
pub(crate) mod live;
mod mail;
mod order;
pub mod ranks;
mod shard;
pub mod windows;

use crate::balance::{Balancer, Books, Place};
use crate::defaults::is_default;
use crate::host::{Endpoint, Station};
use crate::network::{Network, Wiring, serial_ps};
use crate::node::Node;
use crate::packet::{Packet, TRIMMED};
use crate::port::{Cause, Change, Counts, Port, Series};
use crate::tally::{Histogram, Seen, Tally};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_switch::topology::{Failed, Switch};

/// The changes of links, and the times at which routing learns of each change.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Ports, and the changes of their links in the order of time.
    pub changes: Vec<(u32, Vec<Change>)>,
    /// The changes that switches learn, in the order of time. A change is effective from the next window on.
    pub routing: Vec<Learned>,
}

/// The links that switches regard as down from one time on.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The time from which the switches use `failed`.
    pub at_ps: u64,
    /// The switches that use `failed`, in the order of their numbers.
    pub who: Arc<[u32]>,
    /// All links that these switches regard as down.
    pub failed: Arc<Failed>,
}

impl Learned {
    /// Whether a switch learns of this change.
    pub(crate) fn is_for(&self, switch: Switch) -> bool {
        self.who.binary_search(&switch.0).is_ok()
    }
}

/// The number of threads of a run, and the time at which the run ends.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of threads. The result does not depend on the number.
    pub threads: u32,
    /// Time at which the run ends, even if flows have not ended.
    pub until_ps: u64,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Simulated time.
    pub now_ps: u64,
    /// Number of ends of flows, counted at both hosts.
    pub finished: u64,
}

/// Numbers of packets lost in the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Losses {
    /// Packets without space in a data queue.
    pub data_queue: u64,
    /// Packets without space in a control queue.
    pub control_queue: u64,
    /// Packets without space in the buffer that ports share.
    #[serde(skip_serializing_if = "is_default")]
    pub buffer: u64,
    /// Packets sent into a cut link.
    pub link: u64,
    /// Packets received with a bad FCS.
    #[serde(skip_serializing_if = "is_default")]
    pub corrupt: u64,
    /// Packets for which a switch had no path.
    pub no_way: u64,
    /// Number of data packets among all lost packets, whole or trimmed.
    pub data: u64,
}

impl Losses {
    pub(crate) fn count(&mut self, cause: Cause, packet: &Packet) {
        self.data += u64::from(packet.is_data());
        *match cause {
            Cause::DataQueue => &mut self.data_queue,
            Cause::ControlQueue => &mut self.control_queue,
            Cause::Buffer => &mut self.buffer,
            Cause::Link => &mut self.link,
            Cause::Corrupt => &mut self.corrupt,
            Cause::NoWay => &mut self.no_way,
        } += 1;
    }

    fn add(&mut self, other: &Self) {
        self.data_queue += other.data_queue;
        self.control_queue += other.control_queue;
        self.buffer += other.buffer;
        self.link += other.link;
        self.corrupt += other.corrupt;
        self.no_way += other.no_way;
        self.data += other.data;
    }

    /// Total number of lost packets.
    pub fn all(&self) -> u64 {
        self.data_queue + self.control_queue + self.buffer + self.link + self.corrupt + self.no_way
    }
}

/// Packets lost in the network, by flow.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Drops(Vec<Dropped>);

/// Lost packets of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Number of data packets, whole or trimmed.
    pub packets: u32,
    /// Number of trimmed packets among them.
    pub trims: u32,
    /// Number of ACKs and NACKs.
    pub answers: u32,
}

impl Drops {
    /// Counts a packet of hosts that was lost, and frees its contents.
    pub(crate) fn take<H: Endpoint>(&mut self, desk: &mut H::Desk, packet: &Packet) {
        let Some(flow) = H::lose(desk, packet) else { return };
        let at = flow as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Dropped::default());
        }
        let Dropped { packets, trims, answers } = &mut self.0[at];
        let is_data = packet.is_data();
        *packets += u32::from(is_data);
        *trims += u32::from(packet.flags & TRIMMED != 0);
        *answers += u32::from(!is_data);
    }

    fn add(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), Dropped::default());
        for (it, more) in self.0.iter_mut().zip(&other.0) {
            it.packets += more.packets;
            it.trims += more.trims;
            it.answers += more.answers;
        }
    }

    /// The lost packets of a flow.
    pub fn of(&self, flow: u32) -> Dropped {
        self.0.get(flow as usize).copied().unwrap_or_default()
    }
}

/// The counts of a thread besides those of its nodes.
#[derive(Debug, Default)]
pub(crate) struct Gone {
    pub(crate) losses: Losses,
    pub(crate) drops: Drops,
    pub(crate) tally: Tally,
    pub(crate) seen: Seen,
}

impl Gone {
    fn add(&mut self, other: &Self) {
        self.losses.add(&other.losses);
        self.drops.add(&other.drops);
        self.tally.merge(&other.tally);
        self.seen.merge(&other.seen);
    }
}

/// All switches get as many samples as the switch with the most samples.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Reorder {
    /// Numbers of queues in use: one value for each port to a host and sample.
    pub queues: Histogram,
    /// Bytes in these queues: one value for each switch and sample.
    pub bytes: Histogram,
    /// Delays of TAILs after T_resume without its extra term, in ns, with their counts.
    pub resume_errors: BTreeMap<i64, u64>,
}

impl Reorder {
    fn add(&mut self, other: &Self) {
        self.queues.merge(&other.queues);
        self.bytes.merge(&other.bytes);
        self.count(&other.resume_errors);
    }

    fn count(&mut self, errors: &BTreeMap<i64, u64>) {
        for (error, times) in errors {
            *self.resume_errors.entry(*error).or_default() += times;
        }
    }

    /// Number of samples of the switch with the most; `None` if none is sampled.
    fn most<B: Balancer>(nodes: &[Node<B>]) -> Option<u64> {
        nodes.iter().filter_map(|node| Some(node.samples.as_ref()?.count)).max()
    }

    /// Collects the samples of switches. All switches get as many samples as the one with the most.
    fn of<B: Balancer>(nodes: &mut [Node<B>]) -> Option<Self> {
        let count = Self::most(nodes)?;
        let mut all = Self::default();
        for node in nodes {
            node.resume_errors().into_iter().for_each(|errors| all.count(errors));
            node.fill_samples(count);
            let Some(samples) = &node.samples else { continue };
            all.queues.merge(&samples.queues);
            all.bytes.merge(&samples.bytes);
        }
        Some(all)
    }
}

/// The outcome of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome<H> {
    /// The hosts.
    pub hosts: Vec<H>,
    /// The counts of every port, by port number.
    pub ports: Vec<Counts>,
    /// The series over time of the recorded ports, by port number.
    pub series: Vec<(u32, Series)>,
    /// Number of packets that hosts sent.
    pub sent: u64,
    /// Number of packets that hosts received.
    pub received: u64,
    /// Numbers of packets lost in the network.
    pub losses: Losses,
    /// The lost packets of each flow.
    pub drops: Drops,
    /// The counts of ports by their layers.
    pub tally: Tally,
    /// The counts of hosts.
    pub seen: Seen,
    /// Numbers of PFC frames sent and received.
    pub pauses: [u64; 2],
    /// Packets that switches made for each other, including loop packets that wait in a loop.
    pub own: Books,
    /// The counters of load balancers by name, summed over all switches.
    pub counters: BTreeMap<String, u64>,
    /// Samples of reorder queues, if the run samples them.
    pub reorder: Option<Reorder>,
    /// Maximum number of bytes used in a switch's shared buffer, if ports share one.
    pub buffer_peak: Option<u64>,
    /// Number of packets that wait in queues.
    pub waiting: u64,
    /// Number of packets on links.
    pub on_links: u64,
    /// Whether all flows have ended and no packet is in transit.
    pub is_complete: bool,
    /// Time at which the run ended.
    pub end_ps: u64,
    /// A digest of all packets that hosts received, in order.
    pub digest: u64,
}

impl<H> Outcome<H> {
    /// The outcome with converted hosts.
    pub(crate) fn map<T>(self, into: impl Fn(H) -> T) -> Outcome<T> {
        Outcome {
            hosts: self.hosts.into_iter().map(into).collect(),
            ports: self.ports,
            series: self.series,
            sent: self.sent,
            received: self.received,
            losses: self.losses,
            drops: self.drops,
            tally: self.tally,
            seen: self.seen,
            pauses: self.pauses,
            own: self.own,
            counters: self.counters,
            reorder: self.reorder,
            buffer_peak: self.buffer_peak,
            waiting: self.waiting,
            on_links: self.on_links,
            is_complete: self.is_complete,
            end_ps: self.end_ps,
            digest: self.digest,
        }
    }

    /// Adds the outcome of another part of the network. The hosts and ports of `other` follow those of this
    /// report; the digest must be computed again.
    fn add(&mut self, other: Self) {
        self.hosts.extend(other.hosts);
        self.ports.extend(other.ports);
        self.series.extend(other.series);
        self.sent += other.sent;
        self.received += other.received;
        self.losses.add(&other.losses);
        self.drops.add(&other.drops);
        self.tally.merge(&other.tally);
        self.seen.merge(&other.seen);
        self.pauses = [0, 1].map(|at| self.pauses[at] + other.pauses[at]);
        self.own = self.own.and(other.own);
        for (name, count) in other.counters {
            *self.counters.entry(name).or_default() += count;
        }
        match (&mut self.reorder, other.reorder) {
            (Some(own), Some(more)) => own.add(&more),
            (own, more) => *own = own.take().or(more),
        }
        self.buffer_peak = self.buffer_peak.max(other.buffer_peak);
        self.waiting += other.waiting;
        self.on_links += other.on_links;
        self.is_complete &= other.is_complete;
        self.end_ps = self.end_ps.max(other.end_ps);
    }

    /// The digest of all packets that hosts received, computed from the digests of the hosts.
    fn digest_of(digests: impl IntoIterator<Item = u64>) -> u64 {
        digests.into_iter().fold(0, |digest, it| digest.wrapping_mul(31).wrapping_add(it))
    }

    /// Number of departures of packets from queues.
    pub fn hops(&self) -> u64 {
        self.ports.iter().map(|port| port.packets).sum()
    }

    /// Number of departures of packets from queues of switches.
    pub fn switch_hops(&self) -> u64 {
        self.ports[self.hosts.len()..].iter().map(|port| port.packets).sum()
    }
}

/// A network with the hosts and switches at its nodes.
pub struct World<B, H> {
    pub(crate) network: Arc<Network>,
    pub(crate) wiring: Arc<Wiring>,
    pub(crate) nodes: Vec<Node<B>>,
    pub(crate) stations: Vec<Station<H>>,
    pub(crate) routing: Vec<Learned>,
    /// The longest time of a packet from the start at one queue to the next.
    pub(crate) longest_ps: u64,
    /// The width of bins in which hosts record events over time; 0: no record.
    pub(crate) every_ps: u64,
}

impl<B: Balancer, H: Endpoint> World<B, H> {
    /// A world at its start, with a load balancer for every switch and a host for every number. `weighted`:
    /// the load balancers choose next hops by weights.
    ///
    /// # Panics
    /// The number of hosts differs from the topology's, or the host of a link accounts for the whole delay of
    /// that link.
    pub fn new(
        network: Network,
        weighted: bool,
        make: impl Fn(&Place) -> B,
        hosts: Vec<H>,
        faults: &Faults,
    ) -> Self {
        assert_eq!(hosts.len(), network.topology.hosts() as usize, "a host for every number");
        let mut wiring = network.wiring();
        for (number, host) in hosts.iter().enumerate() {
            let [from_ps, to_ps] = host.holds_ps();
            let to = wiring.ins[number][0] as usize;
            wiring.links[number].delay_ps = wiring.links[number].delay_ps.saturating_sub(from_ps);
            wiring.links[to].delay_ps = wiring.links[to].delay_ps.saturating_sub(to_ps);
        }
        assert!(wiring.delays_ps().0 > 0, "a link needs a delay");
        let switches = (0..network.topology.switches()).map(Switch);
        let nodes = switches.map(|switch| Node::new(&network, &wiring, switch, &make, weighted)).collect();
        let station =
            |(number, host)| Station::new(host, Port::new(&network, number, &wiring.links[number as usize]));
        let stations = (0..).zip(hosts).map(station).collect();
        let largest = 1 << 14;
        let changes = || faults.changes.iter().flat_map(|(_, changes)| changes);
        let rates = wiring.links.iter().map(|link| link.gbps).chain(changes().map(|change| change.gbps));
        let longest_ps = wiring.delays_ps().1 + serial_ps(rates.min().unwrap_or(1), largest);
        let mut world = Self {
            network: Arc::new(network),
            wiring: Arc::new(wiring),
            nodes,
            stations,
            routing: faults.routing.clone(),
            longest_ps,
            every_ps: 0,
        };
        for (port, changes) in &faults.changes {
            world.port(*port).plan(changes.clone());
        }
        world
    }

    /// Records these ports and the hosts over time, in bins of `every_ps`.
    pub fn record(&mut self, ports: &[u32], every_ps: u64) {
        self.every_ps = every_ps;
        for port in ports {
            self.port(*port).record(every_ps);
        }
    }

    /// Samples the reorder queues of all switches at intervals of `every_ps`.
    pub fn sample(&mut self, every_ps: u64) {
        let Self { network, nodes, .. } = self;
        nodes.iter_mut().for_each(|node| node.sample(network, every_ps));
    }

    fn port(&mut self, number: u32) -> &mut Port {
        let hosts = self.stations.len() as u32;
        if number < hosts {
            return &mut self.stations[number as usize].port;
        }
        let at = self.nodes.partition_point(|node| node.first <= number) - 1;
        let node = &mut self.nodes[at];
        &mut node.ports[(number - node.first) as usize]
    }

    /// The look-ahead: the least time from the departure at one queue to the arrival at the next.
    pub fn window_ps(&self) -> u64 {
        self.wiring.delays_ps().0
    }

    /// Number of ends of flows of the whole run.
    pub(crate) fn expected(&self) -> u64 {
        self.stations.iter().map(|it| u64::from(it.host.expected())).sum()
    }

    /// The outcome. `on_links` is the number of packets on links.
    pub(crate) fn end(mut self, gone: Gone, on_links: u64, end_ps: u64) -> Outcome<H> {
        let reorder = Reorder::of(&mut self.nodes);
        let Gone { losses, drops, tally, seen } = gone;
        let expected = self.expected();
        let finished: u64 = self.stations.iter().map(|it| u64::from(it.host.finished())).sum();
        let stations = self.stations.iter().map(|it| &it.port);
        let ports: Vec<&Port> = stations.chain(self.nodes.iter().flat_map(|node| &node.ports)).collect();
        let series = (0..).zip(&ports).filter_map(|(number, port)| Some((number, port.series()?.clone())));
        let series = series.collect();
        let (counts, waiting) =
            ports.iter().map(|port| (port.counts(), port.waiting() as u64)).unzip::<_, _, Vec<_>, Vec<_>>();
        let own = self.nodes.iter().map(Node::books).fold(Books::default(), Books::and);
        let waiting = waiting.iter().sum::<u64>() + own.holds;
        let mut counters = BTreeMap::new();
        for (name, count) in self.nodes.iter().flat_map(Node::counters) {
            *counters.entry(name.to_string()).or_default() += count;
        }
        let pauses =
            ports.iter().fold([0; 2], |[sent, came], port| [sent + port.pauses[0], came + port.pauses[1]]);
        let buffer_peak = self.nodes.iter().filter_map(Node::peak).max();
        Outcome {
            ports: counts,
            series,
            sent: self.stations.iter().map(|it| it.sent).sum(),
            received: self.stations.iter().map(|it| it.received).sum(),
            losses,
            drops,
            tally,
            seen,
            pauses,
            own,
            counters,
            reorder,
            buffer_peak,
            waiting,
            on_links,
            is_complete: finished == expected && waiting + on_links == 0,
            end_ps,
            digest: Outcome::<H>::digest_of(self.stations.iter().map(|it| it.digest)),
            hosts: self.stations.into_iter().map(|it| it.host).collect(),
        }
    }
}
