//! Links and switches that fail or have errors: from a list, or drawn by the seed.

use super::connected::Keeper;
use super::source::{Wrong, wrong};
use super::{Setup, is_default, read::ensure_slower};
use crate::engine::{Faults, Learned};
use crate::flow::Flow;
use crate::network::{Network, Wiring};
use crate::port::Change;
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, collections::BTreeMap, sync::Arc};
use weft_random::Rng;
use weft_switch::topology::{Failed, Host, Link, Node, Role, Switch, Topology};

/// A link that is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// A node, such as `host-3`, `leaf-0`, `spine-1`, `edge-0`, `agg-1` or `core-2`.
    pub a: String,
    /// A neighbour of the node.
    pub b: String,
    /// Start of the cut.
    pub from_us: f64,
    /// End of the cut; by default the cut lasts.
    pub until_us: Option<f64>,
    /// Whether only the direction from `a` to `b` is cut.
    #[serde(default)]
    pub one_way: bool,
}

/// A link that is cut again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flap {
    /// A node, as in a cut.
    pub a: String,
    /// A neighbour of the node.
    pub b: String,
    /// Start of the first cut.
    #[serde(default)]
    pub from_us: f64,
    /// Duration of a cut.
    pub down_us: f64,
    /// Time between two cuts.
    pub up_us: f64,
    /// Number of cuts, 1 to 100,000.
    pub times: u32,
    /// Whether only the direction from `a` to `b` is cut.
    #[serde(default)]
    pub one_way: bool,
}

/// A link that is slow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrade {
    /// A node, as in a cut.
    pub a: String,
    /// A neighbour of the node.
    pub b: String,
    /// Rate in Gb/s during this time, at most that of the link.
    pub gbps: u32,
    /// Start of the slow time.
    #[serde(default)]
    pub from_us: f64,
    /// End of the slow time; by default it lasts.
    pub until_us: Option<f64>,
    /// Whether only the direction from `a` to `b` is slow.
    #[serde(default)]
    pub one_way: bool,
}

/// A link with bit errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Corrupt {
    /// A node, as in a cut.
    pub a: String,
    /// A neighbour of the node.
    pub b: String,
    /// Probability that a bit is wrong.
    pub ber: f64,
    /// Start of the errors.
    #[serde(default)]
    pub from_us: f64,
    /// End of the errors; by default they last.
    pub until_us: Option<f64>,
    /// Whether only the direction from `a` to `b` has errors.
    #[serde(default)]
    pub one_way: bool,
}

/// A switch that fails: all its links are cut in both directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// A node, such as `leaf-0`, `spine-1`, `edge-0`, `agg-1` or `core-2`.
    pub switch: String,
    /// Start of the failure.
    #[serde(default)]
    pub from_us: f64,
    /// End of the failure; by default it lasts.
    pub until_us: Option<f64>,
}

/// A share of the links between switches, or of the switches with all their links, drawn by the seed. The
/// failure applies to both directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The share, rounded, at least one link or switch.
    pub share: f64,
    /// The kind to draw from: `links` between switches, `switches` without hosts, or switches with a name:
    /// `spine`, `agg`, `core`, `leaf`, `edge`.
    #[serde(default = "links", skip_serializing_if = "is_links")]
    pub of: String,
    /// Rate of the drawn links, at most that of each. Without `gbps` and `ber` the links are cut.
    pub gbps: Option<u32>,
    /// Bit error rate of the drawn links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ber: Option<f64>,
    /// Whether the draw chooses another link in place of each link whose cut would separate hosts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub connected: bool,
    /// Start of the failures.
    #[serde(default)]
    pub from_us: f64,
    /// End of the failures; by default they last.
    pub until_us: Option<f64>,
}

fn links() -> String {
    "links".to_owned()
}

fn is_links(of: &String) -> bool {
    of == "links"
}

/// The change of one direction of a link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// The node at the near end.
    pub from: String,
    /// The node at the far end.
    pub to: String,
    /// The switch that failed with all its links, or was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Rate of the link. Without `gbps` and `ber` the link is cut.
    pub gbps: Option<u32>,
    /// Bit error rate of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ber: Option<f64>,
    /// Start of the change.
    pub from_ps: u64,
    /// End of the change.
    pub until_ps: Option<u64>,
    /// The key of the entry in the setup.
    #[serde(skip)]
    key: String,
    #[serde(skip)]
    port: u32,
    /// Rate of the link without failures.
    #[serde(skip)]
    whole_gbps: u32,
    #[serde(skip)]
    link: Option<Link>,
}

/// The part of an entry of the list that is about links.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Rate and bit error rate, for changes that affect them.
    gbps: Option<u32>,
    ber: Option<f64>,
    from_us: f64,
    until_us: Option<f64>,
    /// For a change of one direction of a link: the node that sends in this direction.
    near: Option<Node>,
    /// The switch, for all links of a switch.
    switch: Option<Switch>,
}

impl Entry {
    fn cuts(&self) -> bool {
        self.gbps.is_none() && self.ber.is_none()
    }

    /// Start and end in ps.
    fn times(&self, table: &str) -> Result<(u64, Option<u64>), Wrong> {
        let from_ps = ps(&format!("{table}.from_us"), self.from_us)?;
        let until_ps = self.until_us.map(|until| ps(&format!("{table}.until_us"), until)).transpose()?;
        if until_ps.is_some_and(|until| until <= from_ps) {
            return wrong(&format!("{table}.until_us"), "the end is before the start");
        }
        if let Some(gbps) = self.gbps.filter(|gbps| !(1..=1_600).contains(gbps)) {
            return wrong(&format!("{table}.gbps"), format!("{gbps} is not possible; use 1 to 1600"));
        }
        if let Some(ber) = self.ber.filter(|ber| !(0.0..=1.0).contains(ber)) {
            return wrong(&format!("{table}.ber"), format!("{ber} is not possible; use 0 to 1"));
        }
        Ok((from_ps, until_ps))
    }
}

fn ps(key: &str, us: f64) -> Result<u64, Wrong> {
    match (0.0..=1e9).contains(&us) {
        true => Ok((us * 1e6).round() as u64),
        false => wrong(key, format!("{us} is not possible; use 0 to 1e9")),
    }
}

impl Setup {
    /// The changes of links, one direction after the other.
    pub(crate) fn faults(&self, network: &Network, wiring: &Wiring) -> Result<Vec<Fault>, Wrong> {
        let mut faults = Vec::new();
        let topology = &network.topology;
        // All links that are cut at some time.
        let failed = RefCell::new(Failed::new());
        let mut add = |table: &str, link: Link, entry: &Entry| -> Result<(), Wrong> {
            let (from_ps, until_ps) = entry.times(table)?;
            if entry.cuts() {
                failed.borrow_mut().insert(link);
            }
            let key = match table.split('.').next() {
                Some("draw") => "share",
                Some("fail") => "switch",
                _ => "a",
            };
            let [a, b] = topology.ends(link);
            let ways = [(a, b), (b, a)].into_iter();
            for (near, far) in ways.filter(|way| entry.near.is_none_or(|node| node == way.0.0)) {
                let port = match near {
                    (Node::Host(host), _) => host.0,
                    (Node::Switch(switch), port) => {
                        wiring.first[network.node(switch) as usize] + u32::from(port)
                    }
                };
                let [from, to] = [near.0, far.0].map(|node| network.name_of(node));
                let whole_gbps = wiring.links[port as usize].gbps;
                ensure_slower(table, entry.gbps, whole_gbps, [&from, &to])?;
                faults.push(Fault {
                    from,
                    to,
                    switch: entry.switch.map(|switch| topology.name(Node::Switch(switch))),
                    gbps: entry.gbps,
                    ber: entry.ber,
                    from_ps,
                    until_ps,
                    key: format!("{table}.{key}"),
                    port,
                    whole_gbps,
                    link: Some(link),
                });
            }
            Ok(())
        };
        for (at, Cut { a, b, from_us, until_us, one_way }) in self.cuts.iter().enumerate() {
            let table = format!("cut.{at}");
            let (link, near) = between(network, &table, a, b)?;
            let near = one_way.then_some(near);
            add(&table, link, &Entry { near, from_us: *from_us, until_us: *until_us, ..Entry::default() })?;
        }
        for (at, Flap { a, b, from_us, down_us, up_us, times, one_way }) in self.flaps.iter().enumerate() {
            let table = format!("flap.{at}");
            let (link, near) = between(network, &table, a, b)?;
            let near = one_way.then_some(near);
            for (key, us) in [("down_us", down_us), ("up_us", up_us)] {
                if !(1e-3..=1e9).contains(us) {
                    let what = format!("{us} is not possible; use 0.001 to 1e9");
                    return wrong(&format!("{table}.{key}"), what);
                }
            }
            if !(1..=100_000).contains(times) {
                return wrong(&format!("{table}.times"), format!("{times} is not possible; use 1 to 100000"));
            }
            for time in 0..*times {
                let from_us = from_us + f64::from(time) * (down_us + up_us);
                let until_us = Some(from_us + down_us);
                add(&table, link, &Entry { near, from_us, until_us, ..Entry::default() })?;
            }
        }
        for (at, Degrade { a, b, gbps, from_us, until_us, one_way }) in self.degrades.iter().enumerate() {
            let table = format!("degrade.{at}");
            let (link, near) = between(network, &table, a, b)?;
            let (gbps, near) = (Some(*gbps), one_way.then_some(near));
            let entry = Entry { gbps, near, from_us: *from_us, until_us: *until_us, ..Entry::default() };
            add(&table, link, &entry)?;
        }
        for (at, Corrupt { a, b, ber, from_us, until_us, one_way }) in self.corrupts.iter().enumerate() {
            let table = format!("corrupt.{at}");
            let (link, near) = between(network, &table, a, b)?;
            let (ber, near) = (Some(*ber), one_way.then_some(near));
            let entry = Entry { ber, near, from_us: *from_us, until_us: *until_us, ..Entry::default() };
            add(&table, link, &entry)?;
        }
        for (at, Fail { switch, from_us, until_us }) in self.fails.iter().enumerate() {
            let table = format!("fail.{at}");
            let Some(Node::Switch(failing)) = topology.node(switch) else {
                return wrong(&format!("{table}.switch"), format!("there is no switch {switch}"));
            };
            let switch = Some(failing);
            let entry = Entry { switch, from_us: *from_us, until_us: *until_us, ..Entry::default() };
            links_of(topology, failing).try_for_each(|link| add(&table, link, &entry))?;
        }
        for (number, Drawn { share, of, gbps, ber, connected, from_us, until_us }) in (0..).zip(&self.drawn) {
            let table = format!("draw.{number}");
            if !(*share > 0.0 && *share <= 1.0) {
                let what = format!("{share} is not possible; use a share above 0 to 1");
                return wrong(&format!("{table}.share"), what);
            }
            let entry =
                Entry { gbps: *gbps, ber: *ber, from_us: *from_us, until_us: *until_us, ..Entry::default() };
            if *connected && (gbps.is_some() || ber.is_some()) {
                let what = "only a draw that cuts links can cut hosts off; leave connected out";
                return wrong(&format!("{table}.connected"), what);
            }
            let mut random = Rng::of(&[self.seed, 0xFA_117, number]);
            let before = failed.borrow().clone();
            let mut keeper = connected.then(|| Keeper::new(topology, before));
            let too_many = |count: usize| Wrong {
                key: format!("{table}.share"),
                what: format!("only {count} can be cut with a path left between all hosts"),
            };
            if is_links(of) {
                let links: Vec<(Link, Vec<Link>)> =
                    topology.fabric_links().into_iter().map(|link| (link, vec![link])).collect();
                let links = draw(&mut random, links, *share, keeper.as_mut()).map_err(too_many)?;
                links.into_iter().try_for_each(|link| add(&table, link, &entry))?;
                continue;
            }
            let switches = switches_of(topology, &table, of)?.into_iter();
            let switches = switches.map(|switch| (switch, links_of(topology, switch).collect())).collect();
            for switch in draw(&mut random, switches, *share, keeper.as_mut()).map_err(too_many)? {
                let entry = Entry { switch: Some(switch), ..entry };
                links_of(topology, switch).try_for_each(|link| add(&table, link, &entry))?;
            }
        }
        Ok(faults)
    }

    /// Refuses flows between hosts that are cut off from each other for the whole run.
    pub(crate) fn check_ways(
        &self,
        network @ Network { topology, order, .. }: &Network,
        faults: &[Fault],
        flows: &[Flow],
    ) -> Result<(), Wrong> {
        let lasting: Vec<&Fault> = faults.iter().filter(|it| it.is_cut() && it.is_lasting()).collect();
        let mut ports: BTreeMap<Link, usize> = BTreeMap::new();
        lasting.iter().filter_map(|fault| fault.link).for_each(|link| *ports.entry(link).or_default() += 1);
        // A link between switches with only one good direction may be enough.
        let is_of_host = |link: &Link| topology.ends(*link).iter().any(|end| matches!(end.0, Node::Host(_)));
        let is_down =
            |(link, directions): (Link, usize)| (directions > 1 || is_of_host(&link)).then_some(link);
        let failed: Failed = ports.into_iter().filter_map(is_down).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let mut known: BTreeMap<[u32; 2], bool> = BTreeMap::new();
        for flow in flows {
            let ends = order.ends(flow.source, flow.destination).map(Host);
            let own = ends.map(|host| topology.attachment(host));
            let edges = own.map(|(edge, _)| edge.0);
            let cut = own.iter().filter_map(|(edge, port)| topology.link(*edge, *port));
            let cut: Vec<Link> = cut.filter(|link| failed.contains(link)).collect();
            let has_way = edges[0] == edges[1]
                || *known.entry(edges).or_insert_with(|| {
                    topology.weights(&failed, Switch(edges[0]), edges[1]).iter().any(|weight| *weight > 0)
                });
            if cut.is_empty() && has_way {
                continue;
            }
            let is_its = |fault: &&&Fault| fault.link.is_some_and(|link| cut.contains(&link));
            let of = lasting.iter().find(is_its).or(lasting.last());
            let key = of.map_or("cut", |fault| &fault.key);
            let [from, to] = ends.map(|host| network.name_of(Node::Host(host)));
            return wrong(key, format!("no path is left from {from} to {to}, and a flow needs one"));
        }
        Ok(())
    }

    /// The plans of ports and of routing for these changes.
    pub(crate) fn plan(&self, network: &Network, faults: &[Fault]) -> Faults {
        let mut by_port: BTreeMap<u32, Vec<&Fault>> = BTreeMap::new();
        faults.iter().for_each(|fault| by_port.entry(fault.port).or_default().push(fault));
        let changes = by_port.into_iter().map(|(port, faults)| (port, changes(&faults))).collect();
        let mut routing = Vec::new();
        let cuts = || faults.iter().filter(|fault| fault.is_cut());
        let down = |at: u64| -> Arc<Failed> {
            Arc::new(cuts().filter(|fault| fault.covers(at)).filter_map(|it| it.link).collect())
        };
        let states: Vec<(u64, Arc<Failed>)> = times(cuts()).into_iter().map(|at| (at, down(at))).collect();
        for (after_ps, who) in self.routing.by_time(&network.topology) {
            let learned = |(at, failed): &(u64, Arc<Failed>)| Learned {
                at_ps: at + after_ps,
                who: Arc::clone(&who),
                failed: Arc::clone(failed),
            };
            routing.extend(states.iter().map(learned));
        }
        routing.sort_by_key(|learned| learned.at_ps);
        Faults { changes, routing }
    }
}

impl Fault {
    pub(crate) fn is_cut(&self) -> bool {
        self.gbps.is_none() && self.ber.is_none()
    }

    /// Whether the change lasts from the beginning to the end.
    fn is_lasting(&self) -> bool {
        self.from_ps == 0 && self.until_ps.is_none()
    }

    fn covers(&self, at_ps: u64) -> bool {
        self.from_ps <= at_ps && self.until_ps.is_none_or(|until| at_ps < until)
    }
}

/// All times of changes, in order.
fn times<'a>(faults: impl Iterator<Item = &'a Fault>) -> Vec<u64> {
    let mut times: Vec<u64> =
        faults.flat_map(|fault| [Some(fault.from_ps), fault.until_ps]).flatten().collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// The state of a port's link after each change: the slowest rate and the most bit errors of all entries. The
/// link is cut if any entry cuts it.
fn changes(faults: &[&Fault]) -> Vec<Change> {
    let of = |at_ps: u64| {
        let now = || faults.iter().filter(|fault| fault.covers(at_ps));
        let whole = faults.first().map_or(1, |fault| fault.whole_gbps);
        let gbps = now().filter_map(|fault| fault.gbps).min().unwrap_or(whole);
        let ber = now().filter_map(|fault| fault.ber).fold(0.0, f64::max);
        let bit_errors = (ber * 2f64.powi(64)).round() as u64;
        Change { at_ps, is_cut: now().any(|fault| fault.is_cut()), gbps, bit_errors }
    };
    times(faults.iter().copied()).into_iter().map(of).collect()
}

/// The links of a switch.
fn links_of(topology: &Topology, switch: Switch) -> impl Iterator<Item = Link> {
    (0..topology.ports(switch)).filter_map(move |port| topology.link(switch, port))
}

/// The switches with a name, or those without hosts.
fn switches_of(topology: &Topology, table: &str, of: &str) -> Result<Vec<Switch>, Wrong> {
    let role = |switch: Switch| {
        let name = topology.name(Node::Switch(switch));
        name.split('-').next().unwrap_or_default().to_owned()
    };
    let is_meant = |switch: &Switch| match of {
        "switches" => topology.role(*switch) != Role::Edge,
        of => role(*switch) == of,
    };
    let found: Vec<Switch> = (0..topology.switches()).map(Switch).filter(is_meant).collect();
    if found.is_empty() {
        let mut roles: Vec<String> = (0..topology.switches()).map(|switch| role(Switch(switch))).collect();
        roles.dedup();
        let what = format!("there is no {of}; use links, switches, {}", roles.join(", "));
        return wrong(&format!("{table}.of"), what);
    }
    Ok(found)
}

/// Draws a share of entries, each with its links, at least one. The drawn entries are the first of a random
/// order, or the first that leave paths between all hosts. `Err` is the greatest number that an order gave.
fn draw<T: Copy>(
    random: &mut Rng,
    mut all: Vec<(T, Vec<Link>)>,
    share: f64,
    keeper: Option<&mut Keeper<'_>>,
) -> Result<Vec<T>, usize> {
    let count = ((all.len() as f64 * share).round() as usize).max(1);
    random.shuffle(&mut all);
    let Some(keeper) = keeper else { return Ok(all.into_iter().take(count).map(|it| it.0).collect()) };
    keeper.draw(random, all, count)
}

/// The link between two nodes of an entry, and the first of these nodes.
pub(super) fn between(network: &Network, table: &str, a: &str, b: &str) -> Result<(Link, Node), Wrong> {
    let mut nodes = Vec::new();
    for (key, name) in [("a", a), ("b", b)] {
        match network.named(name) {
            Some(node) => nodes.push(node),
            None => return wrong(&format!("{table}.{key}"), format!("there is no node {name}")),
        }
    }
    match network.topology.between(nodes[0], nodes[1]) {
        Some(link) => Ok((link, nodes[0])),
        None => wrong(&format!("{table}.a"), format!("there is no link between {a} and {b}")),
    }
}
