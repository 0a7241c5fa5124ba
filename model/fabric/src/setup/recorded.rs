//! The values recorded over time: use of links and queues.

use super::source::{Wrong, wrong};
use super::{Setup, is_default};
use crate::network::{Network, Wiring};
use serde::{Deserialize, Serialize};
use weft_switch::topology::Node;

/// Links that are noted over time, in bins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Length of a bin.
    pub every_us: f64,
    /// A node, for all links out of it, or `node > neighbour` for one link.
    #[serde(default)]
    pub links: Vec<String>,
    /// Whether the result has the imbalance of a switch's links, bin by bin.
    #[serde(default, skip_serializing_if = "is_default")]
    pub imbalance: bool,
    /// Time between samples of the reorder queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder_us: Option<f64>,
}

impl Recorded {
    /// Length of a bin, at least a nanosecond.
    pub(crate) fn every_ps(&self) -> u64 {
        ((self.every_us * 1e6).round() as u64).max(1_000)
    }

    /// Time between samples of the reorder queues, if they are sampled.
    pub(crate) fn reorder_ps(&self) -> Option<u64> {
        self.reorder_us.map(|every_us| (every_us * 1e6).round() as u64)
    }
}

/// Maximum number of bins of a link.
const MOST_BINS: f64 = 1e6;

impl Setup {
    /// The ports that are noted, each once, in their order.
    pub(crate) fn recorded(&self, network: &Network, wiring: &Wiring) -> Result<Vec<u32>, Wrong> {
        let Some(series) = &self.series else { return Ok(Vec::new()) };
        let (every, least) = (series.every_us, (self.until_us / MOST_BINS).max(0.001));
        if !(least..=1e9).contains(&every) {
            return wrong(
                "series.every_us",
                format!("{every} is not possible; use {least}, to have 10^6 bins at most, to 1e9"),
            );
        }
        if let Some(every_us) = series.reorder_us.filter(|every_us| !(0.1..=1e9).contains(every_us)) {
            return wrong("series.reorder_us", format!("{every_us} is not possible; use 0.1 to 1e9"));
        }
        let mut ports = Vec::new();
        for name in &series.links {
            let (from, to) = match name.split_once('>') {
                Some((from, to)) => (from.trim(), Some(to.trim())),
                None => (name.trim(), None),
            };
            let node = |name: &str| match network.named(name) {
                Some(node) => Ok(node),
                None => wrong("series.links", format!("there is no node {name}")),
            };
            let node_number = |node: Node| match node {
                Node::Host(host) => host.0,
                Node::Switch(switch) => network.node(switch),
            };
            let far = to.map(node).transpose()?.map(node_number);
            let its = wiring.ports_of(node_number(node(from)?));
            let before = ports.len();
            ports.extend(its.filter(|port| far.is_none_or(|far| wiring.links[*port as usize].to == far)));
            if ports.len() == before {
                return wrong("series.links", format!("there is no link {name}"));
            }
        }
        ports.sort_unstable();
        ports.dedup();
        Ok(ports)
    }
}
