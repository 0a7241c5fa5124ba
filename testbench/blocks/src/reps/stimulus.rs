//! Random events for the REPS block: phases of acknowledgements, sends, failures and quiet, on one connection
//! or on all. The times let freezes and windows end at moments during a phase.

use weft_nic::block::reps::{Event, Kind};
use weft_params::{EvMode, RepsCsr, RepsParams};
use weft_random::Rng;

/// CSRs that make every rule fire within a few hundred events, different for every seed.
pub fn random_csr(rng: &mut Rng, params: &RepsParams) -> RepsCsr {
    let pick = |rng: &mut Rng, list: &[u32]| list[rng.below(list.len() as u32) as usize];
    let modes = [
        EvMode::Reps,
        EvMode::Reps,
        EvMode::Reps,
        EvMode::Reps,
        EvMode::Ops,
        EvMode::Fixed,
        EvMode::Reps2024,
    ];
    let evs_size = pick(rng, &[1, 2, 3, 7, 64, 100, 256, params.ev_max(), params.ev_max() + 1]);
    let evs_size = evs_size.min(params.ev_max() + 1);
    RepsCsr {
        mode: modes[rng.below(modes.len() as u32) as usize],
        ev_base: rng.below(params.ev_max() + 2 - evs_size),
        evs_size,
        freeze_timeout_ticks: pick(rng, &[0, 1, 5, 40, 300, 3_000, (1 << 31) - 1]),
        bdp_packets: pick(rng, &[0, 1, 2, 9, 38, 255, 256, 65_535]),
        trimming: rng.below(2) == 0,
        thaw_reset: rng.below(4) == 0,
        rtt_high_ticks: pick(rng, &[0, 1, 100, 101, 65_535]),
        rtt_window_ticks: pick(rng, &[0, 1, 30, 200, 2_000, (1 << 31) - 1]),
    }
}

/// Maximum number of equal events in one phase, because most traffic repeats events.
#[derive(Clone, Copy, Debug)]
struct Phase {
    events_left: u32,
    /// The phase's connections: `first` and the connections after it.
    first: u32,
    count: u32,
    /// Cumulative weights, out of 256, of send, ack, timeout; the rest are control events.
    weights: [u32; 3],
    ecn_of_256: u32,
    /// Ticks between events are below this.
    step_max: u32,
}

/// A stream of random events, with the times at which they happen.
#[derive(Clone, Debug)]
pub struct Stimulus {
    rng: Rng,
    params: RepsParams,
    phase: Phase,
    opening: u32,
    now: u64,
    rtt_high: u32,
}

impl Stimulus {
    /// A stream that first opens half of the connections. The stream starts shortly before the time wraps.
    pub fn new(mut rng: Rng, params: RepsParams, csr: &RepsCsr) -> Self {
        let phase = Phase { events_left: 0, first: 0, count: 1, weights: [0; 3], ecn_of_256: 0, step_max: 1 };
        let now = (1 << 32) - u64::from(rng.below(100_000));
        Self { rng, params, phase, opening: 0, now, rtt_high: csr.rtt_high_ticks }
    }

    /// The next event and its absolute time in ticks; `event.now_ticks` is its low 32 bits.
    #[inline]
    pub fn event(&mut self) -> (Event, u64) {
        let draw = self.rng.draw();
        if self.phase.events_left == 0 {
            self.phase = self.new_phase();
        }
        self.phase.events_left -= 1;
        let bits = |low: u32, width: u32| (draw >> low) as u32 & ((1 << width) - 1);
        self.now += u64::from(scale(bits(0, 16), 16, self.phase.step_max));
        let mut connection = self.phase.first + scale(bits(16, 12), 12, self.phase.count);
        connection &= self.params.connections - 1;
        let weight = bits(28, 8);
        let rare = bits(36, 8);
        let kind = match weight {
            _ if self.opening < self.params.connections / 2 => {
                connection = self.opening;
                self.opening += 1;
                Kind::Open
            }
            w if w < self.phase.weights[0] => Kind::Send,
            w if w < self.phase.weights[1] => Kind::Ack,
            w if w < self.phase.weights[2] => Kind::Timeout,
            _ if rare < 90 => Kind::PathOk,
            _ if rare < 150 => Kind::Idle,
            _ if rare < 200 => Kind::Open,
            _ if rare < 215 => Kind::Close,
            _ if rare < 220 => Kind::Seed,
            _ => Kind::Timeout,
        };
        // RTTs are close to the threshold, on both sides of it, or anywhere.
        let rtt = match bits(44, 2) {
            0 => self.rtt_high,
            1 => self.rtt_high.saturating_sub(1),
            2 => self.rtt_high / 2,
            _ => bits(28, 16),
        };
        let event = Event {
            kind,
            connection,
            ev: bits(48, 16) as u16,
            ecn: bits(20, 8) < self.phase.ecn_of_256,
            rtt_ticks: rtt as u16,
            now_ticks: self.now as u32,
        };
        (event, self.now)
    }

    fn new_phase(&mut self) -> Phase {
        let rng = &mut self.rng;
        // Sends, ACKs, timeouts: even, ack-heavy, send-heavy, failing, control-heavy, sends only, ACKs only.
        let mixes = [
            [110, 220, 240],
            [40, 240, 250],
            [200, 240, 250],
            [90, 150, 245],
            [80, 150, 170],
            [252, 252, 254],
            [0, 252, 254],
        ];
        let counts = [1, 1, 2, 3, 4, 16, self.params.connections];
        let steps = [1, 1, 2, 4, 50, 400, 100_000];
        Phase {
            events_left: 1 + rng.below(200),
            first: rng.below(self.params.connections),
            count: counts[rng.below(counts.len() as u32) as usize].min(self.params.connections),
            weights: mixes[rng.below(mixes.len() as u32) as usize],
            ecn_of_256: [0, 30, 128, 256][rng.below(4) as usize],
            step_max: steps[rng.below(steps.len() as u32) as usize],
        }
    }
}

/// `value` of `width` bits scaled to the range below `bound`.
#[inline]
fn scale(value: u32, width: u32, bound: u32) -> u32 {
    ((u64::from(value) * u64::from(bound)) >> width) as u32
}
