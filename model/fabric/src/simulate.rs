//! A plan, run.

use crate::balance::{
    Balancer, ConWeave, Conga, Drill, Ecmp, LetFlow, Named, PermutedTurns, Place, Random, Rotor, Shortest,
    Turns,
};
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

/// Which engine runs a plan.
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
    /// Runs it; `watch` gets its progress, and ends it with `false`.
    pub fn run(&self, engine: Engine, mut watch: impl FnMut(Progress) -> bool + Send) -> Report {
        self.run_watched(engine, &mut watch)
    }

    /// Without a type of its caller's: every scheme with every host is compiled here, once.
    fn run_watched(&self, engine: Engine, watch: &mut Watch<'_>) -> Report {
        let numbers = 0..self.network.topology.hosts();
        match &self.hosts {
            Hosts::Nic(registers) => {
                let shared = self.nics_with(registers);
                let own: Vec<_> = self.own.iter().map(|(own, it)| (own, self.nics_with(it))).collect();
                let of = |number: u32| {
                    let its = own.iter().rev().find(|(own, _)| (own.from..=own.to).contains(&number));
                    its.map_or(&shared, |(_, own)| own)
                };
                let hosts = numbers.map(|number| NicHost::new(number, of(number))).collect();
                self.run_on(engine, hosts, watch)
            }
            Hosts::Baseline(baseline) => {
                let faults = self.setup.plan(&self.network, &self.faults);
                let hosts_are = (&self.setup.hosts, *baseline);
                let shared = baseline::Shared::new(&self.network, self.table(), hosts_are, &faults);
                let shared = Arc::new(shared);
                let hosts = numbers.map(|number| BaselineHost::new(number, &shared)).collect();
                self.run_on(engine, hosts, watch)
            }
        }
    }

    /// The data that its hosts share, if they have the NIC.
    pub fn nics(&self) -> Option<Arc<nic::Shared>> {
        match &self.hosts {
            Hosts::Nic(registers) => Some(self.nics_with(registers)),
            Hosts::Baseline(_) => None,
        }
    }

    /// The data that its hosts share if they have the NIC with these registers.
    pub fn nics_with(&self, registers: &Registers) -> Arc<nic::Shared> {
        let work_ps = self.setup.hosts.work_ps();
        Arc::new(nic::Shared::new(&self.network, self.table(), *registers, work_ps))
    }

    /// Runs it on these hosts, by their numbers.
    pub fn run_on<H: Endpoint + Into<Told>>(
        &self,
        engine: Engine,
        hosts: Vec<H>,
        watch: &mut Watch<'_>,
    ) -> Report {
        let mut is_interrupted = false;
        let outcome = self.outcome(engine, hosts, &mut |progress| {
            let goes_on = watch(progress);
            is_interrupted |= !goes_on;
            goes_on
        });
        Report::new(self, &outcome, is_interrupted)
    }

    fn outcome<H: Endpoint + Into<Told>>(
        &self,
        engine: Engine,
        hosts: Vec<H>,
        watch: &mut Watch<'_>,
    ) -> Outcome<Told> {
        match self.setup.scheme {
            _ if matches!(&self.hosts, Hosts::Baseline(it) if it.rotates()) => {
                self.world(engine, false, Named::new, hosts, watch)
            }
            Scheme::Wecmp {} => self.world(engine, true, Ecmp::new, hosts, watch),
            Scheme::Rsq {} => self.world(engine, false, Random::new, hosts, watch),
            Scheme::RoundRobin {} => self.world(engine, false, Turns::new, hosts, watch),
            Scheme::PermutedRoundRobin { turns, orders } => {
                self.world(engine, false, |place| PermutedTurns::new(place, turns, orders), hosts, watch)
            }
            Scheme::Jsq {} => self.world(engine, false, Shortest::new, hosts, watch),
            Scheme::Quantised { buffer_bytes, percent } => self.world(
                engine,
                false,
                |place| Shortest::quantised(place, buffer_bytes.unwrap_or(0), percent),
                hosts,
                watch,
            ),
            Scheme::Drill {} => self.world(engine, false, Drill::new, hosts, watch),
            Scheme::LetFlow { gap_clocks, entries } => {
                self.world(engine, false, |place| LetFlow::new(place, gap_clocks, entries), hosts, watch)
            }
            Scheme::Conga(ref options) => {
                let make =
                    |place: &Place| Conga::new(place, options).expect("a plan has options that can be");
                self.world(engine, false, make, hosts, watch)
            }
            Scheme::Conweave(ref options) => {
                let connections = self.connections();
                self.world(engine, false, |place| ConWeave::new(place, options, &connections), hosts, watch)
            }
            Scheme::Ofan(ref options) if options.first == First::ShortestQueue => {
                self.world(engine, false, |place| Rotor::<true>::new(place, options), hosts, watch)
            }
            Scheme::Ofan(ref options) => {
                self.world(engine, false, |place| Rotor::<false>::new(place, options), hosts, watch)
            }
            _ => self.world(engine, false, Ecmp::new, hosts, watch),
        }
    }

    fn world<B: Balancer, H: Endpoint + Into<Told>>(
        &self,
        engine: Engine,
        weighted: bool,
        make: impl Fn(&Place) -> B,
        hosts: Vec<H>,
        watch: &mut Watch<'_>,
    ) -> Outcome<Told> {
        let faults = self.setup.plan(&self.network, &self.faults);
        let mut world = World::new(self.network.clone(), weighted, make, hosts, &faults);
        if let Some(series) = &self.setup.series {
            world.record(&self.recorded, series.every_ps());
        }
        let until_ps = (self.setup.until_us * 1e6) as u64;
        let outcome = match engine {
            Engine::Heap => heap::run(world, until_ps),
            Engine::Windows => windows::run(world, Limits { threads: self.setup.threads, until_ps }, watch),
        };
        outcome.map(Into::into)
    }
}
