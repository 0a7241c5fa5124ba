//! A run as a TOML file: the file of `weft cosim fabric`, with more keys.

mod baseline;
mod connected;
mod faults;
mod inner;
mod read;
mod recorded;
mod routing;
mod sets;
mod shape;
pub mod source;
mod unlike;

pub use faults::{Corrupt, Cut, Degrade, Drawn, Fail, Fault, Flap};
pub use inner::Inner;
pub use recorded::Recorded;
pub use routing::{Delay, Routing};
pub(crate) use shape::Unread;
pub use source::SetupError;
pub(crate) use source::Wrong;
use source::wrong;
pub use unlike::Unlike;

use crate::buffer::Shared;
use crate::defaults::is_default;
use crate::host::registers::Transport;
use crate::network::{Network, Queue, Tier, Wire};
use crate::order::Order;
use crate::packet::HEADER_BYTES;
use crate::workload::Workload;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use weft_switch::schemes::Scheme;
use weft_switch::tm::{self, At, Over, Red};
use weft_switch::topology::{Topology, TopologyError};

/// Network, hosts, flows, failures. All tables except topology, scheme and workload have defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The seed of all random choices.
    #[serde(default = "one", deserialize_with = "source::seed")]
    pub seed: u64,
    /// Number of threads. Results do not depend on the number of threads.
    #[serde(default = "one_thread", skip_serializing)]
    pub threads: u32,
    /// Time at which the run ends, even if flows have not ended.
    #[serde(default = "second")]
    pub until_us: f64,
    /// The statistics of flows exclude flows that start before this time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warmup_us: f64,
    /// The topology of the switches.
    pub topology: Shape,
    /// The load balancing of the switches.
    #[serde(deserialize_with = "source::scheme")]
    pub scheme: Scheme,
    /// Links.
    #[serde(default)]
    pub links: Links,
    /// Links that differ from the others of their tier.
    #[serde(default, rename = "link", skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<Unlike>,
    /// Bytes of a packet on the wire besides its payload.
    #[serde(default)]
    pub wire: Wire,
    /// Switches.
    #[serde(default)]
    pub switch: SwitchSettings,
    /// Hosts and their NICs.
    #[serde(default)]
    pub hosts: Transport,
    /// The inner network among hosts of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inner: Option<Inner>,
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
    /// Whether the result has a row for each flow; otherwise it has only distributions.
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
        /// Number of hosts of a leaf.
        hosts_per_leaf: u32,
        /// Numbers of the hosts, those of the first leaf first; by default 0, 1, 2 and so on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        order: Vec<u32>,
    },
    /// Three tiers of switches with k ports.
    FatTree {
        /// Number of ports of a switch.
        k: u32,
        /// Number of hosts of an edge switch; by default k / 2. A greater number oversubscribes the tier.
        hosts_per_edge: Option<u32>,
        /// Number of cores of an aggregation switch; by default k / 2. A lower number oversubscribes the
        /// tier.
        cores_per_aggregation: Option<u32>,
        /// Number of pods; by default k.
        #[serde(skip_serializing_if = "Option::is_none")]
        pods: Option<u32>,
        /// Numbers of the hosts, those of the first edge switch first; by default 0, 1, 2 and so on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        order: Vec<u32>,
    },
    /// A topology file of htsim (`.topo`), which includes links and the latency of switches.
    Htsim {
        /// The file.
        file: PathBuf,
    },
    /// A topology file of ns-3, as in HPCC, ConWeave and SimAI, which includes links.
    Ns3 {
        /// The file.
        file: PathBuf,
    },
}

impl Shape {
    /// The topology. A file must be read first, because its name is not enough.
    pub fn topology(&self) -> Result<Topology, TopologyError> {
        match *self {
            Self::LeafSpine { leaves, spines, hosts_per_leaf, .. } => {
                Topology::leaf_spine(leaves, spines, hosts_per_leaf)
            }
            Self::Htsim { .. } | Self::Ns3 { .. } => Err(TopologyError::File),
            Self::FatTree { k, hosts_per_edge, cores_per_aggregation, pods, .. } => {
                let tree = match hosts_per_edge {
                    Some(hosts) => Topology::fat_tree_with(k, hosts),
                    None => Topology::fat_tree(k),
                };
                let tree = tree.and_then(|tree| pods.map_or(Ok(tree), |pods| tree.with_pods(pods)));
                tree.and_then(|tree| cores_per_aggregation.map_or(Ok(tree), |cores| tree.with_cores(cores)))
            }
        }
    }

    /// Numbers of the hosts in the order of the edge switches; empty if these are 0, 1, 2 and so on.
    pub fn order(&self) -> &[u32] {
        match self {
            Self::LeafSpine { order, .. } | Self::FatTree { order, .. } => order,
            Self::Htsim { .. } | Self::Ns3 { .. } => &[],
        }
    }
}

/// Links of the tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rate of hosts' links in Gb/s, 1 to 1,600.
    pub host_gbps: u32,
    /// Rate of links between switches in Gb/s.
    pub fabric_gbps: u32,
    /// Rate of links to cores in Gb/s; by default that of the links between edge and aggregation switches.
    pub core_gbps: Option<u32>,
    /// Latency of a host's link.
    pub host_latency_ns: u64,
    /// Latency of a link between switches.
    pub fabric_latency_ns: u64,
    /// Latency of a link to a core; by default that of the links between edge and aggregation switches.
    pub core_latency_ns: Option<u64>,
}

impl Default for Links {
    /// 100 Gb/s and 0.5 us for all links.
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

/// Settings of switches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwitchSettings {
    /// Time from the end of a packet to its queue.
    pub latency_ns: u64,
    /// Bytes of the buffer that all ports share. By default every queue has a buffer of its own; with PFC the
    /// ports share 9 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_bytes: Option<u64>,
    /// Bytes of a data queue; by default a BDP, and with PFC all free bytes.
    pub queue_bytes: Option<u32>,
    /// Bytes of a control queue; by default those of a data queue.
    pub control_bytes: Option<u32>,
    /// Marking; by default from a fifth to four fifths of a data queue.
    pub ecn: Option<Ecn>,
    /// Whether a packet without space in its queue is trimmed; otherwise it is dropped. The default is to
    /// trim. The exceptions are PFC, and ConWeave, because trimming would destroy its signals.
    pub trim: Option<bool>,
    /// Whether PFC makes data lossless. `trim` must then be off.
    #[serde(skip_serializing_if = "is_default")]
    pub pfc: bool,
    /// Whether queues and thresholds of links are in proportion to the links' rates, relative to the hosts'
    /// links.
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
    /// The buffer that ports share; `None` if each queue has its own. No packet has more than `frame_bytes`.
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
    /// Bytes up to which no packet is marked.
    pub kmin_bytes: u32,
    /// Bytes above which every packet is marked.
    pub kmax_bytes: u32,
    /// Share of marked packets at `kmax_bytes`, up to which the share grows.
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

    /// Whether a packet without space is trimmed.
    pub fn trims(&self) -> bool {
        let usual = !self.switch.pfc && self.hosts.trims() && !matches!(self.scheme, Scheme::Conweave(_));
        self.switch.trim.unwrap_or(usual)
    }

    /// The network, with queues sized by its base RTT. The caller must check the setup first.
    pub(crate) fn network(&self) -> Result<Network, Wrong> {
        let topology = self.topology()?;
        let order = Order::new(self.topology.order(), topology.hosts());
        let order = order.or_else(|what| wrong("topology.order", what))?;
        let Links { host_gbps, fabric_gbps, core_gbps, host_latency_ns, fabric_latency_ns, core_latency_ns } =
            self.links;
        let tier = |gbps, latency_ns: u64| Tier { gbps, delay_ps: 1_000 * latency_ns };
        let core = tier(core_gbps.unwrap_or(fabric_gbps), core_latency_ns.unwrap_or(fabric_latency_ns));
        let [nic_in_ps, nic_out_ps] = self.hosts.latencies_ps();
        let mut network = Network {
            topology,
            order,
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
        // A queue in proportion to the usual one, with its thresholds.
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
