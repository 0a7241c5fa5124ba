//! The route of a packet by its destination: down by one port, up by any port of a group, or no route.
//!
//! A switch without failures computes the route. After a failure that routing has learned, the switch uses
//! tables. The control plane of the programs (`weft_switch::schemes`) makes the same tables: targets with
//! equal weights share a group, and groups have numbers in the order of their first targets.

use crate::network::Network;
use weft_switch::schemes::members;
use weft_switch::topology::{Failed, Host, Role, Switch, Topology};

/// A group of equivalent next hops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of the group at this switch: the index of its state.
    pub number: u32,
    /// The ports up, each once, or as many times as its weight.
    pub ports: Vec<u16>,
}

/// The route to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<'a> {
    /// Down by a port.
    Down(u16),
    /// Up by a port of the group, to a target: at an edge switch another edge switch, otherwise a pod.
    Up(&'a Group, u32),
    /// No path exists.
    None,
}

/// Exact division of numbers below 2^20 by a small number.
#[derive(Clone, Copy, Debug)]
struct Divider {
    by: u32,
    factor: u64,
}

impl Divider {
    fn new(by: u32) -> Self {
        Self { by, factor: (1u64 << 32).div_ceil(by.max(1).into()) }
    }

    /// Computes quotient and remainder.
    #[inline]
    fn divide(&self, number: u32) -> (u32, u32) {
        let quotient = ((u64::from(number) * self.factor) >> 32) as u32;
        (quotient, number - quotient * self.by)
    }
}

/// The routes of a switch.
#[derive(Clone, Debug)]
pub struct Router {
    role: Role,
    /// The edge switch, or the pod.
    own: u32,
    hosts: Divider,
    edges: Divider,
    all: Group,
    weighted: bool,
    known: Option<Box<Known>>,
}

/// The failures that routing has learned of.
#[derive(Clone, Debug)]
struct Known {
    groups: Vec<Group>,
    /// The group of every target.
    group: Vec<u16>,
    /// Whether the paths down to an edge switch have no failure; at an edge switch, the paths to its hosts.
    down: Vec<bool>,
    /// Whether there is a path up to an edge switch.
    up: Vec<bool>,
}

/// Members of a weighted group, as in `weft_switch::schemes`.
const WEIGHTED: usize = 128;

impl Router {
    /// The router of a switch without failures.
    pub fn new(network: &Network, switch: Switch, weighted: bool) -> Self {
        let topology = &network.topology;
        let role = topology.role(switch);
        let own = if role == Role::Edge { switch.0 } else { topology.pod(switch).unwrap_or(0) };
        let ports: Vec<u16> = topology.up_ports(switch).collect();
        let empty = Failed::new();
        // Before failures, the second target has a path up if the first is below this switch.
        let groups = groups(topology, switch, &empty, weighted, 2);
        let all = groups.into_iter().map(|(_, group, _)| group).find(|group| !group.ports.is_empty());
        let all = all.unwrap_or(Group { number: 0, ports });
        Self {
            role,
            own,
            hosts: Divider::new(topology.hosts_per_edge()),
            edges: Divider::new(topology.edges_per_pod()),
            all,
            weighted,
            known: None,
        }
    }

    /// Learns which links are down.
    pub fn learn(&mut self, topology: &Topology, switch: Switch, failed: &Failed) {
        if failed.is_empty() {
            self.known = None;
            return;
        }
        let mut known = Known { groups: Vec::new(), group: Vec::new(), down: Vec::new(), up: Vec::new() };
        let mut by_target = Vec::new();
        for (_, group, targets) in groups(topology, switch, failed, self.weighted, u32::MAX) {
            by_target.extend(targets.into_iter().map(|target| (target, group.number as u16)));
            known.groups.push(group);
        }
        by_target.sort_unstable();
        known.group = by_target.into_iter().map(|(_, group)| group).collect();
        known.down = match self.role {
            Role::Edge => topology
                .down_ports(switch)
                .map(|port| topology.link(switch, port).is_some_and(|link| !failed.contains(&link)))
                .collect(),
            _ => (0..topology.edges()).map(|edge| topology.has_way_down(failed, switch, edge)).collect(),
        };
        known.up = (0..topology.edges())
            .map(|edge| topology.weights(failed, switch, edge).iter().any(|weight| *weight > 0))
            .collect();
        self.known = Some(Box::new(known));
    }

    /// The route to a host.
    #[inline]
    pub fn way(&self, destination: u32) -> Way<'_> {
        let (edge, port) = self.hosts.divide(destination);
        let (down, target) = match self.role {
            Role::Edge => (if edge == self.own { Some(port) } else { None }, edge),
            Role::Aggregation => {
                let (pod, index) = self.edges.divide(edge);
                (if pod == self.own { Some(index) } else { None }, pod)
            }
            Role::Core => (Some(self.edges.divide(edge).0), 0),
        };
        if let Some(known) = &self.known {
            return known.way(self.role, edge, down, target);
        }
        match down {
            Some(port) => Way::Down(port as u16),
            None => Way::Up(&self.all, target),
        }
    }
}

impl Known {
    #[cold]
    fn way(&self, role: Role, edge: u32, down: Option<u32>, target: u32) -> Way<'_> {
        let is_whole = |at: u32| self.down.get(at as usize).copied().unwrap_or(false);
        match down {
            Some(port) if is_whole(if role == Role::Edge { port } else { edge }) => Way::Down(port as u16),
            Some(_) => Way::None,
            None if !self.up[edge as usize] => Way::None,
            None => Way::Up(&self.groups[usize::from(self.group[target as usize])], target),
        }
    }
}

/// The groups of a switch with their targets; the result has at most the first `most` groups. `weighted`: a
/// next hop is a member of the group once for each path behind it.
fn groups(
    topology: &Topology,
    switch: Switch,
    failed: &Failed,
    weighted: bool,
    most: u32,
) -> Vec<(Vec<u32>, Group, Vec<u32>)> {
    let role = topology.role(switch);
    let targets = match role {
        Role::Edge => topology.edges(),
        Role::Aggregation if topology.is_fat_tree() => topology.pods(),
        _ => 0,
    };
    let first = topology.up_ports(switch).start;
    let mut found: Vec<(Vec<u32>, Group, Vec<u32>)> = Vec::new();
    for target in 0..targets.min(most) {
        let mut weights = match role {
            Role::Edge => topology.weights(failed, switch, target),
            _ => topology.pod_weights(failed, switch, target),
        };
        if !weighted {
            weights.iter_mut().for_each(|weight| *weight = (*weight).min(1));
        }
        if let Some((.., targets)) = found.iter_mut().find(|(known, ..)| *known == weights) {
            targets.push(target);
            continue;
        }
        let room = if weighted { WEIGHTED.max(weights.len()) } else { weights.len() };
        let ports = members(&weights, room).iter().map(|up| first + *up as u16).collect();
        let group = Group { number: found.len() as u32, ports };
        found.push((weights, group, vec![target]));
    }
    found
}

/// The edge switch of a host.
pub fn edge_of(topology: &Topology, host: u32) -> u32 {
    topology.attachment(Host(host)).0.0
}
