//! Random events for the NSCC block. They are those of SMaRTT's stimulus, whose states of the network suit
//! every window, with RTTs near NSCC's thresholds.

use crate::smartt;
use weft_nic::block::nscc::Event;
use weft_params::{Network, NsccClass, NsccCsr, NsccParams, SmarttClass, SmarttCsr, SmarttParams};
use weft_random::Rng;

/// A network that the constants can serve.
pub fn random_network(rng: &mut Rng) -> Network {
    loop {
        let network = smartt::stimulus::random_network(rng);
        if network.nscc().is_ok() {
            return network;
        }
    }
}

/// Registers that pass their check: those of a network, or random values, often at the ends of their ranges.
pub fn random_csr(rng: &mut Rng) -> NsccCsr {
    if rng.below(2) == 0 {
        return random_network(rng).nscc().expect("such a network was picked");
    }
    let csr = NsccCsr {
        classes: std::array::from_fn(|_| {
            let mtu_bytes = pick(rng, &[1, 64, 1_024, 4_096, 8_192, (1 << 14) - 1]);
            NsccClass {
                mtu_bytes,
                max_cwnd_bytes: match rng.below(4) {
                    0 => mtu_bytes,
                    1 => 4 * mtu_bytes,
                    2 => (1 << 23) - 2,
                    _ => mtu_bytes + skewed(rng, 22),
                },
                base_rtt_ticks: 1 + skewed(rng, 10).min(1_022),
                target_delay_ticks: 1 + skewed(rng, 10).min(1_022),
                calm_delay_ticks: skewed(rng, 10),
                proportional_increase: skewed(rng, 32),
                fair_increase: skewed(rng, 30),
                fast_increase: skewed(rng, 26),
            }
        }),
        gamma: pick(rng, &[0, 1, 128, 205, 255]),
        eta: pick(rng, &[0, 1, 123, 255]),
        delay_alpha: 0,
        delay_alphas: [0; 15],
        adapt_by_delay: rng.below(2) == 0,
    };
    csr.with_delay_alpha(pick(rng, &[0, 1, 3, 32, 128, 255]))
}

/// Any values that fit the ports, possible or not.
pub fn any_csr(rng: &mut Rng) -> NsccCsr {
    NsccCsr {
        classes: std::array::from_fn(|_| NsccClass {
            mtu_bytes: skewed(rng, 14),
            max_cwnd_bytes: skewed(rng, 23),
            base_rtt_ticks: skewed(rng, 10),
            target_delay_ticks: skewed(rng, 10),
            calm_delay_ticks: skewed(rng, 10),
            proportional_increase: skewed(rng, 32),
            fair_increase: skewed(rng, 30),
            fast_increase: skewed(rng, 26),
        }),
        gamma: skewed(rng, 8),
        eta: skewed(rng, 8),
        delay_alpha: skewed(rng, 8),
        delay_alphas: std::array::from_fn(|_| skewed(rng, 8)),
        adapt_by_delay: rng.below(2) == 0,
    }
}

/// A number with up to `bits` bits. Small numbers are as likely as large ones.
fn skewed(rng: &mut Rng, bits: u32) -> u32 {
    let length = rng.below(bits + 1);
    (rng.draw() & ((1 << length) - 1)) as u32
}

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len() as u32) as usize]
}

/// A stream of random events, with the times at which they happen.
#[derive(Clone, Debug)]
pub struct Stimulus(smartt::stimulus::Stimulus);

impl Stimulus {
    /// A stream that first opens three of four connections.
    pub fn new(rng: Rng, params: NsccParams, csr: &NsccCsr) -> Self {
        let NsccParams { connections } = params;
        Self(smartt::stimulus::Stimulus::new(rng, SmarttParams { connections }, &thresholds(csr)))
    }

    /// The next event and its absolute time in ticks; `event.now_ticks` is its low 32 bits.
    #[inline]
    pub fn event(&mut self) -> (Event, u64) {
        self.0.event()
    }
}

/// The constants that the stimulus of SMaRTT reads: sizes, and the RTTs at which the behaviour changes.
fn thresholds(csr: &NsccCsr) -> SmarttCsr {
    let classes = csr.classes.map(|class| SmarttClass {
        mtu_bytes: class.mtu_bytes,
        max_cwnd_bytes: class.max_cwnd_bytes,
        base_rtt_ticks: class.base_rtt_ticks,
        // Unlike SMaRTT's, a delay that equals the target is high.
        target_rtt_ticks: (class.base_rtt_ticks + class.target_delay_ticks).saturating_sub(1),
        fast_rtt_ticks: class.base_rtt_ticks + class.calm_delay_ticks,
        ..SmarttClass::default()
    });
    SmarttCsr { classes, ..SmarttCsr::default() }
}
