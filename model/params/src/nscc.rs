//! Parameters of the NSCC window (page `docs/blocks/nscc.md`): registers, and their values for a network.

use crate::CONNECTIONS;
use crate::error::{ParamError, require};
use crate::smartt::{Network, Signals, SmarttClass, SmarttCsr, SmarttParams, weights};
use serde::{Deserialize, Serialize};

/// The algorithm that computes the congestion windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WindowAlgorithm {
    /// SMaRTT, of SMaRTT-REPS.
    #[default]
    Smartt,
    /// NSCC, of Ultra Ethernet and MRC.
    Nscc,
}

/// Values that are fixed when the Verilog of `weft_nscc` is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NsccParams {
    /// Connections with state in block RAM: 4, 16, 64, 256, 1,024, 4,096 or 16,384.
    pub connections: u32,
}

impl Default for NsccParams {
    /// 256 connections.
    fn default() -> Self {
        Self { connections: 256 }
    }
}

impl NsccParams {
    /// RTT classes, that is sets of [`NsccClass`] constants.
    pub const CLASSES: usize = SmarttParams::CLASSES;
    /// Bits of a number of bytes: of the window and of the bytes to ignore.
    pub const BYTES_WIDTH: u32 = 23;
    /// Binary digits that the window has after the point.
    pub const CWND_FRACTION: u32 = 5;
    /// Bits of the bytes that arrived in a QuickAdapt period: an eighth of a window.
    pub const ACHIEVED_WIDTH: u32 = 20;
    /// Bits of the bytes since the last adjustment, and of those that one event adds to the increase.
    pub const RECEIVED_WIDTH: u32 = 17;
    /// Bits of the increase that waits for its division, in 2^8 square bytes.
    pub const INCREASE_WIDTH: u32 = 29;
    /// Bits of the end of a QuickAdapt period, a time in ticks.
    pub const END_WIDTH: u32 = 12;
    /// Bits of the times of the last decrease and of the last adjustment, in ticks.
    pub const TIME_WIDTH: u32 = 11;
    /// Bits of a delay, in ticks.
    pub const DELAY_WIDTH: u32 = 12;
    /// Binary digits that the average delay has after the point.
    pub const DELAY_FRACTION: u32 = 11;

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

    /// Bits of state of one connection: window, bytes to ignore and calm bytes, achieved and received bytes,
    /// increase, three times, average, and the flags open, fresh and trigger.
    pub fn state_bits(&self) -> u32 {
        3 * Self::BYTES_WIDTH
            + Self::CWND_FRACTION
            + Self::ACHIEVED_WIDTH
            + Self::RECEIVED_WIDTH
            + Self::INCREASE_WIDTH
            + Self::END_WIDTH
            + 2 * Self::TIME_WIDTH
            + (Self::DELAY_WIDTH + Self::DELAY_FRACTION)
            + 3
    }
}

/// The constants of one class of flows, those with the same base RTT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NsccClass {
    /// Smallest window and size of a full packet, in bytes: 1 to 16,383.
    pub mtu_bytes: u32,
    /// Largest window, in bytes; at most 2^23 - 2.
    pub max_cwnd_bytes: u32,
    /// RTT of an empty network in ticks, 1 to 1,023; a smaller one counts as this.
    pub base_rtt_ticks: u32,
    /// Target of the queueing delay in ticks, 1 to 1,023.
    pub target_delay_ticks: u32,
    /// Largest delay in ticks that counts as none, 0 to 1,023.
    pub calm_delay_ticks: u32,
    /// Proportional increase (alpha), in 2^-12 bytes per tick below the target.
    pub proportional_increase: u32,
    /// Fair increase (fi), in 2^-6 bytes; below 2^30.
    pub fair_increase: u32,
    /// Bytes that fast increase adds per byte (fi_scale), in 2^-20; below 2^26.
    pub fast_increase: u32,
}

impl NsccClass {
    fn check(&self) -> Result<(), ParamError> {
        let below = |bits: u32, value: u32| value < 1 << bits;
        let bytes = "use 1 to 16383 bytes";
        require((1..1 << 14).contains(&self.mtu_bytes), "mtu", self.mtu_bytes.into(), bytes)?;
        require(
            (self.mtu_bytes..(1 << 23) - 1).contains(&self.max_cwnd_bytes),
            "max-cwnd",
            self.max_cwnd_bytes.into(),
            "use one MTU to 8388606 bytes",
        )?;
        let ticks = "use 1 to 1023 ticks: a coarser tick, or classes whose base RTTs differ less";
        for (name, value) in [("base-rtt", self.base_rtt_ticks), ("target-delay", self.target_delay_ticks)] {
            require((1..1 << 10).contains(&value), name, value.into(), ticks)?;
        }
        require(
            below(10, self.calm_delay_ticks),
            "calm-delay",
            self.calm_delay_ticks.into(),
            "use 0 to 1023 ticks",
        )?;
        let fair = "it must be less than 2^30, that is 16 MiB in 1/64 byte";
        require(below(30, self.fair_increase), "fair-increase", self.fair_increase.into(), fair)?;
        let fast = "it must be less than 2^26, that is 64 in 2^-20";
        require(below(26, self.fast_increase), "fast-increase", self.fast_increase.into(), fast)
    }
}

/// Values that software sets while the block runs: the `cfg_*` ports of `weft_nscc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NsccCsr {
    /// The constants of each class.
    pub classes: [NsccClass; NsccParams::CLASSES],
    /// Share of the excess delay by which the window decreases (gamma), in 2^-8; below 256.
    pub gamma: u32,
    /// Unconditional growth of the window in each period (eta), in 2^-12 of the fair increase; below 256.
    pub eta: u32,
    /// Weight of the newest packet in the average delay, in 2^-8.
    pub delay_alpha: u32,
    /// The weights of the newest 2 to 16 packets, each in 2^-8: `1 - (1 - alpha)^n`.
    pub delay_alphas: [u32; 15],
    /// A delay above four targets lets QuickAdapt set the window, as a loss does. Networks that do not trim
    /// need this setting.
    pub adapt_by_delay: bool,
}

impl NsccCsr {
    /// The weight of the newest `at + 1` packets.
    pub fn alpha_of(&self, at: usize) -> u32 {
        at.checked_sub(1).map_or(self.delay_alpha, |at| self.delay_alphas[at])
    }

    /// The weights of the average follow from that of a packet, in 1/256.
    #[must_use]
    pub fn with_delay_alpha(self, delay_alpha: u32) -> Self {
        Self { delay_alpha, delay_alphas: weights(delay_alpha), ..self }
    }

    /// Refuses values that the ports cannot represent, and values that are forbidden.
    pub fn check(&self) -> Result<(), ParamError> {
        for class in &self.classes {
            class.check()?;
        }
        let eight = "use 0 to 255";
        require(self.gamma < 256, "gamma", self.gamma.into(), eight)?;
        require(self.eta < 256, "eta", self.eta.into(), eight)?;
        require(self.delay_alpha < 256, "delay-alpha", self.delay_alpha.into(), eight)?;
        for weight in self.delay_alphas {
            require(weight < 256, "delay-alphas", weight.into(), eight)?;
        }
        Ok(())
    }

    /// The registers of SMaRTT with these values, for a NIC with NSCC.
    pub fn as_smartt(&self) -> SmarttCsr {
        SmarttCsr {
            classes: self.classes.map(|class| SmarttClass {
                mtu_bytes: class.mtu_bytes,
                max_cwnd_bytes: class.max_cwnd_bytes,
                fair_decrease_bytes: class.fast_increase,
                base_rtt_ticks: class.base_rtt_ticks,
                target_rtt_ticks: class.target_delay_ticks,
                fast_rtt_ticks: class.calm_delay_ticks,
                multiplicative_increase: class.proportional_increase,
                fair_increase: class.fair_increase,
            }),
            multiplicative_decrease: self.gamma,
            qa_scaling: 0,
            wtd_alpha: self.delay_alpha,
            wtd_alphas: self.delay_alphas,
            wtd_threshold: self.eta,
            granularity: 1,
            fast_mtus: 0,
            signals: Signals::Both,
            late_losses: self.adapt_by_delay,
        }
    }
}

impl From<&SmarttCsr> for NsccCsr {
    /// The registers of SMaRTT as a NIC with NSCC reads them: the inverse of [`NsccCsr::as_smartt`].
    fn from(csr: &SmarttCsr) -> Self {
        Self {
            classes: csr.classes.map(|class| NsccClass {
                mtu_bytes: class.mtu_bytes & 0x3FFF,
                max_cwnd_bytes: class.max_cwnd_bytes & 0x7F_FFFF,
                base_rtt_ticks: class.base_rtt_ticks & 0x3FF,
                target_delay_ticks: class.target_rtt_ticks & 0x3FF,
                calm_delay_ticks: class.fast_rtt_ticks & 0x3FF,
                proportional_increase: class.multiplicative_increase,
                fair_increase: class.fair_increase & 0x3FFF_FFFF,
                fast_increase: class.fair_decrease_bytes & 0x3FF_FFFF,
            }),
            gamma: csr.multiplicative_decrease,
            eta: csr.wtd_threshold,
            delay_alpha: csr.wtd_alpha,
            delay_alphas: csr.wtd_alphas,
            adapt_by_delay: csr.late_losses,
        }
    }
}

/// BDP of 100 Gb/s and 12 us, in bytes: where `scaling_a` is 1.
const REFERENCE_BDP: f64 = 150_000.0;
/// Delay at which `scaling_b` is 1.
const REFERENCE_DELAY_NS: f64 = 12_000.0;
/// A delay below this counts as no delay, as in uet-htsim; the specification leaves it open.
const CALM_NS: f64 = 1_000.0;
/// The gain of uet-htsim's average, 0.0125, in 2^-8; the specification leaves it open.
const DELAY_ALPHA: u32 = 3;

impl Network {
    /// The constants of NSCC (Ultra Ethernet 1.0, section 3.6.13, Table 3-82). The tick and the classes are those of SMaRTT.
    ///
    /// ```
    /// use weft_params::Network;
    ///
    /// let network = Network { link_gbps: 100, base_rtt_ns: vec![12_000], ..Network::default() };
    /// let csr = network.nscc()?;
    /// assert_eq!(csr.classes[0].max_cwnd_bytes, 225_000); // 1.5 BDP
    /// assert_eq!(csr.classes[0].fair_increase, 5 * 4_096 * 64); // 5 MTU x scaling_a
    /// # Ok::<(), weft_params::ParamError>(())
    /// ```
    pub fn nscc(&self) -> Result<NsccCsr, ParamError> {
        let sizing = self.sizing()?;
        let ns_of_tick = f64::from(sizing.network.tick_ps.unwrap_or_default()) / 1e3;
        let csr = NsccCsr {
            classes: sizing.classes.map(|class| self.nscc_class(class.base_rtt_ns.into(), ns_of_tick)),
            gamma: register(0.8 * 256.0),
            // eta / fi = 0.15 MTU a / (5 MTU a).
            eta: register(0.15 / 5.0 * 4096.0),
            delay_alpha: 0,
            delay_alphas: [0; 15],
            adapt_by_delay: !self.trimming,
        }
        .with_delay_alpha(DELAY_ALPHA);
        csr.check().map(|()| csr)
    }

    fn nscc_class(&self, base_rtt_ns: f64, ns_of_tick: f64) -> NsccClass {
        let (mtu, bytes_per_ns) = (f64::from(self.mtu_bytes), f64::from(self.link_gbps) / 8.0);
        let target_ns = base_rtt_ns * if self.trimming { 0.75 } else { 1.0 };
        let a = bytes_per_ns * base_rtt_ns / REFERENCE_BDP;
        let b = target_ns / REFERENCE_DELAY_NS;
        let ticks = |ns: f64| register(ns / ns_of_tick);
        // A packet counts from the time when it is chosen: a window that fills the link covers the wait until
        // its time stamp as well.
        let open = bytes_per_ns * (base_rtt_ns + f64::from(self.wait_ns));
        NsccClass {
            mtu_bytes: self.mtu_bytes,
            max_cwnd_bytes: register(1.5 * open),
            base_rtt_ticks: ticks(base_rtt_ns),
            target_delay_ticks: ticks(target_ns),
            // An RTT is the difference of two readings of the clock and may be up to a tick too long: an
            // empty network must stay below the limit.
            calm_delay_ticks: ticks(CALM_NS).max(1),
            proportional_increase: register(4.0 * a * b * mtu / (target_ns / ns_of_tick) * 4096.0),
            fair_increase: register(5.0 * mtu * a * 64.0),
            fast_increase: register(0.25 * a * f64::from(1 << 20)),
        }
    }
}

/// The register value nearest to the constant. For a constant beyond the register's range it is the largest
/// value, which the checks refuse.
fn register(value: f64) -> u32 {
    value.round() as u32
}

impl Default for NsccCsr {
    /// The constants of [`Network::default`].
    fn default() -> Self {
        Network::default().nscc().expect("the default network is possible")
    }
}
