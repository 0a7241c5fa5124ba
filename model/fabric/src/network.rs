//! The network as numbers: nodes, the ports between them, rates, delays, sizes of queues.
//!
//! Nodes are hosts, then switches, as [`Topology`] counts them. Every port is the near end of a one-way link.
//! Ports have numbers that are unique in the network: a host's port has the number of the host; then follow
//! the ports of switch 0, of switch 1, and so on. A host counts by its position ([`Order`]).

mod loads;
mod times;

pub(crate) use times::serial_ps;

use crate::buffer::Shared;
use crate::order::Order;
use crate::tally::LAYERS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_switch::tm::Red;
use weft_switch::topology::{Host, Node, Role, Switch, Topology};

/// Rate and delay of a link, or of the links of a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// Rate in Gb/s, 1 to 1,600.
    pub gbps: u32,
    /// Propagation delay of the link.
    pub delay_ps: u64,
}

/// A link that differs from those of its tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Own {
    /// Rate and delay of the link.
    pub tier: Tier,
    /// Index of the port's queue in the network's queues.
    pub queue: u8,
}

/// The size and the thresholds of a queue of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Bytes of data that may wait at a port.
    pub data_bytes: u32,
    /// Bytes of control packets that may wait at a port.
    pub control_bytes: u32,
    /// Marking at dequeue, by the bytes that wait behind a packet.
    pub red: Option<Red>,
    /// Whether a packet without space is trimmed; otherwise it is dropped.
    pub trims: bool,
}

/// The bytes on the wire besides payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wire {
    /// Headers and FCS of a data packet, in bytes.
    pub header_bytes: u16,
    /// Bytes of an ACK or NACK.
    pub ack_bytes: u16,
    /// Bytes of a trimmed packet.
    pub trimmed_bytes: u16,
    /// Bytes of preamble and gap: they need time, but no space in queues.
    pub gap_bytes: u16,
}

impl Default for Wire {
    /// The NIC's frames over IPv4 (page `docs/blocks/egress.md`), FCS, preamble and the smallest gap.
    fn default() -> Self {
        Self { header_bytes: 86, ack_bytes: 122, trimmed_bytes: 82, gap_bytes: 24 }
    }
}

impl Wire {
    /// 64 bytes each and no gap, as in the papers' simulations (REPS section 4.1; htsim).
    pub const PAPERS: Self = Self { header_bytes: 64, ack_bytes: 64, trimmed_bytes: 64, gap_bytes: 0 };
}

/// A network with its sizes.
#[derive(Clone, Debug)]
pub struct Network {
    /// The topology of the switches.
    pub topology: Topology,
    /// The numbers of the hosts.
    pub order: Order,
    /// Links of hosts, links between edge and aggregation switches, and links between these and cores.
    pub tiers: [Tier; 3],
    /// Links that differ from those of their tier, by source and destination node.
    pub unlike: BTreeMap<[u32; 2], Own>,
    /// Time from the end of a packet at a switch to its queue.
    pub switch_ps: u64,
    /// Time from the end of a packet at a NIC to the start of its answer, without later steps.
    pub nic_in_ps: u64,
    /// Time from a NIC's choice of a packet to its start on the wire.
    pub nic_out_ps: u64,
    /// The queues of every switch: first by the tier of the link behind them, then those of single links.
    pub queues: Vec<Queue>,
    /// The buffer that ports of a switch share. `None` if every queue has its own.
    pub buffer: Option<Shared>,
    /// Bytes on the wire.
    pub wire: Wire,
    /// The seed of hashes, marking and the schemes' random choices.
    pub seed: u64,
}

/// A port, the near end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node at the far end.
    pub to: u32,
    /// The port of that node at which packets arrive.
    pub ingress: u8,
    /// Tier of the link: 0 hosts, 1 edge, 2 core.
    pub tier: u8,
    /// The layer of the port ([`crate::tally::LAYERS`]).
    pub layer: u8,
    /// Index of the port's queue in the network's queues: the queue of its tier, or one of its own.
    pub queue: u8,
    /// Whether the port leads to a host.
    pub is_last_hop: bool,
    /// Rate in Gb/s.
    pub gbps: u32,
    /// Time from the last bit on the wire here to the queue at the far end.
    pub delay_ps: u64,
}

impl Network {
    /// Number of hosts and switches.
    pub fn nodes(&self) -> u32 {
        self.topology.hosts() + self.topology.switches()
    }

    /// The switch of a node.
    pub fn switch(&self, node: u32) -> Option<Switch> {
        node.checked_sub(self.topology.hosts()).map(Switch)
    }

    /// The node of a switch.
    pub fn node(&self, switch: Switch) -> u32 {
        self.topology.hosts() + switch.0
    }

    /// The name of a node, `host-0`, `edge-1` and so on.
    pub fn name(&self, node: u32) -> String {
        let switch = self.switch(node);
        self.name_of(switch.map_or(Node::Host(Host(node)), Node::Switch))
    }

    /// The name of a host or switch. Hosts have their numbers in it.
    pub(crate) fn name_of(&self, node: Node) -> String {
        let numbered = match node {
            Node::Host(Host(position)) => Node::Host(Host(self.order.number(position))),
            Node::Switch(_) => node,
        };
        self.topology.name(numbered)
    }

    /// The host or switch with a name.
    pub(crate) fn named(&self, name: &str) -> Option<Node> {
        Some(match self.topology.node(name)? {
            Node::Host(Host(number)) => Node::Host(Host(self.order.position(number))),
            switch => switch,
        })
    }

    /// The far ends of all ports.
    pub fn wiring(&self) -> Wiring {
        let topology = &self.topology;
        let mut wiring = Wiring { links: Vec::new(), first: Vec::new(), ins: Vec::new() };
        for host in 0..topology.hosts() {
            let (switch, port) = topology.attachment(Host(host));
            wiring.first.push(host);
            wiring.links.push(self.link(host, (Node::Switch(switch), port), 0, self.nic_out_ps));
        }
        for switch in (0..topology.switches()).map(Switch) {
            wiring.first.push(wiring.links.len() as u32);
            for port in 0..topology.ports(switch) {
                let Some((to, ingress)) = topology.peer(switch, port) else { continue };
                let layer = match (topology.role(switch), topology.down_ports(switch).contains(&port)) {
                    (Role::Edge, true) => 5,
                    (Role::Edge, false) => 1,
                    (Role::Aggregation, true) => 4,
                    (Role::Aggregation, false) => 2,
                    (Role::Core, _) => 3,
                };
                wiring.links.push(self.link(self.node(switch), (to, ingress), layer, 0));
            }
        }
        wiring.ins = vec![Vec::new(); self.nodes() as usize];
        for (number, link) in (0..).zip(&wiring.links) {
            let ins = &mut wiring.ins[link.to as usize];
            let at = usize::from(link.ingress);
            if ins.len() <= at {
                ins.resize(at + 1, u32::MAX);
            }
            ins[at] = number;
        }
        wiring
    }

    fn link(&self, from: u32, (to, ingress): (Node, u16), layer: u8, more_ps: u64) -> Link {
        // The way down passes the tiers of the way up backwards.
        let tier = layer.min(LAYERS.len() as u8 - 1 - layer);
        let (node, there_ps) = match to {
            Node::Host(host) => (host.0, self.nic_in_ps),
            Node::Switch(switch) => (self.node(switch), self.switch_ps),
        };
        let Tier { gbps, delay_ps } = self.between(from, node, tier.into());
        Link {
            to: node,
            ingress: ingress as u8,
            tier,
            layer,
            queue: self.unlike.get(&[from, node]).map_or(tier, |own| own.queue),
            is_last_hop: matches!(to, Node::Host(_)),
            gbps,
            delay_ps: delay_ps + there_ps + more_ps,
        }
    }

    /// Rate of a host's link into the network.
    pub(crate) fn line_gbps(&self, host: u32) -> u32 {
        self.between(host, self.node(self.topology.attachment(Host(host)).0), 0).gbps
    }

    /// Whether a link of a host, from or to it, differs from the others.
    pub fn has_own_link(&self, host: u32) -> bool {
        self.unlike.keys().any(|ends| ends.contains(&host))
    }

    /// Rate and delay of the link from one node to another, of this tier.
    fn between(&self, from: u32, to: u32, tier: usize) -> Tier {
        self.unlike.get(&[from, to]).map_or(self.tiers[tier], |own| own.tier)
    }
}

/// Number of fraction bits of a [`pace`].
pub(crate) const PACE_BITS: u32 = 16;

/// Picoseconds per byte, in units of 2^-16.
pub(crate) fn pace(gbps: u32) -> u32 {
    (8_000 << PACE_BITS) / gbps.max(1)
}

/// The far ends of all ports.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The links by port number.
    pub links: Vec<Link>,
    /// The first port of every node.
    pub first: Vec<u32>,
    /// The links that lead to every node, by the port of the node.
    pub ins: Vec<Vec<u32>>,
}

impl Wiring {
    /// The ports of a node.
    pub fn ports_of(&self, node: u32) -> std::ops::Range<u32> {
        let first = |node: u32| self.first.get(node as usize).copied().unwrap_or(self.links.len() as u32);
        first(node)..first(node + 1)
    }

    /// The node of a port.
    pub fn node_of(&self, port: u32) -> u32 {
        self.first.partition_point(|first| *first <= port) as u32 - 1
    }

    /// The links of the ports of a node: rate, and round-trip delay.
    pub fn ways(&self, node: u32) -> Vec<(u32, u64)> {
        let back = |port: u32| {
            let ingress = (port - self.first[node as usize]) as usize;
            self.links[self.ins[node as usize][ingress] as usize].delay_ps
        };
        let way = |port: u32| {
            let Link { gbps, delay_ps, .. } = self.links[port as usize];
            (gbps, delay_ps + back(port))
        };
        self.ports_of(node).map(way).collect()
    }

    /// The least and the greatest delay of a link.
    pub fn delays_ps(&self) -> (u64, u64) {
        let delays = || self.links.iter().map(|link| link.delay_ps);
        (delays().min().unwrap_or(1), delays().max().unwrap_or(1))
    }
}

/// Splits the nodes of a network among the parts of a run: ranges of hosts and of each kind of switch, so that pods stay
/// together.
pub(crate) fn shares(network: &Network, parts: u32) -> Arc<[u16]> {
    let topology = &network.topology;
    let mut owner = Vec::with_capacity(network.nodes() as usize);
    let counts = [topology.hosts(), topology.edges(), topology.aggregations(), topology.cores()];
    for count in counts {
        owner.extend((0..count).map(|at| (u64::from(at) * u64::from(parts) / u64::from(count)) as u16));
    }
    owner.into()
}
