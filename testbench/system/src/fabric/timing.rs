//! Times of an unloaded fabric.

use super::setup::{Links, Setup};
use crate::network::pace::{CLOCK_NS, OVERHEAD, Rate, on_wire};
use crate::nic::scenario::{HEADERS, PIPELINES};
use weft_fabric::setup::Shape;
use weft_switch::switch::Latency;
use weft_switch::tm;
use weft_switch::topology::Host;

/// Switch clocks of 1 ns in a NIC clock of 4 ns.
pub const SWITCH_CLOCKS: u64 = CLOCK_NS;

impl Setup {
    /// NIC clocks of a round trip through empty queues over the longest path, of a full packet and its ACK.
    pub fn base_rtt_clocks(&self) -> u64 {
        self.round_trip_clocks(self.hosts.mtu, self.hops())
    }

    /// NIC clocks of a round trip of `payload` bytes and their ACK over `hops` wires between switches,
    /// through empty queues.
    fn round_trip_clocks(&self, payload: u32, hops: u64) -> u64 {
        let (rate, latency) = self.links.wire(false);
        let pipe = 2 * Latency::default().clocks(weft_switch::kit::Profile::default().stages);
        // The time of one direction, in switch clocks.
        let inner = |bytes: usize| hops * (rate.clocks_of(bytes as u64) + latency) + (hops + 1) * pipe;
        let host = self.links.host_rate();
        let (data, ack) = (on_wire((payload + HEADERS) as usize), on_wire(122));
        let edge = |bytes| host.clocks_of(bytes) + 2 * self.links.host_latency_clocks();
        // The NICs store a packet twice.
        let nics = self.hosts.dma_latency_ns / CLOCK_NS + 2 * u64::from(payload.div_ceil(64)) + PIPELINES;
        edge(data) + edge(ack) + (inner(data) + inner(ack)).div_ceil(SWITCH_CLOCKS) + nics
    }

    /// Switch clocks from a full packet entering the stages of an edge switch to the reply of the farthest
    /// edge switch. ConWeave makes that reply when the packet enters its stages.
    pub fn edge_rtt_clocks(&self) -> u64 {
        let hops = self.hops();
        let (rate, latency) = self.links.wire(false);
        let half = Latency::default().clocks(weft_switch::kit::Profile::default().stages);
        let wire = |bytes: u64| rate.clocks_of(bytes) + latency;
        let data = on_wire((self.hosts.mtu + HEADERS) as usize) as u64;
        hops * (wire(data) + wire(tm::WIRE_MIN.into()) + 4 * half)
    }

    /// Wires between switches on the longest path.
    fn hops(&self) -> u64 {
        match self.topology {
            Shape::LeafSpine { .. } => 2,
            Shape::FatTree { .. } | Shape::Htsim { .. } | Shape::Ns3 { .. } => 4,
        }
    }

    /// NIC clocks from the order to send `bytes` bytes to their last ACK when no other host sends: the round
    /// trip of one packet, and the time of all further packets on the wire.
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

    /// Bytes that the fastest sender has in flight in a base RTT.
    pub fn bdp_bytes(&self) -> u32 {
        let Rate { bytes, clocks } = self.links.host_rate();
        (self.base_rtt_clocks() * u64::from(bytes) / u64::from(clocks)) as u32
    }
}

impl Links {
    /// Rate of a host's wire at 250 MHz.
    pub(super) fn host_rate(&self) -> Rate {
        Rate::of_gbps(self.host_gbps)
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
