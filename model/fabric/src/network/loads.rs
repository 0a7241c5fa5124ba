//! The loads of links if every host sends to all other hosts equally.

use super::Network;
use std::collections::BTreeMap;
use weft_switch::topology::{Host, Role, Switch};

impl Network {
    /// The loads of hosts, as a share of their rates, at which three kinds of links are full: the links above
    /// an edge switch, the links above a pod, and the hosts' own links. The first two exist only if there are
    /// links above.
    pub(crate) fn full_loads(&self) -> Vec<(&'static str, f64)> {
        let topology = &self.topology;
        let (hosts, wiring) = (topology.hosts(), self.wiring());
        let (mut edges, mut pods) = (Groups::default(), Groups::default());
        for host in 0..hosts {
            let edge = topology.attachment(Host(host)).0;
            let gbps = f64::from(self.line_gbps(host));
            edges.entry(edge.0).or_default().host(gbps);
            pods.entry(topology.pod_of_edge(edge.0)).or_default().host(gbps);
        }
        for switch in (0..topology.switches()).map(Switch) {
            let first = wiring.first[self.node(switch) as usize];
            let up = || {
                topology
                    .up_ports(switch)
                    .map(|port| f64::from(wiring.links[(first + u32::from(port)) as usize].gbps))
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

    /// The load at which the links up are full; `None` if no traffic uses them.
    fn full(&self, hosts: u32) -> Option<f64> {
        let leaves = f64::from(hosts - self.hosts) / f64::from(hosts.max(2) - 1);
        (leaves > 0.0 && self.down > 0.0).then(|| self.up / (self.down * leaves))
    }
}
