//! Single links that differ from the others of their tier.

use super::Setup;
use super::faults::between;
use super::read::ensure_latency;
use super::source::{Wrong, wrong};
use crate::network::{Network, Own, Queue, Tier, Wiring};
use serde::{Deserialize, Serialize};
use weft_switch::topology::{Node, Topology};

/// A link with its own rate or latency for the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unlike {
    /// A node, such as `host-3`, `leaf-0`, `spine-1`, `edge-0`, `agg-1` or `core-2`.
    pub a: String,
    /// A neighbour of the node.
    pub b: String,
    /// Rate in Gb/s; by default that of the tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gbps: Option<u32>,
    /// Latency; by default that of the tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ns: Option<u64>,
    /// Bytes of the data queue in front of the link, at both ends. The control queue and the thresholds of
    /// the link are in proportion. The default is that of `[switch]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_bytes: Option<u32>,
    /// Whether only the direction from `a` to `b` differs.
    #[serde(default)]
    pub one_way: bool,
}

/// Maximum number of buffers of all links. Each link has one for each window (the least delay) within the
/// longest delay.
const MOST_BOXES: u64 = 1 << 26;

impl Setup {
    /// Puts the single links into a network.
    pub(super) fn set_links(&self, network: &mut Network) -> Result<(), Wrong> {
        let topology = network.topology;
        for (at, Unlike { a, b, gbps, latency_ns, queue_bytes, one_way }) in self.unlike.iter().enumerate() {
            let table = format!("link.{at}");
            let key = |name: &str| format!("{table}.{name}");
            let (link, near) = between(network, &table, a, b)?;
            if let Some(gbps) = gbps.filter(|gbps| !(1..=1_600).contains(gbps)) {
                return wrong(&key("gbps"), format!("{gbps} is not possible; use 1 to 1600"));
            }
            ensure_latency(&key("latency_ns"), *latency_ns, 1)?;
            let least = self.hosts.mtu + u32::from(self.wire.header_bytes);
            if let Some(bytes) = queue_bytes.filter(|bytes| !(least..=1 << 30).contains(bytes)) {
                return wrong(
                    &key("queue_bytes"),
                    format!("{bytes} is not possible; use {least}, a packet, to {}", 1 << 30),
                );
            }
            if gbps.is_none() && latency_ns.is_none() && queue_bytes.is_none() {
                return wrong(
                    &key("a"),
                    "this link is like the others; give gbps, latency_ns or queue_bytes",
                );
            }
            let ends = topology.ends(link).map(|(node, _)| node);
            let number = tier_of(&topology, ends);
            let tier = network.tiers[number];
            let own = Tier {
                gbps: gbps.unwrap_or(tier.gbps),
                delay_ps: latency_ns.map_or(tier.delay_ps, |ns| 1_000 * ns),
            };
            for [from, to] in [ends, [ends[1], ends[0]]] {
                if *one_way && from != near {
                    continue;
                }
                let nodes = [from, to].map(|node| match node {
                    Node::Host(host) => host.0,
                    Node::Switch(switch) => network.node(switch),
                });
                // The link gets its queue later, when queues are known.
                if network.unlike.insert(nodes, Own { tier: own, queue: number as u8 }).is_some() {
                    let [from, to] = [from, to].map(|node| network.name_of(node));
                    return wrong(&key("a"), format!("the link from {from} to {to} is given twice"));
                }
            }
        }
        Ok(())
    }

    /// Gives single links their queues, and makes each kind of queue only once.
    pub(super) fn set_queues(
        &self,
        network: &mut Network,
        queue: impl Fn(u32, Option<u32>) -> Queue,
    ) -> Result<(), Wrong> {
        for (at, Unlike { a, b, queue_bytes, one_way, .. }) in self.unlike.iter().enumerate() {
            let (link, near) = between(network, &format!("link.{at}"), a, b)?;
            let ends = network.topology.ends(link).map(|(node, _)| node);
            for [from, to] in [ends, [ends[1], ends[0]]] {
                let nodes = [from, to].map(|node| match node {
                    Node::Host(host) => host.0,
                    Node::Switch(switch) => network.node(switch),
                });
                let Some(own) = network.unlike.get_mut(&nodes).filter(|_| !one_way || from == near) else {
                    continue;
                };
                let queue = queue(own.tier.gbps, *queue_bytes);
                let known = network.queues.iter().position(|other| *other == queue);
                let place = known.unwrap_or(network.queues.len());
                if place == network.queues.len() {
                    network.queues.push(queue);
                }
                own.queue = u8::try_from(place).or_else(|_| {
                    wrong(
                        &format!("link.{at}.a"),
                        "more than 256 kinds of queues are not possible; give fewer rates",
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Refuses delays that differ too much, because a run would have too many windows.
    pub(crate) fn check_windows(&self, wiring: &Wiring) -> Result<(), Wrong> {
        let (least, most) = wiring.delays_ps();
        let boxes = (most / least.max(1) + 3).next_power_of_two() * wiring.links.len() as u64;
        if boxes <= MOST_BOXES {
            return Ok(());
        }
        let key = if self.unlike.is_empty() { "links" } else { "link" };
        wrong(
            key,
            format!(
                "the delays, {least} to {most} ps with that of the switch, differ too much for {} links: a run advances in steps \
                 of the smallest; make the smallest longer",
                wiring.links.len()
            ),
        )
    }
}

/// The tier of a link, by its lower end and its upper end.
fn tier_of(topology: &Topology, [lower, upper]: [Node; 2]) -> usize {
    match (lower, upper) {
        (Node::Host(_), _) => 0,
        (_, Node::Switch(switch)) if topology.role(switch) == weft_switch::topology::Role::Core => 2,
        _ => 1,
    }
}
