//! A run as a file in TOML says it: the file of `weft cosim fabric`, with more keys.

mod baseline;
mod connected;
mod faults;
mod read;
mod recorded;
mod routing;
mod sets;
mod shape;
pub mod source;
mod unlike;

pub use faults::{Corrupt, Cut, Degrade, Drawn, Fail, Fault, Flap};
pub use recorded::Recorded;
pub use routing::{Delay, Routing};
pub(crate) use shape::Unread;
pub use source::SetupError;
pub(crate) use source::Wrong;
pub use unlike::Unlike;

use crate::buffer::Shared;
use crate::defaults::is_default;
use crate::host::registers::Transport;
use crate::network::{Network, Queue, Tier, Wire};
use crate::packet::HEADER_BYTES;
use crate::workload::Workload;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use weft_switch::schemes::Scheme;
use weft_switch::tm::{self, At, Over, Red};
use weft_switch::topology::{Topology, TopologyError};

/// Network, hosts, their flows, failures. All but topology, scheme and workload have defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The seed of all random choices.
    #[serde(default = "one", deserialize_with = "source::seed")]
    pub seed: u64,
    /// Threads. Results do not depend on it.
    #[serde(default = "one_thread", skip_serializing)]
    pub threads: u32,
    /// The run ends at this time if its flows have not.
    #[serde(default = "second")]
    pub until_us: f64,
    /// Flows that start before are run, and are not in the statistics of flows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warmup_us: f64,
    /// Which switches there are.
    pub topology: Shape,
    /// How they choose among ways.
    #[serde(deserialize_with = "source::scheme")]
    pub scheme: Scheme,
    /// Links.
    #[serde(default)]
    pub links: Links,
    /// Links that are unlike the others of their tier.
    #[serde(default, rename = "link", skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<Unlike>,
    /// The bytes that a packet has on the wire beside its payload.
    #[serde(default)]
    pub wire: Wire,
    /// Switches.
    #[serde(default)]
    pub switch: SwitchSettings,
    /// Hosts and their NICs.
    #[serde(default)]
    pub hosts: Transport,
    /// The flows between hosts.
    pub workload: Workload,
    /// Links that are cut for a time.
    #[serde(default, rename = "cut", skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<Cut>,
    /// Links that are cut again and again.
    #[serde(default, rename = "flap", skip_serializing_if = "Vec::is_empty")]
    pub flaps: Vec<Flap>,
    /// Links that are slow for a time.
    #[serde(default, rename = "degrade", skip_serializing_if = "Vec::is_empty")]
    pub degrades: Vec<Degrade>,
    /// Links that have bit errors for a time.
    #[serde(default, rename = "corrupt", skip_serializing_if = "Vec::is_empty")]
    pub corrupts: Vec<Corrupt>,
    /// Switches that fail for a time.
    #[serde(default, rename = "fail", skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<Fail>,
    /// Links or switches that are drawn by the seed.
    #[serde(default, rename = "draw", skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<Drawn>,
    /// The reaction of routing to failures.
    #[serde(default)]
    pub routing: Routing,
    /// The result has a row for each flow; else only their distribution.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub flow_rows: bool,
    /// The values recorded over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Recorded>,
}

fn one() -> u64 {
    1
}

fn one_thread() -> u32 {
    1
}

fn yes() -> bool {
    true
}

fn is_yes(it: &bool) -> bool {
    *it
}

fn second() -> f64 {
    1e6
}

/// A topology.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// Two tiers: every leaf has a link to every spine.
    LeafSpine {
        /// Leaf switches.
        leaves: u32,
        /// Spine switches.
        spines: u32,
        /// Hosts of a leaf.
        hosts_per_leaf: u32,
    },
    /// Three tiers of switches with k ports.
    FatTree {
        /// Ports of a switch.
        k: u32,
        /// Hosts of an edge switch; without it k / 2. More: the tier is oversubscribed.
        hosts_per_edge: Option<u32>,
        /// Cores of an aggregation switch; without it k / 2. Fewer: the tier is oversubscribed.
        cores_per_aggregation: Option<u32>,
    },
    /// A topology file of htsim (`.topo`), links and the switches' latency included.
    Htsim {
        /// The file.
        file: PathBuf,
    },
    /// A topology file of ns-3, as HPCC, ConWeave and SimAI have it, links included.
    Ns3 {
        /// The file.
        file: PathBuf,
    },
}

impl Shape {
    /// The topology. A file has to be read before: its name alone says too little.
    pub fn topology(&self) -> Result<Topology, TopologyError> {
        match *self {
            Self::LeafSpine { leaves, spines, hosts_per_leaf } => {
                Topology::leaf_spine(leaves, spines, hosts_per_leaf)
            }
            Self::Htsim { .. } | Self::Ns3 { .. } => Err(TopologyError::File),
            Self::FatTree { k, hosts_per_edge, cores_per_aggregation } => {
                let tree = match hosts_per_edge {
                    Some(hosts) => Topology::fat_tree_with(k, hosts),
                    None => Topology::fat_tree(k),
                };
                tree.and_then(|tree| cores_per_aggregation.map_or(Ok(tree), |cores| tree.with_cores(cores)))
            }
        }
    }
}

/// Links of the tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rate of hosts' links in Gb/s, 1 to 1,600.
    pub host_gbps: u32,
    /// Rate of links between switches.
    pub fabric_gbps: u32,
    /// Rate of links to cores; without it as those between edge and aggregation switches.
    pub core_gbps: Option<u32>,
    /// Latency of a host's link.
    pub host_latency_ns: u64,
    /// Latency of a link between switches.
    pub fabric_latency_ns: u64,
    /// Latency of a link to a core; without it as those between edge and aggregation switches.
    pub core_latency_ns: Option<u64>,
}

impl Default for Links {
    /// 100 Gb/s and 0.5 us everywhere.
    fn default() -> Self {
        Self {
            host_gbps: 100,
            fabric_gbps: 100,
            core_gbps: None,
            host_latency_ns: 500,
            fabric_latency_ns: 500,
            core_latency_ns: None,
        }
    }
}

/// How switches are built.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwitchSettings {
    /// From the end of a packet to its queue.
    pub latency_ns: u64,
    /// The buffer that all ports share; without it every queue has its own, but under PFC 9 MiB are shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_bytes: Option<u64>,
    /// Bytes that a data queue holds; by default a BDP, and under PFC all that is free.
    pub queue_bytes: Option<u32>,
    /// Bytes that a control queue holds; by default as many.
    pub control_bytes: Option<u32>,
    /// Marking; without it from a fifth to four fifths of a data queue.
    pub ecn: Option<Ecn>,
    /// A packet without room in its queue is trimmed; else dropped. The default is to trim, except under PFC and with
    /// ConWeave, whose signals trimming loses.
    pub trim: Option<bool>,
    /// Data is lossless by PFC (`trim` must not be on).
    #[serde(skip_serializing_if = "is_default")]
    pub pfc: bool,
    /// Queues and thresholds of links that are faster than the hosts' are longer in proportion, of slower ones shorter.
    pub in_proportion: bool,
}

impl Default for SwitchSettings {
    /// 500 ns (REPS section 4.1), trimming.
    fn default() -> Self {
        Self {
            latency_ns: 500,
            buffer_bytes: None,
            queue_bytes: None,
            control_bytes: None,
            ecn: None,
            trim: None,
            pfc: false,
            in_proportion: false,
        }
    }
}

impl SwitchSettings {
    /// The buffer that ports share, if they do, where no packet has more bytes.
    fn shared(&self, frame_bytes: u16) -> Option<Shared> {
        let usual = self.pfc.then_some(tm::Settings::CONWEAVE_BUFFER_BYTES);
        let pfc = self.pfc.then_some(tm::Pfc::CONWEAVE);
        self.buffer_bytes.or(usual).map(|bytes| Shared { bytes, frame_bytes, pfc })
    }
}

/// Marking as packets leave their queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ecn {
    /// Up to so many bytes nothing is marked.
    pub kmin_bytes: u32,
    /// Above so many all is.
    pub kmax_bytes: u32,
    /// Between them the share grows to this.
    #[serde(default = "all")]
    pub pmax: f64,
}

fn all() -> f64 {
    1.0
}

impl Setup {
    /// The topology.
    pub fn topology(&self) -> Result<Topology, TopologyError> {
        self.topology.topology()
    }

    /// The scheme's name.
    pub fn scheme_name(&self) -> String {
        let scheme = serde_json::to_value(&self.scheme).unwrap_or_default();
        scheme["name"].as_str().unwrap_or_default().to_owned()
    }

    /// A packet without room is trimmed.
    pub fn trims(&self) -> bool {
        let usual = !self.switch.pfc && self.hosts.trims() && !matches!(self.scheme, Scheme::Conweave(_));
        self.switch.trim.unwrap_or(usual)
    }

    /// The network, queues sized by its base RTT. Call it after the check.
    pub(crate) fn network(&self) -> Result<Network, Wrong> {
        let topology = self.topology()?;
        let Links { host_gbps, fabric_gbps, core_gbps, host_latency_ns, fabric_latency_ns, core_latency_ns } =
            self.links;
        let tier = |gbps, latency_ns: u64| Tier { gbps, delay_ps: 1_000 * latency_ns };
        let core = tier(core_gbps.unwrap_or(fabric_gbps), core_latency_ns.unwrap_or(fabric_latency_ns));
        let [nic_in_ps, nic_out_ps] = self.hosts.latencies_ps();
        let mut network = Network {
            topology,
            tiers: [tier(host_gbps, host_latency_ns), tier(fabric_gbps, fabric_latency_ns), core],
            unlike: BTreeMap::new(),
            switch_ps: 1_000 * self.switch.latency_ns,
            nic_in_ps,
            nic_out_ps,
            queues: Vec::new(),
            buffer: self.switch.shared(self.hosts.mtu as u16 + self.wire.header_bytes + HEADER_BYTES),
            wire: self.wire,
            seed: self.seed,
        };
        self.set_links(&mut network)?;
        let bdp = network.base_rtt_ps(self.hosts.mtu) * u64::from(host_gbps) / 8_000;
        let data_bytes = self.switch.queue_bytes.unwrap_or(bdp.min(u32::MAX.into()) as u32);
        let ecn = self.switch.ecn.unwrap_or(Ecn {
            kmin_bytes: data_bytes / 5,
            kmax_bytes: (u64::from(data_bytes) * 4 / 5) as u32,
            pmax: 1.0,
        });
        let control_bytes = self.switch.control_bytes.unwrap_or(data_bytes);
        let is_open = self.switch.pfc && self.switch.queue_bytes.is_none();
        // A queue that is so much of the usual one, thresholds and all.
        let queue = |part: u64, whole: u64| {
            let of = |bytes: u32| (u64::from(bytes) * part / whole.max(1)).min(1 << 30) as u32;
            Queue {
                data_bytes: if is_open { 1 << 30 } else { of(data_bytes) },
                control_bytes: of(control_bytes),
                red: Some(Red {
                    kmin_bytes: of(ecn.kmin_bytes),
                    kmax_bytes: of(ecn.kmax_bytes),
                    pmax: (ecn.pmax * 65_536.0).round() as u32,
                    at: At::Dequeue,
                    over: Over::Queue,
                }),
                trims: self.trims(),
            }
        };
        let of_rate = |gbps: u32| match self.switch.in_proportion {
            true => queue(gbps.into(), host_gbps.into()),
            false => queue(1, 1),
        };
        network.queues = network.tiers.iter().map(|tier| of_rate(tier.gbps)).collect();
        let of_link = |gbps: u32, bytes: Option<u32>| match bytes {
            Some(bytes) => Queue { data_bytes: bytes, ..queue(bytes.into(), data_bytes.into()) },
            None => of_rate(gbps),
        };
        self.set_queues(&mut network, of_link)?;
        Ok(network)
    }
}
