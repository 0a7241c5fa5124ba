//! What is measured: hosts, paths and what they do to packets, and what is sent.

use serde::Serialize;
use weft_params::{Network, ParamError, RepsCsr, SackTxClass, SackTxCsr, SenderCsr};

/// Picoseconds of a microsecond.
pub(super) const US: u64 = 1_000_000;
/// Picoseconds of a tick.
pub(super) const TICK: u64 = 32_000;

/// Two leaves, hosts at both, and paths between them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Setting {
    /// Rate of a host's link in Gb/s.
    pub gbps: u64,
    /// Rate of a path in Gb/s.
    pub path_gbps: u64,
    /// Payload bytes of a packet, a power of two.
    pub mtu_bytes: u64,
    /// Round-trip time of a full packet and its ACK when nothing waits.
    pub rtt_us: f64,
    /// Hosts.
    pub hosts: usize,
    /// Paths between the leaves.
    pub paths: usize,
    /// Delay that a path adds, at most, and how long it stays as it is.
    pub jitter_us: f64,
    /// See before.
    pub jitter_period_us: f64,
    /// Share of data packets that are lost.
    pub loss: f64,
    /// Share of ACKs and NACKs that are lost.
    pub ack_loss: f64,
    /// A packet that is lost so many times.
    pub hole: Option<(u32, u32)>,
    /// Packets from this PSN on are lost when they are sent for the first time.
    pub tail: Option<u32>,
    /// Nothing passes from one time to another, in us.
    pub blackout: Option<(f64, f64)>,
    /// From a time in us on every round trip takes so many times as long as when nothing waits.
    pub grows: Option<(f64, f64)>,
    /// A path on which nothing passes from one time to another.
    pub dead: Option<(usize, f64, f64)>,
    /// A path, and by how much its rate is divided.
    pub slow: Option<(usize, u64)>,
    /// Round-trip times that the way back takes longer than the sender's registers know.
    pub back_rtts: f64,
    /// A full queue cuts off payloads; else it drops packets.
    pub trims: bool,
    /// Bytes of a queue in bandwidth-delay products.
    pub queue_bdp: f64,
}

impl Setting {
    /// 100 Gb/s, 8 KiB, 11.5 us: two hosts, eight paths, switches that trim.
    pub const G100: Self = Self {
        gbps: 100,
        path_gbps: 100,
        mtu_bytes: 8_192,
        rtt_us: 11.5,
        hosts: 2,
        paths: 8,
        jitter_us: 0.0,
        jitter_period_us: 3.0,
        loss: 0.0,
        ack_loss: 0.0,
        hole: None,
        tail: None,
        blackout: None,
        grows: None,
        dead: None,
        slow: None,
        back_rtts: 0.0,
        trims: true,
        queue_bdp: 1.0,
    };
    /// 400 Gb/s, 4 KiB, 8 us.
    pub const G400: Self = Self { gbps: 400, path_gbps: 400, mtu_bytes: 4_096, rtt_us: 8.0, ..Self::G100 };

    /// Bytes of one bandwidth-delay product.
    pub(super) fn bdp_bytes(&self) -> u64 {
        (self.gbps as f64 * self.rtt_us * 125.0) as u64
    }

    /// The registers of a sender for this network, with this SACK gap or the one for its BDP.
    pub(super) fn csr(&self, gap: Option<u32>) -> Result<SenderCsr, ParamError> {
        let network = Network {
            link_gbps: self.gbps as u32,
            base_rtt_ns: vec![(self.rtt_us * 1_000.0) as u32],
            mtu_bytes: self.mtu_bytes as u32,
            tick_ps: Some(TICK as u32),
            trimming: self.trims,
            ..Network::default()
        };
        let smartt = network.csr()?;
        let packets = self.bdp_bytes().div_ceil(self.mtu_bytes) as u32;
        let class = SackTxClass::for_window(&smartt.classes[0]).with_bdp(packets);
        let class = SackTxClass { gap: gap.unwrap_or(class.gap), ..class };
        let reps = RepsCsr {
            trimming: self.trims,
            bdp_packets: self.bdp_bytes().div_ceil(self.mtu_bytes) as u32,
            rtt_high_ticks: class.high_ticks,
            ..RepsCsr::default()
        };
        let sack = SackTxCsr { mtu_bytes: self.mtu_bytes as u32, ..SackTxCsr::default() }.with_class(class);
        let mtu_shift = self.mtu_bytes.ilog2() as u8;
        Ok(SenderCsr { mtu_shift, idle_ticks: 0, sack, smartt, reps })
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum Work {
    /// Host 0 sends messages to host 1.
    One {
        /// Packets of each.
        packets: u32,
        /// How many.
        messages: u32,
    },
    /// Every host sends messages to the next one.
    Ring {
        /// Packets of each.
        packets: u32,
        /// How many each sends.
        messages: u32,
    },
    /// All others send messages to host 0.
    Incast {
        /// Packets of each.
        packets: u32,
        /// How many each sends.
        messages: u32,
    },
}

impl Work {
    /// The receiver of what a host sends, if it sends.
    pub(super) fn peer(&self, host: usize, hosts: usize) -> Option<usize> {
        match self {
            Self::One { .. } => (host == 0).then_some(1),
            Self::Ring { .. } => Some((host + 1) % hosts),
            Self::Incast { .. } => (host != 0).then_some(0),
        }
    }

    /// Packets of a message, and messages of a host.
    pub(super) fn messages(&self) -> (u32, u32) {
        let (Self::One { packets, messages }
        | Self::Ring { packets, messages }
        | Self::Incast { packets, messages }) = *self;
        (packets, messages)
    }
}
