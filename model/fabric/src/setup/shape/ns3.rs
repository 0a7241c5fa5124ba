//! Topologies of ns-3: nodes, switches and links by their numbers (HPCC, ConWeave), with servers and their
//! NVSwitches (SimAI). The links determine the kind of tree.

use super::{Found, Links, Shape, Wrong, at, nanoseconds};
use std::collections::{BTreeMap, BTreeSet};

/// The most nodes and links.
const MOST: usize = 1 << 24;

/// A link: its far end, rate, latency and line.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: usize,
    kind: (u32, u64),
    line: usize,
}

/// A switch with hosts, and these hosts in the order of their numbers.
#[derive(Debug)]
struct Rack {
    edge: usize,
    hosts: Vec<u32>,
}

/// The links of every node that is not an NVSwitch.
struct Graph {
    hosts: usize,
    links: BTreeMap<usize, Vec<Link>>,
    line: usize,
}

fn number(word: &str, line: usize) -> Result<usize, Wrong> {
    match word.parse() {
        Ok(number) if number <= MOST => Ok(number),
        _ => at(line, format!("{word} is not a whole number up to {MOST}")),
    }
}

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Found, Wrong> {
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let Some((first, head)) = lines.next() else { return at(1, "the file is empty") };
    let words: Vec<&str> = head.split_whitespace().collect();
    let numbers =
        |count: usize| words[..count].iter().map(|word| number(word, first)).collect::<Result<Vec<_>, _>>();
    // SimAI: nodes, those of a server, NVSwitches, switches, links, and the kind of the nodes.
    let (nodes, nvswitches, switches, count) = match words.len() {
        3 => numbers(3).map(|it| (it[0], 0, it[1], it[2]))?,
        6 => numbers(5).map(|it| (it[0], it[2], it[3], it[4]))?,
        _ => {
            return at(
                first,
                "the line must have nodes, switches and links, or SimAI's five numbers and a name",
            );
        }
    };
    let Some((second, ids)) = lines.next() else {
        return at(first, "the line with the numbers of the switches is missing");
    };
    let ids = ids.split_whitespace().map(|word| number(word, second)).collect::<Result<Vec<_>, _>>()?;
    let all: BTreeSet<usize> = ids.iter().copied().collect();
    if ids.len() != nvswitches + switches || all.len() != ids.len() || ids.iter().any(|id| *id >= nodes) {
        let what = format!("the line must have {} different numbers below {nodes}", nvswitches + switches);
        return at(second, what);
    }
    let hosts = nodes - ids.len();
    if let Some(id) = ids.iter().find(|id| **id < hosts) {
        return at(
            second,
            format!("{id} is a switch: hosts must be 0 to {}, and switches come after", hosts.max(1) - 1),
        );
    }
    let inside: BTreeSet<usize> = ids[..nvswitches].iter().copied().collect();
    let mut graph = Graph { hosts, links: BTreeMap::new(), line: second };
    let (mut met, mut left_out, mut errors, mut last) = (0, 0, 0, second);
    for (line, text) in lines {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [a, b, rate, latency, error] = words[..] else {
            return at(line, "the line must have two nodes, a rate, a latency and a rate of errors");
        };
        let (a, b) = (number(a, line)?, number(b, line)?);
        if a >= nodes || b >= nodes || a == b {
            return at(
                line,
                format!("{a} and {b} cannot have a link; use two different numbers below {nodes}"),
            );
        }
        let gbps = rate.strip_suffix("Gbps").and_then(|it| it.parse::<f64>().ok());
        let Some(gbps) = gbps.filter(|it| it.fract() == 0.0 && (1.0..=1e6).contains(it)) else {
            return at(line, format!("{rate} is not possible; give a rate in whole Gbps, such as 100Gbps"));
        };
        let Some(ns) = nanoseconds(latency) else {
            return at(line, format!("{latency} is not a latency; write it as 1000ns or 0.001ms"));
        };
        let Ok(error) = error.parse::<f64>() else {
            return at(line, format!("{error} is not a number: the last word of the line is an error rate"));
        };
        (met, last) = (met + 1, line);
        if inside.contains(&a) || inside.contains(&b) {
            left_out += 1;
            continue;
        }
        errors += usize::from(error != 0.0);
        for (from, to) in [(a, b), (b, a)] {
            let link = Link { to, kind: (gbps as u32, ns), line };
            graph.links.entry(from).or_default().push(link);
        }
    }
    if met != count {
        return at(last, format!("there are {met} links, the first line says {count}"));
    }
    let mut notes = Vec::new();
    if nvswitches > 0 {
        notes.push(format!(
            "{nvswitches} NVSwitches with {left_out} links are left out: what servers send inside is not simulated"
        ));
    }
    if errors > 0 {
        notes.push(format!("the error rates of {errors} links are left out; use [[corrupt]]"));
    }
    let (shape, links) = graph.tree()?;
    Ok(Found { shape, links, latency_ns: None, notes })
}

impl Graph {
    fn of(&self, node: usize) -> &[Link] {
        self.links.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The switches to which a node has links, each one once.
    fn up(&self, node: usize) -> Result<BTreeSet<usize>, Wrong> {
        let mut found = BTreeSet::new();
        for link in self.of(node).iter().filter(|link| link.to >= self.hosts) {
            if !found.insert(link.to) {
                return at(
                    link.line,
                    format!("{node} and {} have two links; weft sim has one link between two nodes", link.to),
                );
            }
        }
        Ok(found)
    }

    /// The shape and the links of the tree.
    fn tree(&self) -> Result<(Shape, Links), Wrong> {
        let mut racks = self.racks()?;
        let mut above: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for rack in &racks {
            above.insert(rack.edge, self.up(rack.edge)?);
        }
        // Edge switches of a pod come one after the other.
        let mut first: BTreeMap<&BTreeSet<usize>, usize> = BTreeMap::new();
        for (at, rack) in racks.iter().enumerate() {
            first.entry(&above[&rack.edge]).or_insert(at);
        }
        racks.sort_by_key(|rack| first[&above[&rack.edge]]);
        let edges: Vec<usize> = racks.iter().map(|rack| rack.edge).collect();
        let per_edge = self.hosts / edges.len();
        let mut order: Vec<u32> = racks.into_iter().flat_map(|rack| rack.hosts).collect();
        if order.is_sorted() {
            order.clear();
        }
        let is_edge: BTreeSet<usize> = edges.iter().copied().collect();
        let middle: BTreeSet<usize> = above.values().flatten().copied().collect();
        if let Some(two) = middle.intersection(&is_edge).next() {
            return at(
                self.line,
                format!(
                    "switch {two} has hosts and a link to another switch with hosts: the network is not a tree"
                ),
            );
        }
        let top: BTreeSet<usize> = self
            .links
            .keys()
            .copied()
            .filter(|it| *it >= self.hosts && !is_edge.contains(it) && !middle.contains(it))
            .collect();
        let hosts = self.alike((0..self.hosts).flat_map(|host| self.of(host)))?;
        let fabric =
            self.alike(edges.iter().flat_map(|edge| self.of(*edge)).filter(|it| it.to >= self.hosts))?;
        let core =
            if top.is_empty() { None } else { Some(self.alike(top.iter().flat_map(|it| self.of(*it)))?) };
        let links = Links {
            host_gbps: hosts.0,
            fabric_gbps: fabric.0,
            core_gbps: core.map(|it| it.0),
            host_latency_ns: hosts.1,
            fabric_latency_ns: fabric.1,
            core_latency_ns: core.map(|it| it.1),
        };
        let shape = if top.is_empty() {
            if let Some((edge, found)) = above.iter().find(|(_, found)| found.len() != middle.len()) {
                let what = format!(
                    "switch {edge} has links to {} of {} switches; it needs one to each",
                    found.len(),
                    middle.len()
                );
                return at(self.line, what);
            }
            let [leaves, spines, hosts_per_leaf] = [edges.len(), middle.len(), per_edge].map(|it| it as u32);
            Shape::LeafSpine { leaves, spines, hosts_per_leaf, order }
        } else {
            self.fat_tree(&edges, &above, &top, (per_edge, order))?
        };
        Ok((shape, links))
    }

    /// Switches with hosts, in the order of their lowest hosts. All have the same number of hosts.
    fn racks(&self) -> Result<Vec<Rack>, Wrong> {
        let mut racks: Vec<Rack> = Vec::new();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for host in 0..self.hosts {
            let links = self.of(host);
            let [link] = links else {
                let line = links.last().map_or(self.line, |it| it.line);
                let mut what = format!("host {host} has {} links to switches; a host has one", links.len());
                if links.len() > 1 {
                    what += " (no dual ToR, no dual plane): keep one of each host, and leave out switches that no host needs";
                }
                return at(line, what);
            };
            if link.to < self.hosts {
                return at(
                    link.line,
                    format!("hosts {host} and {} have a link; a host has its link to a switch", link.to),
                );
            }
            let place = *places.entry(link.to).or_insert(racks.len());
            if place == racks.len() {
                racks.push(Rack { edge: link.to, hosts: Vec::new() });
            }
            racks[place].hosts.push(host as u32);
        }
        let Some(first) = racks.first().map(|rack| rack.hosts.len()) else {
            return at(self.line, "there is no host");
        };
        if let Some(Rack { edge, hosts }) = racks.iter().find(|rack| rack.hosts.len() != first) {
            return at(
                self.line,
                format!(
                    "switch {edge} has {} hosts, and the first one {first}; all need the same number",
                    hosts.len()
                ),
            );
        }
        Ok(racks)
    }

    /// The rate and latency of links, which must be the same for all.
    fn alike<'a>(&self, mut links: impl Iterator<Item = &'a Link>) -> Result<(u32, u64), Wrong> {
        let Some(first) = links.next() else { return at(self.line, "there are no links between switches") };
        match links.find(|link| link.kind != first.kind) {
            Some(other) => {
                let what = format!(
                    "the links of line {} are in the same tier and differ from these; use [[link]] to change single links",
                    first.line
                );
                at(other.line, what)
            }
            None => Ok(first.kind),
        }
    }

    /// Pods with as many edge switches as aggregation switches. Aggregation switches at the same place of their
    /// pods have links to the same cores.
    fn fat_tree(
        &self,
        edges: &[usize],
        above: &BTreeMap<usize, BTreeSet<usize>>,
        top: &BTreeSet<usize>,
        (hosts, order): (usize, Vec<u32>),
    ) -> Result<Shape, Wrong> {
        let pods: Vec<&[usize]> = edges.chunk_by(|a, b| above[a] == above[b]).collect();
        let half = pods[0].len();
        let is_pod = |pod: &&[usize]| pod.len() == half && above[&pod[0]].len() == half;
        if !pods.iter().all(is_pod) {
            let what = format!(
                "{} pods, the first with {half} edge and {} aggregation switches, are not possible; a pod needs as many of both, and all pods must be alike",
                pods.len(),
                above[&pods[0][0]].len()
            );
            return at(self.line, what);
        }
        let mut planes: Option<BTreeSet<BTreeSet<usize>>> = None;
        for pod in &pods {
            let mut own = BTreeSet::new();
            for aggregation in &above[&pod[0]] {
                let cores: BTreeSet<usize> = self.up(*aggregation)?.intersection(top).copied().collect();
                own.insert(cores);
            }
            let is_apart = own.len() == half && own.iter().map(BTreeSet::len).sum::<usize>() == top.len();
            let same = own.first().is_some_and(|first| own.iter().all(|it| it.len() == first.len()));
            if !is_apart || !same || planes.as_ref().is_some_and(|it| *it != own) {
                let what = format!("the cores above switch {} are not shared as in a fat tree", pod[0]);
                return at(self.line, what);
            }
            planes = Some(own);
        }
        let (k, pods) = (2 * half as u32, pods.len() as u32);
        let (hosts_per_edge, cores_per_aggregation) = (Some(hosts as u32), Some((top.len() / half) as u32));
        let pods = (pods != k).then_some(pods);
        Ok(Shape::FatTree { k, hosts_per_edge, cores_per_aggregation, pods, order })
    }
}
