//! What a file says of hosts that are not the NIC: `[hosts.baseline]`. Defaults are the papers' constants (page
//! `docs/baselines.md`).

use crate::setup::Wrong;
use serde::{Deserialize, Serialize};

/// A transport that a paper compares with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Baseline {
    /// DCQCN, over a lossless network or with IRN.
    Dcqcn(Dcqcn),
}

/// How DCQCN's hosts find and replace what was lost.
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
    /// Of what is lost.
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

impl Dcqcn {
    /// The timeout.
    pub fn rto_us(&self) -> f64 {
        self.rto_us.unwrap_or(match self.recovery {
            Recovery::GoBackN => 4_000.0,
            Recovery::Irn => 320.0,
        })
    }

    fn check(&self) -> Result<(), Wrong> {
        range("gain", self.gain, 0.0, 1.0)?;
        range("alpha_us", self.alpha_us, 0.1, 1e5)?;
        range("decrease_us", self.decrease_us, 0.1, 1e5)?;
        range("increase_us", self.increase_us, 0.1, 1e5)?;
        range("additive_mbps", self.additive_mbps, 0.0, 1e6)?;
        range("hyper_mbps", self.hyper_mbps, 0.0, 1e6)?;
        range("least_mbps", self.least_mbps, 1.0, 1e6)?;
        range("cnp_us", self.cnp_us, 0.0, 1e5)?;
        range("nack_us", self.nack_us, 0.0, 1e5)?;
        range("rto_us", self.rto_us(), 1.0, 1e6)?;
        range("rto_low_us", self.rto_low_us, 1.0, 1e6)?;
        if self.recovery != Recovery::Irn && self.window_bytes.is_some() {
            return refuse("window_bytes", "only IRN has a window; set recovery = \"irn\"");
        }
        range("window_bytes", self.window_bytes.map_or(1.0, f64::from), 1.0, 1e9)
    }
}

fn refuse<T>(key: &str, what: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { key: format!("hosts.baseline.{key}"), what: what.into() })
}

fn range(key: &str, value: f64, least: f64, most: f64) -> Result<(), Wrong> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    refuse(key, format!("{value} cannot be; use {least} to {most}"))
}

impl Baseline {
    /// Refuses numbers that cannot be.
    pub(crate) fn check(&self) -> Result<(), Wrong> {
        match self {
            Self::Dcqcn(dcqcn) => dcqcn.check(),
        }
    }

    /// Its receivers know what a trimmed packet is.
    pub(crate) fn trims(&self) -> bool {
        match self {
            Self::Dcqcn(_) => false,
        }
    }

    /// Keys of `[hosts]` that it looks at; others must be left as they are.
    pub(crate) fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Dcqcn(_) => &["baseline", "mtu"],
        }
    }
}
