//! The sender's rate in DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
//! 2015, section 3.1 and Figure 7). The timers are those of ConWeave's simulations: alpha and decreases in
//! slots, no byte counter.

use super::settings::Dcqcn;
use crate::host::NEVER;

/// The rate of one flow, in Gb/s. Its timers are evaluated at each read.
#[derive(Clone, Debug)]
pub struct Rate {
    settings: Dcqcn,
    line: f64,
    /// The present rate. The next field is the target of increases.
    current: f64,
    target: f64,
    alpha: f64,
    /// Whether a CNP arrived since the last update of alpha; whether one arrived since the last possible
    /// decrease.
    heard: [bool; 2],
    /// Times of the next update of alpha, decrease and increase of the rate.
    alpha_ps: u64,
    decrease_ps: u64,
    increase_ps: u64,
    /// Increases since the last decrease.
    stage: u32,
}

fn ps(us: f64) -> u64 {
    (us * 1e6).round() as u64
}

impl Rate {
    /// The rate of a flow that starts at the rate of its link.
    pub fn new(settings: Dcqcn, line_gbps: u32) -> Self {
        let line = f64::from(line_gbps);
        Self {
            settings,
            line,
            current: line,
            target: line,
            alpha: 1.0,
            heard: [false; 2],
            alpha_ps: NEVER,
            decrease_ps: NEVER,
            increase_ps: NEVER,
            stage: 0,
        }
    }

    /// The rate at a time.
    pub fn gbps(&mut self, now_ps: u64) -> f64 {
        self.advance(now_ps);
        self.current
    }

    /// The estimate of congestion at a time.
    pub fn alpha(&mut self, now_ps: u64) -> f64 {
        self.advance(now_ps);
        self.alpha
    }

    /// A CNP arrives.
    pub fn notice(&mut self, now_ps: u64) {
        self.advance(now_ps);
        if self.decrease_ps == NEVER {
            // The first CNP starts the timers; alpha is 1.
            self.alpha_ps = now_ps + ps(self.settings.alpha_us);
            self.decrease_ps = now_ps + ps(self.settings.decrease_us);
            self.heard = [false, true];
        } else {
            self.heard = [true; 2];
        }
    }

    /// Lets all timers expire up to a time; at equal times alpha's timer first, then the decrease.
    fn advance(&mut self, now_ps: u64) {
        loop {
            let next_ps = self.alpha_ps.min(self.decrease_ps).min(self.increase_ps);
            if next_ps > now_ps || next_ps == NEVER {
                return;
            }
            if self.alpha_ps == next_ps {
                self.alpha_ps += ps(self.settings.alpha_us);
                self.update();
            } else if self.decrease_ps == next_ps {
                self.decrease_ps += ps(self.settings.decrease_us);
                self.decrease(next_ps);
            } else {
                self.increase_ps += ps(self.settings.increase_us);
                self.increase();
            }
        }
    }

    /// Equations 1 and 2: alpha nears 1 with a CNP, and 0 without.
    fn update(&mut self) {
        let Dcqcn { gain, .. } = self.settings;
        let heard = std::mem::take(&mut self.heard[0]);
        self.alpha = (1.0 - gain) * self.alpha + if heard { gain } else { 0.0 };
    }

    /// Equation 1: the rate is cut by alpha / 2. The target becomes the former rate. In a series of decreases
    /// the target stays the same, except where the settings say otherwise.
    fn decrease(&mut self, now_ps: u64) {
        if !std::mem::take(&mut self.heard[1]) {
            return;
        }
        if self.settings.clamp_target || self.stage > 0 {
            self.target = self.current;
        }
        self.current = (self.current * (1.0 - self.alpha / 2.0)).max(self.settings.least_mbps / 1e3);
        self.stage = 0;
        self.increase_ps = now_ps + ps(self.settings.increase_us);
    }

    /// Equations 3 and 4: half way to the target, which moves after the first increases.
    fn increase(&mut self) {
        let step = match self.stage.cmp(&self.settings.fast_recovery) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => self.settings.additive_mbps,
            std::cmp::Ordering::Greater => self.settings.hyper_mbps,
        };
        self.target = (self.target + step / 1e3).min(self.line);
        self.current = (self.current + self.target) / 2.0;
        self.stage += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    fn near(is: f64, expected: f64) {
        assert!((is - expected).abs() < 1e-9 * expected.max(1.0), "{is}, not {expected}");
    }

    /// Computed by hand, 100 Gb/s, from the first CNP at 10 us on. Alpha is 1 and decays at 11, 12, 13 and 14
    /// us before the slot ends: (255/256)^4. Then no CNP arrives. At 314 us the rate is half way to the
    /// target of 100 Gb/s; at 614 us the target would exceed the line's rate.
    #[test]
    fn one_cnp_cuts_by_half_of_alpha_and_is_recovered_from() {
        let mut rate = Rate::new(Dcqcn::default(), 100);
        near(rate.gbps(10 * US), 100.0);
        rate.notice(10 * US);
        near(rate.gbps(14 * US - 1), 100.0);
        let alpha = (255.0f64 / 256.0).powi(4);
        near(rate.alpha(14 * US), alpha);
        let cut = 100.0 * (1.0 - alpha / 2.0);
        near(rate.gbps(14 * US), cut);
        near(rate.gbps(314 * US - 1), cut);
        near(rate.gbps(314 * US), (cut + 100.0) / 2.0);
        near(rate.gbps(614 * US), ((cut + 100.0) / 2.0 + 100.0) / 2.0);
        near(rate.alpha(1_010 * US), (255.0f64 / 256.0).powi(1_000));
    }

    /// A CNP at 0, then two more in the slot that ends at 8 us, at 5.5 and 6.5. Alpha decays from 1 to
    /// (255/256)^5 by 5 us. At 6 and 7 us a CNP has arrived: a -> a 255/256 + 1/256. At 8 us no CNP has
    /// arrived.
    #[test]
    fn a_slot_has_one_decrease_however_many_cnps() {
        let mut rate = Rate::new(Dcqcn::default(), 100);
        rate.notice(0);
        rate.notice(5 * US + US / 2);
        rate.notice(6 * US + US / 2);
        let (keep, gain) = (255.0f64 / 256.0, 1.0 / 256.0);
        let first = 100.0 * (1.0 - keep.powi(4) / 2.0);
        let alpha = ((keep.powi(5) * keep + gain) * keep + gain) * keep;
        near(rate.alpha(8 * US), alpha);
        let second = first * (1.0 - alpha / 2.0);
        near(rate.gbps(8 * US), second);
        near(rate.gbps(12 * US), second);
        // The second decrease leaves the target at the line's rate. The increase is 300 us after the second
        // decrease.
        near(rate.gbps(308 * US - 1), second);
        near(rate.gbps(308 * US), (second + 100.0) / 2.0);
        // Clamped, as in the paper: the target is the rate before the second decrease.
        let mut rate = Rate::new(Dcqcn { clamp_target: true, ..Dcqcn::default() }, 100);
        [0, 5 * US + US / 2, 6 * US + US / 2].into_iter().for_each(|at| rate.notice(at));
        near(rate.gbps(308 * US), (second + first) / 2.0);
    }

    /// Clamped, on a link of 100 Gb/s: fast recovery once, then the target grows by 40 Mb/s once, then by 100
    /// Mb/s each time.
    #[test]
    fn increases_are_fast_then_additive_then_hyper() {
        let mut rate = Rate::new(Dcqcn { clamp_target: true, ..Dcqcn::default() }, 100);
        // Two decreases, so that the target is below the line.
        rate.notice(0);
        let first = rate.gbps(4 * US);
        rate.notice(5 * US);
        let second = rate.gbps(8 * US);
        let mut target = first;
        let mut expected = second;
        for (number, step) in [0.0, 0.04, 0.1, 0.1].into_iter().enumerate() {
            target += step;
            expected = (expected + target) / 2.0;
            near(rate.gbps((308 + 300 * number as u64) * US), expected);
        }
    }

    #[test]
    fn a_rate_stays_between_the_least_and_the_line() {
        let mut rate = Rate::new(Dcqcn::default(), 100);
        for slot in 0..200 {
            rate.notice(slot * 4 * US + 1);
        }
        near(rate.gbps(801 * US), 0.1);
        near(rate.gbps(3_000_000 * US), 100.0);
    }
}
