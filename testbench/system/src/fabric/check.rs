//! Everything in a setup is possible, or it is said what is not.

use super::error::{SetupError, ensure};
use super::setup::{Ecn, Hosts, Links, Setup};
use crate::network::pace::CLOCK_NS;

impl Setup {
    /// Everything in it is possible.
    pub fn check(&self) -> Result<(), SetupError> {
        let Links { host_gbps, fabric_gbps, host_latency_ns, fabric_latency_ns } = self.links;
        let Hosts { connections, mtu, dma_latency_ns, ack_packets, .. } = self.hosts;
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
        ensure((1..=255).contains(&ack_packets), || {
            format!("[hosts]: ack_packets = {ack_packets}; use 1 to 255")
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
}

#[cfg(test)]
mod tests;
