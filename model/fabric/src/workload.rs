//! Workloads: the flows of patterns, collectives, random arrivals, and files.

mod arrivals;
mod collective;
mod goal;
mod list;
pub mod matrix;
mod pattern;

pub use arrivals::{Cdf, CdfError};
pub use list::{ListError, flows as flow_list};

use arrivals::Arrivals;

use crate::defaults::{is_default, is_one};
use crate::flow::Flow;
use crate::inputs::Inputs;
use crate::network::Network;
use crate::order::Order;
use crate::schedule::Schedule;
use matrix::{Matrix, Unit};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use weft_random::Rng;

/// The flows between hosts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Workload {
    /// No flows: a program sends them while the fabric runs.
    None {},
    /// Several hosts send to one host at once.
    Incast {
        /// Bytes of each flow.
        bytes: u64,
        /// Number of senders; by default all hosts except the receiver.
        senders: Option<u32>,
        /// The receiver.
        #[serde(default)]
        receiver: u32,
    },
    /// Every host sends to one other host, and every host receives from one other host.
    Permutation {
        /// Bytes of each flow.
        bytes: u64,
        /// Number of permutations at the same time. Each is drawn separately.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        at_once: u32,
        /// Bytes of the flow of host 0 in the first permutation; the default is the size of all other flows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        long_bytes: Option<u64>,
    },
    /// A permutation in which every host sends to a host of another pod (in a leaf-spine: of another leaf).
    #[serde(rename = "pod-permutation")]
    PodPermutation {
        /// Bytes of each flow.
        bytes: u64,
        /// Number of permutations at the same time. Each is drawn separately.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        at_once: u32,
        /// Bytes of the flow of host 0 in the first permutation; by default as many as those of the other
        /// flows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        long_bytes: Option<u64>,
    },
    /// Fully sharded data parallel training (OFAN section 8.4): in each layer a reduce-scatter, then an all-gather, over
    /// `rings` parallel rings through all servers in a random order.
    Fsdp {
        /// Bytes of a flow, from a host to the next host of a ring in a step.
        bytes: u64,
        /// Number of rings; the hosts of a server are assigned to them in turn.
        #[serde(default = "eight")]
        rings: u32,
        /// Number of layers, one after the other.
        #[serde(default = "one")]
        layers: u32,
        /// Hosts of a server, which are neighbours.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        hosts_per_server: u32,
        /// Number of steps of each collective to run, from the first step on; without this key all steps, one
        /// fewer than servers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steps: Option<u32>,
    },
    /// Host `i` sends to host `i + hosts / 2`: all packets cross the top of the network.
    Tornado {
        /// Bytes of each flow.
        bytes: u64,
    },
    /// Every host sends to every other host, to the next hosts first, with `window` flows at a time.
    AllToAll {
        /// Bytes of each flow.
        bytes: u64,
        /// Number of flows of a host at a time.
        #[serde(default = "one")]
        window: u32,
        /// Whether each host sends to all others in a random order; otherwise all hosts of a leaf send to the
        /// same next leaf together.
        #[serde(default, skip_serializing_if = "is_default")]
        shuffled: bool,
    },
    /// A ring AllReduce: `2 (n - 1)` steps of an n-th of the bytes to the next host.
    AllReduce {
        /// Bytes of every host.
        bytes: u64,
        /// Number of rounds, one after the other.
        #[serde(default = "one")]
        rounds: u32,
        /// Whether the ring goes from pod to pod (leaf to leaf) with every step, so that all packets cross
        /// the top of the network (REPS section 4.1, FPGA testbed). Otherwise the ring follows the numbers of
        /// hosts.
        #[serde(default)]
        across: bool,
    },
    /// An AllReduce by recursive halving and doubling. The number of hosts is a power of two.
    Butterfly {
        /// Bytes of every host.
        bytes: u64,
    },
    /// Flows that arrive at random times, from random hosts to random other hosts.
    Poisson {
        /// The average rate of every host, as a share of the rate of its link, or of its part of the links
        /// above its edge switch.
        load: f64,
        /// The rate to which the load is relative.
        #[serde(default, skip_serializing_if = "LoadOf::is_hosts")]
        load_of: LoadOf,
        /// Number of flows; by default the flows of `duration_us`.
        flows: Option<u32>,
        /// Time during which flows arrive.
        duration_us: Option<f64>,
        /// Sizes: points of bytes and percent of flows.
        cdf: Option<Vec<[f64; 2]>>,
        /// A file with the points of a distribution, one per line.
        cdf_file: Option<PathBuf>,
    },
    /// A connection matrix of htsim (`.cm`).
    Trace {
        /// The file, relative to the folder of the setup.
        file: PathBuf,
        /// The unit of `start` in the file.
        #[serde(default)]
        start_unit: Unit,
    },
    /// A schedule in GOAL, as text or in LogGOPSim's binary form.
    Goal {
        /// The file, relative to the folder of the setup.
        file: PathBuf,
    },
    /// A list of flows: each line has source, destination, bytes and start in microseconds.
    Flows {
        /// The file, relative to the folder of the setup.
        file: PathBuf,
    },
}

/// The rate to which a load is relative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadOf {
    /// The rate of each host.
    #[default]
    Hosts,
    /// The rate of the links above a host's edge switch, if every host sends equally to all other hosts.
    Uplinks,
}

impl LoadOf {
    fn is_hosts(&self) -> bool {
        *self == Self::Hosts
    }

    fn of_hosts(self, load: f64, full_load: f64) -> f64 {
        match self {
            Self::Hosts => load,
            Self::Uplinks => load * full_load,
        }
    }
}

fn one() -> u32 {
    1
}

fn eight() -> u32 {
    8
}

/// A text without the byte order mark that some editors write at the start.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// The reason why a workload has no flows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// A key of the setup.
    #[error("{key}: {what}")]
    Key {
        /// The key.
        key: &'static str,
        /// The correct form.
        what: String,
    },
    /// A file of the workload, with the line of the fault if the line is known.
    #[error("{0}")]
    File(String),
}

pub(crate) fn wrong<T>(key: &'static str, what: impl Into<String>) -> Result<T, WorkloadError> {
    Err(WorkloadError::Key { key, what: what.into() })
}

/// Maximum number of bytes of a flow.
pub const LONGEST: u64 = 1 << 37;
/// Maximum number of flows of a run.
pub const MOST: u64 = 1 << 24;

/// The network for which flows are made.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Number of hosts.
    pub hosts: u32,
    /// Number of hosts of a pod, or of a leaf.
    pub pod: u32,
    /// The numbers of the hosts. Patterns that depend on leaves and pods are made by positions.
    pub order: &'a Order,
    /// Rate of a host's link.
    pub gbps: u32,
    /// The load of hosts at which the links above their edge switch are full.
    pub full_load: f64,
    /// The folder to which names of files are relative.
    pub folder: &'a Path,
    /// The record of files that are read.
    pub inputs: &'a Inputs,
}

impl Workload {
    /// The flows, between the numbers of hosts.
    pub fn flows(&self, site: &Site, rng: &mut Rng) -> Result<Vec<Flow>, WorkloadError> {
        let Site { hosts, order, .. } = *site;
        let numbered =
            |flows: Vec<Flow>| -> Vec<Flow> { flows.into_iter().map(|flow| flow.numbered(order)).collect() };
        if hosts < 2 {
            return wrong("kind", "at least two hosts are needed");
        }
        if let Some(bytes) = self.bytes()
            && !(1..=LONGEST).contains(&bytes)
        {
            return wrong("bytes", format!("{bytes} is not possible; use 1 to {LONGEST}"));
        }
        match *self {
            Self::None {} => Ok(Vec::new()),
            Self::Incast { bytes, senders, receiver } => {
                pattern::incast(hosts, bytes, senders, order.position(receiver)).map(numbered)
            }
            Self::Permutation { bytes, at_once, long_bytes } => {
                pattern::several(hosts, at_once, long_bytes, || Ok(pattern::permutation(hosts, bytes, rng)))
            }
            Self::PodPermutation { bytes, at_once, long_bytes } => {
                pattern::several(hosts, at_once, long_bytes, || {
                    let mut flows = numbered(pattern::pod_permutation(hosts, site.pod, bytes, rng)?);
                    flows.sort_by_key(|flow| flow.source);
                    Ok(flows)
                })
            }
            Self::Fsdp { bytes, rings, layers, hosts_per_server, steps } => {
                let fsdp = collective::Fsdp { bytes, rings, layers, hosts_per_server, steps };
                fsdp.flows(hosts, rng)
            }
            Self::Tornado { bytes } => Ok(numbered(pattern::tornado(hosts, bytes))),
            Self::AllToAll { bytes, window, shuffled } => {
                pattern::all_to_all(hosts, bytes, window, shuffled.then_some(rng)).map(numbered)
            }
            Self::AllReduce { bytes, rounds, across } => {
                let mut ring = collective::order(hosts, site.pod, across)?;
                if across {
                    ring.iter_mut().for_each(|host| *host = order.number(*host));
                }
                collective::ring(bytes, rounds, &ring)
            }
            Self::Butterfly { bytes } => collective::butterfly(hosts, bytes),
            Self::Poisson { load, load_of, flows, duration_us, ref cdf, ref cdf_file } => {
                let load = load_of.of_hosts(load, site.full_load);
                let cdf = sizes(cdf.as_deref(), cdf_file.as_deref(), site)?;
                cdf.arrivals(&Arrivals { hosts, gbps: site.gbps, load, flows, duration_us }, rng)
            }
            Self::Trace { ref file, start_unit } => {
                let (name, text) = site.read(file)?;
                let matrix = Matrix::parse(&name, &text, start_unit);
                let matrix = matrix.map_err(|error| WorkloadError::File(error.to_string()))?;
                if matrix.nodes() > hosts {
                    let what = format!("{name} has {} nodes, the network {hosts} hosts", matrix.nodes());
                    return wrong("file", what);
                }
                Ok(list::of_matrix(&matrix))
            }
            Self::Flows { ref file } => site.list(file, list::flows),
            Self::Goal { ref file } => Ok(site.schedule(file)?.sends.iter().map(Flow::from).collect()),
        }
    }

    /// The schedule that starts the flows, if the workload is a schedule.
    pub fn schedule(&self, site: &Site) -> Result<Option<Schedule>, WorkloadError> {
        match self {
            Self::Goal { file } => site.schedule(file).map(Some),
            _ => Ok(None),
        }
    }

    /// The average rate of hosts as a share of their links' rate, if the workload defines it.
    pub(crate) fn load(&self, network: &Network) -> Option<f64> {
        let Self::Poisson { load, load_of, .. } = self else { return None };
        Some(load_of.of_hosts(*load, network.full_loads(&[]).first().map_or(1.0, |it| it.1)))
    }

    fn bytes(&self) -> Option<u64> {
        match *self {
            Self::Incast { bytes, .. }
            | Self::Permutation { bytes, .. }
            | Self::PodPermutation { bytes, .. }
            | Self::Fsdp { bytes, .. }
            | Self::Tornado { bytes }
            | Self::AllToAll { bytes, .. }
            | Self::AllReduce { bytes, .. }
            | Self::Butterfly { bytes } => Some(bytes),
            Self::None {}
            | Self::Poisson { .. }
            | Self::Trace { .. }
            | Self::Flows { .. }
            | Self::Goal { .. } => None,
        }
    }
}

impl Site<'_> {
    /// The flows of a file. An error has its line.
    fn list(
        &self,
        file: &Path,
        flows: impl Fn(&str, u32) -> Result<Vec<Flow>, ListError>,
    ) -> Result<Vec<Flow>, WorkloadError> {
        let (name, text) = self.read(file)?;
        flows(&text, self.hosts).map_err(|error| error.of(&name))
    }

    /// The schedule in a file.
    fn schedule(&self, file: &Path) -> Result<Schedule, WorkloadError> {
        let (name, bytes) = self.bytes(file)?;
        let schedule = goal::schedule(&name, &bytes, self.hosts).map_err(|error| error.of(&name))?;
        Ok(Schedule { order: self.order.clone(), ..schedule })
    }

    /// The name of a file, and its text without a byte order mark.
    fn read(&self, file: &Path) -> Result<(String, String), WorkloadError> {
        let (name, bytes) = self.bytes(file)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok((name, without_mark(&text).to_owned())),
            Err(_) => wrong("file", format!("{name} is not UTF-8 text")),
        }
    }

    /// The name of a file, and its contents.
    fn bytes(&self, file: &Path) -> Result<(String, Vec<u8>), WorkloadError> {
        let path = self.folder.join(file);
        let name = path.display().to_string();
        let failed = |error: std::io::Error| WorkloadError::Key {
            key: "file",
            what: format!("cannot read {name}: {error}"),
        };
        let bytes = self.inputs.read(self.folder, file).map_err(failed)?;
        Ok((name, bytes))
    }
}

/// The distribution of sizes from the setup or from its file.
fn sizes(cdf: Option<&[[f64; 2]]>, file: Option<&Path>, site: &Site) -> Result<Cdf, WorkloadError> {
    match (cdf, file) {
        (Some(points), None) => {
            let failed = |error: CdfError| {
                let point = error.line.map(|line| format!("point {line}: ")).unwrap_or_default();
                WorkloadError::Key { key: "cdf", what: format!("{point}{error}") }
            };
            Cdf::new(points).map_err(failed)
        }
        (None, Some(file)) => {
            let (name, text) = site.read(file)?;
            let line = |error: &CdfError| error.line.map(|line| format!(":{line}")).unwrap_or_default();
            Cdf::parse(&text).map_err(|error| WorkloadError::File(format!("{name}{}: {error}", line(&error))))
        }
        _ => wrong("cdf", "give either cdf or cdf_file"),
    }
}

#[cfg(test)]
mod tests;
