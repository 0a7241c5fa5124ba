//! Parameters and CSRs.

use crate::CONNECTIONS;
use crate::error::{ParamError, require};
use serde::{Deserialize, Serialize};

/// Values that are fixed when the Verilog of `weft_smartt` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SmarttParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024 or 4,096.
    pub connections: u32,
}

impl Default for SmarttParams {
    /// 256 connections.
    fn default() -> Self {
        Self { connections: 256 }
    }
}

impl SmarttParams {
    /// RTT classes, that is sets of [`SmarttClass`] constants.
    pub const CLASSES: usize = 4;
    /// Width of a number of bytes: of the window, and of the counts that are compared with it.
    pub const BYTES_WIDTH: u32 = 26;
    /// Binary digits that the window has after the point.
    pub const CWND_FRACTION: u32 = 11;
    /// Bits of the end of a QuickAdapt period, a time in ticks.
    pub const END_WIDTH: u32 = 20;
    /// Bits of the average share of marked ACKs, all after the point.
    pub const AVERAGE_WIDTH: u32 = 13;
    /// Bits of the bytes that wait for a reaction.
    pub const WAITING_WIDTH: u32 = 19;

    /// Refuses a shape that the emitter has no instance for.
    pub fn check(&self) -> Result<(), ParamError> {
        require(
            CONNECTIONS.contains(&self.connections),
            "connections",
            self.connections.into(),
            "use 4, 16, 64, 256, 1024, 4096 or 16384",
        )
    }

    /// Bits of a connection number.
    pub fn connection_width(&self) -> u32 {
        self.connections.trailing_zeros()
    }

    /// Bits of state of one connection (the paper: 19 bytes): window, four counters of bytes in three words,
    /// end of the period, average, and the flags open, fresh, trigger and ignoring.
    pub fn state_bits(&self) -> u32 {
        4 * Self::BYTES_WIDTH + Self::CWND_FRACTION + Self::END_WIDTH + Self::AVERAGE_WIDTH + 4
    }
}

/// The constants of one class of flows, those with the same base RTT: the lanes of the `cfg_*` ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmarttClass {
    /// Smallest window and size of a full packet, in bytes: 1 to 16,383.
    pub mtu_bytes: u32,
    /// Largest window, in bytes; at most 2^26 - 2.
    pub max_cwnd_bytes: u32,
    /// BDP over fair-decrease constant, in bytes: acknowledging so many bytes decreases a window by itself.
    pub fair_decrease_bytes: u32,
    /// RTT of an empty network in ticks; a smaller one counts as this.
    pub base_rtt_ticks: u32,
    /// Target RTT in ticks, below twice `base_rtt_ticks`.
    pub target_rtt_ticks: u32,
    /// Largest RTT in ticks that counts as the base RTT for FastIncrease.
    pub fast_rtt_ticks: u32,
    /// MTU times multiplicative-increase constant, in 1/256 byte.
    pub multiplicative_increase: u32,
    /// MTU times fair-increase constant, in 1/1024 byte.
    pub fair_increase: u32,
}

impl SmarttClass {
    /// Bits of one class in the `cfg_*` ports.
    pub const BITS: u32 = 14 + 26 + 26 + 3 * 16 + 32 + 30;

    fn check(&self) -> Result<(), ParamError> {
        let bytes = "use 1 to 67108862 bytes";
        require(
            (1..1 << 14).contains(&self.mtu_bytes),
            "mtu",
            self.mtu_bytes.into(),
            "use 1 to 16383 bytes",
        )?;
        require(
            (1..(1 << 26) - 1).contains(&self.max_cwnd_bytes),
            "max-cwnd",
            self.max_cwnd_bytes.into(),
            bytes,
        )?;
        require(
            self.mtu_bytes <= self.max_cwnd_bytes,
            "max-cwnd",
            self.max_cwnd_bytes.into(),
            "the largest window holds at least one MTU",
        )?;
        require(
            (1..(1 << 26) - 1).contains(&self.fair_decrease_bytes),
            "fair-decrease",
            self.fair_decrease_bytes.into(),
            bytes,
        )?;
        let ticks = 1..1 << 16;
        let rule = "use 1 to 65535 ticks";
        require(ticks.contains(&self.base_rtt_ticks), "base-rtt", self.base_rtt_ticks.into(), rule)?;
        require(
            (self.base_rtt_ticks..(2 * self.base_rtt_ticks).min(1 << 16)).contains(&self.target_rtt_ticks),
            "target-rtt",
            self.target_rtt_ticks.into(),
            "use at least the base RTT and less than twice of it, at most 65535 ticks",
        )?;
        require(
            self.fast_rtt_ticks < 1 << 16,
            "fast-rtt",
            self.fast_rtt_ticks.into(),
            "use 0 to 65535 ticks",
        )?;
        require(
            self.fair_increase < 1 << 30,
            "fair-increase",
            self.fair_increase.into(),
            "it must be less than 2^30, that is 1 MiB in 1/1024 byte",
        )
    }
}

/// The congestion signals that the window follows (`cfg_signals`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signals {
    /// ECN and delay: SMaRTT.
    #[default]
    Both = 0,
    /// The ECN mark only: the paper's first comparison (section 3.1).
    Ecn = 1,
    /// The delay only: the paper's second comparison.
    Delay = 2,
}

/// The weights of 2 to 16 packets when one has this, all in 1/256, rounded to the nearest and at most 255.
pub(crate) fn weights(alpha: u32) -> [u32; 15] {
    let kept = 256 - u64::from(alpha.min(255));
    // The part of the old average that remains, in 2^-32.
    let mut left = kept << 24;
    std::array::from_fn(|_| {
        left = (left * kept) >> 8;
        let weight = ((1u64 << 32) - left + (1 << 23)) >> 24;
        weight.min(255) as u32
    })
}

/// Values that software sets while the block runs: the `cfg_*` ports of `weft_smartt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmarttCsr {
    /// The constants of each class.
    pub classes: [SmarttClass; SmarttParams::CLASSES],
    /// Multiplicative-decrease constant, in 1/16.
    pub multiplicative_decrease: u32,
    /// QuickAdapt scaling, in 2^-23; below 2.
    pub qa_scaling: u32,
    /// Weight of the newest packet in the average of Wait-to-Decrease, in 1/256.
    pub wtd_alpha: u32,
    /// The weights of the newest 2 to 16 packets, each in 1/256: `1 - (1 - alpha)^n`.
    pub wtd_alphas: [u32; 15],
    /// Average from which on the window may decrease, in 1/256; 0: always.
    pub wtd_threshold: u32,
    /// Number of ACKs between two reactions of the window: 1 to 50.
    pub granularity: u32,
    /// MTUs that FastIncrease adds per ACK.
    pub fast_mtus: u32,
    /// The signals that the window follows.
    pub signals: Signals,
    /// Losses count while feedback is ignored: Algorithm 1 by the letter, against section 3.3.
    pub late_losses: bool,
}

impl SmarttCsr {
    /// Bits of the registers that all classes share.
    pub const SHARED_BITS: u32 = 8 + 24 + 16 * 8 + 8 + 6 + 4 + 2 + 1;

    /// The weights of Wait-to-Decrease follow from that of a packet, in 1/256.
    #[must_use]
    pub fn with_wtd_alpha(self, wtd_alpha: u32) -> Self {
        Self { wtd_alpha, wtd_alphas: weights(wtd_alpha), ..self }
    }

    /// The weight of the newest `at + 1` packets.
    pub fn alpha_of(&self, at: usize) -> u32 {
        at.checked_sub(1).map_or(self.wtd_alpha, |at| self.wtd_alphas[at])
    }

    /// Refuses values that the ports cannot represent, and values that are forbidden.
    pub fn check(&self) -> Result<(), ParamError> {
        for class in &self.classes {
            class.check()?;
        }
        let eight = "use 0 to 255";
        require(self.multiplicative_decrease < 256, "md", self.multiplicative_decrease.into(), eight)?;
        require(
            self.qa_scaling < 1 << 24,
            "qa-scaling",
            self.qa_scaling.into(),
            "use less than 2^24, that is 2.0",
        )?;
        require(self.wtd_alpha < 256, "wtd-alpha", self.wtd_alpha.into(), eight)?;
        for weight in self.wtd_alphas {
            require(weight < 256, "wtd-alphas", weight.into(), eight)?;
        }
        require(self.wtd_threshold < 256, "wtd-threshold", self.wtd_threshold.into(), eight)?;
        require(
            (1..=50).contains(&self.granularity),
            "granularity",
            self.granularity.into(),
            "use 1 to 50 ACKs",
        )?;
        require(self.fast_mtus < 16, "fast-mtus", self.fast_mtus.into(), "use 0 to 15 MTUs")
    }
}
