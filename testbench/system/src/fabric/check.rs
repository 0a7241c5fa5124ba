//! Checks of a setup. A setting that is impossible is reported with its key.

use super::error::{SetupError, ensure};
use super::setup::{Ecn, Hosts, Links, Setup};
use super::switched::Switched;
use crate::network::pace::CLOCK_NS;
use weft_fabric::setup::source::{Wrong, wrong};
use weft_params::{MTU_RULE, is_mtu};
use weft_switch::kit::Profile;
use weft_switch::packet::Packet;
use weft_switch::schemes::Fabric;
use weft_switch::tm::{SettingsError, TrafficManager};
use weft_switch::topology::{Role, Topology};

/// Maximum number of bytes of a full packet besides its payload.
const ROOM: u32 = 256;

impl Setup {
    /// Sets those parameters of the scheme that the file leaves open, to values that the fabric needs.
    pub fn fit(&mut self) -> Result<(), SetupError> {
        self.check_sizes()?;
        let fabric = Fabric {
            gbps: self.links.fabric_gbps,
            queue_bytes: self.queue_bytes().unwrap_or_else(|| self.bdp_bytes()),
            edge_rtt_ns: self.edge_rtt_clocks(),
        };
        Ok(self.scheme.fit(&fabric).map_err(Wrong::from)?)
    }

    /// Checks that all settings are possible.
    pub fn check(&self) -> Result<(), SetupError> {
        let topology = self.check_sizes()?;
        ensure((1..=64).contains(&self.threads), "threads", || {
            format!("{} is not possible; use 1 to 64", self.threads)
        })?;
        self.check_switches(&topology)?;
        let converge = self.routing.converge_us.unwrap_or(0.0);
        ensure((0.0..1e9).contains(&converge), "routing.converge_us", || {
            format!("{converge} is not possible; use 0 to below 1e9")
        })?;
        if let Some(rule) = self.workload().objection(self.nics()) {
            let what = format!("{} hosts cannot run this workload; use {rule}", self.nics());
            return Ok(wrong(&format!("workload.{}", self.volume()), what)?);
        }
        self.cuts().map(drop)
    }

    /// Checks hosts, rates and times.
    fn check_sizes(&self) -> Result<Topology, Wrong> {
        let Links { host_gbps, fabric_gbps, host_latency_ns, fabric_latency_ns } = self.links;
        let Hosts { connections, mtu, dma_latency_ns, ack_packets, .. } = self.hosts;
        let topology = self.topology.topology()?;
        ensure(self.topology.order().is_empty(), "topology.order", || {
            "an order of hosts is for weft sim; leave it out".into()
        })?;
        ensure((4..=64).contains(&topology.hosts()), "topology.kind", || {
            format!("{} hosts are not possible; use 4 to 64", topology.hosts())
        })?;
        let numbers = [
            // Limits of a NIC.
            ("links.host_gbps", host_gbps.into(), 1, 128),
            ("links.fabric_gbps", fabric_gbps.into(), 1, 1600),
            ("switch.recirculation_gbps", self.switch.recirculation_gbps.into(), 1, 1600),
            ("links.host_latency_ns", host_latency_ns, CLOCK_NS, 100_000),
            ("links.fabric_latency_ns", fabric_latency_ns, 1, 100_000),
            ("hosts.dma_latency_ns", dma_latency_ns, 0, 100_000),
            ("hosts.ack_packets", ack_packets.into(), 1, 255),
        ];
        for (key, value, least, most) in numbers {
            ensure((least..=most).contains(&value), key, || {
                format!("{value} is not possible; use {least} to {most}")
            })?;
        }
        ensure(is_mtu(mtu), "hosts.mtu", || format!("{mtu} is not possible; use {MTU_RULE}"))?;
        let hosts = topology.hosts();
        let fits = weft_params::CONNECTIONS.contains(&connections) && connections >= hosts;
        ensure(fits, "hosts.connections", || {
            format!(
                "{connections} is not possible; use 4, 16, 64, 256, 1024, 4096 or 16384, no fewer than the {hosts} hosts"
            )
        })?;
        Ok(topology)
    }

    /// Checks queues, buffer and programs of the switches.
    fn check_switches(&self, topology: &Topology) -> Result<(), Wrong> {
        ensure(!(self.switch.pfc && self.trims()), "switch.trim", || {
            "pfc and trim exclude each other; set trim = false".into()
        })?;
        if let Some(Ecn { kmin_bytes, kmax_bytes, pmax }) = self.switch.ecn {
            ensure(kmin_bytes <= kmax_bytes && (0.0..=1.0).contains(&pmax), "switch.ecn", || {
                "it needs kmin_bytes no more than kmax_bytes, and a pmax of 0 to 1".into()
            })?;
        }
        let packet = self.hosts.mtu + ROOM;
        let queue = self.queue_bytes();
        ensure(queue.is_none_or(|bytes| bytes > packet), "switch.queue_bytes", || {
            format!("{} is not possible; use at least {}, a packet", queue.unwrap_or(0), packet + 1)
        })?;
        self.scheme.check()?;
        for role in [Role::Edge, Role::Aggregation, Role::Core] {
            let Some(switch) = topology.of_role(role).next() else { continue };
            let least = u64::from(topology.ports(switch)) * u64::from(packet);
            let buffer = self.switch.buffer_bytes;
            ensure((least..=1 << 32).contains(&buffer), "switch.buffer_bytes", || {
                format!("{buffer} is not possible; use {least}, a packet for every port, to {}", 1u64 << 32)
            })?;
            let site = Switched::<()>::site(self, topology, switch, self.seed);
            self.scheme.build(site, Profile::default())?;
            let settings = self.queues(&Switched::<()>::to_host(topology, switch));
            if let Err(error) = TrafficManager::<Packet>::new(settings, 0) {
                let key = match error {
                    SettingsError::Buffer { .. } => "switch.buffer_bytes",
                    _ => "switch",
                };
                return wrong(key, error.to_string());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
