//! The loads of links if every host sends to all other hosts equally.

use super::Network;
use crate::setup::Fault;
use std::collections::BTreeMap;
use weft_switch::topology::{Host, Node, Role, Switch};

impl Network {
    /// The loads of hosts, as a share of their rates, at which three kinds of links are full: the links above
    /// an edge switch, the links above a pod, and the hosts' own links. The first two exist only if there are
    /// links above. Links have the rates that faults without an end leave them.
    pub(crate) fn full_loads(&self, faults: &[Fault]) -> Vec<(&'static str, f64)> {
        let topology = &self.topology;
        let (hosts, wiring) = (topology.hosts(), self.wiring());
        let (mut edges, mut pods) = (Groups::default(), Groups::default());
        for host in 0..hosts {
            let edge = topology.attachment(Host(host)).0;
            let gbps = f64::from(self.line_gbps(host));
            edges.entry(edge.0).or_default().host(gbps);
            pods.entry(topology.pod_of_edge(edge.0)).or_default().host(gbps);
        }
        let lasting = lasting(faults);
        let name = |node| topology.name(node);
        for switch in (0..topology.switches()).map(Switch) {
            let first = wiring.first[self.node(switch) as usize];
            let fault = |port| {
                let (far, _) = topology.peer(switch, port).filter(|_| !lasting.is_empty())?;
                lasting.get(&(name(Node::Switch(switch)), name(far))).copied()
            };
            let whole = |port: u16| wiring.links[(first + u32::from(port)) as usize].gbps;
            let up = || {
                let ports = topology.up_ports(switch);
                ports.map(|port| f64::from(fault(port).unwrap_or_else(|| whole(port))))
            };
            match topology.role(switch) {
                Role::Edge => edges.entry(switch.0).or_default().up += up().sum::<f64>(),
                Role::Aggregation if topology.is_fat_tree() => {
                    let pod = (switch.0 - topology.edges()) / (topology.aggregations() / topology.pods());
                    pods.entry(pod).or_default().up += up().sum::<f64>();
                }
                _ => {}
            }
        }
        let least = |groups: Groups| groups.into_values().filter_map(|it| it.full(hosts)).reduce(f64::min);
        let pods = if topology.is_fat_tree() { least(pods) } else { None };
        let edges = least(edges).map(|full| ("the links above an edge switch", full));
        edges
            .into_iter()
            .chain(pods.map(|full| ("the links above a pod", full)))
            .chain([("their own links", 1.0)])
            .collect()
    }
}

/// The rates of the links that faults change for good, by their ends; 0 for a cut.
fn lasting(faults: &[Fault]) -> BTreeMap<(String, String), u32> {
    let mut rates = BTreeMap::new();
    for fault in faults.iter().filter(|it| it.until_ps.is_none() && (it.gbps.is_some() || it.is_cut())) {
        let gbps = fault.gbps.unwrap_or(0);
        let rate = rates.entry((fault.from.clone(), fault.to.clone())).or_insert(gbps);
        *rate = gbps.min(*rate);
    }
    rates
}

type Groups = BTreeMap<u32, Group>;

/// Hosts of a switch or pod, and the links above.
#[derive(Default)]
struct Group {
    hosts: u32,
    down: f64,
    up: f64,
}

impl Group {
    fn host(&mut self, gbps: f64) {
        self.hosts += 1;
        self.down += gbps;
    }

    /// The load of the hosts at which the links up are full; `None` if no traffic uses these links.
    fn full(&self, hosts: u32) -> Option<f64> {
        let leaves = f64::from(hosts - self.hosts) / f64::from(hosts.max(2) - 1);
        (leaves > 0.0 && self.down > 0.0).then(|| self.up / (self.down * leaves))
    }
}
