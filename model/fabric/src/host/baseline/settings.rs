//! The settings of hosts without the NIC: `[hosts.baseline]`. Defaults are the papers' constants (page
//! `docs/baselines.md`).

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
}

impl Default for Dctcp {
    /// Half a packet a mark (MP-RDMA), timeouts of 70 us (REPS), windows of 1.5 BDP (the authors' simulation).
    fn default() -> Self {
        Self { window_bdp: 1.5, decrease: 0.5, rto_us: 70.0 }
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
        matches!(self, Self::Dctcp(_))
    }

    /// Keys of `[hosts]` that it looks at; others must be left as they are.
    pub(crate) fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Dcqcn(_) | Self::Paced(Paced { rotation: true, .. }) => &["baseline", "mtu"],
            Self::Dctcp(_) | Self::Paced(_) => &["baseline", "mtu", "ev_mode", "evs", "freeze_us"],
        }
    }

    /// How entropy values are chosen where a file may say so.
    pub(crate) fn ev_mode(&self, given: EvMode) -> EvMode {
        if matches!(self, Self::Dcqcn(_)) { EvMode::Fixed } else { given }
    }

    /// Hosts say which way a packet takes.
    pub(crate) fn rotates(&self) -> bool {
        matches!(self, Self::Paced(Paced { rotation: true, .. }))
    }

    pub(super) fn rto_us(&self) -> f64 {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.rto_us(),
            Self::Dctcp(Dctcp { rto_us, .. }) | Self::Paced(Paced { rto_us, .. }) => *rto_us,
        }
    }
}
