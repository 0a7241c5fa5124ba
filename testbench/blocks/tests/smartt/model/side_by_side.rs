//! Model and oracle from OPEN on, each with its own state, and a bound: the distance of the windows that all
//! roundings so far can cause. The paper's own formulas update the bound after each event.

use weft_blocks::smartt::oracle::{Answer, ClassConstants, Constants, Oracle, Question, plainly};
use weft_blocks::smartt::stimulus::Stimulus;
use weft_nic::block::smartt::{Case, Event, Kind, Smartt};
use weft_params::{Network, SmarttParams};
use weft_random::Rng;

/// The largest distance allowed: 0.5 % of the window.
const ALLOWED: f64 = 0.005;
/// Smallest window that the goal applies to, in bytes. Errors are in bytes, and a multiplicative decrease
/// carries them from a window of megabytes to one packet. Below this size the distance allowed for this size
/// applies.
const SMALLEST: f64 = 1024.0;

/// Distance of model and oracle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Distance {
    /// Events that both handled.
    pub(crate) events: u64,
    /// Largest distance of the windows, as a share of the oracle's, or of [`SMALLEST`] when that is larger.
    pub(crate) share: f64,
    /// Largest distance in bytes.
    pub(crate) bytes: f64,
    /// Largest distance as a share of the bound.
    pub(crate) of_bound: f64,
    /// Comparisons of numbers that are closer than their errors, in which the oracle followed the model.
    pub(crate) near_ties: u64,
    /// Near ties that the oracle would have decided differently.
    pub(crate) followed: u64,
    /// Events of windows that the paper's increase had torn apart, see [`Apart::torn`].
    pub(crate) torn: u64,
    /// Torn events with a distance of more than [`ALLOWED`].
    pub(crate) torn_too_far: u64,
}

impl Distance {
    /// Adds another trace.
    pub(crate) fn add(&mut self, other: Self) {
        self.events += other.events;
        self.share = self.share.max(other.share);
        self.bytes = self.bytes.max(other.bytes);
        self.of_bound = self.of_bound.max(other.of_bound);
        self.near_ties += other.near_ties;
        self.followed += other.followed;
        self.torn += other.torn;
        self.torn_too_far += other.torn_too_far;
    }
}

/// Distance of the two windows of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct Apart {
    bytes: f64,
    /// An increase of more than twice the window made the two windows differ by more bytes, and no later
    /// bound or QuickAdapt has made them equal. At any precision of a block, alternating increases of this
    /// kind and decreases drive the windows apart.
    torn: bool,
}

/// Change of a window of the oracle and one of the model by an event.
struct Change<'a> {
    event: &'a Event,
    case: Case,
    /// Windows before the event.
    windows: [f64; 2],
    /// Bytes that the oracle reacted on.
    size: f64,
    /// Bytes that the oracle had counted for QuickAdapt.
    acked: f64,
}

/// The constants, and their rounded values in the registers.
struct Rounded {
    real: Constants,
    registers: Constants,
}

impl Rounded {
    fn classes(&self, class: u8) -> [&ClassConstants; 2] {
        [&self.real, &self.registers].map(|constants| &constants.classes[usize::from(class)])
    }

    /// Bound after an event.
    fn carry_on(&self, apart: Apart, change: &Change, answer: &Answer, window: f64) -> Apart {
        let [real, register] = self.classes(change.event.class);
        let off = |of: fn(&ClassConstants) -> f64| (of(real) - of(register)).abs();
        let max_cwnd = off(|class| class.max_cwnd);
        let mut next = match (change.event.kind, change.case) {
            (Kind::Open, _) => Apart { bytes: max_cwnd, torn: false },
            (Kind::Close, _) => Apart::default(),
            (_, Case::QuickAdapt | Case::Both) => {
                let scaling = (self.real.qa_scaling - self.registers.qa_scaling).abs();
                Apart { bytes: change.acked.max(real.mtu) * scaling + 1.0 / 2048.0, torn: false }
            }
            (_, case) => self.react(apart, change, case),
        };
        // Line 36. The two upper bounds differ: if one bound limits its window, the other window may be
        // between the bounds.
        let upper = real.max_cwnd.min(register.max_cwnd);
        let [lowest, highest] = [answer.cwnd.min(window) <= real.mtu, answer.cwnd.max(window) >= upper];
        if highest {
            next = Apart { bytes: next.bytes.max(max_cwnd), ..next };
        }
        if lowest && answer.cwnd == window || highest && (answer.cwnd - window).abs() <= max_cwnd {
            next = Apart { bytes: max_cwnd, torn: false };
        }
        next
    }

    fn react(&self, apart: Apart, change: &Change, case: Case) -> Apart {
        let [real, register] = self.classes(change.event.class);
        let size = change.size;
        let (smaller, larger) =
            (change.windows[0].min(change.windows[1]), change.windows[0].max(change.windows[1]));
        let off = |of: fn(&ClassConstants) -> f64| (of(real) - of(register)).abs();
        // A quotient is rounded down to 2^-12 bytes. The nearest 2^-11 is at that value or 2^-12 above it.
        let digit = 1.0 / 4096.0;
        let ratio = (-33f64).exp2();
        let fair_decrease = off(|class| class.fd / class.bdp) * larger * size;
        // cwnd + k / cwnd, for two windows that differ.
        let increase = |k: f64, off: f64| {
            let stretch = (k / smaller / smaller - 1.0).max(1.0);
            let bytes = stretch * apart.bytes + off * size / smaller + digit;
            Apart { bytes, torn: apart.torn || stretch > 1.0 }
        };
        let fair_k = size * real.mtu * real.fi;
        let fair_off = off(|class| class.mtu * class.fi);
        match case {
            Case::FairDecrease => Apart { bytes: apart.bytes + fair_decrease + digit, ..apart },
            Case::MultiplicativeDecrease => {
                let multiplicative = (self.real.md + 1.0) * ratio * size;
                Apart { bytes: apart.bytes + fair_decrease + multiplicative + 2.0 * digit, ..apart }
            }
            Case::FairIncrease => increase(fair_k, fair_off),
            Case::MultiplicativeIncrease => {
                let rtt = u64::from(change.event.rtt_ticks).max(real.brtt) as f64;
                let share = (real.trtt as f64 - rtt) / rtt;
                let share = if self.real.signals == weft_params::Signals::Ecn { 0.0 } else { share };
                let multiplicative_k = size * real.mtu * real.mi * share;
                let off = off(|class| class.mtu * class.mi) * share
                    + real.mtu * real.mi * ratio
                    + 1.0 / 1024.0
                    + fair_off;
                // From the packet's size on, the result does not depend on the window.
                let limited = multiplicative_k / larger >= size;
                increase(fair_k + if limited { 0.0 } else { multiplicative_k }, off)
            }
            _ => apart,
        }
    }
}

/// Runs `events` random events through oracle and model.
pub(crate) fn compare(mut rng: Rng, network: &Network, events: u64) -> Result<Distance, String> {
    let csr = network.csr().map_err(|error| error.to_string())?;
    let real = Constants::of(network).map_err(|error| error.to_string())?;
    let rounded = Rounded { real, registers: Constants::from(&csr) };
    let params = SmarttParams { connections: [4, 4, 16][rng.below(3) as usize] };
    let mut stimulus = Stimulus::new(Rng::new(rng.draw()), params, &csr);
    let (mut model, mut oracle) = (Smartt::new(params, csr), Oracle::new(real));
    let mut apart = vec![Apart::default(); params.connections as usize];
    let mut found = Distance { events, ..Distance::default() };
    let mut landing = Landing::default();
    for index in 0..events {
        let (mut event, now) = stimulus.event();
        landing.change(&mut event, &mut rng, &model, &csr);
        let connection = event.connection as usize;
        let before = oracle.connection(event.connection).cloned();
        let cwnd = before.as_ref().map_or(0.0, |connection| connection.cwnd);
        let window_before = window_of(&model, event.connection);
        let outcome = model.step(&event);
        let window = window_of(&model, event.connection);
        let Apart { bytes: windows_apart, .. } = apart[connection];

        let mut judge = |question: Question, difference: f64| {
            // Possible errors of the two numbers, and the model's decision.
            let (error, model_says) = match question {
                Question::FastIncrease => {
                    (windows_apart + 1.0, matches!(outcome.case, Case::FastIncrease | Case::Both))
                }
                // Half a digit for each ACK, and one where a share of 1 is cut.
                Question::MayDecrease => ((0.5 / real.alphas[0] + 1.0) / 8192.0, outcome.case != Case::Held),
                Question::Limited => {
                    let grown = window - window_before > (1 << 22) as f64;
                    (2.0 * f64::from(event.bytes) * windows_apart / cwnd + 1.0, grown)
                }
            };
            let plain = plainly(question, difference);
            if difference.abs() > error {
                return plain;
            }
            found.near_ties += 1;
            found.followed += u64::from(plain != model_says);
            model_says
        };
        let answer = oracle.step(&event, now, &mut judge);
        let explain = |what: &str| {
            format!("{what} after event {index} {event:?}: model {outcome:?} {window}, paper {answer:?}")
        };
        if (answer.accepted, answer.case) != (outcome.accepted, outcome.case) {
            return Err(explain("another case"));
        }
        let of_before = |of: fn(&weft_blocks::smartt::oracle::Connection) -> u64| {
            before.as_ref().map_or(0, of) + u64::from(event.bytes)
        };
        let change = Change {
            event: &event,
            case: outcome.case,
            windows: [cwnd, window_before],
            size: of_before(|connection| connection.waiting_bytes).min((1 << 19) - 1) as f64,
            acked: of_before(|connection| connection.acked) as f64,
        };
        if answer.accepted {
            apart[connection] = rounded.carry_on(apart[connection], &change, &answer, window);
        }
        let distance = (window - answer.cwnd).abs();
        let Apart { bytes: most, torn } = apart[connection];
        if distance > most + 1e-9 * answer.cwnd {
            return Err(explain(&format!("more than {most} bytes apart")));
        }
        if answer.cwnd > 0.0 {
            let share = distance / answer.cwnd.max(SMALLEST);
            found.torn += u64::from(torn);
            if torn {
                found.torn_too_far += u64::from(share > ALLOWED);
                continue;
            }
            if share > ALLOWED {
                return Err(explain("too far"));
            }
            found.share = found.share.max(share);
            found.bytes = found.bytes.max(distance);
            found.of_bound = found.of_bound.max(if most > 1e-3 { distance / most } else { 0.0 });
        }
    }
    Ok(found)
}

fn window_of(model: &Smartt, connection: u32) -> f64 {
    model.control(connection).cwnd.value() as f64 / 2048.0
}

/// Sometimes moves a window from its present value to just above the lower bound by multiplicative decreases.
/// Such decreases keep the error in bytes, which is the largest share at a small window.
#[derive(Default)]
struct Landing {
    connection: u32,
    events_left: u32,
}

impl Landing {
    fn change(&mut self, event: &mut Event, rng: &mut Rng, model: &Smartt, csr: &weft_params::SmarttCsr) {
        if self.events_left == 0 {
            if rng.below(200) > 0 {
                return;
            }
            *self = Self { connection: event.connection, events_left: 200 };
        }
        self.events_left -= 1;
        event.connection = self.connection;
        let above = window_of(model, self.connection)
            - f64::from(csr.classes[usize::from(event.class)].mtu_bytes)
            - f64::from(rng.below(4));
        if above < csr.granularity.into() {
            self.events_left = 0;
            return;
        }
        let bytes = above.min(f64::from((1 << 19) - 1)) as u32 / csr.granularity;
        *event = Event { kind: Kind::Ack, ecn: true, rtt_ticks: 0xFFFF, bytes, ..*event };
    }
}
