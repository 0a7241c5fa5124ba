//! How a window follows answers: by marks (MP-RDMA), by delay (Swift), or not at all.

use super::Answer;
use super::settings::Swift;

/// A rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    /// MP-RDMA (Lu et al., NSDI 2018, section 3.2): an unmarked ACK adds a packet over the window's packets, a marked one
    /// takes `decrease`; a lost packet takes one (REPS section 4.1).
    Marks {
        /// Packets that a marked ACK takes.
        decrease: f64,
    },
    /// Swift (Kumar et al., SIGCOMM 2020, section 3).
    Delay(Delay),
    /// The window stays as it is.
    Fixed,
}

/// The constants and the state of Swift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delay {
    settings: Swift,
    rtt_ps: f64,
    /// No decrease is possible before.
    free_ps: u64,
}

/// Windows between which flow scaling goes from its most to nothing.
const SCALED: [f64; 2] = [0.1, 100.0];

impl Delay {
    pub(super) fn new(settings: Swift, rtt_ps: u64) -> Self {
        Self { settings, rtt_ps: rtt_ps as f64, free_ps: 0 }
    }

    /// The target delay of a window.
    pub(super) fn target_ps(&self, window: f64) -> f64 {
        let most = self.settings.scaling_rtt * self.rtt_ps;
        let [least_root, most_root] = SCALED.map(|window| 1.0 / window.sqrt());
        let alpha = most / (least_root - most_root);
        let scaling = (alpha * (1.0 / window.sqrt() - most_root)).clamp(0.0, most);
        self.settings.target_rtt * self.rtt_ps + scaling
    }

    /// The window after a decrease by a factor, if the last one is a round trip ago.
    fn cut(&mut self, window: f64, factor: f64, (now_ps, delay_ps): (u64, f64)) -> f64 {
        if now_ps < self.free_ps {
            return window;
        }
        self.free_ps = now_ps + delay_ps as u64;
        window * factor.max(1.0 - self.settings.most_decrease)
    }
}

impl Rule {
    /// The window after an answer.
    pub(super) fn answer(&mut self, window: f64, answer: &Answer, now_ps: u64) -> f64 {
        match self {
            Self::Marks { decrease } if answer.is_marked => window - *decrease,
            Self::Marks { .. } => window + 1.0 / window,
            Self::Delay(it) => {
                let (delay_ps, target_ps) = ((now_ps - answer.sent_ps) as f64, it.target_ps(window));
                if delay_ps < target_ps {
                    return window + it.settings.increase / window;
                }
                let factor = 1.0 - it.settings.beta * (delay_ps - target_ps) / delay_ps;
                it.cut(window, factor, (now_ps, delay_ps))
            }
            Self::Fixed => window,
        }
    }

    /// The window after a packet was lost.
    pub(super) fn loss(&mut self, window: f64, now_ps: u64) -> f64 {
        match self {
            Self::Marks { .. } => window - 1.0,
            Self::Delay(it) => it.cut(window, 0.0, (now_ps, it.rtt_ps)),
            Self::Fixed => window,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    /// By hand, a base round trip of 10 us and a target of 15: from 200 packets, beyond flow scaling. 12 us add 1 / 200. 20
    /// us take 0.8 x 5 / 20, a fifth: 160. A round trip later 100 us would take 0.68; half is the most: 80. Between them
    /// nothing is taken.
    #[test]
    fn swift_follows_delay() {
        let mut rule = Rule::Delay(Delay::new(Swift::default(), 10 * US));
        let mut answer = |window: f64, sent_us: u64, now_us: u64| {
            let answer = Answer {
                flow: 0,
                number: 0,
                next: 0,
                is_nack: false,
                is_marked: true,
                sent_ps: sent_us * US,
            };
            rule.answer(window, &answer, now_us * US)
        };
        assert_eq!(answer(200.0, 0, 12), 200.0 + 1.0 / 200.0);
        assert_eq!(answer(200.0, 0, 20), 160.0);
        assert_eq!(answer(160.0, 0, 39), 160.0);
        assert_eq!(answer(160.0, 0, 100), 80.0);
        assert_eq!(rule.loss(80.0, 199 * US), 80.0);
        assert_eq!(rule.loss(80.0, 200 * US), 40.0);
    }

    /// By hand: at 0.1 packets the target is four base round trips more, at 100 none; at 4 packets
    /// 40 us x (0.5 - 0.1) / (3.1623 - 0.1).
    #[test]
    fn small_windows_have_a_longer_target() {
        let it = Delay::new(Swift::default(), 10 * US);
        let us = |window: f64| it.target_ps(window) / 1e6;
        assert!((us(0.1) - 55.0).abs() < 1e-9 && (us(100.0) - 15.0).abs() < 1e-9 && us(200.0) == 15.0);
        assert!((us(4.0) - 20.225).abs() < 1e-3, "{}", us(4.0));
    }
}
