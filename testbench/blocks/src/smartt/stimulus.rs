//! Random events for the SMaRTT block. Each phase has another state of the network, on one connection or on
//! all, so that windows move from one bound to the other and every case happens at both bounds.

use weft_nic::block::smartt::{Event, Kind};
use weft_params::{Network, Preset, Signals, SmarttClass, SmarttCsr, SmarttParams};
use weft_random::Rng;

/// A random network from the range that the page covers.
pub fn random_network(rng: &mut Rng) -> Network {
    loop {
        let classes = 1 + rng.below(4);
        let network = Network {
            link_gbps: pick(rng, &[100, 200, 400, 800, 1_600]),
            base_rtt_ns: (0..classes).map(|_| random_rtt_ns(rng)).collect(),
            wait_ns: pick(rng, &[0, 0, 1_000]),
            mtu_bytes: pick(rng, &[256, 512, 1_024, 2_048, 4_096, 4_096, 8_192]),
            queue_bytes: None,
            tick_ps: None,
            preset: if rng.below(4) == 0 { Preset::Artifact } else { Preset::Paper },
            trimming: rng.below(2) == 0,
            granularity: pick(rng, &[1, 1, 1, 2, 7, 50]),
            signals: random_signals(rng),
            late_losses: rng.below(3) == 0,
        };
        // Base RTTs too far apart for one tick have no constants.
        if network.csr().is_ok() {
            return network;
        }
    }
}

/// 2 to 200 us; short values are as frequent as long ones.
fn random_rtt_ns(rng: &mut Rng) -> u32 {
    pick(rng, &[2_000, 5_000, 12_000, 50_000, 100_000]) + below(rng, &[1, 1_000, 100_000])
}

fn random_signals(rng: &mut Rng) -> Signals {
    pick(rng, &[Signals::Both, Signals::Both, Signals::Both, Signals::Ecn, Signals::Delay])
}

/// Registers that pass their check: those of a network, or random values, often at the ends of their ranges.
pub fn random_csr(rng: &mut Rng) -> SmarttCsr {
    if rng.below(2) == 0 {
        return random_network(rng).csr().expect("such a network was picked");
    }
    SmarttCsr {
        classes: std::array::from_fn(|_| random_class(rng)),
        multiplicative_decrease: skewed(rng, 8),
        qa_scaling: pick(rng, &[0, 1, 6_710_886, 1 << 23, (1 << 24) - 1]),
        wtd_alpha: 0,
        wtd_alphas: [0; 15],
        wtd_threshold: pick(rng, &[0, 1, 64, 77, 255]),
        granularity: pick(rng, &[1, 1, 2, 3, 16, 50]),
        fast_mtus: rng.below(16),
        signals: random_signals(rng),
        late_losses: rng.below(3) == 0,
    }
    .with_wtd_alpha(pick(rng, &[0, 1, 13, 32, 255]))
}

fn random_class(rng: &mut Rng) -> SmarttClass {
    let mtu_bytes = pick(rng, &[1, 64, 1_024, 4_096, 9_216, (1 << 14) - 1]);
    let max_cwnd_bytes = match rng.below(4) {
        0 => mtu_bytes,
        1 => 4 * mtu_bytes,
        2 => (1 << 26) - 2,
        _ => mtu_bytes + skewed(rng, 25),
    };
    let base_rtt_ticks = 1 + skewed(rng, 15);
    SmarttClass {
        mtu_bytes,
        max_cwnd_bytes,
        fair_decrease_bytes: 1 + skewed(rng, 26).min((1 << 26) - 3),
        base_rtt_ticks,
        target_rtt_ticks: base_rtt_ticks + rng.below(base_rtt_ticks.min(1 << 15)),
        fast_rtt_ticks: base_rtt_ticks + skewed(rng, 10),
        multiplicative_increase: skewed(rng, 32),
        fair_increase: skewed(rng, 30),
    }
}

/// Random values of the ports, valid or not.
pub fn any_csr(rng: &mut Rng) -> SmarttCsr {
    let classes = std::array::from_fn(|_| SmarttClass {
        mtu_bytes: skewed(rng, 14),
        max_cwnd_bytes: skewed(rng, 26),
        fair_decrease_bytes: skewed(rng, 26),
        base_rtt_ticks: skewed(rng, 16),
        target_rtt_ticks: skewed(rng, 16),
        fast_rtt_ticks: skewed(rng, 16),
        multiplicative_increase: skewed(rng, 32),
        fair_increase: skewed(rng, 30),
    });
    SmarttCsr {
        classes,
        multiplicative_decrease: skewed(rng, 8),
        qa_scaling: skewed(rng, 24),
        wtd_alpha: skewed(rng, 8),
        wtd_alphas: std::array::from_fn(|_| skewed(rng, 8)),
        wtd_threshold: skewed(rng, 8),
        granularity: skewed(rng, 6),
        fast_mtus: skewed(rng, 4),
        signals: random_signals(rng),
        late_losses: rng.below(3) == 0,
    }
}

/// A random number of up to `bits` bits. Small numbers are as frequent as large ones.
fn skewed(rng: &mut Rng, bits: u32) -> u32 {
    let length = rng.below(bits + 1);
    (rng.draw() & ((1 << length) - 1)) as u32
}

fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len() as u32) as usize]
}

/// A number below one of the bounds.
fn below(rng: &mut Rng, bounds: &[u32]) -> u32 {
    let bound = pick(rng, bounds);
    rng.below(bound)
}

/// Parameters of a phase.
#[derive(Clone, Copy, Debug)]
struct Phase {
    events_left: u32,
    /// Connections of the phase: `first` and the connections after it.
    first: u32,
    count: u32,
    mood: Mood,
    sizes: Sizes,
    /// Bound of the ticks between events.
    step_max: u32,
    /// Number of events in 256 that open or close a connection, are invalid, or belong to another class.
    rare: u32,
}

/// Mood of the network.
#[derive(Clone, Copy, Debug)]
enum Mood {
    /// All values are random.
    Mixed,
    /// No marks, RTT as in an empty network.
    Empty,
    /// No marks, RTT up to twice the target.
    Filling,
    /// Marks, RTT at most the target.
    Marking,
    /// Marks, RTT above the target.
    Full,
    /// As in `Full`, and packets are lost.
    Losing,
    /// As in `Empty`, and packets are lost.
    Failing,
}

/// Distribution of an event's bytes.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    Mtu,
    UpToMtu,
    Several,
    Any,
}

/// A stream of random events with their times.
#[derive(Clone, Debug)]
pub struct Stimulus {
    rng: Rng,
    params: SmarttParams,
    csr: SmarttCsr,
    phase: Phase,
    opening: u32,
    now: u64,
}

impl Stimulus {
    /// A stream that first opens three connections of four. The stream starts shortly before the time wraps.
    pub fn new(mut rng: Rng, params: SmarttParams, csr: &SmarttCsr) -> Self {
        let phase = Phase {
            events_left: 0,
            first: 0,
            count: 1,
            mood: Mood::Mixed,
            sizes: Sizes::Mtu,
            step_max: 1,
            rare: 0,
        };
        let now = (1 << 32) - u64::from(rng.below(100_000));
        Self { rng, params, csr: *csr, phase, opening: 0, now }
    }

    /// Next event and its absolute time in ticks. `event.now_ticks` is its low 32 bits.
    #[inline]
    pub fn event(&mut self) -> (Event, u64) {
        if self.phase.events_left == 0 {
            self.phase = self.new_phase();
        }
        self.phase.events_left -= 1;
        let phase = self.phase;
        let rng = &mut self.rng;
        self.now += u64::from(rng.below(phase.step_max));
        let draw = rng.draw();
        let chance = |byte: u32, of_256: u32| ((draw >> (8 * byte)) & 255) < u64::from(of_256);
        let mut connection = (phase.first + rng.below(phase.count)) & (self.params.connections - 1);
        // A connection mostly has the class of its path.
        let class = if chance(0, phase.rare / 4) { rng.below(4) } else { connection & 3 };
        let constants = &self.csr.classes[class as usize];
        let (marks, losses) = match phase.mood {
            Mood::Mixed => (128, 20),
            Mood::Empty | Mood::Filling => (0, 0),
            Mood::Marking | Mood::Full => (256, 0),
            Mood::Losing => (230, 60),
            Mood::Failing => (0, 10),
        };
        let rare = [Kind::Open, Kind::Open, Kind::Close, Kind::Reserved5, Kind::Reserved6, Kind::Reserved7];
        let kind = if self.opening < self.params.connections / 4 * 3 {
            connection = self.opening;
            self.opening += 1;
            Kind::Open
        } else if chance(1, phase.rare) {
            pick(rng, &rare)
        } else if chance(2, losses) {
            pick(rng, &[Kind::Trim, Kind::Trim, Kind::Timeout])
        } else {
            Kind::Ack
        };
        let mtu = constants.mtu_bytes;
        let bytes = match phase.sizes {
            Sizes::Mtu => mtu,
            Sizes::UpToMtu => rng.below(mtu + 1),
            Sizes::Several => mtu * (1 + rng.below(16)),
            Sizes::Any => skewed(rng, 24),
        };
        let event = Event {
            kind,
            connection,
            class: class as u8,
            ecn: chance(3, marks),
            packets: match phase.sizes {
                Sizes::Several => bytes.div_ceil(mtu.max(1)).clamp(1, 16) as u8,
                Sizes::Any => 1 + (draw >> 60) as u8,
                Sizes::Mtu | Sizes::UpToMtu => 1,
            },
            bytes,
            rtt_ticks: random_rtt(rng, phase.mood, constants),
            in_flight_bytes: random_flight(rng, constants),
            now_ticks: self.now as u32,
        };
        (event, self.now)
    }

    fn new_phase(&mut self) -> Phase {
        let rng = &mut self.rng;
        let moods =
            [Mood::Mixed, Mood::Empty, Mood::Filling, Mood::Marking, Mood::Full, Mood::Losing, Mood::Failing];
        let target = self.csr.classes[rng.below(4) as usize].target_rtt_ticks;
        let count = pick(rng, &[1, 2, 4, 16, 64, 64, 256, 4_096]).min(self.params.connections);
        Phase {
            // Many connections handle more events in the same time, because each event waits for its own
            // connection only.
            events_left: (1 + below(rng, &[50, 200, 1_500])) * if count >= 64 { 4 } else { 1 },
            first: rng.below(self.params.connections),
            count,
            mood: pick(rng, &moods),
            sizes: pick(rng, &[Sizes::Mtu, Sizes::Mtu, Sizes::UpToMtu, Sizes::Several, Sizes::Any]),
            step_max: pick(rng, &[1, 1, 2, 4, 1 + target / 4, 1 + 3 * target, 1 << 21]),
            rare: pick(rng, &[0, 0, 2, 20]),
        }
    }
}

/// RTTs of a mood, often just at a threshold.
fn random_rtt(rng: &mut Rng, mood: Mood, class: &SmarttClass) -> u16 {
    let (base, target, fast) = (class.base_rtt_ticks, class.target_rtt_ticks, class.fast_rtt_ticks);
    let ticks = match mood {
        Mood::Mixed => match rng.below(8) {
            0 => target,
            1 => target + 1,
            2 => fast,
            3 => fast + 1,
            4 => pick(rng, &[0, 1, base.saturating_sub(1), base, 0xFFFF]),
            5 => rng.below(1 << 16),
            _ => base + rng.below(base + 1),
        },
        Mood::Empty | Mood::Failing => base.saturating_sub(1) + rng.below(fast.saturating_sub(base) + 2),
        Mood::Filling => base + rng.below((2 * target).saturating_sub(base) + 1),
        Mood::Marking => base + rng.below(target.saturating_sub(base) + 1),
        Mood::Full | Mood::Losing => target + 1 + below(rng, &[1, target / 2 + 1, 2 * target]),
    };
    ticks.min(0xFFFF) as u16
}

fn random_flight(rng: &mut Rng, class: &SmarttClass) -> u32 {
    match rng.below(8) {
        0 => 0,
        1 => pick(rng, &[1, (1 << 26) - 1, 1 << 26, u32::MAX]),
        2 => rng.below(class.max_cwnd_bytes),
        _ => rng.below(8 * class.mtu_bytes),
    }
}
