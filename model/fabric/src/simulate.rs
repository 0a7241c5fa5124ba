//! A setup, run.

use crate::balance::{Balancer, Drill, Ecmp, LetFlow, PermutedTurns, Place, Random, Shortest, Turns};
use crate::engine::{Faults, Limits, Outcome, Progress, World, heap, windows};
use crate::flow::{Flow, Table};
use crate::host::nic::{NicHost, Shared};
use crate::host::registers::Registers;
use crate::network::Network;
use crate::report::Report;
use crate::setup::{Fault, Setup, SetupError};
use crate::workload::{Site, WorkloadError};
use std::path::Path;
use std::sync::Arc;
use weft_random::Rng;
use weft_switch::schemes::Scheme;

/// A setup with all that follows from it: it can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) setup: Setup,
    pub(crate) network: Network,
    pub(crate) faults: Vec<Fault>,
    registers: Registers,
    flows: Vec<Flow>,
}

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
    /// Reads a file, with keys set as `table.key=value`; what is wrong is one line with file, line and key.
    pub fn read(path: &Path, sets: &[String]) -> Result<Self, SetupError> {
        let (setup, source) = Setup::read(path, sets)?;
        Self::of(setup, path.parent().unwrap_or(Path::new(""))).map_err(|error| match error {
            Failed::Key(wrong) => source.error(wrong),
            Failed::Other(what) => SetupError(what),
        })
    }

    fn of(setup: Setup, folder: &Path) -> Result<Self, Failed> {
        setup.check()?;
        if matches!(setup.scheme, Scheme::Conga(_) | Scheme::Ofan(_) | Scheme::Conweave(_)) {
            let what = format!("{} runs in weft cosim fabric; it is not compiled yet", setup.scheme_name());
            return Err(failed("scheme.name", what));
        }
        if let Scheme::LetFlow { entries: 0, .. } = setup.scheme {
            return Err(failed("scheme.entries", "0 cannot be; use 1 or more"));
        }
        let network = setup.network().map_err(|error| failed("topology.kind", error.to_string()))?;
        let hosts = network.topology.hosts();
        if network.nodes() > 1 << 20 {
            return Err(failed(
                "topology.kind",
                format!("{hosts} hosts are too many; 2^20 nodes are possible"),
            ));
        }
        let site = Site { hosts, gbps: setup.links.host_gbps, folder };
        let flows = setup.workload.flows(&site, &mut Rng::of(&[setup.seed, 0xF10]));
        let flows = flows.map_err(|error| match error {
            WorkloadError::Key { key, what } => failed(&format!("workload.{key}"), what),
            WorkloadError::File(what) => Failed::Other(what),
        })?;
        let registers = setup.hosts.registers(&network);
        let registers = registers.map_err(|error| failed("hosts.mtu", error.to_string()))?;
        let faults = setup.faults(&network, &network.wiring())?;
        Ok(Self { setup, network, faults, registers, flows })
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The flows.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What a flow takes alone.
    pub fn ideal_ps(&self, flow: &Flow) -> u64 {
        let hosts = &self.setup.hosts;
        hosts.work_ps() + self.network.ideal_ps(flow.source, flow.destination, flow.bytes, hosts.mtu)
    }

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
            Scheme::Quantised { buffer_bytes, percent } => {
                self.with(engine, false, |place| Shortest::quantised(place, buffer_bytes, percent), watch)
            }
            Scheme::Drill => self.with(engine, false, Drill::new, watch),
            Scheme::LetFlow { gap_clocks, entries } => {
                self.with(engine, false, |place| LetFlow::new(place, gap_clocks, entries), watch)
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
        let table = Table::new(self.flows.clone(), hosts, self.setup.hosts.pair_connections);
        let shared = Arc::new(Shared::new(&self.network, table, self.registers, self.setup.hosts.work_ps()));
        let hosts = (0..hosts).map(|number| NicHost::new(number, &shared)).collect();
        let faults: Faults = self.setup.plan(&self.network, &self.faults);
        let world = World::new(self.network.clone(), weighted, make, hosts, &faults);
        let until_ps = (self.setup.until_us * 1e6) as u64;
        match engine {
            Engine::Heap => heap::run(world, until_ps),
            Engine::Windows => windows::run(world, Limits { threads: self.setup.threads, until_ps }, watch),
        }
    }
}

/// Why there is no plan.
enum Failed {
    Key(crate::setup::Wrong),
    Other(String),
}

impl From<crate::setup::Wrong> for Failed {
    fn from(wrong: crate::setup::Wrong) -> Self {
        Self::Key(wrong)
    }
}

fn failed(key: &str, what: impl Into<String>) -> Failed {
    Failed::Key(crate::setup::Wrong { key: key.to_owned(), what: what.into() })
}
