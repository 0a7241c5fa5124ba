//! The settings of hosts without the NIC: `[hosts.baseline]`. Defaults are the constants of the papers (page
//! `docs/baselines.md`).

use crate::defaults::{is_default, is_one};
use serde::{Deserialize, Serialize};
use weft_params::EvMode;

/// A transport with which a paper compares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Baseline {
    /// DCQCN, over a lossless network or with IRN.
    Dcqcn(Dcqcn),
    /// The window of the REPS papers.
    Dctcp(Dctcp),
    /// A window that follows delay.
    Swift(Swift),
    /// A rate and a window from a model of the path.
    Bbr(Bbr),
    /// Credits from the receiver.
    Eqds(Eqds),
    /// The fixed rate of the OFAN paper, with ideal recovery.
    Paced(Paced),
}

/// Detection and replacement of lost packets in DCQCN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// The receiver accepts packets only in order. The sender goes back to the missing packet.
    #[default]
    GoBackN,
    /// Selective repeat, with at most a BDP in flight.
    Irn,
}

/// DCQCN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dcqcn {
    /// The recovery of lost packets.
    pub recovery: Recovery,
    /// Gain of alpha.
    pub gain: f64,
    /// Time between updates of alpha.
    pub alpha_us: f64,
    /// Minimum time between two decreases.
    pub decrease_us: f64,
    /// Time from a decrease to the first increase, and between two increases.
    pub increase_us: f64,
    /// Number of increases during which the target stays.
    pub fast_recovery: u32,
    /// Growth of the target in the first increase after fast recovery.
    pub additive_mbps: f64,
    /// Growth of the target in all later increases.
    pub hyper_mbps: f64,
    /// Minimum rate.
    pub least_mbps: f64,
    /// Whether every decrease sets the target; otherwise only the first decrease after an increase does.
    pub clamp_target: bool,
    /// Minimum time between two CNPs of a receiver. 0: each marked packet makes a CNP.
    pub cnp_us: f64,
    /// Whether a packet out of order causes a CNP as well.
    pub cnp_of_nack: bool,
    /// Minimum time between two NACKs of the same packet.
    pub nack_us: f64,
    /// Timeout; by default 4,000 us, with IRN 320 us.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_us: Option<f64>,
    /// IRN: the timeout with few packets in flight.
    pub rto_low_us: f64,
    /// IRN: number of packets that counts as few.
    pub low_packets: u32,
    /// IRN: payload in flight; by default a BDP of the longest path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_bytes: Option<u32>,
}

impl Default for Dcqcn {
    /// The values of ConWeave's simulations at 100 Gb/s.
    fn default() -> Self {
        Self {
            recovery: Recovery::default(),
            gain: 1.0 / 256.0,
            alpha_us: 1.0,
            decrease_us: 4.0,
            increase_us: 300.0,
            fast_recovery: 1,
            additive_mbps: 40.0,
            hyper_mbps: 100.0,
            least_mbps: 100.0,
            clamp_target: false,
            cnp_us: 0.0,
            cnp_of_nack: true,
            nack_us: 4.0,
            rto_us: None,
            rto_low_us: 100.0,
            low_packets: 3,
            window_bytes: None,
        }
    }
}

/// A window that follows every ACK.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dctcp {
    /// The first window and the largest window, in BDPs of the longest path.
    pub window_bdp: f64,
    /// Packets that a marked ACK subtracts from the window.
    pub decrease: f64,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Dctcp {
    /// Half a packet for a mark (MP-RDMA), timeouts of 70 us (REPS), windows of 1.5 BDP (the authors'
    /// simulation).
    fn default() -> Self {
        Self { window_bdp: 1.5, decrease: 0.5, rto_us: 70.0, paths: Paths::default() }
    }
}

/// A window that follows delay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Swift {
    /// The window at its start, and at most, in BDPs of the longest path.
    pub window_bdp: f64,
    /// The target delay, in base round trips of the longest path.
    pub target_rtt: f64,
    /// Packets by which a window grows in a round trip.
    pub increase: f64,
    /// The weight of the delay beyond the target in a decrease.
    pub beta: f64,
    /// The greatest part of the window that a decrease or a lost packet subtracts.
    pub most_decrease: f64,
    /// Flow scaling: its greatest addition to the target, in base round trips.
    pub scaling_rtt: f64,
    /// MSwift: the delay is the median of this number of last answers; with 1, the delay of the last answer.
    #[serde(skip_serializing_if = "is_one")]
    pub median_of: u32,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Swift {
    /// Settings of three rules. Swift: increases of a packet, beta of 0.8, decreases by at most half. SMaRTT:
    /// the target. REPS papers: windows and timeouts.
    fn default() -> Self {
        Self {
            window_bdp: 1.5,
            target_rtt: 1.5,
            increase: 1.0,
            beta: 0.8,
            most_decrease: 0.5,
            scaling_rtt: 4.0,
            median_of: 1,
            rto_us: 70.0,
            paths: Paths::default(),
        }
    }
}

/// BBR, version 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bbr {
    /// Packets that leave in the first round trip.
    pub first_packets: u32,
    /// Age of the least round trip at which it is measured again, in base round trips of the longest path.
    pub rtt_window: f64,
    /// Duration of this measurement, with few packets in flight, in base round trips.
    pub probe_rtt: f64,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Bbr {
    /// Ten packets at the start. 10 s and 200 ms, the times of BBR, are 100 and 2 round trips of the
    /// Internet's 100 ms.
    fn default() -> Self {
        Self { first_packets: 10, rtt_window: 100.0, probe_rtt: 2.0, rto_us: 70.0, paths: Paths::default() }
    }
}

/// The window that limits the packets in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// The window of the REPS papers.
    #[default]
    Marks,
    /// The bit-exact block of SMaRTT.
    Smartt,
}

/// Credits from the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Eqds {
    /// Packets that leave without credit, in BDPs of the longest path.
    pub first_bdp: f64,
    /// Rate of the receiver's credits, as a share of the rate of its link.
    pub pull_share: f64,
    /// Whether the sender's window limits the packets in flight.
    pub capped: bool,
    /// The algorithm of this window.
    #[serde(skip_serializing_if = "is_default")]
    pub cap: Cap,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Eqds {
    /// A BDP at the start, credits at the rate of the link (EQDS), no cap.
    fn default() -> Self {
        Self {
            first_bdp: 1.0,
            pull_share: 1.0,
            capped: false,
            cap: Cap::Marks,
            rto_us: 70.0,
            paths: Paths::default(),
        }
    }
}

/// The algorithm that chooses the entropy value of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The bit-exact block, by `hosts.ev_mode`.
    #[default]
    Block,
    /// A flow has one value, and a new one after rounds with many marks.
    Plb,
    /// A flow has one value, and a new one after a gap.
    Flowlet,
    /// Values in turn, except those with bad results.
    Bitmap,
    /// The value of the answer that permits the packet.
    Mprdma,
    /// A flow has eight parts. Each part has one value and a window.
    Mptcp,
}

/// The choice of entropy values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paths {
    /// The algorithm.
    pub name: By,
    /// PLB: share of marked answers above which a round is congested.
    pub share: f64,
    /// PLB: number of congested rounds in a row after which a flow moves.
    pub rounds: u32,
    /// Flowlet: time between two packets above which there is a gap; by default half of a base round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_us: Option<f64>,
    /// Time at which the block freezes each flow, without a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freeze_at_us: Option<f64>,
}

impl Default for Paths {
    /// The block, and PLB as in the paper of REPS.
    fn default() -> Self {
        Self { name: By::Block, share: 0.25, rounds: 1, gap_us: None, freeze_at_us: None }
    }
}

impl Paths {
    fn is_block(&self) -> bool {
        *self == Self::default()
    }
}

/// A fixed rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paced {
    /// The hosts' rate, as a share of the rate of their links. The default is the share that all hosts can
    /// have at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Whether packets to each host use the paths in turn (HOST DR).
    pub rotation: bool,
    /// Time after which the sender replaces a packet that has not arrived.
    pub rto_us: f64,
}

impl Default for Paced {
    /// The rate that all hosts can have at once. Packets that need more than 70 us count as lost.
    fn default() -> Self {
        Self { share: None, rotation: false, rto_us: 70.0 }
    }
}

impl Dcqcn {
    /// The timeout.
    pub fn rto_us(&self) -> f64 {
        self.rto_us.unwrap_or(match self.recovery {
            Recovery::GoBackN => 4_000.0,
            Recovery::Irn => 320.0,
        })
    }
}

impl Baseline {
    /// Whether receivers recognise a trimmed packet.
    pub(crate) fn trims(&self) -> bool {
        matches!(self, Self::Dctcp(_) | Self::Swift(_) | Self::Bbr(_) | Self::Eqds(_))
    }

    /// The choice of entropy values.
    pub(crate) fn paths(&self) -> Paths {
        match self {
            Self::Dctcp(Dctcp { paths, .. })
            | Self::Swift(Swift { paths, .. })
            | Self::Bbr(Bbr { paths, .. })
            | Self::Eqds(Eqds { paths, .. }) => *paths,
            Self::Dcqcn(_) | Self::Paced(_) => Paths::default(),
        }
    }

    /// Keys of `[hosts]` that the transport uses. All other keys must have their defaults.
    pub(crate) fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Dcqcn(_) | Self::Paced(Paced { rotation: true, .. }) => &["baseline", "mtu"],
            _ => &["baseline", "mtu", "ev_mode", "evs", "freeze_us"],
        }
    }

    /// The choice of entropy values, given the choice of the file.
    pub(crate) fn ev_mode(&self, given: EvMode) -> EvMode {
        if matches!(self, Self::Dcqcn(_)) { EvMode::Fixed } else { given }
    }

    /// Whether the bit-exact SMaRTT limits the packets in flight.
    pub(crate) fn is_capped_by_smartt(&self) -> bool {
        matches!(self, Self::Eqds(Eqds { capped: true, cap: Cap::Smartt, .. }))
    }

    /// Whether hosts choose the path of a packet.
    pub(crate) fn rotates(&self) -> bool {
        matches!(self, Self::Paced(Paced { rotation: true, .. }))
    }

    /// Timeout of a packet.
    pub(crate) fn rto_us(&self) -> f64 {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.rto_us(),
            Self::Dctcp(Dctcp { rto_us, .. })
            | Self::Swift(Swift { rto_us, .. })
            | Self::Bbr(Bbr { rto_us, .. })
            | Self::Eqds(Eqds { rto_us, .. })
            | Self::Paced(Paced { rto_us, .. }) => *rto_us,
        }
    }
}
