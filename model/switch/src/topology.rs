//! Leaf-spine and fat tree as data: the switches, the far end of every port, the ports up and down, and the
//! paths that remain after failures of links.
//!
//! Both kinds consist of pods. A pod has edge switches, aggregation switches and a link between each pair of
//! them. Aggregation switch `a` of every pod leads to the same `cores` core switches, and core switch `c`
//! belongs to aggregation switch `c / cores` of every pod.
//! * Fat tree of parameter k (OFAN section 3): k pods of k/2 edge and k/2 aggregation switches, k/2 cores each.
//! * Leaf-spine: one pod without cores. Leaves are its edge switches, spines its aggregation switches.
//!
//! Hosts, edge switches and aggregation switches have numbers through all pods in order. [`Switch`] counts
//! edge switches first, then aggregation switches, then core switches. A switch has ports down first, then
//! ports up:
//!
//! | switch | ports down | ports up |
//! |---|---|---|
//! | edge (leaf) | its hosts | aggregation switches of its pod |
//! | aggregation (spine) | edge switches of its pod | its cores |
//! | core | one aggregation switch of each pod | none |
//!
//! A packet uses a shortest path that leads up and then down, without detours and valleys (the paths of BGP
//! in a fat tree).

mod weights;

use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// The role of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A switch with hosts; a leaf.
    Edge,
    /// A switch above the edge switches of a pod; a spine.
    Aggregation,
    /// A switch above all pods.
    Core,
}

/// A switch, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Switch(pub u32);

/// A host, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Host(pub u32);

/// The node that a port leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// A host.
    Host(Host),
    /// A switch.
    Switch(Switch),
}

/// A link, identified by its lower end: an edge switch and one of its ports, or an aggregation switch and a
/// port up. The link of a host is identified by the host's port of the edge switch. [`Topology::link`] and
/// [`Topology::between`] make links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Link {
    switch: Switch,
    port: u16,
}

/// Links that have failed.
pub type Failed = BTreeSet<Link>;

/// The reason why a topology is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// The parameter of a fat tree is not possible.
    #[error("a fat tree of k = {0} is not possible; use an even k from 2 to 128")]
    FatTree(u32),
    /// A topology file that was not read.
    #[error("topology files are for weft sim")]
    File,
    /// A number is out of range.
    #[error("{number} {what} are not possible; use 1 to {most}")]
    Number {
        /// The kind of items.
        what: &'static str,
        /// The number requested.
        number: u32,
        /// The greatest possible number.
        most: u32,
    },
}

/// A leaf-spine or fat tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Topology {
    pods: u32,
    /// Number of edge switches of a pod.
    edges: u32,
    /// Number of aggregation switches of a pod.
    aggregations: u32,
    /// Number of cores of an aggregation switch.
    cores: u32,
    /// Number of hosts of an edge switch.
    hosts: u32,
}

/// Maximum number of ports of a switch in either direction: port numbers have 9 bits, including the
/// recirculation port.
const MOST_PORTS: u32 = 128;

fn count(what: &'static str, number: u32) -> Result<u32, TopologyError> {
    let most = MOST_PORTS;
    if (1..=most).contains(&number) { Ok(number) } else { Err(TopologyError::Number { what, number, most }) }
}

impl Topology {
    /// A topology with two tiers: every leaf has a link to every spine. Leaves and spines are at most 128
    /// each.
    pub fn leaf_spine(leaves: u32, spines: u32, hosts_per_leaf: u32) -> Result<Self, TopologyError> {
        Ok(Self {
            pods: 1,
            edges: count("leaves", leaves)?,
            aggregations: count("spines", spines)?,
            cores: 0,
            hosts: count("hosts per leaf", hosts_per_leaf)?,
        })
    }

    /// A topology with three tiers of switches with k ports, and with k/2 hosts at every edge switch.
    pub fn fat_tree(k: u32) -> Result<Self, TopologyError> {
        Self::fat_tree_with(k, k / 2)
    }

    /// A fat tree with another number of hosts at every edge switch.
    pub fn fat_tree_with(k: u32, hosts_per_edge: u32) -> Result<Self, TopologyError> {
        if !k.is_multiple_of(2) || !(2..=MOST_PORTS).contains(&k) {
            return Err(TopologyError::FatTree(k));
        }
        let half = k / 2;
        let hosts = count("hosts per edge switch", hosts_per_edge)?;
        Ok(Self { pods: k, edges: half, aggregations: half, cores: half, hosts })
    }

    /// The topology with another number of cores at every aggregation switch. A topology without cores stays
    /// unchanged.
    pub fn with_cores(self, cores: u32) -> Result<Self, TopologyError> {
        if self.cores == 0 {
            return Ok(self);
        }
        Ok(Self { cores: count("cores per aggregation switch", cores)?, ..self })
    }

    /// The topology with another number of pods. A topology without cores stays unchanged.
    pub fn with_pods(self, pods: u32) -> Result<Self, TopologyError> {
        if self.cores == 0 {
            return Ok(self);
        }
        Ok(Self { pods: count("pods", pods)?, ..self })
    }

    /// Whether the topology has core switches.
    pub fn is_fat_tree(&self) -> bool {
        self.cores > 0
    }

    /// Number of pods.
    pub fn pods(&self) -> u32 {
        self.pods
    }

    /// Number of hosts.
    pub fn hosts(&self) -> u32 {
        self.edges() * self.hosts
    }

    /// Number of hosts of an edge switch.
    pub fn hosts_per_edge(&self) -> u32 {
        self.hosts
    }

    /// Number of edge switches: `Switch(0)` to `Switch(edges - 1)`.
    pub fn edges(&self) -> u32 {
        self.pods * self.edges
    }

    /// Number of edge switches of a pod.
    pub fn edges_per_pod(&self) -> u32 {
        self.edges
    }

    /// Number of aggregation switches.
    pub fn aggregations(&self) -> u32 {
        self.pods * self.aggregations
    }

    /// Number of core switches.
    pub fn cores(&self) -> u32 {
        self.aggregations * self.cores
    }

    /// Number of switches.
    pub fn switches(&self) -> u32 {
        self.edges() + self.aggregations() + self.cores()
    }

    /// Number of aggregation switches of a pod: the ports up of an edge switch.
    pub fn aggregations_per_pod(&self) -> u32 {
        self.aggregations
    }

    /// Number of cores of an aggregation switch: its ports up.
    pub fn cores_per_aggregation(&self) -> u32 {
        self.cores
    }

    /// The edge switches, aggregation switches or core switches.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = Switch> + use<> {
        let (edges, above) = (self.edges(), self.edges() + self.aggregations());
        match role {
            Role::Edge => 0..edges,
            Role::Aggregation => edges..above,
            Role::Core => above..self.switches(),
        }
        .map(Switch)
    }

    /// The role of a switch.
    pub fn role(&self, switch: Switch) -> Role {
        match switch.0 {
            number if number < self.edges() => Role::Edge,
            number if number < self.edges() + self.aggregations() => Role::Aggregation,
            _ => Role::Core,
        }
    }

    /// The number of a switch among those of its role, through all pods.
    pub fn number(&self, switch: Switch) -> u32 {
        switch.0
            - match self.role(switch) {
                Role::Edge => 0,
                Role::Aggregation => self.edges(),
                Role::Core => self.edges() + self.aggregations(),
            }
    }

    /// The pod of a switch. A core switch belongs to no pod.
    pub fn pod(&self, switch: Switch) -> Option<u32> {
        match self.role(switch) {
            Role::Edge => Some(self.number(switch) / self.edges),
            Role::Aggregation => Some(self.number(switch) / self.aggregations),
            Role::Core => None,
        }
    }

    /// The number of a switch in its pod; for a core switch, among all core switches.
    pub fn index(&self, switch: Switch) -> u32 {
        let number = self.number(switch);
        match self.role(switch) {
            Role::Edge => number % self.edges,
            Role::Aggregation => number % self.aggregations,
            Role::Core => number,
        }
    }

    /// The pod of an edge switch, by its number.
    pub fn pod_of_edge(&self, edge: u32) -> u32 {
        edge / self.edges
    }

    fn aggregation(&self, pod: u32, index: u32) -> Switch {
        Switch(self.edges() + pod * self.aggregations + index)
    }

    fn core(&self, number: u32) -> Switch {
        Switch(self.edges() + self.aggregations() + number)
    }

    /// The edge switch of a host, and the port there.
    pub fn attachment(&self, host: Host) -> (Switch, u16) {
        (Switch(host.0 / self.hosts), (host.0 % self.hosts) as u16)
    }

    /// Number of ports of a switch.
    pub fn ports(&self, switch: Switch) -> u16 {
        self.up_ports(switch).end
    }

    /// The ports down of a switch.
    pub fn down_ports(&self, switch: Switch) -> Range<u16> {
        let down = match self.role(switch) {
            Role::Edge => self.hosts,
            Role::Aggregation => self.edges,
            Role::Core => self.pods,
        };
        0..down as u16
    }

    /// The ports up of a switch.
    pub fn up_ports(&self, switch: Switch) -> Range<u16> {
        let up = match self.role(switch) {
            Role::Edge => self.aggregations,
            Role::Aggregation => self.cores,
            Role::Core => 0,
        };
        let first = self.down_ports(switch).end;
        first..first + up as u16
    }

    /// The node to which a port leads, and the port there (0 for a host). `None` if there is no such port.
    pub fn peer(&self, switch: Switch, port: u16) -> Option<(Node, u16)> {
        let (down, up) = (self.down_ports(switch), self.up_ports(switch));
        let (pod, index) = (self.pod(switch).unwrap_or(0), self.index(switch));
        let at = u32::from(port);
        if down.contains(&port) {
            return Some(match self.role(switch) {
                Role::Edge => (Node::Host(Host(switch.0 * self.hosts + at)), 0),
                Role::Aggregation => {
                    (Node::Switch(Switch(pod * self.edges + at)), (self.hosts + index) as u16)
                }
                Role::Core => {
                    let port = (self.edges + index % self.cores) as u16;
                    (Node::Switch(self.aggregation(at, index / self.cores)), port)
                }
            });
        }
        let up = u32::from(port.checked_sub(up.start).filter(|_| up.contains(&port))?);
        Some(match self.role(switch) {
            Role::Edge => (Node::Switch(self.aggregation(pod, up)), index as u16),
            _ => (Node::Switch(self.core(index * self.cores + up)), pod as u16),
        })
    }

    /// The link at a port of a switch, the same from both ends.
    pub fn link(&self, switch: Switch, port: u16) -> Option<Link> {
        match self.peer(switch, port)? {
            (Node::Switch(lower), its) if self.down_ports(switch).contains(&port) => {
                Some(Link { switch: lower, port: its })
            }
            _ => Some(Link { switch, port }),
        }
    }

    /// The link between two neighbours, in any order.
    pub fn between(&self, a: Node, b: Node) -> Option<Link> {
        let (switch, other) = match (a, b) {
            (Node::Switch(a), _) => (a, b),
            (_, Node::Switch(b)) => (b, a),
            _ => return None,
        };
        let leads = |port: &u16| self.peer(switch, *port).is_some_and(|(node, _)| node == other);
        (0..self.ports(switch)).find(leads).and_then(|port| self.link(switch, port))
    }

    /// All links: those of hosts, then those between switches.
    pub fn links(&self) -> Vec<Link> {
        let of = |switch: Switch, ports: Range<u16>| ports.map(move |port| Link { switch, port });
        let hosts = self.of_role(Role::Edge).flat_map(|switch| of(switch, self.down_ports(switch)));
        hosts.chain(self.fabric_links()).collect()
    }

    /// The links between switches.
    pub fn fabric_links(&self) -> Vec<Link> {
        let all = self.of_role(Role::Edge).chain(self.of_role(Role::Aggregation));
        all.flat_map(|switch| self.up_ports(switch).map(move |port| Link { switch, port })).collect()
    }

    /// Both ends of a link: the lower end, then the upper end, each with its port (0 for a host).
    pub fn ends(&self, link: Link) -> [(Node, u16); 2] {
        let here = (Node::Switch(link.switch), link.port);
        match self.peer(link.switch, link.port) {
            Some(host @ (Node::Host(_), _)) => [host, here],
            Some(above) => [here, above],
            None => [here, here],
        }
    }

    /// The name of a node, such as `host-3`, `leaf-0`, `spine-1`, `edge-0`, `agg-1` or `core-2`.
    pub fn name(&self, node: Node) -> String {
        let switch = match node {
            Node::Host(host) => return format!("host-{}", host.0),
            Node::Switch(switch) => switch,
        };
        let role = match (self.role(switch), self.is_fat_tree()) {
            (Role::Edge, true) => "edge",
            (Role::Edge, false) => "leaf",
            (Role::Aggregation, true) => "agg",
            (Role::Aggregation, false) => "spine",
            (Role::Core, _) => "core",
        };
        format!("{role}-{}", self.number(switch))
    }

    /// The node with a name.
    pub fn node(&self, name: &str) -> Option<Node> {
        let (role, number) = name.rsplit_once('-')?;
        let number: u32 = number.parse().ok()?;
        let node = match (role, self.is_fat_tree()) {
            ("host", _) => return (number < self.hosts()).then_some(Node::Host(Host(number))),
            ("edge", true) | ("leaf", false) => self.of_role(Role::Edge).nth(number as usize),
            ("agg", true) | ("spine", false) => self.of_role(Role::Aggregation).nth(number as usize),
            ("core", true) => self.of_role(Role::Core).nth(number as usize),
            _ => None,
        };
        node.map(Node::Switch)
    }

    /// The port down by which a switch reaches an edge switch, given by its number, if the switch is above
    /// it. `None` at this edge switch itself, and if only ports up lead to the edge switch.
    pub fn down_port(&self, switch: Switch, edge: u32) -> Option<u16> {
        let pod = self.pod_of_edge(edge);
        match self.role(switch) {
            Role::Edge => None,
            Role::Aggregation => (self.pod(switch) == Some(pod)).then_some((edge % self.edges) as u16),
            Role::Core => Some(pod as u16),
        }
    }
}

#[cfg(test)]
mod tests;
