//! Links that fail or have errors: from a list, or drawn by the seed.

use super::Setup;
use super::source::{Wrong, wrong};
use crate::engine::Faults;
use crate::network::{Network, Wiring};
use crate::port::Change;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weft_random::Rng;
use weft_switch::topology::{Failed, Link, Node, Topology};

/// A link that is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// A node: `host-3`; `leaf-0`, `spine-1`; `edge-0`, `agg-1`, `core-2`.
    pub a: String,
    /// Its neighbour.
    pub b: String,
    /// From then on.
    pub from_us: f64,
    /// Until then; without it for ever.
    pub until_us: Option<f64>,
    /// Only from `a` to `b`.
    #[serde(default)]
    pub one_way: bool,
}

/// A link that is slow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrade {
    /// A node, as in a cut.
    pub a: String,
    /// Its neighbour.
    pub b: String,
    /// Its rate.
    pub gbps: u32,
    /// From then on.
    #[serde(default)]
    pub from_us: f64,
    /// Until then; without it for ever.
    pub until_us: Option<f64>,
    /// Only from `a` to `b`.
    #[serde(default)]
    pub one_way: bool,
}

/// A link with bit errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corrupt {
    /// A node, as in a cut.
    pub a: String,
    /// Its neighbour.
    pub b: String,
    /// The chance that a bit is wrong.
    pub ber: f64,
    /// From then on.
    #[serde(default)]
    pub from_us: f64,
    /// Until then; without it for ever.
    pub until_us: Option<f64>,
    /// Only from `a` to `b`.
    #[serde(default)]
    pub one_way: bool,
}

/// A share of the links between switches, drawn by the seed, both directions of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Which share of them, rounded to whole links, one at least.
    pub share: f64,
    /// Their rate; without it and `ber` they are cut.
    pub gbps: Option<u32>,
    /// Their bit error rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ber: Option<f64>,
    /// From then on.
    #[serde(default)]
    pub from_us: f64,
    /// Until then; without it for ever.
    pub until_us: Option<f64>,
}

/// What happens to one direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// From this node
    pub from: String,
    /// to that one.
    pub to: String,
    /// Its rate; without it and `ber` it is cut.
    pub gbps: Option<u32>,
    /// Its bit error rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ber: Option<f64>,
    /// From then on.
    pub from_ps: u64,
    /// Until then.
    pub until_ps: Option<u64>,
    #[serde(skip)]
    port: u32,
    #[serde(skip)]
    tier: usize,
    #[serde(skip)]
    link: Option<Link>,
}

/// Rate in Gb/s and bit error rate, where they change.
type Rates = (Option<u32>, Option<f64>);

/// Beginning and end in us.
type Times = (f64, Option<f64>);

fn ps(key: &str, us: f64) -> Result<u64, Wrong> {
    match (0.0..=1e9).contains(&us) {
        true => Ok((us * 1e6).round() as u64),
        false => wrong(key, format!("{us} cannot be; use 0 to 1e9")),
    }
}

impl Setup {
    /// What happens to links, one direction after the other.
    pub(crate) fn faults(&self, network: &Network, wiring: &Wiring) -> Result<Vec<Fault>, Wrong> {
        let mut faults = Vec::new();
        let topology = &network.topology;
        let mut add = |table: &str,
                       link: Link,
                       one_way: Option<Node>,
                       (gbps, ber): Rates,
                       (from, until): Times| {
            let from_ps = ps(&format!("{table}.from_us"), from)?;
            let until_ps = until.map(|until| ps(&format!("{table}.until_us"), until)).transpose()?;
            if until_ps.is_some_and(|until| until <= from_ps) {
                return wrong(&format!("{table}.until_us"), "it ends before it begins");
            }
            if let Some(gbps) = gbps.filter(|gbps| !(1..=1_600).contains(gbps)) {
                return wrong(&format!("{table}.gbps"), format!("{gbps} cannot be; use 1 to 1600"));
            }
            if let Some(ber) = ber.filter(|ber| !(0.0..=1.0).contains(ber)) {
                return wrong(&format!("{table}.ber"), format!("{ber} cannot be; use 0 to 1"));
            }
            let ends = topology.ends(link);
            for (near, far) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if one_way.is_some_and(|node| node != near.0) {
                    continue;
                }
                let port = match near {
                    (Node::Host(host), _) => host.0,
                    (Node::Switch(switch), port) => {
                        wiring.first[network.node(switch) as usize] + u32::from(port)
                    }
                };
                let tier = usize::from(wiring.links[port as usize].tier);
                let (from, to) = (topology.name(near.0), topology.name(far.0));
                faults.push(Fault { from, to, gbps, ber, from_ps, until_ps, port, tier, link: Some(link) });
            }
            Ok(())
        };
        for (at, Cut { a, b, from_us, until_us, one_way }) in self.cuts.iter().enumerate() {
            let table = format!("cut.{at}");
            let (link, near) = between(topology, &table, a, b)?;
            add(&table, link, one_way.then_some(near), (None, None), (*from_us, *until_us))?;
        }
        for (at, Degrade { a, b, gbps, from_us, until_us, one_way }) in self.degrades.iter().enumerate() {
            let table = format!("degrade.{at}");
            let (link, near) = between(topology, &table, a, b)?;
            add(&table, link, one_way.then_some(near), (Some(*gbps), None), (*from_us, *until_us))?;
        }
        for (at, Corrupt { a, b, ber, from_us, until_us, one_way }) in self.corrupts.iter().enumerate() {
            let table = format!("corrupt.{at}");
            let (link, near) = between(topology, &table, a, b)?;
            add(&table, link, one_way.then_some(near), (None, Some(*ber)), (*from_us, *until_us))?;
        }
        for (number, Drawn { share, gbps, ber, from_us, until_us }) in (0..).zip(&self.drawn) {
            if !(*share > 0.0 && *share <= 1.0) {
                return wrong(
                    &format!("draw.{number}.share"),
                    format!("{share} cannot be; use a share above 0 to 1"),
                );
            }
            let mut links = topology.fabric_links();
            let count = ((links.len() as f64 * share).round() as usize).max(1);
            Rng::of(&[self.seed, 0xFA_117, number]).shuffle(&mut links);
            for link in links.into_iter().take(count) {
                add(&format!("draw.{number}"), link, None, (*gbps, *ber), (*from_us, *until_us))?;
            }
        }
        Ok(faults)
    }

    /// What ports and routing are told of them.
    pub(crate) fn plan(&self, network: &Network, faults: &[Fault]) -> Faults {
        let mut by_port: BTreeMap<u32, Vec<&Fault>> = BTreeMap::new();
        faults.iter().for_each(|fault| by_port.entry(fault.port).or_default().push(fault));
        let changes = by_port.into_iter().map(|(port, faults)| (port, changes(network, &faults))).collect();
        let mut routing = Vec::new();
        if let Some(converge_us) = self.routing.converge_us {
            let cuts = || faults.iter().filter(|fault| fault.is_cut());
            for at in times(cuts()) {
                let failed: Failed =
                    cuts().filter(|fault| fault.covers(at)).filter_map(|it| it.link).collect();
                routing.push((at + (converge_us * 1e6).round() as u64, failed));
            }
        }
        Faults { changes, routing }
    }
}

impl Fault {
    fn is_cut(&self) -> bool {
        self.gbps.is_none() && self.ber.is_none()
    }

    fn covers(&self, at_ps: u64) -> bool {
        self.from_ps <= at_ps && self.until_ps.is_none_or(|until| at_ps < until)
    }
}

/// All times at which something changes, in order.
fn times<'a>(faults: impl Iterator<Item = &'a Fault>) -> Vec<u64> {
    let mut times: Vec<u64> =
        faults.flat_map(|fault| [Some(fault.from_ps), fault.until_ps]).flatten().collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// How a port's link is after each change: the slowest rate and the most bit errors that something asks for, cut if
/// something cuts it.
fn changes(network: &Network, faults: &[&Fault]) -> Vec<Change> {
    let of = |at_ps: u64| {
        let now = || faults.iter().filter(|fault| fault.covers(at_ps));
        let whole = faults.first().map_or(1, |fault| network.tiers[fault.tier].gbps);
        let gbps = now().filter_map(|fault| fault.gbps).min().unwrap_or(whole);
        let ber = now().filter_map(|fault| fault.ber).fold(0.0, f64::max);
        let bit_errors = (ber * 2f64.powi(64)).round() as u64;
        Change { at_ps, is_cut: now().any(|fault| fault.is_cut()), gbps, bit_errors }
    };
    times(faults.iter().copied()).into_iter().map(of).collect()
}

fn between(topology: &Topology, table: &str, a: &str, b: &str) -> Result<(Link, Node), Wrong> {
    let mut nodes = Vec::new();
    for (key, name) in [("a", a), ("b", b)] {
        match topology.node(name) {
            Some(node) => nodes.push(node),
            None => return wrong(&format!("{table}.{key}"), format!("there is no node {name}")),
        }
    }
    match topology.between(nodes[0], nodes[1]) {
        Some(link) => Ok((link, nodes[0])),
        None => wrong(&format!("{table}.a"), format!("there is no link between {a} and {b}")),
    }
}
