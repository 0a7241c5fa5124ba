//! Random choices of failures that leave a path between all hosts.

use std::collections::BTreeSet;
use weft_random::Rng;
use weft_switch::topology::{Failed, Link, Node, Role, Switch, Topology};

/// A set of edge switches, one bit each.
type Edges = Vec<u64>;

fn add(to: &mut Edges, other: &Edges) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to |= other);
}

/// Chooses the links that may fail.
pub(super) struct Keeper<'a> {
    topology: &'a Topology,
    /// All failures except those that are drawn here.
    failed: Failed,
}

/// Number of random orders that are tried before the links below one of the highest switches are excluded.
const TRIES: u32 = 8;

impl<'a> Keeper<'a> {
    pub(super) fn new(topology: &'a Topology, failed: Failed) -> Self {
        Self { topology, failed }
    }

    /// Draws `count` of these entries, each with its links, in a random order. After the draw all hosts still
    /// reach each other. If an order gives fewer entries, the function tries other orders. The last orders
    /// exclude the links below one of the highest switches, which is drawn. `Err` is the greatest number of
    /// entries that an order gave.
    pub(super) fn draw<T: Copy>(
        &self,
        random: &mut Rng,
        mut all: Vec<(T, Vec<Link>)>,
        count: usize,
    ) -> Result<Vec<T>, usize> {
        let mut most = 0;
        for attempt in 0..2 * TRIES {
            let spared = if attempt < TRIES { BTreeSet::new() } else { self.tree(random) };
            let mut ways = Ways::new(self.topology, self.failed.clone());
            let mut drawn = Vec::new();
            for (it, links) in &all {
                if drawn.len() < count && !links.iter().any(|link| spared.contains(link)) && ways.fails(links)
                {
                    drawn.push(*it);
                }
            }
            if drawn.len() == count {
                return Ok(drawn);
            }
            most = most.max(drawn.len());
            random.shuffle(&mut all);
        }
        Err(most)
    }

    /// The links from one of the highest switches down to all edge switches.
    fn tree(&self, random: &mut Rng) -> BTreeSet<Link> {
        let topology = self.topology;
        let role = if topology.is_fat_tree() { Role::Core } else { Role::Aggregation };
        let tops: Vec<Switch> = topology.of_role(role).collect();
        let (mut links, mut above) = (BTreeSet::new(), vec![*random.pick(&tops)]);
        while let Some(switch) = above.pop() {
            for port in topology.down_ports(switch) {
                if let (Some((Node::Switch(below), _)), Some(link)) =
                    (topology.peer(switch, port), topology.link(switch, port))
                {
                    links.insert(link);
                    above.push(below);
                }
            }
        }
        links
    }
}

/// The paths down from each switch, while links fail one after another.
struct Ways<'a> {
    topology: &'a Topology,
    failed: Failed,
    /// The edge switches below each switch.
    below: Vec<Edges>,
}

impl<'a> Ways<'a> {
    fn new(topology: &'a Topology, failed: Failed) -> Self {
        let words = topology.edges().div_ceil(64) as usize;
        let mut ways = Self { topology, failed, below: vec![vec![0; words]; topology.switches() as usize] };
        for edge in 0..topology.edges() {
            ways.below[edge as usize][edge as usize / 64] |= 1 << (edge % 64);
        }
        ways.renew();
        ways
    }

    /// Fails these links, unless edge switches would then be cut off from each other. Returns `false` in this
    /// case.
    fn fails(&mut self, links: &[Link]) -> bool {
        let new: Vec<Link> = links.iter().copied().filter(|link| self.failed.insert(*link)).collect();
        self.renew();
        if self.is_connected() {
            return true;
        }
        self.failed.retain(|link| !new.contains(link));
        self.renew();
        false
    }

    /// Neighbours of a switch by links without failure, up or down.
    fn neighbours(&self, switch: Switch, up: bool) -> impl Iterator<Item = Switch> {
        let ports = if up { self.topology.up_ports(switch) } else { self.topology.down_ports(switch) };
        ports.filter_map(move |port| match self.topology.peer(switch, port)?.0 {
            Node::Switch(other) => {
                let link = self.topology.link(switch, port)?;
                (!self.failed.contains(&link)).then_some(other)
            }
            Node::Host(_) => None,
        })
    }

    fn renew(&mut self) {
        for role in [Role::Aggregation, Role::Core] {
            for switch in self.topology.of_role(role) {
                let mut below = vec![0; self.below[0].len()];
                self.neighbours(switch, false)
                    .for_each(|other| add(&mut below, &self.below[other.0 as usize]));
                self.below[switch.0 as usize] = below;
            }
        }
    }

    /// Whether each edge switch reaches every other edge switch by a path up and then down.
    fn is_connected(&self) -> bool {
        let all =
            |edges: &Edges| edges.iter().map(|word| word.count_ones()).sum::<u32>() == self.topology.edges();
        self.topology.of_role(Role::Edge).all(|edge| {
            let mut reached = self.below[edge.0 as usize].clone();
            let mut tops = BTreeSet::new();
            for aggregation in self.neighbours(edge, true) {
                add(&mut reached, &self.below[aggregation.0 as usize]);
                tops.extend(self.neighbours(aggregation, true).map(|core| core.0));
            }
            tops.iter().for_each(|core| add(&mut reached, &self.below[*core as usize]));
            all(&reached)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether there is a path between any two edge switches, by `Topology::weights`.
    fn has_ways(topology: &Topology, failed: &Failed) -> bool {
        let edges = || 0..topology.edges();
        edges().all(|from| {
            edges()
                .all(|to| from == to || topology.weights(failed, Switch(from), to).iter().any(|it| *it > 0))
        })
    }

    #[test]
    fn what_is_connected_is_what_routing_finds() {
        let shapes = [Topology::leaf_spine(4, 3, 2), Topology::fat_tree(4), Topology::fat_tree(6)];
        for topology in shapes.map(|it| it.expect("a topology")) {
            let mut rng = Rng::new(3);
            let mut refused = 0;
            for _ in 0..20 {
                let mut links = topology.fabric_links();
                rng.shuffle(&mut links);
                let mut ways = Ways::new(&topology, Failed::new());
                for link in links {
                    let before = ways.failed.clone();
                    let fails = ways.fails(&[link]);
                    let mut after = before.clone();
                    after.insert(link);
                    assert_eq!(fails, has_ways(&topology, &after));
                    assert!(ways.failed == if fails { after } else { before });
                    refused += u32::from(!fails);
                }
            }
            assert!(refused > 20);
        }
    }
}
