//! Model and oracle from OPEN on, each with its own state, and a bound: the distance of window and waiting
//! increase that all roundings so far can cause. The specification's own formulas update the bound after each
//! event.

use super::HALF_DIGIT;
use weft_blocks::nscc::oracle::{Answer, ClassConstants, Connection, Constants, Oracle, Question, plainly};
use weft_blocks::nscc::stimulus::{Stimulus, random_network};
use weft_nic::block::nscc::{Case, Event, Kind, Nscc};
use weft_params::NsccParams;
use weft_random::Rng;

/// The largest distance allowed: 0.5 % of the window.
const ALLOWED: f64 = 0.005;
/// Smallest window that the goal applies to, in bytes. The waiting increase is rounded to 2^8 square bytes
/// for every ACK and then divided by the window. So for a smaller window an error is more bytes. Below this
/// size the distance allowed for this size applies.
const SMALLEST: f64 = 1_024.0;
/// Resolution of the window, in bytes.
const DIGIT: f64 = 1.0 / 32.0;

/// Size of an ACK, in windows, from which on the bound assumes that the whole gain of the ACK is lost. No
/// network delivers such an ACK.
const MOST_WINDOWS: f64 = 16.0;

/// Largest distance of two windows of `cwnd` bytes, in bytes.
fn goal(cwnd: f64) -> f64 {
    ALLOWED * cwnd.max(SMALLEST)
}

/// Distance of model and oracle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Distance {
    /// Events that both handled.
    pub(crate) events: u64,
    /// Largest distance of the windows, as a share of the oracle's, or of [`SMALLEST`] when that is larger.
    pub(crate) share: f64,
    /// Largest distance as a share of the bound.
    pub(crate) of_bound: f64,
    /// Comparisons of numbers that are closer than their errors, in which the oracle followed the model.
    pub(crate) near_ties: u64,
    /// Near ties that the oracle would have decided differently.
    pub(crate) followed: u64,
    /// Events of windows that were torn apart, see [`Apart::torn`].
    pub(crate) torn: u64,
    /// Torn events with a distance beyond the goal.
    pub(crate) torn_too_far: u64,
}

impl Distance {
    /// Adds another trace.
    pub(crate) fn add(&mut self, other: &Self) {
        self.events += other.events;
        self.share = self.share.max(other.share);
        self.of_bound = self.of_bound.max(other.of_bound);
        self.near_ties += other.near_ties;
        self.followed += other.followed;
        self.torn += other.torn;
        self.torn_too_far += other.torn_too_far;
    }
}

/// Distance of the two states of a connection.
#[derive(Clone, Copy, Debug, Default)]
struct Apart {
    /// Distance of the windows, in bytes.
    bytes: f64,
    /// Distance of the waiting increases, in square bytes.
    waiting: f64,
    /// The windows are torn apart, and since then the bound has not been below the goal. Three causes exist.
    /// A loss makes the distance a larger share of a smaller window. An increase of more than twice the
    /// window makes the windows differ by more bytes, in real numbers too. The third is an ACK of more than
    /// [`MOST_WINDOWS`].
    torn: bool,
}

/// The constants, and their rounded values in the registers.
struct Rounded {
    real: Constants,
    registers: Constants,
}

/// Change of a window of the oracle and one of the model by an event.
struct Change<'a> {
    event: &'a Event,
    answer: Answer,
    /// State of the oracle before.
    before: Option<Connection>,
    /// State of the oracle after.
    after: &'a Connection,
    /// Windows of the model before and after.
    windows: [f64; 2],
}

impl Rounded {
    /// Bound after an event that was accepted.
    fn carry_on(&self, apart: Apart, change: &Change) -> Apart {
        let class = usize::from(change.event.class);
        let [real, register] = [&self.real, &self.registers].map(|constants| &constants.classes[class]);
        let max_wnd = (real.max_wnd - register.max_wnd).abs();
        let mut next = match (&change.before, change.event.kind, change.answer.case) {
            (None, ..) | (_, Kind::Open, _) => Apart { bytes: max_wnd, ..Apart::default() },
            (_, _, Case::QuickAdapt) => Apart::default(),
            (_, _, Case::Ignored) => Apart { waiting: 0.0, ..apart },
            (_, _, Case::None) => apart,
            (_, _, Case::Loss) => Apart { torn: true, ..apart },
            (Some(before), ..) => self.react(apart, change, before, [real, register]),
        };
        // Rule 15. The two upper bounds differ: if one bound limits its window, the other window may be
        // between the bounds.
        let [cwnd, window] = [change.answer.cwnd, change.windows[1]];
        let highest = cwnd.max(window) >= real.max_wnd.min(register.max_wnd);
        if highest {
            next.bytes = next.bytes.max(max_wnd);
        }
        if cwnd == window && cwnd <= real.mtu || highest && (cwnd - window).abs() <= max_wnd {
            next.bytes = max_wnd;
        }
        next.torn &= next.bytes > goal(cwnd);
        next
    }

    /// Bound on the difference after one of the four cases and after the adjustment.
    fn react(
        &self,
        mut apart: Apart,
        change: &Change,
        before: &Connection,
        [real, register]: [&ClassConstants; 2],
    ) -> Apart {
        let off = |of: fn(&ClassConstants) -> f64| (of(real) - of(register)).abs();
        let size = f64::from(change.event.bytes.min((1 << 17) - 1));
        let mut bases = [before.cwnd, change.windows[0]];
        let mut gain = 0.0;
        match change.answer.case {
            Case::FairIncrease => {
                gain = real.fi;
                apart.waiting += 128.0 + off(|class| class.fi) * size;
            }
            Case::MultiplicativeIncrease => {
                let delay = u64::from(change.event.rtt_ticks).saturating_sub(real.base_rtt);
                let room = real.target_qdelay.saturating_sub(delay) as f64;
                gain = real.alpha * room;
                // The gain of a byte loses the part below 2^-6 bytes.
                apart.waiting += 128.0 + (off(|class| class.alpha) * room + 1.0 / 64.0) * size;
                apart.torn |= size > MOST_WINDOWS * bases[0].min(bases[1]);
            }
            Case::FastIncrease => {
                apart.bytes += off(|class| class.fi_scale) * size + DIGIT;
                bases = bases.map(|base| (base + real.fi_scale * size).min(real.max_wnd));
            }
            Case::MultiplicativeDecrease => {
                // Half digits that add up according to the weight of a packet.
                let average = HALF_DIGIT / self.real.alphas[0];
                let factor = self.real.gamma * average / real.target_qdelay as f64 + 3.0 / 65_536.0;
                let share = (real.target_qdelay as f64 / change.after.avg_delay).min(1.0);
                let left = (1.0 - self.real.gamma * (1.0 - share)).max(0.5);
                apart.bytes = apart.bytes * (left + factor) + before.cwnd * factor + DIGIT;
                bases = bases.map(|base| (base * (left - factor)).max(real.mtu));
            }
            _ => {}
        }
        if change.after.inc_bytes == 0.0 && change.after.received_bytes == 0 {
            let smaller = bases[0].min(bases[1]);
            let increase = before.inc_bytes + gain * size;
            let stretch = (increase / smaller / smaller - 1.0).max(1.0);
            let bytes =
                stretch * apart.bytes + apart.waiting / smaller + off(|class| class.eta) + 2.0 * DIGIT;
            apart = Apart { bytes, waiting: 0.0, torn: apart.torn || stretch > 1.0 };
        }
        apart
    }
}

/// Runs `events` random events through both, with the constants of Table 3-82 that the registers round.
pub(crate) fn compare(mut rng: Rng, events: u64) -> Result<Distance, String> {
    let network = random_network(&mut rng);
    let (csr, real) = (network.nscc().unwrap(), Constants::of(&network).unwrap());
    let rounded = Rounded { real, registers: Constants::from(&csr) };
    let params = NsccParams { connections: [4, 4, 16][rng.below(3) as usize] };
    let mut stimulus = Stimulus::new(rng, params, &csr);
    let (mut model, mut oracle) = (Nscc::new(params, csr), Oracle::new(real));
    let mut bounds = vec![Apart::default(); params.connections as usize];
    let mut found = Distance { events, ..Distance::default() };
    for index in 0..events {
        let (event, now) = stimulus.event();
        let window_of = |model: &Nscc| model.control(event.connection).cwnd.value() as f64 / 32.0;
        let before = oracle.connection(event.connection).cloned();
        let window_before = window_of(&model);
        let outcome = model.step(&event);
        let window = window_of(&model);
        let model_is_fast = model.control(event.connection).calm.value() == (1 << 23) - 1;
        let bound = &mut bounds[event.connection as usize];
        // Comparisons closer than the two states are decided as in the model.
        let mut judge = |question: Question, difference: f64| {
            let (error, model_says) = match question {
                Question::FastIncrease => (bound.bytes + 1.0, model_is_fast),
                // Half a digit for each event that the average still contains.
                Question::Decrease => {
                    (HALF_DIGIT / real.alphas[0], outcome.case == Case::MultiplicativeDecrease)
                }
                Question::Gate => (1.0, outcome.case == Case::QuickAdapt),
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
            format!(
                "{what} after event {index} {event:?} in {network:?}: model {outcome:?} {window}, specification {answer:?}"
            )
        };
        if (answer.accepted, answer.case) != (outcome.accepted, outcome.case) {
            return Err(explain("another case"));
        }
        let Some(after) = oracle.connection(event.connection).filter(|_| answer.accepted) else { continue };
        *bound = rounded.carry_on(
            *bound,
            &Change { event: &event, answer, before, after, windows: [window_before, window] },
        );
        let (distance, Apart { bytes: most, torn, .. }) = ((window - answer.cwnd).abs(), *bound);
        if distance > most + 1e-9 * answer.cwnd {
            return Err(explain(&format!("{distance} bytes apart, more than {most},")));
        }
        let share = distance / answer.cwnd.max(SMALLEST);
        if torn {
            found.torn += 1;
            found.torn_too_far += u64::from(distance > goal(answer.cwnd));
            continue;
        }
        if distance > goal(answer.cwnd) {
            return Err(explain(&format!("{:.3} % apart", 100.0 * share)));
        }
        found.share = found.share.max(share);
        found.of_bound = found.of_bound.max(if most > 1e-3 { distance / most } else { 0.0 });
    }
    Ok(found)
}
