//! Real values, and the registers computed from them.

use super::csr::{Signals, SmarttClass, SmarttCsr, SmarttParams, weights};
use super::ratio::Ratio;

/// One constant: its real value, and the register with its value in fixed point.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The field of [`SmarttClass`] or [`SmarttCsr`].
    pub name: &'static str,
    /// The unit of the real value; empty for a plain number.
    pub unit: &'static str,
    /// Steps of the register per unit.
    pub per_unit: u32,
    /// The register.
    pub register: u32,
    real: Ratio,
}

impl Constant {
    /// The constant nearest to `real`.
    pub(super) fn new(name: &'static str, unit: &'static str, per_unit: u32, real: Ratio) -> Self {
        let register = real.times(Ratio::whole(per_unit.into())).round();
        Self { name, unit, per_unit, register: saturate(register), real }
    }

    /// A constant in ticks with its own rounding.
    pub(super) fn ticks(name: &'static str, real: Ratio, ticks: u64) -> Self {
        Self { name, unit: "ticks", per_unit: 1, register: saturate(ticks), real }
    }

    /// The value before rounding, for display.
    pub fn real(&self) -> f64 {
        self.real.to_f64()
    }

    /// The relative change by rounding, for display.
    pub fn rounding(&self) -> f64 {
        f64::from(self.register) / f64::from(self.per_unit) / self.real() - 1.0
    }
}

/// Limits a value to the largest value of a register. The checks refuse the limited value.
fn saturate(register: u64) -> u32 {
    u32::try_from(register).unwrap_or(u32::MAX)
}

/// Every constant of a network.
#[derive(Clone, Debug)]
pub struct Constants {
    /// The constants of each class, in the order of the fields of [`SmarttClass`].
    pub classes: [[Constant; 8]; SmarttParams::CLASSES],
    /// The constants that all classes share, in the order of the fields of [`SmarttCsr`].
    pub shared: [Constant; 6],
    /// The signals that the window follows.
    pub signals: Signals,
    /// Whether losses count while feedback is ignored.
    pub late_losses: bool,
}

impl Constants {
    /// The registers of the constants.
    pub fn csr(&self) -> SmarttCsr {
        let classes = self.classes.map(|class| {
            let [mtu, window, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative, fair] =
                class.map(|constant| constant.register);
            SmarttClass {
                mtu_bytes: mtu,
                max_cwnd_bytes: window,
                fair_decrease_bytes: fair_decrease,
                base_rtt_ticks: base_rtt,
                target_rtt_ticks: target_rtt,
                fast_rtt_ticks: fast_rtt,
                multiplicative_increase: multiplicative,
                fair_increase: fair,
            }
        });
        let [multiplicative_decrease, qa_scaling, wtd_alpha, wtd_threshold, granularity, fast_mtus] =
            self.shared.map(|constant| constant.register);
        SmarttCsr {
            classes,
            multiplicative_decrease,
            qa_scaling,
            wtd_alpha,
            wtd_alphas: weights(wtd_alpha),
            wtd_threshold,
            granularity,
            fast_mtus,
            signals: self.signals,
            late_losses: self.late_losses,
        }
    }
}
