//! Model and oracle from OPEN on, each with its own state.

use weft_cosim::blocks::reps::stimulus::Rng;
use weft_cosim::blocks::smartt::oracle::{Constants, Oracle, Question, plainly};
use weft_cosim::blocks::smartt::stimulus::Stimulus;
use weft_nic::smartt::{Case, Smartt};
use weft_params::{Network, SmarttParams};

/// How far model and oracle were apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Distance {
    /// Events of both.
    pub(crate) events: u64,
    /// Largest distance of the windows, as a share of the oracle's.
    pub(crate) share: f64,
    /// The largest in bytes.
    pub(crate) bytes: f64,
    /// Comparisons of numbers that lie closer than their errors, in which the oracle followed the model.
    pub(crate) near_ties: u64,
    /// Of these, how many it would have decided otherwise.
    pub(crate) followed: u64,
}

impl Distance {
    /// With another trace.
    pub(crate) fn add(&mut self, other: Self) {
        self.events += other.events;
        self.share = self.share.max(other.share);
        self.bytes = self.bytes.max(other.bytes);
        self.near_ties += other.near_ties;
        self.followed += other.followed;
    }
}

/// The largest distance allowed: 0.5 % of the window.
const ALLOWED: f64 = 0.005;

/// Runs `events` random events through both.
pub(crate) fn compare(mut rng: Rng, network: &Network, events: u64) -> Result<Distance, String> {
    let csr = network.csr().map_err(|error| error.to_string())?;
    let constants = Constants::of(network).map_err(|error| error.to_string())?;
    let params = SmarttParams { connections: [4, 4, 16][rng.below(3) as usize] };
    let mut stimulus = Stimulus::new(rng, params, &csr);
    let (mut model, mut oracle) = (Smartt::new(params, csr), Oracle::new(constants));
    let mut found = Distance { events, ..Distance::default() };
    for index in 0..events {
        let (event, now) = stimulus.event();
        let before = model.control(event.connection).cwnd.value() as f64 / 2048.0;
        let outcome = model.step(&event);
        let window = model.control(event.connection).cwnd.value() as f64 / 2048.0;
        // How far the two numbers may be off.
        let cwnd_error =
            oracle.connection(event.connection).map_or(0.0, |connection| (connection.cwnd - before).abs());
        let mut judge = |question: Question, difference: f64| {
            let (error_of_it, model_says) = match question {
                Question::FastIncrease => {
                    (cwnd_error + 1.0, matches!(outcome.case, Case::FastIncrease | Case::Both))
                }
                Question::MayDecrease => (1.0 / constants.alpha / 8192.0, outcome.case != Case::Held),
                Question::Limited => (ALLOWED * f64::from(event.bytes), window - before > (1 << 22) as f64),
            };
            let plain = plainly(question, difference);
            if difference.abs() > error_of_it {
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
        let distance = (window - answer.cwnd).abs();
        if distance > ALLOWED * answer.cwnd {
            return Err(explain("too far"));
        }
        if answer.cwnd > 0.0 {
            found.share = found.share.max(distance / answer.cwnd);
            found.bytes = found.bytes.max(distance);
        }
    }
    Ok(found)
}
