//! All paths between hosts over links that are never cut: the targets of HOST DR, and the rate that all hosts
//! can have (OFAN section 6.1 and appendix A).

use crate::engine::Faults;
use crate::flow::Table;
use crate::network::{Network, Wiring};
use crate::route::{Router, Way, edge_of};
use std::collections::BTreeMap;
use weft_switch::topology::Switch;

/// The paths of a network.
#[derive(Clone, Debug)]
pub struct Ways {
    network: Network,
    wiring: Wiring,
    routers: Vec<Router>,
    /// Minimum rate of every link; `None`: the link is cut at some time.
    gbps: Vec<Option<u32>>,
}

impl Ways {
    /// The paths in a network with these failures.
    pub fn new(network: &Network, faults: &Faults) -> Self {
        let wiring = network.wiring();
        let mut gbps: Vec<Option<u32>> = wiring.links.iter().map(|link| Some(link.gbps)).collect();
        for (port, changes) in &faults.changes {
            let rate = &mut gbps[*port as usize];
            for change in changes {
                *rate = rate.filter(|_| !change.is_cut).map(|rate| rate.min(change.gbps));
            }
        }
        let switches = (0..network.topology.switches()).map(Switch);
        let routers = switches.map(|switch| Router::new(network, switch, false)).collect();
        Self { network: network.clone(), wiring, routers, gbps }
    }

    /// The number of each path from the edge switch of a host to another host, for [`crate::balance::Named`],
    /// and the links of the path.
    pub fn between(&self, from: u32, to: u32) -> Vec<(u16, Vec<u32>)> {
        let mut found = Vec::new();
        let edge = self.network.node(Switch(edge_of(&self.network.topology, from)));
        self.walk(edge, to, [0, 1], &mut Vec::new(), &mut found);
        found.sort_unstable_by_key(|(number, _)| *number);
        found
    }

    fn walk(
        &self,
        node: u32,
        to: u32,
        [number, digit]: [u32; 2],
        way: &mut Vec<u32>,
        found: &mut Vec<(u16, Vec<u32>)>,
    ) {
        let topology = &self.network.topology;
        let switch = Switch(node - topology.hosts());
        let (ports, digits) = match self.routers[switch.0 as usize].way(to) {
            Way::Down(port) => (port..port + 1, 1),
            Way::Up(..) => (topology.up_ports(switch), topology.up_ports(switch).len() as u32),
            Way::None => return,
        };
        for (at, port) in (0..).zip(ports) {
            let link = self.wiring.first[node as usize] + u32::from(port);
            if self.gbps[link as usize].is_none() {
                continue;
            }
            let (number, next) = (number + digit * at, self.wiring.links[link as usize].to);
            way.push(link);
            if next < topology.hosts() {
                found.push((number as u16, way.clone()));
            } else {
                self.walk(next, to, [number, digit * digits], way, found);
            }
            way.pop();
        }
    }

    /// The share of its link's rate at which every host can send at the same time. Each host splits its rate
    /// among its flows by their bytes, and each flow evenly among its paths. The link with the highest load
    /// determines the share.
    pub fn most(&self, table: &Table) -> f64 {
        let mut loads = vec![0.0; self.gbps.len()];
        let mut pairs: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        let line = f64::from(self.network.tiers[0].gbps);
        for (host, flows) in (0..).zip(&table.outgoing) {
            let own = f64::from(self.network.line_gbps(host)) / line;
            let bytes = |flow: &u32| table.flows[*flow as usize].bytes as f64;
            let all: f64 = flows.iter().map(bytes).sum();
            for flow in flows {
                let to = table.flows[*flow as usize].destination;
                let edge = edge_of(&self.network.topology, host);
                *pairs.entry((edge, to)).or_default() += own * (bytes(flow) / all);
                loads[host as usize] += own * (bytes(flow) / all);
            }
        }
        let hosts = self.network.topology.hosts_per_edge();
        for ((edge, to), load) in pairs {
            let ways = self.between(edge * hosts, to);
            let share = load / ways.len().max(1) as f64;
            ways.iter().flat_map(|(_, links)| links).for_each(|link| loads[*link as usize] += share);
        }
        let left = loads.iter().zip(&self.gbps).filter(|(load, _)| **load > 0.0);
        left.filter_map(|(load, gbps)| Some(f64::from((*gbps)?) / line / load)).fold(1.0, f64::min)
    }
}

/// The paths from one host to each other host, and the place of the path used last.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(BTreeMap<(u32, bool), (Vec<u16>, usize)>);

impl Turns {
    /// The path of the next packet to a host. Data and answers have separate pointers, which begin anywhere.
    pub(super) fn next(&mut self, ways: &Ways, (from, to): (u32, u32), is_answer: bool) -> u16 {
        let (numbers, at) = self.0.entry((to, is_answer)).or_insert_with(|| {
            let numbers: Vec<u16> = ways.between(from, to).into_iter().map(|(number, _)| number).collect();
            let draw = [ways.network.seed, from.into(), to.into(), is_answer.into()];
            let count = numbers.len().max(1) as u32;
            (numbers, weft_random::Rng::of(&draw).below(count) as usize)
        });
        *at = (*at + 1) % numbers.len().max(1);
        numbers.get(*at).copied().unwrap_or(0)
    }
}
