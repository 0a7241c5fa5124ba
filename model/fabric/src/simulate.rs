//! A plan, run.

use crate::balance::{
    Balancer, ConWeave, Conga, Drill, Ecmp, LetFlow, Named, PermutedTurns, Place, Random, Rotor, Shortest,
    Turns,
};
use crate::engine::{Limits, Outcome, Progress, World, heap, windows};
use crate::host::baseline::{self, BaselineHost};
use crate::host::nic::{self, NicHost};
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

impl Plan {
    /// Runs it; `watch` is told how far it is, and ends it with `false`.
    pub fn run(&self, engine: Engine, mut watch: impl FnMut(Progress) -> bool + Send) -> Report {
        let mut is_interrupted = false;
        let outcome = self.outcome(engine, &mut |progress| {
            let goes_on = watch(progress);
            is_interrupted |= !goes_on;
            goes_on
        });
        Report::new(self, &outcome, is_interrupted)
    }

    fn outcome(&self, engine: Engine, watch: &mut (dyn FnMut(Progress) -> bool + Send)) -> Outcome<Told> {
        match self.setup.scheme {
            _ if matches!(&self.hosts, Hosts::Baseline(it) if it.rotates()) => {
                self.with(engine, false, Named::new, watch)
            }
            Scheme::Wecmp => self.with(engine, true, Ecmp::new, watch),
            Scheme::Rsq => self.with(engine, false, Random::new, watch),
            Scheme::RoundRobin => self.with(engine, false, Turns::new, watch),
            Scheme::PermutedRoundRobin { turns, orders } => {
                self.with(engine, false, |place| PermutedTurns::new(place, turns, orders), watch)
            }
            Scheme::Jsq => self.with(engine, false, Shortest::new, watch),
            Scheme::Quantised { buffer_bytes, percent } => self.with(
                engine,
                false,
                |place| Shortest::quantised(place, buffer_bytes.unwrap_or(0), percent),
                watch,
            ),
            Scheme::Drill => self.with(engine, false, Drill::new, watch),
            Scheme::LetFlow { gap_clocks, entries } => {
                self.with(engine, false, |place| LetFlow::new(place, gap_clocks, entries), watch)
            }
            Scheme::Conga(ref options) => {
                let make =
                    |place: &Place| Conga::new(place, options).expect("a plan has options that can be");
                self.with(engine, false, make, watch)
            }
            Scheme::Conweave(ref options) => {
                let connections = self.connections();
                self.with(engine, false, |place| ConWeave::new(place, options, &connections), watch)
            }
            Scheme::Ofan(ref options) if options.first == First::ShortestQueue => {
                self.with(engine, false, |place| Rotor::<true>::new(place, options), watch)
            }
            Scheme::Ofan(ref options) => {
                self.with(engine, false, |place| Rotor::<false>::new(place, options), watch)
            }
            _ => self.with(engine, false, Ecmp::new, watch),
        }
    }

    fn with<B: Balancer>(
        &self,
        engine: Engine,
        weighted: bool,
        make: impl Fn(&Place) -> B,
        watch: &mut (dyn FnMut(Progress) -> bool + Send),
    ) -> Outcome<Told> {
        let (hosts, settings) = (self.network.topology.hosts(), &self.setup.hosts);
        let table = self.table();
        match &self.hosts {
            Hosts::Nic(registers) => {
                let shared = nic::Shared::new(&self.network, table, **registers, settings.work_ps());
                let shared = Arc::new(shared);
                let hosts = (0..hosts).map(|number| NicHost::new(number, &shared)).collect();
                self.world(engine, weighted, make, hosts, watch)
            }
            Hosts::Baseline(baseline) => {
                let faults = self.setup.plan(&self.network, &self.faults);
                let hosts_are = (settings, *baseline);
                let shared = Arc::new(baseline::Shared::new(&self.network, table, hosts_are, &faults));
                let hosts = (0..hosts).map(|number| BaselineHost::new(number, &shared)).collect();
                self.world(engine, weighted, make, hosts, watch)
            }
        }
    }

    fn world<B: Balancer, H: Endpoint + Into<Told>>(
        &self,
        engine: Engine,
        weighted: bool,
        make: impl Fn(&Place) -> B,
        hosts: Vec<H>,
        watch: &mut (dyn FnMut(Progress) -> bool + Send),
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
