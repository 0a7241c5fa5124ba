//! What there is: a file in TOML, or values of these types.

use super::SWITCH_CLOCKS;
use crate::nic::{
    CLOCK_NS, DeadPath, HEADERS, Matrix, OVERHEAD, PIPELINES, Rate, Unit, View, Workload, on_wire,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use weft_params::EvMode;
use weft_switch::schemes::Scheme;
use weft_switch::switch::Latency;
use weft_switch::tm;
use weft_switch::topology::{Failed, Host, Link, Topology};

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
    #[serde(deserialize_with = "scheme")]
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

/// A topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        /// Hosts of an edge switch; without it k/2.
        hosts_per_edge: Option<u32>,
    },
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
    /// Every stage with its packet, or packet by packet: the same results.
    pub view: SwitchView,
    /// The buffer that all ports share.
    pub buffer_bytes: u64,
    /// What a data queue holds at most; without it a BDP, and under PFC all that is free.
    pub queue_bytes: Option<u32>,
    /// Marking; without it from a fifth to four fifths of a BDP.
    pub ecn: Option<Ecn>,
    /// What has no room in its queue is trimmed; else dropped.
    pub trim: bool,
    /// Data is lossless by PFC (`trim` must be off).
    pub pfc: bool,
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
}

/// What hosts want: the workloads of [`Workload`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Traffic {
    /// Hosts two by two, both ways.
    Pair {
        /// Messages each way.
        messages: u32,
        /// Longest message.
        bytes: u32,
    },
    /// A ring AllReduce.
    AllReduce {
        /// Bytes that every host has.
        bytes: u32,
    },
    /// All others to host 0.
    Incast {
        /// Bytes that each sends.
        bytes: u32,
    },
    /// Each to one, each from one.
    Permutation {
        /// Bytes that each sends.
        bytes: u32,
    },
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
    /// A buffer of 9 MiB as in ConWeave's simulations, trimming.
    fn default() -> Self {
        let buffer_bytes = tm::Settings::CONWEAVE_BUFFER_BYTES;
        let view = SwitchView::default();
        Self { view, buffer_bytes, queue_bytes: None, ecn: None, trim: true, pfc: false }
    }
}

impl Default for Hosts {
    /// Models with 64 connections, MTU 4,096, 0.8 us over PCIe.
    fn default() -> Self {
        Self { view: View::Model, ev_mode: None, connections: 64, mtu: 4096, dma_latency_ns: 800 }
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

/// A scheme; names of its options may have `_` in place of `-`, as all others here have.
fn scheme<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Scheme, D::Error> {
    let table = toml::Table::deserialize(deserializer)?;
    let table: toml::Table = table.into_iter().map(|(key, value)| (key.replace('_', "-"), value)).collect();
    Scheme::deserialize(table).map_err(|error| serde::de::Error::custom(error.message()))
}

/// What is wrong with a setup, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl SetupError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

fn ensure(fits: bool, what: impl FnOnce() -> String) -> Result<(), SetupError> {
    if fits { Ok(()) } else { Err(SetupError(what())) }
}

/// Clocks of a switch in so many microseconds; what is below 0 or not a number is 0.
fn switch_clocks(us: f64) -> u64 {
    (us * 1e3) as u64
}

impl Setup {
    /// Reads a file, and the trace that it names.
    pub fn read(path: &Path) -> Result<Self, SetupError> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SetupError(format!("cannot read {name}: {error}")))?;
        let mut setup = Self::parse(&text).map_err(|(line, what)| {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            SetupError(format!("{name}{line}: {what}"))
        })?;
        setup.load(path.parent().unwrap_or(Path::new("")))?;
        setup.check().map_err(|SetupError(what)| SetupError(format!("{name}: {what}")))?;
        Ok(setup)
    }

    /// The text of a file; of a mistake its line, if it has one, and what it is.
    fn parse(text: &str) -> Result<Self, (Option<usize>, String)> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            (line, error.message().replace('\n', "; "))
        })
    }

    /// Reads the trace, if there is one.
    fn load(&mut self, folder: &Path) -> Result<(), SetupError> {
        let Traffic::Trace { file, start_unit, matrix } = &mut self.workload else { return Ok(()) };
        let path = folder.join(&*file);
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| SetupError(format!("cannot read {name}: {error}")))?;
        let unit = match start_unit {
            StartUnit::Us => Unit::Us,
            StartUnit::Ns => Unit::Ns,
            StartUnit::Ps => Unit::Ps,
        };
        *matrix = Some(Matrix::parse(&name, &text, unit).map_err(|error| SetupError(error.to_string()))?);
        Ok(())
    }

    /// Everything in it is possible.
    pub fn check(&self) -> Result<(), SetupError> {
        let Links { host_gbps, fabric_gbps, host_latency_ns, fabric_latency_ns } = self.links;
        let Hosts { connections, mtu, dma_latency_ns, .. } = self.hosts;
        let topology = self.topology()?;
        ensure((4..=64).contains(&topology.hosts()), || {
            format!("[topology]: {} hosts; use 4 to 64", topology.hosts())
        })?;
        ensure((1..=128).contains(&host_gbps), || {
            format!("[links]: host_gbps = {host_gbps}; a NIC does 1 to 128")
        })?;
        ensure((1..=1600).contains(&fabric_gbps), || {
            format!("[links]: fabric_gbps = {fabric_gbps}; use 1 to 1600")
        })?;
        let latencies = [
            ("host_latency_ns", host_latency_ns, CLOCK_NS),
            ("fabric_latency_ns", fabric_latency_ns, 1),
            ("dma_latency_ns", dma_latency_ns, 0),
        ];
        for (name, value, least) in latencies {
            ensure((least..=100_000).contains(&value), || {
                format!("{name} = {value}; use {least} to 100000")
            })?;
        }
        ensure(mtu.is_power_of_two() && (256..=8192).contains(&mtu), || {
            format!("[hosts]: mtu = {mtu}; use a power of two, 256 to 8192")
        })?;
        ensure([4, 16, 64, 256, 1024, 4096].contains(&connections) && connections >= self.nics(), || {
            format!(
                "[hosts]: connections = {connections}; use 4, 16, 64, 256, 1024 or 4096, no fewer than the {} hosts",
                self.nics()
            )
        })?;
        ensure((1..=64).contains(&self.threads), || format!("threads = {}; use 1 to 64", self.threads))?;
        ensure(!(self.switch.pfc && self.switch.trim), || {
            "[switch]: pfc and trim exclude each other; set trim = false".into()
        })?;
        if let Some(Ecn { kmin_bytes, kmax_bytes, pmax }) = self.switch.ecn {
            ensure(kmin_bytes <= kmax_bytes && (0.0..=1.0).contains(&pmax), || {
                "[switch]: ecn needs kmin_bytes no more than kmax_bytes, and a pmax of 0 to 1".into()
            })?;
        }
        let queue = self.queue_bytes();
        ensure(queue.is_none_or(|bytes| bytes > mtu + 256), || {
            format!("[switch]: queue_bytes = {}; a packet needs {}", queue.unwrap_or(0), mtu + 257)
        })?;
        let converge = self.routing.converge_us.unwrap_or(0.0);
        ensure((0.0..1e9).contains(&converge), || {
            format!("[routing]: converge_us = {converge}; use 0 to below 1e9")
        })?;
        if let Some(rule) = self.workload().objection(self.nics()) {
            return Err(SetupError(format!(
                "[workload]: it cannot be with {} hosts; use {rule}",
                self.nics()
            )));
        }
        self.cuts().map(drop)
    }

    /// The topology.
    pub fn topology(&self) -> Result<Topology, SetupError> {
        let made = match self.topology {
            Shape::LeafSpine { leaves, spines, hosts_per_leaf } => {
                Topology::leaf_spine(leaves, spines, hosts_per_leaf)
            }
            Shape::FatTree { k, hosts_per_edge: None } => Topology::fat_tree(k),
            Shape::FatTree { k, hosts_per_edge: Some(hosts) } => Topology::fat_tree_with(k, hosts),
        };
        made.map_err(|error| SetupError(format!("[topology]: {error}")))
    }

    /// Hosts.
    pub fn nics(&self) -> u32 {
        self.topology().map_or(0, |topology| topology.hosts())
    }

    /// The scheme's name.
    pub fn scheme_name(&self) -> String {
        let scheme = serde_json::to_value(&self.scheme).unwrap_or_default();
        scheme["name"].as_str().unwrap_or_default().to_owned()
    }

    /// When the first of the cuts is, in NIC clocks, for a drawing.
    pub fn first_cut(&self) -> Option<DeadPath> {
        let clocks = |us: f64| switch_clocks(us) / SWITCH_CLOCKS;
        let cut = self.cuts.first()?;
        let until = cut.until_us.map_or(u64::MAX, clocks);
        Some(DeadPath { path: 0, from: clocks(cut.from_us), until })
    }

    /// How NICs choose entropy values.
    pub fn ev_mode(&self) -> EvMode {
        let usual = if matches!(self.scheme, Scheme::Conweave(_)) { EvMode::Fixed } else { EvMode::Reps };
        self.hosts.ev_mode.unwrap_or(usual)
    }

    /// What hosts want.
    pub fn workload(&self) -> Workload {
        match self.workload {
            Traffic::Pair { messages, bytes } => Workload::Pair { messages, bytes },
            Traffic::AllReduce { bytes } => Workload::AllReduce { bytes },
            Traffic::Incast { bytes } => Workload::Incast { bytes },
            Traffic::Permutation { bytes } => Workload::Permutation { bytes },
            Traffic::Trace { ref matrix, .. } => match matrix {
                Some(matrix) => Workload::Trace(matrix.clone()),
                // Not read: nothing that can be done.
                None => Workload::Permutation { bytes: 0 },
            },
        }
    }

    /// When which links are cut, in switch clocks.
    pub(super) fn cuts(&self) -> Result<Vec<(Link, Range<u64>)>, SetupError> {
        let topology = self.topology()?;
        let cut = |(number, Cut { a, b, from_us, until_us }): (usize, &Cut)| {
            let node = |name: &str| {
                let example = match self.topology {
                    Shape::LeafSpine { .. } => "host-0, leaf-0, spine-0",
                    Shape::FatTree { .. } => "host-0, edge-0, agg-0, core-0",
                };
                topology.node(name).ok_or_else(|| {
                    SetupError(format!("cut {number}: there is no {name}; nodes are {example} and so on"))
                })
            };
            let link = topology.between(node(a)?, node(b)?).ok_or_else(|| {
                SetupError(format!("cut {number}: {a} and {b} are no neighbours; name both ends of a link"))
            })?;
            let until = until_us.unwrap_or(f64::INFINITY);
            ensure(*from_us >= 0.0 && *from_us < until, || {
                format!("cut {number}: from_us = {from_us} must be 0 or more, and before until_us")
            })?;
            Ok((link, switch_clocks(*from_us)..switch_clocks(until)))
        };
        (1..).zip(&self.cuts).map(cut).collect()
    }

    /// What routing knows of cut links, from which switch clock on.
    pub(super) fn convergence(&self, cuts: &[(Link, Range<u64>)]) -> Vec<(u64, Failed)> {
        let Some(after) = self.routing.converge_us.map(switch_clocks) else { return Vec::new() };
        let mut times: Vec<u64> = cuts.iter().flat_map(|(_, cut)| [cut.start, cut.end]).collect();
        times.retain(|time| *time < u64::MAX);
        times.sort_unstable();
        times.dedup();
        let failed =
            |time: u64| cuts.iter().filter(|(_, cut)| cut.contains(&time)).map(|(link, _)| *link).collect();
        times.into_iter().map(|time| (time + after, failed(time))).collect()
    }

    /// NIC clocks of a round trip through empty queues over the longest path, of a full packet and its ACK.
    pub fn base_rtt_clocks(&self) -> u64 {
        let hops = match self.topology {
            Shape::LeafSpine { .. } => 2,
            Shape::FatTree { .. } => 4,
        };
        self.round_trip_clocks(self.hosts.mtu, hops)
    }

    /// The same for so many bytes over so many wires between switches.
    fn round_trip_clocks(&self, payload: u32, hops: u64) -> u64 {
        let (rate, latency) = self.links.wire(false);
        let pipe = 2 * Latency::default().clocks(weft_switch::kit::Profile::default().stages);
        // In switch clocks, one way.
        let inner = |bytes: usize| hops * (rate.clocks_of(bytes as u64) + latency) + (hops + 1) * pipe;
        let host = self.links.host_rate();
        let (data, ack) = (on_wire((payload + HEADERS) as usize), on_wire(122));
        let edge = |bytes| host.clocks_of(bytes) + 2 * self.links.host_latency_clocks();
        // The NICs store a packet twice.
        let nics = self.hosts.dma_latency_ns / CLOCK_NS + 2 * u64::from(payload.div_ceil(64)) + PIPELINES;
        edge(data) + edge(ack) + (inner(data) + inner(ack)).div_ceil(SWITCH_CLOCKS) + nics
    }

    /// NIC clocks from the order to send so many bytes from one host to another to their last ACK, when nobody else
    /// sends: the round trip of a packet, and the time that the others take on the wire.
    pub fn ideal_clocks(&self, from: u32, to: u32, bytes: u32) -> u64 {
        let hops = self.topology().map_or(0, |topology| {
            let [(from, _), (to, _)] = [from, to].map(|host| topology.attachment(Host(host)));
            match () {
                _ if from == to => 0,
                _ if topology.pod(from) == topology.pod(to) => 2,
                _ => 4,
            }
        });
        let first = bytes.min(self.hosts.mtu);
        let rest = bytes - first;
        let overhead = u64::from(rest.div_ceil(self.hosts.mtu)) * (u64::from(HEADERS) + OVERHEAD as u64);
        let rest = (u64::from(rest) + overhead) as usize;
        self.round_trip_clocks(first, hops) + self.links.host_rate().clocks_of(rest)
    }

    /// Bytes that the fastest sender has under way in a base RTT.
    pub fn bdp_bytes(&self) -> u32 {
        let Rate { bytes, clocks } = self.links.host_rate();
        (self.base_rtt_clocks() * u64::from(bytes) / u64::from(clocks)) as u32
    }

    /// What a data queue holds at most.
    fn queue_bytes(&self) -> Option<u32> {
        self.switch.queue_bytes.or_else(|| (!self.switch.pfc).then(|| self.bdp_bytes()))
    }

    /// The traffic manager of a switch whose ports lead to a host or not.
    pub(super) fn queues(&self, to_host: &[bool]) -> tm::Settings {
        let reorder = self.scheme.reorder_queues();
        let limit_bytes = self.queue_bytes();
        let port = |to_host: bool| {
            let (rate, latency) = self.links.wire(to_host);
            let mut port = tm::Port::new(rate, reorder.into());
            for queue in port.queues.iter_mut().filter(|queue| queue.trims) {
                queue.limit_bytes = limit_bytes;
            }
            // What is on the wire, there and back, and what has begun at both ends.
            let begun = 2 * on_wire((self.hosts.mtu + HEADERS) as usize) as u32;
            let headroom = rate.bytes_in(2 * latency + 2 * 256 * SWITCH_CLOCKS) as u32 + begun;
            port.headroom_bytes = if self.switch.pfc { headroom } else { 0 };
            port.is_last_hop = to_host;
            port
        };
        // Last the recirculation port, which is inside and fast.
        let inner = tm::Port::new(tm::Rate::gbps(1600), reorder.into());
        let ports = to_host.iter().copied().map(port).chain([inner]).collect();
        let bdp = self.bdp_bytes();
        let ecn = self.switch.ecn.unwrap_or(Ecn { kmin_bytes: bdp / 5, kmax_bytes: bdp / 5 * 4, pmax: 1.0 });
        tm::Settings {
            red: Some(tm::Red {
                kmin_bytes: ecn.kmin_bytes,
                kmax_bytes: ecn.kmax_bytes,
                pmax: (ecn.pmax * f64::from(1 << 16)) as u32,
                at: tm::At::Dequeue,
                over: tm::Over::Queue,
            }),
            trim: self.switch.trim.then_some(tm::Trim { to_queue: u16::from(reorder) + 1 }),
            pfc: self.switch.pfc.then_some(tm::Pfc::CONWEAVE),
            charge_paused: match &self.scheme {
                Scheme::Conweave(options) => options.options().charge_reorder,
                _ => true,
            },
            ..tm::Settings::new(ports, self.switch.buffer_bytes)
        }
    }

    /// How captures came to be.
    pub(super) fn comment(&self) -> String {
        let setup = serde_json::to_string(self).unwrap_or_default();
        format!("tool=weft\nkind=fabric\nseed={}\nsetup={setup}", self.seed)
    }
}

impl Links {
    /// Rate of a host's wire at 250 MHz.
    pub(super) fn host_rate(&self) -> Rate {
        Rate { bytes: self.host_gbps, clocks: 2 }
    }

    /// Latency of a host's wire in its clocks.
    pub(super) fn host_latency_clocks(&self) -> u64 {
        self.host_latency_ns / CLOCK_NS
    }

    /// Rate and latency of a wire in switch clocks.
    pub(super) fn wire(&self, to_host: bool) -> (tm::Rate, u64) {
        match to_host {
            true => (tm::Rate::gbps(self.host_gbps), self.host_latency_ns),
            false => (tm::Rate::gbps(self.fabric_gbps), self.fabric_latency_ns),
        }
    }
}

#[cfg(test)]
mod tests;
