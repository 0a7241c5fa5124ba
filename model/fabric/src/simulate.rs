//! A plan, run.

use crate::balance::{
    Balancer, ConWeave, Conga, Drill, Ecmp, LetFlow, PermutedTurns, Place, Random, Rotor, Shortest, Turns,
};
use crate::engine::{Limits, Outcome, Progress, World, heap, windows};
use crate::host::nic::{NicHost, Shared};
use crate::plan::Plan;
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

    fn outcome(&self, engine: Engine, watch: &mut (dyn FnMut(Progress) -> bool + Send)) -> Outcome<NicHost> {
        match self.setup.scheme {
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
                let connections = self.table().connections();
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
    ) -> Outcome<NicHost> {
        let hosts = self.network.topology.hosts();
        let shared =
            Arc::new(Shared::new(&self.network, self.table(), self.registers, self.setup.hosts.work_ps()));
        let hosts = (0..hosts).map(|number| NicHost::new(number, &shared)).collect();
        let faults = self.setup.plan(&self.network, &self.faults);
        let mut world = World::new(self.network.clone(), weighted, make, hosts, &faults);
        if let Some(series) = &self.setup.series {
            world.record(&self.recorded, series.every_ps());
        }
        let until_ps = (self.setup.until_us * 1e6) as u64;
        match engine {
            Engine::Heap => heap::run(world, until_ps),
            Engine::Windows => windows::run(world, Limits { threads: self.setup.threads, until_ps }, watch),
        }
    }
}
