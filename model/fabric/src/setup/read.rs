//! Reads a setup from a file, applies the settings that replace keys of the file, and refuses faults with one
//! line: file, line and key.

use super::sets;
use super::source::{SetupError, Source, Wrong, wrong};
use super::{Ecn, Links, Setup};
use crate::network::{Network, Wiring};
use std::path::Path;
use weft_params::{MTU_RULE, is_mtu};

/// The greatest number of threads: two boxes for each pair of threads need some 100 MiB.
const MOST_THREADS: u32 = 1_024;

/// The longest latency: in a window of this length a link of 1,600 Gb/s carries fewer packets than keys have
/// space for.
const LONGEST_NS: u64 = 150_000;

fn ensure(fits: bool, key: &str, what: impl FnOnce() -> String) -> Result<(), Wrong> {
    if fits { Ok(()) } else { wrong(key, what()) }
}

/// Refuses a latency out of range.
pub(super) fn ensure_latency(key: &str, ns: Option<u64>, least: u64) -> Result<(), Wrong> {
    let fits = ns.is_none_or(|ns| (least..=LONGEST_NS).contains(&ns));
    ensure(fits, key, || format!("{} is not possible; use {least} to {LONGEST_NS}", ns.unwrap_or(0)))
}

/// Refuses a rate of a failing link above the link's own.
pub(super) fn ensure_slower(
    table: &str,
    gbps: Option<u32>,
    whole: u32,
    ends: [&str; 2],
) -> Result<(), Wrong> {
    let [from, to] = ends;
    ensure(gbps.is_none_or(|gbps| gbps <= whole), &format!("{table}.gbps"), || {
        format!(
            "{} is not possible: the link from {from} to {to} has {whole} Gb/s; use 1 to {whole}, or a [[link]] that is faster \
             for the whole run",
            gbps.unwrap_or(0)
        )
    })
}

impl Setup {
    /// Reads a file, with keys set as `table.key=value`. Returns the setup, and the source that has the lines
    /// of its keys.
    pub(crate) fn read(path: &Path, sets: &[String]) -> Result<(Self, Source), SetupError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| SetupError {
            file: Some(name.clone()),
            ..SetupError::new(format!("cannot read {name}: {error}"))
        })?;
        Self::parse(name, text, sets)
    }

    /// Reads a setup from a text.
    pub(crate) fn parse(name: String, text: String, sets: &[String]) -> Result<(Self, Source), SetupError> {
        let mut source = Source::new(name, text);
        let alone = source.parse::<Self>();
        if sets.is_empty() {
            return alone.map(|setup| (setup, source));
        }
        let (setup, known) = sets::read(&source, sets, alone.err())?;
        source.sets = known;
        Ok((setup, source))
    }

    /// Refuses numbers out of range.
    pub(crate) fn check(&self) -> Result<(), Wrong> {
        let topology = self.topology()?;
        let us = |key: &str, value: f64, most: f64| {
            ensure((0.0..=most).contains(&value), key, || format!("{value} is not possible; use 0 to {most}"))
        };
        us("until_us", self.until_us, 1e9)?;
        us("warmup_us", self.warmup_us, 1e9)?;
        ensure((1..=MOST_THREADS).contains(&self.threads), "threads", || {
            format!("{} is not possible; use 1 to {MOST_THREADS}", self.threads)
        })?;
        let Links { host_gbps, fabric_gbps, core_gbps, .. } = self.links;
        let rates = [("host", Some(host_gbps)), ("fabric", Some(fabric_gbps)), ("core", core_gbps)];
        for (tier, gbps) in rates.into_iter().filter_map(|(tier, gbps)| Some((tier, gbps?))) {
            let key = format!("links.{tier}_gbps");
            ensure((1..=1_600).contains(&gbps), &key, || format!("{gbps} is not possible; use 1 to 1600"))?;
        }
        ensure_latency("links.host_latency_ns", Some(self.links.host_latency_ns), 1)?;
        ensure_latency("links.fabric_latency_ns", Some(self.links.fabric_latency_ns), 1)?;
        ensure_latency("links.core_latency_ns", self.links.core_latency_ns, 1)?;
        ensure_latency("switch.latency_ns", Some(self.switch.latency_ns), 0)?;
        self.inner.map_or(Ok(()), |inner| inner.check(&self.workload))?;
        // Sizes of packets first: those of queues depend on them.
        self.check_hosts()?;
        self.check_queues()?;
        for own in &self.hosts.own {
            ensure(own.from <= own.to && own.to < topology.hosts(), "hosts.own", || {
                let last = topology.hosts() - 1;
                format!("from {} to {} is not possible; use hosts from 0 to {last}", own.from, own.to)
            })?;
        }
        // Which of two ranges holds for a host would be a guess.
        let mut own: Vec<_> = self.hosts.own.iter().collect();
        own.sort_by_key(|own| own.from);
        for pair in own.windows(2) {
            ensure(pair[0].to < pair[1].from, "hosts.own", || {
                format!("two entries have host {}; give ranges that do not overlap", pair[1].from)
            })?;
        }
        self.check_routing(&topology)
    }

    fn check_queues(&self) -> Result<(), Wrong> {
        let most = 1 << 30;
        let packet = self.hosts.mtu + u32::from(self.wire.header_bytes);
        for (key, bytes, least) in [
            ("switch.queue_bytes", self.switch.queue_bytes, packet),
            ("switch.control_bytes", self.switch.control_bytes, self.wire.ack_bytes.into()),
        ] {
            let fits = bytes.is_none_or(|bytes| (least..=most).contains(&bytes));
            ensure(fits, key, || {
                format!("{} is not possible; use {least}, a packet, to {most}", bytes.unwrap_or(0))
            })?;
        }
        if let Some(Ecn { kmin_bytes, kmax_bytes, pmax }) = self.switch.ecn {
            ensure(kmin_bytes <= kmax_bytes, "switch.ecn", || {
                format!("kmin_bytes {kmin_bytes} is above kmax_bytes {kmax_bytes}")
            })?;
            ensure((0.0..=1.0).contains(&pmax), "switch.ecn", || {
                format!("pmax {pmax} is not possible; use 0 to 1")
            })?;
        }
        for (key, bytes) in [
            ("wire.header_bytes", self.wire.header_bytes),
            ("wire.ack_bytes", self.wire.ack_bytes),
            ("wire.trimmed_bytes", self.wire.trimmed_bytes),
        ] {
            ensure((32..=1_024).contains(&bytes), key, || {
                format!("{bytes} is not possible; use 32 to 1024")
            })?;
        }
        ensure(self.wire.gap_bytes <= 1_024, "wire.gap_bytes", || {
            format!("{} is not possible; use 0 to 1024", self.wire.gap_bytes)
        })
    }

    /// Refuses a buffer that is all headroom, and settings that PFC excludes.
    pub(crate) fn check_buffer(&self, network: &Network, wiring: &Wiring) -> Result<(), Wrong> {
        let (Some(shared), pfc) = (&network.buffer, self.switch.pfc) else { return Ok(()) };
        ensure(!(pfc && self.trims()), "switch.trim", || {
            "pfc and trim exclude each other; set trim = false".into()
        })?;
        let is_whole =
            self.cuts.is_empty() && self.flaps.is_empty() && self.fails.is_empty() && self.drawn.is_empty();
        ensure(!pfc || is_whole, "switch.pfc", || {
            "a cut link loses PFC frames; pfc goes with neither [[cut]] nor [[flap]] nor [[fail]] nor [[draw]]".into()
        })?;
        let kept = (network.topology.hosts()..network.nodes())
            .map(|node| shared.kept(self.wire.gap_bytes, &wiring.ways(node)))
            .max();
        let least = kept.unwrap_or(0) + u64::from(shared.frame_bytes);
        ensure((least..=1 << 40).contains(&shared.bytes), "switch.buffer_bytes", || {
            format!("{} is not possible; use {least}, headroom and a packet, to {}", shared.bytes, 1u64 << 40)
        })
    }

    fn check_hosts(&self) -> Result<(), Wrong> {
        let hosts = &self.hosts;
        let (fits, rule) = match hosts.baseline {
            Some(_) => ((256..=8_192).contains(&hosts.mtu), "256 to 8192"),
            None => (is_mtu(hosts.mtu), MTU_RULE),
        };
        ensure(fits, "hosts.mtu", || format!("{} is not possible; use {rule}", hosts.mtu))?;
        for (key, value, least, most) in [
            ("hosts.evs", hosts.evs, 1, 65_536),
            ("hosts.ack_packets", hosts.ack_packets, 1, 255),
            ("hosts.ack_bytes", hosts.ack_bytes, 0, 65_535),
        ] {
            ensure((least..=most).contains(&value), key, || {
                format!("{value} is not possible; use {least} to {most}")
            })?;
        }
        for (key, value, most) in [
            ("hosts.clock_ns", hosts.clock_ns, 1_000.0),
            ("hosts.rto_us", hosts.rto_us, 1e5),
            ("hosts.freeze_us", hosts.freeze_us, 1e6),
            ("hosts.ack_timeout_us", hosts.ack_timeout_us, 1e3),
        ] {
            ensure((0.0..=most).contains(&value), key, || {
                format!("{value} is not possible; use 0 to {most}")
            })?;
        }
        if let Some(probe) = &hosts.probe {
            ensure((1.0..=1e6).contains(&probe.every_us), "hosts.probe.every_us", || {
                format!("{} is not possible; use 1 to 1000000", probe.every_us)
            })?;
            ensure((1..=1_024).contains(&probe.count), "hosts.probe.count", || {
                format!("{} is not possible; use 1 to 1024", probe.count)
            })?;
        }
        self.check_baseline()?;
        ensure(hosts.dma_latency_ns <= 1_000_000, "hosts.dma_latency_ns", || {
            format!("{} is not possible; use 0 to 1000000", hosts.dma_latency_ns)
        })?;
        ensure((1..=256).contains(&hosts.pair_connections), "hosts.pair_connections", || {
            format!("{} is not possible; use 1 to 256", hosts.pair_connections)
        })
    }
}
