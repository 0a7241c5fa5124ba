//! What there is: a file in TOML, or values of these types.

use crate::nic::view::View;
use crate::workload::matrix::Matrix;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
pub use weft_fabric::setup::Shape;
use weft_params::EvMode;
use weft_switch::schemes::Scheme;
use weft_switch::tm;

/// Hosts, switches and wires, and what the hosts want. All but the topology, the scheme and the workload has defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Of all that is random.
    #[serde(default = "default::one")]
    pub seed: u64,
    /// Threads that hosts run on. Results do not depend on it.
    #[serde(default = "default::threads", skip_serializing)]
    pub threads: usize,
    /// Folder for captures of the ports of all NICs.
    #[serde(default, skip_serializing)]
    pub capture: Option<PathBuf>,
    /// Which switches there are.
    pub topology: Shape,
    /// What they do.
    #[serde(deserialize_with = "weft_fabric::setup::source::scheme")]
    pub scheme: Scheme,
    /// Wires.
    #[serde(default)]
    pub links: Links,
    /// How switches are built.
    #[serde(default)]
    pub switch: SwitchSettings,
    /// NICs and hosts.
    #[serde(default)]
    pub hosts: Hosts,
    /// What hosts want.
    pub workload: Traffic,
    /// Links that are cut for a time.
    #[serde(default, rename = "cut")]
    pub cuts: Vec<Cut>,
    /// What the control plane does about it.
    #[serde(default)]
    pub routing: Routing,
}

/// Wires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Links {
    /// Rate of hosts' wires in Gb/s: 1 to 128, what a NIC of 512 bits at 250 MHz can do.
    pub host_gbps: u32,
    /// Rate of wires between switches in Gb/s.
    pub fabric_gbps: u32,
    /// Latency of a host's wire.
    pub host_latency_ns: u64,
    /// Latency of a wire between switches.
    pub fabric_latency_ns: u64,
}

/// How switches are built.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SwitchSettings {
    /// Every stage with its packet, or packet by packet: the same results while tables stay as they are.
    pub view: SwitchView,
    /// The buffer that all ports share.
    pub buffer_bytes: u64,
    /// What a data queue holds at most; without it a BDP, and under PFC all that is free.
    pub queue_bytes: Option<u32>,
    /// Marking; without it from a fifth to four fifths of a BDP.
    pub ecn: Option<Ecn>,
    /// What has no room in its queue is trimmed; else dropped. Without it trimmed, but not under PFC, nor ConWeave, whose
    /// order and measurement trimmed packets break.
    pub trim: Option<bool>,
    /// Data is lossless by PFC (`trim` must not be on).
    pub pfc: bool,
    /// Rate of the port by which packets come back to a switch's stages, in Gb/s.
    pub recirculation_gbps: u32,
}

/// How switches are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SwitchView {
    /// All stages as a packet enters.
    #[default]
    Transaction,
    /// Stage by stage, clock by clock.
    Clocked,
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
    #[serde(default = "default::all")]
    pub pmax: f64,
}

/// NICs and their hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hosts {
    /// What stands at every host.
    pub view: View,
    /// How NICs choose entropy values; without it `fixed` under ConWeave, which knows a flow by it, else `reps`.
    #[serde(with = "ev")]
    pub ev_mode: Option<EvMode>,
    /// Connections that each NIC has room for.
    pub connections: u32,
    /// Payload bytes of a full packet.
    pub mtu: u32,
    /// From a DMA read to its data.
    pub dma_latency_ns: u64,
    /// Packets that make an ACK.
    pub ack_packets: u32,
}

/// What hosts want: the workloads of [`Workload`](crate::nic::Workload).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Traffic {
    /// Hosts two by two, both ways.
    Pair(Pairs),
    /// A ring AllReduce of what every host has.
    AllReduce(Volume),
    /// All others to host 0.
    Incast(Volume),
    /// Each to one, each from one.
    Permutation(Volume),
    /// A traffic trace.
    Trace {
        /// Its file, a connection matrix of htsim (`.cm`), from the folder of the setup's file on.
        file: PathBuf,
        /// What its `start` counts.
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
    /// How many.
    pub bytes: u32,
}

/// What `start` of a trace counts.
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

/// A link that is cut, in both directions. Times are from the first clock of the run on; NICs are brought up in the first
/// microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// A node: `host-3`; `leaf-0`, `spine-1`; `edge-0`, `agg-1`, `core-2`.
    pub a: String,
    /// Its neighbour.
    pub b: String,
    /// From then on.
    pub from_us: f64,
    /// Until then; without it for ever.
    pub until_us: Option<f64>,
}

/// What the control plane does about links that are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Routing {
    /// So long after a link was cut, or is whole again, all tables are filled anew; without it never.
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
