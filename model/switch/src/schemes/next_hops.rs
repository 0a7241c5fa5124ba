//! Groups of next hops. Targets with the same next hops share a group.

use super::contract::{Control, Full, Site, bits, order};
use super::route::{self, Route};
use crate::kit::{Array, Builder, Field, Guard, Pipe, Selector, Table};
use crate::topology::Failed;

/// The fields of a group, written in stage 1, and its tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextHops {
    pub(crate) route: Route,
    /// The group of a packet that goes up.
    pub(crate) group: Field,
    /// Number of next hops of the group.
    pub(crate) size: Field,
    table: Table,
}

const NAME: &str = "groups";

/// Adds routing, and the group in stage 1.
pub(crate) fn add(b: &mut Builder, site: &Site) -> NextHops {
    let route = route::add(b, site);
    let (group, size) = (b.field("group", bits(site.targets())), b.field("size", bits(site.up() as u32 + 1)));
    let (has_group, targets) = (b.field("has group", 1), site.targets() as usize);
    let table = b.table(NAME, targets, &[(group, 0), (size, 0)]);
    b.ingress(1).exact(NAME, table, Guard::If(route.is_known), [route.target], has_group);
    NextHops { route, group, size, table }
}

/// Next hops of a group as members of a table (rule 5): each as often as its weight. If there are more than
/// `most` members, weights are reduced in proportion, none below 1, as in tables of real switches.
pub fn members(weights: &[u32], most: usize) -> Vec<usize> {
    let mut weights = weights.to_vec();
    simplify(&mut weights);
    let whole: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let times = |weight: u32| match whole <= most as u64 {
        true => weight,
        false => ((u64::from(weight) * most as u64 / whole) as u32).max(u32::from(weight > 0)),
    };
    let each = weights.iter().enumerate();
    let mut members: Vec<usize> =
        each.flat_map(|(port, weight)| std::iter::repeat_n(port, times(*weight) as usize)).collect();
    // This case occurs only if weights below 1 were raised to 1.
    members.truncate(most);
    members
}

/// Divides weights by their greatest common divisor.
pub(crate) fn simplify(weights: &mut [u32]) {
    let divisor = weights.iter().fold(0, |a, b| gcd(a, *b)).max(1);
    weights.iter_mut().for_each(|weight| *weight /= divisor);
}

/// Greatest common divisor. If one number is 0, the result is the other.
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The control plane of the schemes that have groups.
pub(crate) struct Groups {
    pub(crate) site: Site,
    pub(crate) hops: NextHops,
    pub(crate) form: Form,
    /// An array with a cell for each group, which starts at a random next hop.
    pub(crate) pointers: Option<Array>,
}

/// The form in which a scheme stores next hops.
pub(crate) enum Form {
    /// Members, with the maximum number of members of a group; 1: each next hop once.
    Members(Selector, usize),
    /// Entries: group and number give the port.
    Slots(Table),
    /// Entries with a table of random orders: size, order and number give a number.
    Orders { slots: Table, orders: Table, count: u8 },
}

impl Control for Groups {
    fn start(&self, pipe: &mut Pipe) {
        let mut random = self.site.random(1);
        for (at, array) in (0..self.site.targets()).flat_map(|at| self.pointers.map(|array| (at, array))) {
            pipe.set_cell(array, at.into(), random.below(self.site.up() as u32).into());
        }
    }

    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        self.hops.route.fill(&self.site, pipe, failed)?;
        let first = self.site.topology.up_ports(self.site.switch).start;
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for target in 0..self.site.targets() {
            let mut weights = self.site.weights(failed, target);
            if !matches!(self.form, Form::Members(_, most) if most > 1) {
                weights.iter_mut().for_each(|weight| *weight = (*weight).min(1));
            }
            simplify(&mut weights);
            let number = groups.iter().position(|group| *group == weights).unwrap_or(groups.len());
            let size = weights.iter().filter(|weight| **weight > 0).count() as u64;
            if !pipe.insert(self.hops.table, &[target.into()], &[number as u64, size]) {
                return Err(Full { table: NAME });
            }
            if number == groups.len() {
                groups.push(weights);
            }
        }
        for (number, weights) in groups.iter().enumerate() {
            self.form.fill(pipe, number, weights, first)?;
        }
        if let Form::Orders { orders, count, .. } = self.form {
            self.fill_orders(pipe, orders, count)?;
        }
        Ok(())
    }
}

impl Form {
    fn fill(&self, pipe: &mut Pipe, group: usize, weights: &[u32], first: u16) -> Result<(), Full> {
        let most = if let Self::Members(_, most) = self { (*most).max(weights.len()) } else { weights.len() };
        let ports: Vec<u64> = members(weights, most).iter().map(|up| u64::from(first) + *up as u64).collect();
        match self {
            Self::Members(selector, _) => {
                if !pipe.set_group(*selector, group, &ports) {
                    return Err(Full { table: "next hops" });
                }
            }
            Self::Slots(slots) | Self::Orders { slots, .. } => {
                for (at, port) in ports.iter().enumerate() {
                    if !pipe.insert(*slots, &[group as u64, at as u64], &[*port]) {
                        return Err(Full { table: "next hops" });
                    }
                }
            }
        }
        Ok(())
    }
}

impl Groups {
    /// Fills the orders. Every call gives the same orders, as they depend only on constants.
    fn fill_orders(&self, pipe: &mut Pipe, table: Table, count: u8) -> Result<(), Full> {
        let mut random = self.site.random(2);
        for size in 1..=self.site.up() {
            for turn in 0..count {
                for (at, number) in order(&mut random, size).into_iter().enumerate() {
                    let key = [size as u64, turn.into(), at as u64];
                    if !pipe.insert(table, &key, &[number as u64]) {
                        return Err(Full { table: "orders" });
                    }
                }
            }
        }
        Ok(())
    }
}
