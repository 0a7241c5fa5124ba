//! The registers of a host's NIC, from a designer's parameters of network and transport.

use super::baseline::settings::Baseline;
use super::probe::Probing;
use crate::defaults::is_default;
use crate::network::Network;
use serde::{Deserialize, Serialize};
use weft_params::registers::NicCsr;
use weft_params::{
    EvMode, Network as Window, ParamError, Preset, RepsParams, SackParams, SackTxClass, Signals, Sizing,
    SmarttCsr, WindowAlgorithm, check_psns,
};

/// Settings of the NIC's transport.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Transport {
    /// Payload bytes of a full packet: 256 to 8,192, a power of two.
    pub mtu: u32,
    /// The choice of entropy values.
    pub ev_mode: EvMode,
    /// Hosts with another choice of entropy values, such as the hosts of background traffic. No two entries
    /// have a host in common.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<OwnMode>,
    /// Number of entropy values, 1 to 65,536.
    pub evs: u32,
    /// Number of packets after which the receiver sends an ACK. The receiver acknowledges a marked packet at once.
    pub ack_packets: u32,
    /// Number of bytes after which the receiver sends an ACK. 0: only packets count.
    pub ack_bytes: u32,
    /// Time after which the receiver acknowledges a waiting packet.
    pub ack_timeout_us: f64,
    /// Time without an answer, after two probes, after which old packets count as lost.
    pub rto_us: f64,
    /// SACK gap: a packet counts as lost if a packet that was sent this many packets later is acknowledged.
    /// 0: never. The default is that of `SackTxClass::with_bdp`.
    pub gap: Option<u32>,
    /// Duration of a freeze of REPS.
    pub freeze_us: f64,
    /// Probes by the hosts' software that end a freeze early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probing>,
    /// The algorithm of the window. The keys `preset`, `signals`, `wait_to_decrease` and `fixed_window`
    /// belong to SMaRTT.
    #[serde(skip_serializing_if = "is_default")]
    pub window: WindowAlgorithm,
    /// PSNs of a connection's window: 256, 512 or 1,024.
    #[serde(skip_serializing_if = "is_usual")]
    pub psns: u32,
    /// Constants of the window.
    pub preset: Preset,
    /// Signals that the window follows.
    pub signals: Signals,
    /// Whether a window decreases only if enough recent ACKs were marked (WTD); otherwise each marked ACK may
    /// decrease it.
    pub wait_to_decrease: bool,
    /// Whether the window shrinks only on losses, and ignores ECN and delay. Without losses the window stays
    /// at its maximum.
    pub fixed_window: bool,
    /// Maximum number of connections of two hosts in each direction. Flows share these connections.
    pub pair_connections: u32,
    /// Clock period of the NIC. Latencies of the NIC are those of the RTL in clocks.
    pub clock_ns: f64,
    /// Time from a DMA read to its data, before the first packet of a flow.
    pub dma_latency_ns: u64,
    /// A baseline transport of a paper in place of the NIC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// A key of `weft cosim fabric`. In `weft sim` all hosts have models.
    #[serde(skip_serializing)]
    pub view: Option<String>,
    /// A key of `weft cosim fabric`. In `weft sim` a NIC has as many connections as it needs.
    #[serde(skip_serializing)]
    pub connections: Option<u32>,
}

/// Hosts with their own choice of entropy values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnMode {
    /// The first host of the range.
    pub from: u32,
    /// The last host of the range.
    pub to: u32,
    /// The choice of entropy values of these hosts.
    pub ev_mode: EvMode,
}

impl Default for Transport {
    /// REPS and SMaRTT, MTU 4,096, an ACK for each packet, an RTO of 70 us, freezes of 10 ms.
    fn default() -> Self {
        Self {
            mtu: 4096,
            ev_mode: EvMode::Reps,
            own: Vec::new(),
            evs: 65_536,
            ack_packets: 1,
            ack_bytes: 0,
            ack_timeout_us: 4.0,
            rto_us: 70.0,
            gap: None,
            freeze_us: 10_000.0,
            probe: None,
            window: WindowAlgorithm::default(),
            psns: SackParams::WINDOW,
            preset: Preset::default(),
            signals: Signals::default(),
            wait_to_decrease: true,
            fixed_window: false,
            pair_connections: 4,
            clock_ns: 4.0,
            dma_latency_ns: 800,
            baseline: None,
            view: None,
            connections: None,
        }
    }
}

fn is_usual(psns: &u32) -> bool {
    *psns == SackParams::WINDOW
}

/// Clocks from the last word of a data frame to the first of its ACK (page `docs/blocks/nic.md`): ingress and
/// receiver, then egress.
const IN_CLOCKS: f64 = 55.0;
const OUT_CLOCKS: f64 = 21.0;
/// Clocks from a work request to its first DMA read request, and from the read data to the packet, without
/// the latency of the DMA.
const WORK_CLOCKS: f64 = 87.0 + 5.0;

/// The registers, and the duration of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// The settings of the NIC.
    pub csr: NicCsr,
    /// Duration of a tick in ps.
    pub tick_ps: u64,
    /// The algorithm of the windows.
    pub window: WindowAlgorithm,
    /// PSNs of a window.
    pub psns: u32,
    /// The software beside the NIC.
    pub probe: Option<Probing>,
}

/// First port of entropy values, if all values fit above it.
const EV_BASE: u32 = 0xC000;

/// Tick of a window's constants.
fn tick_ps(sizing: &Sizing) -> u64 {
    sizing.network.tick_ps.unwrap_or(32_000).into()
}

impl Transport {
    /// Latency of the NIC for incoming and outgoing packets. Baselines have none.
    pub fn latencies_ps(&self) -> [u64; 2] {
        if self.baseline.is_some() {
            return [0; 2];
        }
        [IN_CLOCKS, OUT_CLOCKS].map(|clocks| (clocks * self.clock_ns * 1e3).round() as u64)
    }

    /// Time from a work request to its first packet.
    pub fn work_ps(&self) -> u64 {
        if self.baseline.is_some() {
            return 0;
        }
        (WORK_CLOCKS * self.clock_ns * 1e3).round() as u64 + 1_000 * self.dma_latency_ns
    }

    /// Whether the hosts recognise a trimmed packet.
    pub(crate) fn trims(&self) -> bool {
        self.baseline.is_none_or(|baseline| baseline.trims())
    }

    /// The parameters of the network for the window. RTT class 0 is for hosts of one edge switch, 1 for those
    /// of a pod, and 2 for all others.
    pub(crate) fn window(&self, network: &Network) -> Window {
        let topology = &network.topology;
        let far = [1, topology.hosts_per_edge(), topology.hosts_per_edge() * topology.edges_per_pod()];
        let last = topology.hosts() - 1;
        let rtt = |to: u32| network.rtt_ps(0, to.min(last), self.mtu);
        let base_rtt_ns: Vec<u32> = far.map(|to| rtt(to).div_ceil(1_000) as u32).to_vec();
        Window {
            link_gbps: network.tiers[0].gbps,
            base_rtt_ns,
            mtu_bytes: self.mtu,
            preset: self.preset,
            trimming: network.queues[0].trims,
            signals: self.signals,
            ..Window::default()
        }
    }

    /// The registers of SMaRTT and its tick, if its block limits the packets in flight of a baseline.
    pub(crate) fn cap(&self, network: &Network) -> Result<Option<(SmarttCsr, u64)>, ParamError> {
        if !self.baseline.is_some_and(|baseline| baseline.is_capped_by_smartt()) {
            return Ok(None);
        }
        let sizing = self.window(network).sizing()?;
        Ok(Some((sizing.csr, tick_ps(&sizing))))
    }

    /// The registers for a network.
    pub fn registers(&self, network: &Network) -> Result<Registers, ParamError> {
        let window = self.window(network);
        let longest_ns = u64::from(window.base_rtt_ns[2]);
        let sizing = window.sizing()?;
        let tick_ps = tick_ps(&sizing);
        let ticks = |us: f64| (us * 1e6 / tick_ps as f64).round() as u32;
        let mut csr = NicCsr::default();
        csr.sender.mtu_shift = self.mtu.ilog2() as u8;
        csr.sender.smartt = sizing.csr;
        if !self.wait_to_decrease {
            csr.sender.smartt.wtd_threshold = 0;
        }
        if self.fixed_window {
            hold(&mut csr.sender.smartt);
        }
        csr.sender.sack.mtu_bytes = self.mtu;
        let bdp_bytes = u64::from(network.tiers[0].gbps) * longest_ns / 8;
        let bdp_packets = bdp_bytes.div_ceil(self.mtu.into()) as u32;
        let is_lossless = network.buffer.is_some_and(|shared| shared.pfc.is_some());
        csr.sender.sack.classes = csr.sender.smartt.classes.map(|class| {
            let of_network = SackTxClass::for_window(&class).with_bdp(bdp_packets);
            let gap = self.gap.unwrap_or(of_network.gap);
            let class = SackTxClass { gap, rto_ticks: ticks(self.rto_us), ..of_network };
            if is_lossless && self.gap.is_none() { class.without_drops() } else { class }
        });
        csr.receiver.sack.ack_packets = self.ack_packets;
        csr.receiver.sack.ack_bytes = self.ack_bytes;
        csr.receiver.ack_timeout_ticks = ticks(self.ack_timeout_us).min(u16::MAX.into()) as u16;
        let reps = &mut csr.sender.reps;
        reps.mode = self.ev_mode;
        reps.evs_size = self.evs;
        reps.ev_base = if EV_BASE + self.evs > 1 << 16 { 0 } else { EV_BASE };
        reps.trimming = network.queues[0].trims;
        reps.freeze_timeout_ticks = ticks(self.freeze_us);
        reps.bdp_packets = bdp_packets;
        reps.rtt_high_ticks = (longest_ns * 1_650 / tick_ps) as u32;
        reps.rtt_window_ticks = 2 * ticks(self.rto_us);
        check_psns(self.psns)?;
        csr.sender.sack.check()?;
        csr.receiver.sack.check()?;
        csr.sender.reps.check(&RepsParams::default())?;
        if self.window == WindowAlgorithm::Nscc {
            self.no_key_of_smartt()?;
            csr.sender.smartt = window.nscc()?.as_smartt();
        }
        Ok(Registers { csr, tick_ps, window: self.window, psns: self.psns, probe: self.probe })
    }

    /// With NSCC, refuses keys of SMaRTT: NSCC has other constants, so the keys would have no effect.
    fn no_key_of_smartt(&self) -> Result<(), ParamError> {
        let keys = [
            ("fixed_window", self.fixed_window.into()),
            ("wait_to_decrease", u64::from(!self.wait_to_decrease)),
            ("signals", self.signals as u64),
            ("preset", self.preset as u64),
        ];
        let rule = "this key belongs to SMaRTT: leave it out with hosts.window = \"nscc\"".into();
        let set = keys.into_iter().find(|(_, value)| *value > 0);
        set.map_or(Ok(()), |(name, value)| Err(ParamError { name, value, rule }))
    }
}

/// Sets constants with which a window starts and stays at its maximum: only increases occur, even for late or
/// marked ACKs. Losses still reduce the window.
fn hold(smartt: &mut SmarttCsr) {
    *smartt = SmarttCsr { wtd_threshold: 255, ..smartt.with_wtd_alpha(0) };
}
