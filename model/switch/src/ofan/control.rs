//! The control plane: makes schedules, and computes reachability.

use super::options::{First, Ofan, Schedules, Weights};
use super::schedule::{Schedule, Step};
use crate::kit::{Array, Pipe, Selector, Table};
use crate::schemes::contract::{Control, Full, Site, order};
use crate::schemes::route::Route;
use crate::topology::{Failed, Role};

/// Tables and arrays of the program.
pub(super) struct Memory {
    pub(super) targets: Table,
    pub(super) weights: Table,
    pub(super) slots: Table,
    pub(super) pointers: Array,
    pub(super) queues: Selector,
}

pub(super) struct Rotation {
    options: Ofan,
    site: Site,
    route: Route,
    memory: Memory,
}

impl Rotation {
    pub(super) fn new(options: Ofan, site: Site, route: Route, memory: Memory) -> Self {
        Self { options, site, route, memory }
    }

    /// The row of a target's schedule (rules 6 and 7).
    fn row(&self, target: u32) -> u32 {
        match (self.options.schedules, self.site.topology.role(self.site.switch)) {
            (Schedules::PerPod, Role::Edge) => self.site.topology.pod_of_edge(target),
            _ => target,
        }
    }

    /// Weights of a row (rule 5).
    fn weights(&self, failed: &Failed, row: u32) -> Vec<u32> {
        let topology = &self.site.topology;
        let mut weights = match self.options.schedules {
            Schedules::PerPod => topology.pod_weights(failed, self.site.switch, row),
            Schedules::PerDestination => self.site.weights(failed, row),
        };
        if self.options.weights == Weights::Fib {
            weights.iter_mut().for_each(|weight| *weight = (*weight).min(1));
        }
        weights
    }

    /// The order of a row (rules 8 and 9). Every call gives the same order, so that a failure does not
    /// shuffle again (rule 10).
    fn order(&self, row: u32) -> Vec<usize> {
        match self.options.first {
            First::Random => order(&mut self.site.random(3 + u64::from(row)), self.site.up()),
            First::ShortestQueue => (0..self.site.up()).collect(),
        }
    }
}

impl Control for Rotation {
    fn start(&self, pipe: &mut Pipe) {
        if self.options.first == First::Random {
            let mut random = self.site.random(1);
            let pointers = u64::from(self.site.targets()) * (self.options.classes.0.len() as u64 + 1);
            for pointer in 0..pointers {
                let slot = random.below(self.site.up() as u32) as u8;
                pipe.set_cell(self.memory.pointers, pointer, Step { slot, round: 0, started: true }.cell());
            }
        }
    }

    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        let Self { site, memory, .. } = self;
        self.route.fill(site, pipe, failed)?;
        let ports = site.topology.up_ports(site.switch);
        let members: Vec<u64> = ports.clone().map(u64::from).collect();
        let full = |table, fits: bool| if fits { Ok(()) } else { Err(Full { table }) };
        full("up ports", pipe.set_group(memory.queues, 0, &members))?;
        let is_edge = site.topology.role(site.switch) == Role::Edge;
        let own = if is_edge { site.switch.0 } else { site.topology.pod(site.switch).unwrap_or(0) };
        let mut last: Option<(u32, Schedule)> = None;
        for target in (0..site.targets()).filter(|target| *target != own) {
            let row = self.row(target);
            // Targets of a row follow one another.
            let schedule = match last.take() {
                Some((at, schedule)) if at == row => schedule,
                _ => {
                    let schedule = Schedule::new(&self.weights(failed, row), self.order(row));
                    full("schedules", pipe.insert(memory.weights, &[row.into()], &schedule.words()))?;
                    for (slot, up) in (0..).zip(&schedule.order) {
                        let port = u64::from(ports.start) + *up as u64;
                        full("slots", pipe.insert(memory.slots, &[row.into(), slot], &[port]))?;
                    }
                    schedule
                }
            };
            let weights = site.weights(failed, target);
            let mask = schedule.mask(|up| weights.get(up).is_some_and(|weight| *weight > 0));
            full("targets", pipe.insert(memory.targets, &[target.into()], &[row.into(), mask]))?;
            last = Some((row, schedule));
        }
        Ok(())
    }
}
