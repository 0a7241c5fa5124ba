//! A setup with all that follows from it.

use crate::flow::Flow;
use crate::host::baseline::settings::Baseline;
use crate::host::registers::Registers;
use crate::network::Network;
use crate::setup::{Fault, Setup, SetupError, Wrong};
use crate::workload::{Site, WorkloadError};
use std::path::Path;
use weft_random::Rng;
use weft_switch::schemes::{Fabric, Scheme};

/// A setup with all that follows from it: it can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) setup: Setup,
    pub(crate) network: Network,
    pub(crate) faults: Vec<Fault>,
    pub(crate) hosts: Hosts,
    pub(crate) flows: Vec<Flow>,
    /// Ports that are noted over time.
    pub(crate) recorded: Vec<u32>,
}

/// What stands at the hosts.
#[derive(Clone, Debug)]
pub(crate) enum Hosts {
    /// The NIC.
    Nic(Box<Registers>),
    /// A transport of a paper.
    Baseline(Baseline),
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

    fn of(mut setup: Setup, folder: &Path) -> Result<Self, Failed> {
        setup.check()?;
        setup.switch.trim.get_or_insert(!setup.switch.pfc && setup.hosts.trims());
        if matches!(setup.scheme, Scheme::Conweave(_)) {
            let what = format!("{} runs in weft cosim fabric; it is not compiled yet", setup.scheme_name());
            return Err(failed("scheme.name", what));
        }
        let network = setup.network().map_err(Wrong::from)?;
        let fabric = Fabric {
            gbps: setup.links.fabric_gbps,
            queue_bytes: network.queues[1].data_bytes,
            edge_rtt_ns: 0,
        };
        setup.scheme.fit(&fabric).map_err(Wrong::from)?;
        setup.scheme.check().map_err(Wrong::from)?;
        setup.scheme.suits(&network.topology).map_err(Wrong::from)?;
        let hosts = network.topology.hosts();
        if network.nodes() > 1 << 20 {
            return Err(failed(
                "topology.kind",
                format!("{hosts} hosts are too many; 2^20 nodes are possible"),
            ));
        }
        let pod = network.topology.hosts_per_edge() * network.topology.edges_per_pod();
        let pod = if network.topology.is_fat_tree() { pod } else { network.topology.hosts_per_edge() };
        let site = Site { hosts, pod, gbps: setup.links.host_gbps, folder };
        let flows = setup.workload.flows(&site, &mut Rng::of(&[setup.seed, 0xF10]));
        let flows = flows.map_err(|error| match error {
            WorkloadError::Key { key, what } => failed(&format!("workload.{key}"), what),
            WorkloadError::File(what) => Failed::Other(what),
        })?;
        let hosts = match &setup.hosts.baseline {
            Some(baseline) => Hosts::Baseline(*baseline),
            None => {
                let registers = setup.hosts.registers(&network);
                let registers = registers.map_err(|error| failed("hosts", error.to_string()))?;
                Hosts::Nic(Box::new(registers))
            }
        };
        let wiring = network.wiring();
        let faults = setup.faults(&network, &wiring)?;
        setup.check_buffer(&network, &wiring)?;
        let recorded = setup.recorded(&network, &wiring)?;
        Ok(Self { setup, network, faults, hosts, flows, recorded })
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
}

/// Why there is no plan.
enum Failed {
    Key(Wrong),
    Other(String),
}

impl From<Wrong> for Failed {
    fn from(wrong: Wrong) -> Self {
        Self::Key(wrong)
    }
}

fn failed(key: &str, what: impl Into<String>) -> Failed {
    Failed::Key(Wrong { key: key.to_owned(), what: what.into() })
}
