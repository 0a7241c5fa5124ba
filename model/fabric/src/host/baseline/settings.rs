//! The settings of hosts without the NIC: `[hosts.baseline]`. Defaults are the papers' constants (page
//! `docs/baselines.md`).

use crate::defaults::is_default;
use serde::{Deserialize, Serialize};
use weft_params::EvMode;

/// A transport that a paper compares with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Baseline {
    /// DCQCN, over a lossless network or with IRN.
    Dcqcn(Dcqcn),
    /// The window of the REPS papers.
    Dctcp(Dctcp),
    /// A window that follows delay.
    Swift(Swift),
    /// Credits from the receiver.
    Eqds(Eqds),
    /// The fixed rate of the OFAN paper, with ideal recovery.
    Paced(Paced),
}

/// How DCQCN's hosts find and replace lost packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recovery {
    /// The receiver takes packets in their order, the sender goes back to the one that is missing.
    #[default]
    GoBackN,
    /// Selective repeat, and no more under way than a BDP.
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
    /// Alpha is updated so often.
    pub alpha_us: f64,
    /// A decrease is possible so often.
    pub decrease_us: f64,
    /// From a decrease to the first increase, and from one to the next.
    pub increase_us: f64,
    /// Increases of which the target stays.
    pub fast_recovery: u32,
    /// Growth of the target in the increase after these,
    pub additive_mbps: f64,
    /// and in all after that.
    pub hyper_mbps: f64,
    /// The least rate.
    pub least_mbps: f64,
    /// Every decrease sets the target; else the first after an increase.
    pub clamp_target: bool,
    /// From one CNP of a receiver to the next; 0: each marked packet makes one.
    pub cnp_us: f64,
    /// A packet out of order makes a CNP, too.
    pub cnp_of_nack: bool,
    /// From one NACK to the next of the same packet.
    pub nack_us: f64,
    /// Timeout; without it 4,000 us, with IRN 320.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_us: Option<f64>,
    /// IRN: the timeout of a few packets.
    pub rto_low_us: f64,
    /// IRN: so few.
    pub low_packets: u32,
    /// IRN: payload under way; without it a BDP of the longest way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_bytes: Option<u32>,
}

impl Default for Dcqcn {
    /// Those of ConWeave's simulations at 100 Gb/s.
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
    /// The window at its start, and at most, in BDPs of the longest way.
    pub window_bdp: f64,
    /// Packets of window that a marked ACK takes.
    pub decrease: f64,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Dctcp {
    /// Half a packet a mark (MP-RDMA), timeouts of 70 us (REPS), windows of 1.5 BDP (the authors' simulation).
    fn default() -> Self {
        Self { window_bdp: 1.5, decrease: 0.5, rto_us: 70.0, paths: Paths::default() }
    }
}

/// A window that follows delay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Swift {
    /// The window at its start, and at most, in BDPs of the longest way.
    pub window_bdp: f64,
    /// The target delay, in base round trips of the longest way.
    pub target_rtt: f64,
    /// Packets that a window grows by in a round trip.
    pub increase: f64,
    /// The weight of the delay beyond the target in a decrease.
    pub beta: f64,
    /// The part of the window that a decrease takes at most, and a lost packet.
    pub most_decrease: f64,
    /// Flow scaling: the most that it adds to the target, in base round trips.
    pub scaling_rtt: f64,
    /// Timeout of each packet.
    pub rto_us: f64,
    /// The choice of entropy values.
    #[serde(skip_serializing_if = "Paths::is_block")]
    pub paths: Paths,
}

impl Default for Swift {
    /// Increases of a packet, beta of 0.8, decreases by half at most (Swift); the target of SMaRTT; windows and timeouts of
    /// the REPS papers.
    fn default() -> Self {
        Self {
            window_bdp: 1.5,
            target_rtt: 1.5,
            increase: 1.0,
            beta: 0.8,
            most_decrease: 0.5,
            scaling_rtt: 4.0,
            rto_us: 70.0,
            paths: Paths::default(),
        }
    }
}

/// The window that caps what is under way.
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
    /// Packets that leave without credit, in BDPs of the longest way.
    pub first_bdp: f64,
    /// Rate of the receiver's credits, as a share of its link's.
    pub pull_share: f64,
    /// A window of the sender caps what is under way.
    pub capped: bool,
    /// Which one.
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

/// Who chooses the entropy value of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The bit-exact block, by `hosts.ev_mode`.
    #[default]
    Block,
    /// A flow has one value, and another one after rounds with many marks.
    Plb,
    /// A flow has one value, and another one after a gap.
    Flowlet,
    /// Values in turn, but for those that did badly.
    Bitmap,
    /// The value of the answer that lets the packet go.
    Mprdma,
    /// A flow has eight parts, each with one value and a window.
    Mptcp,
}

/// The choice of entropy values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paths {
    /// Who chooses.
    pub name: By,
    /// PLB: a round with a larger share of marked answers is congested.
    pub share: f64,
    /// PLB: congested rounds in a row after which a flow moves.
    pub rounds: u32,
    /// Flowlet: a longer time between two packets is a gap; without it half of a base round trip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_us: Option<f64>,
    /// The block freezes each flow at this time, without a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freeze_at_us: Option<f64>,
}

impl Default for Paths {
    /// The block; PLB as the authors of REPS have it.
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
    /// The hosts' rate, as a share of their links'; the default is the share that all can have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Packets take ways in turn, for each host that they go to: HOST DR.
    pub rotation: bool,
    /// A packet that has not come by then is replaced.
    pub rto_us: f64,
}

impl Default for Paced {
    /// The rate that all can have, packets that take longer than 70 us lost.
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
    /// Its receivers recognise a trimmed packet.
    pub(crate) fn trims(&self) -> bool {
        matches!(self, Self::Dctcp(_) | Self::Swift(_) | Self::Eqds(_))
    }

    /// The choice of entropy values.
    pub(crate) fn paths(&self) -> Paths {
        match self {
            Self::Dctcp(Dctcp { paths, .. })
            | Self::Swift(Swift { paths, .. })
            | Self::Eqds(Eqds { paths, .. }) => *paths,
            Self::Dcqcn(_) | Self::Paced(_) => Paths::default(),
        }
    }

    /// Keys of `[hosts]` that it looks at; others must be left as they are.
    pub(crate) fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Dcqcn(_) | Self::Paced(Paced { rotation: true, .. }) => &["baseline", "mtu"],
            _ => &["baseline", "mtu", "ev_mode", "evs", "freeze_us"],
        }
    }

    /// How entropy values are chosen where a file may say so.
    pub(crate) fn ev_mode(&self, given: EvMode) -> EvMode {
        if matches!(self, Self::Dcqcn(_)) { EvMode::Fixed } else { given }
    }

    /// The bit-exact SMaRTT caps what is under way.
    pub(crate) fn is_capped_by_smartt(&self) -> bool {
        matches!(self, Self::Eqds(Eqds { capped: true, cap: Cap::Smartt, .. }))
    }

    /// Hosts say which way a packet takes.
    pub(crate) fn rotates(&self) -> bool {
        matches!(self, Self::Paced(Paced { rotation: true, .. }))
    }

    /// Timeout.
    pub(crate) fn rto_us(&self) -> f64 {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.rto_us(),
            Self::Dctcp(Dctcp { rto_us, .. })
            | Self::Swift(Swift { rto_us, .. })
            | Self::Eqds(Eqds { rto_us, .. })
            | Self::Paced(Paced { rto_us, .. }) => *rto_us,
        }
    }
}
