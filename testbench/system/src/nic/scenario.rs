//! A scenario: hosts, network and workload.

use super::bench::{Bench, Terms};
use super::error::NicError;
use super::figures::Figures;
use super::host::{HostSettings, LinkSettings};
use crate::host::device::{Device, DeviceError};
use crate::host::driver::{Driver, Identity};
use crate::network::leaf_spine::{Fabric, LeafSpine, Wires};
use crate::network::link::Impairments;
use crate::network::pace::{OVERHEAD, Rate, on_wire};
use crate::network::seam::{Frame, Network};
use crate::workload::kind::Workload;
use serde::Serialize;
use std::net::IpAddr;
use std::path::PathBuf;
use weft_params::{MTU_RULE, is_mtu};
use weft_random::Rng;

/// Clocks of the pipelines of two NICs, in both directions.
pub(crate) const PIPELINES: u64 = 250;
/// Bytes of a data packet before and after its payload, without FCS.
pub(crate) const HEADERS: u32 = 86;

/// A scenario: hosts, network and workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scenario {
    /// NICs, each with a host.
    pub nics: u32,
    /// Connections of each NIC, a power of two.
    pub connections: u32,
    /// Workload of the hosts.
    pub workload: Workload,
    /// Timing of the hosts' memory.
    pub host: HostSettings,
    /// The wires to the hosts.
    pub link: LinkSettings,
    /// Fabric between the hosts' wires.
    pub fabric: Fabric,
    /// Payload bytes of a full packet: a power of two, 256 to 8,192.
    pub mtu: u32,
    /// Whether the network uses IPv6 instead of IPv4.
    pub v6: bool,
    /// VLAN tag (TCI) of all frames.
    pub tag: Option<u16>,
    /// Seed of everything random.
    pub seed: u64,
    /// Clocks of a bin of the figures over time.
    pub bin_clocks: u64,
    /// Clocks without a delivery or completion after which a run has failed.
    pub patience_clocks: u64,
    /// Number of threads on which the hosts run. Results are the same for any number.
    #[serde(skip)]
    pub threads: usize,
    /// Folder for captures of the ports of all NICs.
    #[serde(skip)]
    pub capture: Option<PathBuf>,
}

impl Scenario {
    /// A workload on the default network: MTU 4,096, bins of 10 us, patience of 4 ms.
    pub fn new(nics: u32, workload: Workload) -> Self {
        Self {
            nics,
            connections: 256,
            workload,
            host: HostSettings::default(),
            link: LinkSettings::default(),
            fabric: Fabric::default(),
            mtu: 4096,
            v6: false,
            tag: None,
            seed: 1,
            bin_clocks: 2_500,
            patience_clocks: 1_000_000,
            threads: 1,
            capture: None,
        }
    }

    /// Clocks of a round trip through empty queues, from the order to send a full packet to its ACK: DMA, wires,
    /// switches, and the NICs, which store a packet twice.
    pub fn base_rtt_clocks(&self) -> u64 {
        self.round_trip_clocks(self.mtu, true)
    }

    /// Clocks of a round trip of a packet with this payload, through spines or within a leaf.
    fn round_trip_clocks(&self, payload: u32, through_spines: bool) -> u64 {
        let Fabric { rate, latency_clocks, .. } = self.fabric;
        // An ACK has 122 bytes.
        let (data, ack) = (on_wire((payload + HEADERS) as usize), on_wire(122));
        let wire = |bytes| self.link.rate.clocks_of(bytes) + 2 * self.link.latency_clocks;
        let inner = |bytes| if through_spines { 2 * (rate.clocks_of(bytes) + latency_clocks) } else { 0 };
        let nics = self.host.dma_latency_clocks + 2 * u64::from(payload.div_ceil(64)) + PIPELINES;
        wire(data) + inner(data) + wire(ack) + inner(ack) + nics
    }

    /// NIC clocks from the order to send `bytes` bytes to their last ACK when no other host sends: the round
    /// trip of one packet, and the time of all further packets on the wire.
    pub fn ideal_clocks(&self, from: u32, to: u32, bytes: u32) -> u64 {
        let first = bytes.min(self.mtu);
        let rest = bytes - first;
        let packets = u64::from(rest.div_ceil(self.mtu));
        let rest = u64::from(rest) + packets * (u64::from(HEADERS) + OVERHEAD as u64);
        let through_spines = self.fabric.leaf_of(from) != self.fabric.leaf_of(to);
        self.round_trip_clocks(first, through_spines) + self.link.rate.clocks_of(rest as usize)
    }

    /// Runs the scenario on the NICs and drivers that `make` makes. The run calls `go_on` with the figures so
    /// far. `false` stops the run, and then `finish` of the figures is missing.
    pub fn run_on<D: Device + Send, C: Driver + Send>(
        &self,
        make: impl FnMut(&Identity) -> Result<(D, C), DeviceError>,
        go_on: impl FnMut(&Figures) -> bool,
    ) -> Result<Figures, NicError> {
        self.run_over(make, go_on, |hosts, rng| LeafSpine::new(self.fabric, hosts, self.link.rate, rng))
    }

    /// Runs the scenario over any network.
    fn run_over<D: Device + Send, C: Driver + Send, N: Network<Frame>>(
        &self,
        mut make: impl FnMut(&Identity) -> Result<(D, C), DeviceError>,
        go_on: impl FnMut(&Figures) -> bool,
        network: impl FnOnce(&[IpAddr], Rng) -> N,
    ) -> Result<Figures, NicError> {
        self.check()?;
        let make = |identity: &Identity| {
            make(identity).map_err(|error| NicError::Device { nic: identity.number, error })
        };
        let mut rng = Rng::new(self.seed);
        let plan = self.workload.plan(self.nics, rng.draw());
        let terms = Terms {
            nics: self.nics,
            connections: self.connections,
            host: self.host,
            link: self.link,
            mtu: self.mtu,
            v6: self.v6,
            tag: self.tag,
            base_rtt_clocks: self.base_rtt_clocks(),
            trims: self.fabric.queue.trims,
            pauses: false,
            seed: self.seed,
            bin_clocks: self.bin_clocks,
            patience_clocks: self.patience_clocks,
            capture: self.capture.clone(),
            comment: self.comment(),
            // Triggers of a trace reach other hosts at once. Without a trace, hosts may run ahead by the
            // latency of their wires.
            window_clocks: if matches!(self.workload, Workload::Trace(_)) {
                1
            } else {
                self.link.latency_clocks
            },
            threads: self.threads,
        };
        let (figures, _) = Bench::new(terms, plan, rng, make, network)?.run(go_on)?;
        Ok(figures)
    }

    fn check(&self) -> Result<(), NicError> {
        let Fabric { leaves, paths, rate, queue, slow_path, dead_path, .. } = self.fabric;
        let is_path = |wires: Option<Wires>| {
            wires.is_none_or(|Wires { path, leaf }| path < paths && leaf.is_none_or(|leaf| leaf < leaves))
        };
        let Impairments { loss, duplicate, reorder, corrupt, damage, .. } = self.link.impairments;
        let is_rate = |rate: Rate| rate.bytes > 0 && rate.clocks > 0 && rate.bytes <= 1 << 20;
        let rules = [
            (format!("mtu {}", self.mtu), is_mtu(self.mtu), MTU_RULE),
            (
                format!("connections {}", self.connections),
                self.connections.is_power_of_two() && (self.nics..=4096).contains(&self.connections),
                "a power of two, as many as NICs to 4096",
            ),
            (format!("leaves {leaves}"), (1..=self.nics).contains(&leaves), "1 to the number of NICs"),
            (format!("paths {paths}"), (1..=256).contains(&paths), "1 to 256"),
            (
                "slow or cut path".into(),
                is_path(slow_path) && is_path(dead_path.map(|dead| dead.wires)),
                "a path and a leaf of the fabric",
            ),
            ("latency 0".into(), self.link.latency_clocks > 0, "a clock at least"),
            ("rate".into(), is_rate(rate) && is_rate(self.link.rate), "something above 0"),
            (
                format!("marking from {} to {}", queue.mark_from, queue.mark_all),
                queue.mark_from <= queue.mark_all,
                "a lower threshold that is not above the upper one",
            ),
            (
                format!("queue {}", queue.bytes),
                queue.bytes as usize > self.mtu as usize + 256,
                "room for a packet at least",
            ),
            (
                format!("impairments {loss}, {duplicate}, {reorder}, {corrupt}, {damage}"),
                [loss, duplicate, reorder, corrupt, damage].iter().all(|share| (0.0..0.9).contains(share)),
                "shares of 0 to less than 0.9",
            ),
            (
                format!("stalls {}", self.host.stalls),
                (0.0..0.99).contains(&self.host.stalls),
                "a share of 0 to less than 0.99",
            ),
            ("bins 0".into(), self.bin_clocks > 0, "a clock at least"),
        ];
        if let Some(rule) = self.workload.objection(self.nics) {
            return Err(NicError::Setting { name: "workload".into(), rule });
        }
        match rules.into_iter().find(|(_, fits, _)| !fits) {
            Some((name, _, rule)) => Err(NicError::Setting { name, rule }),
            None => Ok(()),
        }
    }

    /// Comment for captures: the tool, the seed and the scenario.
    fn comment(&self) -> String {
        let scenario = serde_json::to_string(self).unwrap_or_default();
        format!("tool=weft\nkind=nic\nseed={}\nscenario={scenario}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::registers::{RegisterDriver, configuration};
    use crate::network::adversary::{Adversary, Way};
    use crate::network::fault::Faults;
    use crate::nic::view::{Maker, View};
    use weft_params::{EvMode, SackParams};

    /// NICs behave the same over a fabric and through an adversary that loses, duplicates, trims and
    /// reorders.
    #[test]
    fn any_network_stands_between_nics() {
        let workload = Workload::Pair { messages: 8, bytes: 8_000 };
        let scenario = Scenario { connections: 4, mtu: 1024, ..Scenario::new(2, workload) };
        let maker = Maker::new(SackParams { connections: 4 }, false).expect("a model needs nothing");
        let make = |identity: &Identity| {
            let csr = configuration(identity, EvMode::Reps).map_err(weft_bench::Error::from)?;
            Ok((maker.device(View::Model, identity.seed)?, RegisterDriver::new(identity, &csr)))
        };
        let good = scenario.run_on(make, |_| true).expect("a good fabric");
        let faults = Faults { loss: 0.1, duplicate: 0.1, trim: 0.1, ..Faults::default() };
        let way = Way { faults, reorder: 20, delay_clocks: 200, dead_path: 0.0, kill_after: None };
        let hostile = |_: &[IpAddr], mut rng: Rng| Adversary::new([way; 2], || Rng::new(rng.draw()));
        let bad = scenario.run_over(make, |_| true, hostile).expect("it is delivered all the same");
        assert_eq!((good.left, bad.left, good.delivered), (0, 0, bad.delivered));
        assert!(good.packets.retransmissions == 0 && bad.packets.retransmissions > 0, "{:?}", bad.packets);
    }
}
