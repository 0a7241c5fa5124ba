//! Setup of a fabric run: a file in TOML, or values of these types.

use crate::nic::view::View;
use crate::workload::matrix::Matrix;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
pub use weft_fabric::setup::Shape;
use weft_params::EvMode;
use weft_switch::schemes::Scheme;
use weft_switch::tm;

/// Hosts, switches, wires and the workload. All keys except the topology, the scheme and the workload have
/// defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Seed of everything random.
    #[serde(default = "default::one")]
    pub seed: u64,
    /// Number of threads on which the hosts run. Results are the same for any number.
    #[serde(default = "default::threads", skip_serializing)]
    pub threads: usize,
    /// Folder for captures of the ports of all NICs.
    #[serde(default, skip_serializing)]
    pub capture: Option<PathBuf>,
    /// Topology of the switches.
    pub topology: Shape,
    /// Load-balancing scheme of the switches.
    #[serde(deserialize_with = "weft_fabric::setup::source::scheme")]
    pub scheme: Scheme,
    /// Wires.
    #[serde(default)]
    pub links: Links,
    /// Settings of switches.
    #[serde(default)]
    pub switch: SwitchSettings,
    /// NICs and hosts.
    #[serde(default)]
    pub hosts: Hosts,
    /// Workload of the hosts.
    pub workload: Traffic,
    /// Links that are cut for a time.
    #[serde(default, rename = "cut")]
    pub cuts: Vec<Cut>,
    /// Reaction of the control plane to cut links.
    #[serde(default)]
    pub routing: Routing,
}

/// Wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rate of hosts' wires in Gb/s: 1 to 128. A NIC of 512 bits at 250 MHz can fill 128.
    pub host_gbps: u32,
    /// Rate of wires between switches in Gb/s.
    pub fabric_gbps: u32,
    /// Latency of a host's wire.
    pub host_latency_ns: u64,
    /// Latency of a wire between switches.
    pub fabric_latency_ns: u64,
}

/// Settings of switches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwitchSettings {
    /// Model of the stages: transaction or clocked. Results are the same while tables do not change.
    pub view: SwitchView,
    /// The buffer that all ports share.
    pub buffer_bytes: u64,
    /// Maximum number of bytes in a data queue. Default: a BDP; under PFC all free bytes.
    pub queue_bytes: Option<u32>,
    /// ECN marking. Default: from a fifth to four fifths of a BDP.
    pub ecn: Option<Ecn>,
    /// Trim packets that have no space in their queue; otherwise drop them. Default: true, but false under
    /// PFC and under ConWeave, because trimmed packets break ConWeave's order and measurement.
    pub trim: Option<bool>,
    /// Whether PFC makes data lossless (`trim` must not be on).
    pub pfc: bool,
    /// Rate in Gb/s of the port by which packets return to the switch's stages.
    pub recirculation_gbps: u32,
}

/// Computation of a switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SwitchView {
    /// All stages at once as a packet enters.
    #[default]
    Transaction,
    /// Stage by stage, clock by clock.
    Clocked,
}

/// ECN marking of packets as they leave their queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ecn {
    /// Queue length up to which no packet is marked.
    pub kmin_bytes: u32,
    /// Queue length above which every packet is marked.
    pub kmax_bytes: u32,
    /// Share of packets marked at `kmax_bytes`. The share grows from 0 at `kmin_bytes`.
    #[serde(default = "default::all")]
    pub pmax: f64,
}

/// NICs and their hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hosts {
    /// View of the NIC at every host.
    pub view: View,
    /// Choice of entropy values. Default: `fixed` under ConWeave, which identifies a flow by the entropy
    /// value; else `reps`.
    #[serde(with = "ev")]
    pub ev_mode: Option<EvMode>,
    /// Number of connections for which each NIC has space.
    pub connections: u32,
    /// Payload bytes of a full packet.
    pub mtu: u32,
    /// Time from a DMA read to its data.
    pub dma_latency_ns: u64,
    /// Number of packets after which the receiver sends an ACK.
    pub ack_packets: u32,
}

/// Workload of the hosts, as [`Workload`](crate::nic::Workload).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Traffic {
    /// Pairs of hosts, both ways.
    Pair(Pairs),
    /// A ring AllReduce of the data of all hosts.
    AllReduce(Volume),
    /// All other hosts send to host 0.
    Incast(Volume),
    /// Each host sends to one host and receives from one.
    Permutation(Volume),
    /// A traffic trace.
    Trace {
        /// File of the trace: a connection matrix of htsim (`.cm`). The path is relative to the folder of the
        /// setup's file.
        file: PathBuf,
        /// Unit of `start` in the file.
        #[serde(default)]
        start_unit: StartUnit,
        #[serde(skip)]
        #[doc(hidden)]
        matrix: Option<Matrix>,
    },
}

/// Messages of hosts two by two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Messages each way.
    pub messages: u32,
    /// Longest message.
    pub bytes: u32,
}

/// Bytes of every host that sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Bytes that each host sends.
    pub bytes: u32,
}

/// Unit of `start` in a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartUnit {
    /// Microseconds.
    #[default]
    Us,
    /// Nanoseconds.
    Ns,
    /// Picoseconds.
    Ps,
}

/// A link that is cut in both directions. Times count from the first clock of the run; NICs are brought up in
/// the first microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// A node, by a name such as `host-3`, `leaf-0`, `spine-1`, `edge-0`, `agg-1` or `core-2`.
    pub a: String,
    /// The node at the link's second end.
    pub b: String,
    /// Beginning of the cut.
    pub from_us: f64,
    /// End of the cut. Default: the link stays cut.
    pub until_us: Option<f64>,
}

/// Reaction of the control plane to cut links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Routing {
    /// Time after a link was cut or repaired until all tables are filled again. Default: never.
    pub converge_us: Option<f64>,
}

mod default {
    pub(super) fn one() -> u64 {
        1
    }

    pub(super) fn threads() -> usize {
        1
    }

    pub(super) fn all() -> f64 {
        1.0
    }
}

impl Default for Links {
    /// 100 Gb/s and 0.5 us everywhere.
    fn default() -> Self {
        Self { host_gbps: 100, fabric_gbps: 100, host_latency_ns: 500, fabric_latency_ns: 500 }
    }
}

impl Default for SwitchSettings {
    /// A buffer of 9 MiB as in ConWeave's simulations; a recirculation port of 400 Gb/s (ConWeave section 3.4.2).
    fn default() -> Self {
        let buffer_bytes = tm::Settings::CONWEAVE_BUFFER_BYTES;
        let view = SwitchView::default();
        Self {
            view,
            buffer_bytes,
            queue_bytes: None,
            ecn: None,
            trim: None,
            pfc: false,
            recirculation_gbps: 400,
        }
    }
}

impl Default for Hosts {
    /// Models with 64 connections, MTU 4,096, 0.8 us over PCIe.
    fn default() -> Self {
        Self {
            view: View::Model,
            ev_mode: None,
            connections: 64,
            mtu: 4096,
            dma_latency_ns: 800,
            ack_packets: 1,
        }
    }
}

/// [`EvMode`] by name.
mod ev {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use weft_params::EvMode;

    const NAMES: [(&str, EvMode); 4] = [
        ("reps", EvMode::Reps),
        ("ops", EvMode::Ops),
        ("fixed", EvMode::Fixed),
        ("reps2024", EvMode::Reps2024),
    ];

    pub(super) fn serialize<S: Serializer>(mode: &Option<EvMode>, serializer: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|(_, other)| Some(*other) == *mode).map(|(name, _)| name);
        serializer.serialize_some(&name)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<EvMode>, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = NAMES.iter().find(|(other, _)| *other == name).map(|(_, mode)| Some(*mode));
        found.ok_or_else(|| {
            D::Error::custom(format!(
                "unknown ev_mode `{name}`, expected one of `reps`, `ops`, `fixed`, `reps2024`"
            ))
        })
    }
}
