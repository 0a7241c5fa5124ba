//! OFAN straight from the paper: a pointer for each destination in a map, and schedules as lists.

use crate::walk::{Network, Sent};
use std::collections::BTreeMap;
use weft_switch::ofan::Step;
use weft_switch::topology::{Failed, Role, Switch, Topology};

/// A switch's pointers and random orders. The caller makes the random choices.
pub(crate) struct Oracle {
    topology: Topology,
    switch: Switch,
    uses_weights: bool,
    /// Order of ports up for each pod.
    pub(crate) orders: BTreeMap<u32, Vec<u16>>,
    /// Last round and slot of each pointer, by target and class; at first the position before its first slot.
    pub(crate) pointers: BTreeMap<(u32, u64), (u32, i32)>,
}

impl Oracle {
    /// The oracle of a switch in a network without failures. Orders are read from the decisions of a copy, starts from
    /// its cells.
    pub(crate) fn of(network: &Network, switch: Switch, classes: u64, uses_weights: bool) -> Self {
        let topology = network.topology;
        let mut oracle =
            Self { topology, switch, uses_weights, orders: BTreeMap::new(), pointers: BTreeMap::new() };
        let pipe = &network.pipes[switch.0 as usize];
        let (array, ..) = pipe.program().arrays().find(|(_, name, ..)| *name == "pointers").expect("it has");
        let mut copy = network.clone();
        for host in 0..topology.hosts() {
            let Some(target) = oracle.target(host) else { continue };
            let start = |class| Step::of(pipe.cell(array, u64::from(target) * classes + class)).slot;
            for class in 0..classes {
                oracle.pointers.insert((target, class), (0, i32::from(start(class)) - 1));
            }
            let pod = topology.pod_of_edge(host / topology.hosts_per_edge());
            let up = topology.up_ports(switch).len();
            oracle.orders.entry(pod).or_insert_with(|| {
                // The highest class: data.
                let seen: Vec<u16> =
                    (0..up).map(|_| copy.decide(switch, Sent::data(0, host), &[]).expect("a way")).collect();
                let mut order = vec![0; up];
                for (at, port) in seen.into_iter().enumerate() {
                    order[(at + usize::from(start(classes - 1))) % up] = port;
                }
                order
            });
        }
        oracle
    }

    /// The target of the pointer; `None`: the host is below.
    pub(crate) fn target(&self, host: u32) -> Option<u32> {
        let edge = host / self.topology.hosts_per_edge();
        let pod = self.topology.pod_of_edge(edge);
        match self.topology.role(self.switch) {
            Role::Edge => (edge != self.switch.0).then_some(edge),
            Role::Aggregation => (self.topology.pod(self.switch) != Some(pod)).then_some(pod),
            Role::Core => None,
        }
    }

    /// The port of the next packet to a host: the next entry of the pod's schedule that reaches the host.
    pub(crate) fn next(&mut self, failed: &Failed, host: u32, class: u64) -> Option<u16> {
        let target = self.target(host)?;
        let edge = host / self.topology.hosts_per_edge();
        let pod = self.topology.pod_of_edge(edge);
        let first = self.topology.up_ports(self.switch).start;
        let mut weights = self.topology.pod_weights(failed, self.switch, pod);
        let divisor = (1..=64).rev().find(|by| weights.iter().all(|weight| weight % by == 0)).unwrap_or(1);
        for weight in &mut weights {
            *weight = if self.uses_weights { *weight / divisor } else { (*weight).min(1) };
        }
        // Interleaved: each round shows the ports that have weight left.
        let mut schedule = Vec::new();
        for round in 0..64 {
            for (slot, port) in (0..).zip(&self.orders[&pod]) {
                if weights[usize::from(port - first)] > round {
                    schedule.push(((round, slot), *port));
                }
            }
        }
        let reaches = |port: u16| self.topology.reaches(failed, self.switch, port, edge);
        let last = self.pointers[&(target, class)];
        let ahead = schedule.iter().filter(|(at, _)| *at > last).chain(&schedule);
        let (at, port) = ahead.copied().find(|(_, port)| reaches(*port))?;
        self.pointers.insert((target, class), at);
        Some(port)
    }
}
