//! The constants of the paper as real numbers.

use weft_params::{Network, ParamError, Preset, Signals, SmarttClass, SmarttCsr, SmarttParams};

/// Link rate and base RTT for which `fi` was tuned (section 3.5): 100 Gb/s times 12 us, in bytes.
const REFERENCE_BDP: f64 = 150_000.0;

/// The constants of flows with the same base RTT.
#[derive(Clone, Copy, Debug)]
pub struct ClassConstants {
    /// MTU in bytes.
    pub mtu: f64,
    /// Bandwidth-delay product in bytes.
    pub bdp: f64,
    /// Largest window in bytes.
    pub max_cwnd: f64,
    /// Fair-decrease constant.
    pub fd: f64,
    /// Fair-increase constant.
    pub fi: f64,
    /// Multiplicative-increase constant.
    pub mi: f64,
    /// Base RTT in ticks, in which RTTs are measured.
    pub brtt: u64,
    /// Target RTT in ticks.
    pub trtt: u64,
    /// Largest RTT in ticks that is close to the base RTT.
    pub fast_rtt: u64,
}

impl ClassConstants {
    /// Algorithm 1, line 36.
    pub(super) fn bounded(&self, cwnd: f64) -> f64 {
        cwnd.min(self.max_cwnd).max(self.mtu)
    }
}

/// All constants.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Constants of each class.
    pub classes: [ClassConstants; SmarttParams::CLASSES],
    /// Multiplicative-decrease constant.
    pub md: f64,
    /// QuickAdapt scaling.
    pub qa_scaling: f64,
    /// Weights of the newest 1 to 16 packets in the average of Wait-to-Decrease.
    pub alphas: [f64; 16],
    /// Average from which on the window may decrease.
    pub threshold: f64,
    /// Number of ACKs per reaction.
    pub granularity: u32,
    /// MTUs that FastIncrease adds (k).
    pub k: f64,
    /// Signals that count.
    pub signals: Signals,
    /// Losses count while feedback is ignored (rule 7).
    pub late_losses: bool,
}

impl Constants {
    /// Constants that the paper computes for a network (section 3.5), not rounded. Three values are rounded
    /// as the registers round them: times in ticks, as measured RTTs are; the weight of the average; its
    /// threshold.
    pub fn of(network: &Network) -> Result<Self, ParamError> {
        let csr = network.csr()?;
        let base_rtts = &network.base_rtt_ns;
        let classes = std::array::from_fn(|class| {
            let base_rtt_ns = base_rtts[class.min(base_rtts.len() - 1)];
            class_of(network, f64::from(base_rtt_ns), &csr.classes[class])
        });
        let (md, qa_scaling, k) = match network.preset {
            Preset::Paper => (if network.trimming { 2.0 } else { 4.0 }, 0.8, 2.0),
            Preset::Artifact => (1.0, 1.0, 1.0),
        };
        Ok(Self { classes, md, qa_scaling, k, ..Self::from(&csr) })
    }
}

fn class_of(network: &Network, base_rtt_ns: f64, ticks: &SmarttClass) -> ClassConstants {
    let mtu = f64::from(network.mtu_bytes);
    let bytes_per_ns = f64::from(network.link_gbps) / 8.0;
    let bdp = bytes_per_ns * base_rtt_ns;
    let queue = network.queue_bytes.map_or(bdp, f64::from);
    let target_rtt_ns = base_rtt_ns + queue / 2.0 / bytes_per_ns;
    let gamma = bdp / REFERENCE_BDP;
    let (window, fd, fi, mi) = match network.preset {
        Preset::Paper => (1.25, 0.8, 0.25 * gamma, base_rtt_ns / (target_rtt_ns - base_rtt_ns) * gamma),
        Preset::Artifact => (1.5, 0.5, 0.02 * bdp / mtu, 2.0),
    };
    // A packet counts from its choice on, before it leaves, so a window that fills the link covers that time
    // as well.
    let open = bdp + bytes_per_ns * f64::from(network.wait_ns);
    let max_cwnd = window * open;
    ClassConstants { mtu, bdp: open, max_cwnd, fd, fi, mi, ..ClassConstants::from(ticks) }
}

impl From<&SmarttClass> for ClassConstants {
    /// Constants in the registers, as real numbers.
    fn from(class: &SmarttClass) -> Self {
        let mtu = f64::from(class.mtu_bytes);
        Self {
            mtu,
            bdp: f64::from(class.fair_decrease_bytes),
            max_cwnd: f64::from(class.max_cwnd_bytes),
            fd: 1.0,
            fi: f64::from(class.fair_increase) / 1024.0 / mtu,
            mi: f64::from(class.multiplicative_increase) / 256.0 / mtu,
            brtt: class.base_rtt_ticks.into(),
            trtt: class.target_rtt_ticks.into(),
            fast_rtt: class.fast_rtt_ticks.into(),
        }
    }
}

impl From<&SmarttCsr> for Constants {
    /// Constants in the registers, as real numbers.
    fn from(csr: &SmarttCsr) -> Self {
        Self {
            classes: csr.classes.each_ref().map(ClassConstants::from),
            md: f64::from(csr.multiplicative_decrease) / 16.0,
            qa_scaling: f64::from(csr.qa_scaling) / f64::from(1 << 23),
            alphas: std::array::from_fn(|at| {
                let weight = if at == 0 { csr.wtd_alpha } else { csr.wtd_alphas[at - 1] };
                f64::from(weight) / 256.0
            }),
            threshold: f64::from(csr.wtd_threshold) / 256.0,
            granularity: csr.granularity,
            k: csr.fast_mtus.into(),
            signals: csr.signals,
            late_losses: csr.late_losses,
        }
    }
}
