//! Runs a plan: builds the engine, hosts and balancer that the plan names.

use crate::balance::{
    Balancer, ConWeave, Conga, Drill, Ecmp, LetFlow, Named, PermutedTurns, Place, Random, Rotor, Shortest,
    Turns,
};
use crate::engine::live::{self, Live};
use crate::engine::ranks::{self, Ranks};
use crate::engine::{Limits, Outcome, Progress, World, heap, windows};
use crate::host::baseline::{self, BaselineHost};
use crate::host::nic::{self, NicHost};
use crate::host::registers::Registers;
use crate::host::{Endpoint, Told};
use crate::plan::{Hosts, Plan};
use crate::report::Report;
use std::sync::Arc;
use weft_switch::ofan::First;
use weft_switch::schemes::Scheme;

/// The engine that runs a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Window by window.
    #[default]
    Windows,
    /// Event by event from a heap: the oracle.
    Heap,
}

/// Gets the progress of a run, and ends the run with `false`.
pub type Watch<'a> = dyn FnMut(Progress) -> bool + Send + 'a;

impl Plan {
    /// Runs the plan; `watch` gets its progress, and ends it with `false`.
    pub fn run(&self, engine: Engine, mut watch: impl FnMut(Progress) -> bool + Send) -> Report {
        self.run_watched(engine, &mut watch)
    }

    /// The function has no type parameter, so every scheme is compiled with every host only once.
    fn run_watched(&self, engine: Engine, watch: &mut Watch<'_>) -> Report {
        self.reported(Way::Alone(engine), watch).expect("a run in one process has a report")
    }

    /// Runs the plan in several processes, each of which calls this with the same plan. Rank 0 returns the
    /// report and calls its `watch`; all other ranks return `None`.
    ///
    /// # Panics
    /// There are more ranks than edge switches.
    pub fn run_in(&self, ranks: &dyn Ranks, watch: &mut Watch<'_>) -> Option<Report> {
        self.reported(Way::Ranks(ranks), watch)
    }

    fn reported(&self, way: Way<'_>, watch: &mut Watch<'_>) -> Option<Report> {
        match &self.hosts {
            Hosts::Nic(registers) => {
                let hosts = self.nic_hosts(registers);
                self.report(way, hosts, watch)
            }
            Hosts::Baseline(baseline) => {
                let faults = self.setup.plan(&self.network, &self.faults);
                let hosts_are = (&self.setup.hosts, *baseline);
                let shared = baseline::Shared::new(&self.network, self.table(), hosts_are, &faults);
                let shared = Arc::new(shared);
                let numbers = 0..self.network.topology.hosts();
                let hosts = numbers.map(|number| BaselineHost::new(number, &shared)).collect();
                self.report(way, hosts, watch)
            }
        }
    }

    /// Hosts with the NIC, by position, with common registers or with their own.
    fn nic_hosts(&self, registers: &Registers) -> Vec<NicHost> {
        let shared = self.nics_with(registers);
        let own: Vec<_> = self.own.iter().map(|(own, it)| (own, self.nics_with(it))).collect();
        let of = |position: u32| {
            let number = self.network.order.number(position);
            let its = own.iter().rev().find(|(own, _)| (own.from..=own.to).contains(&number));
            its.map_or(&shared, |(_, own)| own)
        };
        (0..self.network.topology.hosts()).map(|position| NicHost::new(position, of(position))).collect()
    }

    /// The data that the run's hosts share, if they have the NIC.
    pub fn nics(&self) -> Option<Arc<nic::Shared>> {
        match &self.hosts {
            Hosts::Nic(registers) => Some(self.nics_with(registers)),
            Hosts::Baseline(_) => None,
        }
    }

    /// The data that the run's hosts share if they have the NIC with `registers`.
    pub fn nics_with(&self, registers: &Registers) -> Arc<nic::Shared> {
        let work_ps = self.setup.hosts.work_ps();
        let shared = nic::Shared::new(&self.network, self.table(), *registers, work_ps);
        Arc::new(shared.noting(self.noted.clone()))
    }

    /// Runs the plan on these hosts, by their positions.
    pub fn run_on<H: Endpoint + Into<Told>>(
        &self,
        engine: Engine,
        hosts: Vec<H>,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.report(Way::Alone(engine), hosts, watch).expect("a run in one process has a report")
    }

    fn report<H: Endpoint + Into<Told>>(
        &self,
        way: Way<'_>,
        hosts: Vec<H>,
        watch: &mut Watch<'_>,
    ) -> Option<Report> {
        let mut is_interrupted = false;
        let watch: &mut Watch<'_> = &mut |progress| {
            let goes_on = watch(progress);
            is_interrupted |= !goes_on;
            goes_on
        };
        let outcome = self.balanced(hosts, Closed { way, limits: self.limits(), watch })?;
        Some(Report::new(self, &outcome, is_interrupted))
    }

    fn limits(&self) -> Limits {
        Limits { threads: self.setup.threads, until_ps: (self.setup.until_us * 1e6) as u64 }
    }

    /// Starts a run whose flows a program sends; the hosts have the NIC.
    pub(crate) fn live(&self) -> Box<dyn Live> {
        let Hosts::Nic(registers) = &self.hosts else { unreachable!("the hosts have the NIC") };
        self.balanced(self.nic_hosts(registers), Open { threads: self.setup.threads })
    }

    /// Passes the world with the load balancers of the scheme to `run`.
    fn balanced<H: Endpoint, R: Runs<H>>(&self, hosts: Vec<H>, run: R) -> R::Result {
        match self.setup.scheme {
            _ if matches!(&self.hosts, Hosts::Baseline(it) if it.rotates()) => {
                self.with(false, Named::new, hosts, run)
            }
            Scheme::Wecmp {} => self.with(true, Ecmp::new, hosts, run),
            Scheme::Rsq {} => self.with(false, Random::new, hosts, run),
            Scheme::RoundRobin {} => self.with(false, Turns::new, hosts, run),
            Scheme::PermutedRoundRobin { turns, orders } => {
                self.with(false, |place| PermutedTurns::new(place, turns, orders), hosts, run)
            }
            Scheme::Jsq {} => self.with(false, Shortest::new, hosts, run),
            Scheme::Quantised { buffer_bytes, percent } => self.with(
                false,
                |place| Shortest::quantised(place, buffer_bytes.unwrap_or(0), percent),
                hosts,
                run,
            ),
            Scheme::Drill {} => self.with(false, Drill::new, hosts, run),
            Scheme::LetFlow { gap_clocks, entries } => {
                self.with(false, |place| LetFlow::new(place, gap_clocks, entries), hosts, run)
            }
            Scheme::Conga(ref options) => {
                let make =
                    |place: &Place| Conga::new(place, options).expect("a plan has options that can be");
                self.with(false, make, hosts, run)
            }
            Scheme::Conweave(ref options) => {
                let connections = self.connections();
                self.with(false, |place| ConWeave::new(place, options, &connections), hosts, run)
            }
            Scheme::Ofan(ref options) if options.first == First::ShortestQueue => {
                self.with(false, |place| Rotor::<true>::new(place, options), hosts, run)
            }
            Scheme::Ofan(ref options) => {
                self.with(false, |place| Rotor::<false>::new(place, options), hosts, run)
            }
            _ => self.with(false, Ecmp::new, hosts, run),
        }
    }

    fn with<B: Balancer + 'static, H: Endpoint, R: Runs<H>>(
        &self,
        weighted: bool,
        make: impl Fn(&Place) -> B,
        hosts: Vec<H>,
        run: R,
    ) -> R::Result {
        let faults = self.setup.plan(&self.network, &self.faults);
        let mut world = World::new(self.network.clone(), weighted, make, hosts, &faults);
        if let Some(series) = &self.setup.series {
            world.record(&self.recorded, series.every_ps());
            series.reorder_ps().into_iter().for_each(|every_ps| world.sample(every_ps));
        }
        run.run(world)
    }
}

/// Runs a world with any load balancers.
trait Runs<H> {
    /// The result.
    type Result;
    /// Runs the world.
    fn run<B: Balancer + 'static>(self, world: World<B, H>) -> Self::Result;
}

/// The processes of a run.
#[derive(Clone, Copy)]
enum Way<'a> {
    /// A run in this process, with an engine.
    Alone(Engine),
    /// A run in several processes.
    Ranks(&'a dyn Ranks),
}

/// A run from beginning to end.
struct Closed<'a, 'b> {
    way: Way<'a>,
    limits: Limits,
    watch: &'a mut Watch<'b>,
}

impl<H: Endpoint + Into<Told>> Runs<H> for Closed<'_, '_> {
    type Result = Option<Outcome<Told>>;

    fn run<B: Balancer + 'static>(self, world: World<B, H>) -> Self::Result {
        let outcome = match self.way {
            Way::Ranks(ranks) => return ranks::run(world, self.limits, ranks, self.watch),
            Way::Alone(Engine::Heap) => heap::run(world, self.limits.until_ps),
            Way::Alone(Engine::Windows) => windows::run(world, self.limits, self.watch),
        };
        Some(outcome.map(Into::into))
    }
}

/// A run that a program advances.
struct Open {
    threads: u32,
}

impl Runs<NicHost> for Open {
    type Result = Box<dyn Live>;

    fn run<B: Balancer + 'static>(self, world: World<B, NicHost>) -> Box<dyn Live> {
        live::run(world, self.threads)
    }
}
