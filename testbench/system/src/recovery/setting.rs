//! Settings of a measurement: hosts, paths, faults and messages.

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
    /// Round-trip time of a full packet and its ACK through empty queues.
    pub rtt_us: f64,
    /// Hosts.
    pub hosts: usize,
    /// Paths between the leaves.
    pub paths: usize,
    /// Largest delay that a path adds.
    pub jitter_us: f64,
    /// Time for which such a delay is constant.
    pub jitter_period_us: f64,
    /// Share of data packets that are lost.
    pub loss: f64,
    /// Share of ACKs and NACKs that are lost.
    pub ack_loss: f64,
    /// PSN of a packet, and the number of times that it is lost.
    pub hole: Option<(u32, u32)>,
    /// First PSN from which on packets are lost when they are sent for the first time.
    pub tail: Option<u32>,
    /// Begin and end in us of a time in which no packet passes.
    pub blackout: Option<(f64, f64)>,
    /// Time in us from which on every round trip is this multiple of the unloaded one.
    pub grows: Option<(f64, f64)>,
    /// Path on which no packet passes, with begin and end in us.
    pub dead: Option<(usize, f64, f64)>,
    /// Path with a lower rate, and the divisor of the rate.
    pub slow: Option<(usize, u64)>,
    /// Round-trip times by which the way back is longer than the sender's registers assume.
    pub back_rtts: f64,
    /// Whether a full queue trims packets; otherwise it drops them.
    pub trims: bool,
    /// Bytes of a queue in bandwidth-delay products.
    pub queue_bdp: f64,
}

impl Setting {
    /// A network of two hosts and eight paths, with switches that trim: 100 Gb/s, packets of 8 KiB, 11.5 us.
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

    /// Registers of a sender for this network. `gap` replaces the SACK gap that follows from the BDP.
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

/// Messages of the hosts.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum Work {
    /// Host 0 sends messages to host 1.
    One {
        /// Packets of each message.
        packets: u32,
        /// Number of messages.
        messages: u32,
    },
    /// Every host sends messages to the next host.
    Ring {
        /// Packets of each message.
        packets: u32,
        /// Number of messages of each host.
        messages: u32,
    },
    /// All other hosts send messages to host 0.
    Incast {
        /// Packets of each message.
        packets: u32,
        /// Number of messages of each host.
        messages: u32,
    },
}

impl Work {
    /// Receiver of a host's messages, if the host sends any.
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
