//! The naive oracle: SMaRTT as the paper prints it (SMaRTT-REPS, Algorithms 1 to 3, equations 1 to 4 and
//! section 3.6.1), over real numbers, with absolute time. The oracle shares neither code nor encoding with
//! the model. Where the paper is silent, the rules of `docs/blocks/smartt.md` apply, cited by number.

mod constants;

pub use constants::{ClassConstants, Constants};

use std::collections::HashMap;
use std::convert::Infallible;
use weft_nic::block::window::{Case, Event, Kind, Outcome, Window};
use weft_params::Signals;

/// Upper limit of the block's counters of bytes.
const MOST_COUNTED: u64 = (1 << 26) - 1;
/// Upper limit of the bytes that wait for a reaction (rule 19).
const MOST_WAITING: u64 = (1 << 19) - 1;
/// Upper limit of the quotient of a reaction, in bytes (rule 20).
const MOST_CHANGED: f64 = (1 << 22) as f64;
/// Modulus in ticks of the block's times (rule 12).
const TIME_WRAP: i128 = 1 << 20;

/// The variables of Algorithms 1 to 3 for one connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// The window in bytes.
    pub cwnd: f64,
    /// Algorithm 1.
    pub acked: u64,
    /// Algorithm 1.
    pub bytes_ignored: u64,
    /// Algorithm 2.
    pub bytes_to_ignore: u64,
    /// Algorithms 1 and 2.
    pub trigger_qa: bool,
    /// Algorithm 2; `None` is 0, when no period has begun.
    pub end: Option<u64>,
    /// Algorithm 3.
    pub count: u64,
    /// Algorithm 3.
    pub increase: bool,
    /// Section 3.6.1.
    pub avg_wtd: f64,
    /// ACKs that wait for a reaction (rule 19).
    pub waiting: u32,
    /// Bytes of the waiting ACKs.
    pub waiting_bytes: u64,
}

impl Connection {
    fn open(cwnd: f64) -> Self {
        Self {
            cwnd,
            acked: 0,
            bytes_ignored: 0,
            bytes_to_ignore: 0,
            trigger_qa: false,
            end: None,
            count: 0,
            increase: false,
            avg_wtd: 0.0,
            waiting: 0,
            waiting_bytes: 0,
        }
    }

    fn ignores(&self) -> bool {
        self.bytes_ignored < self.bytes_to_ignore
    }
}

/// A comparison of real numbers that selects a case of the algorithm, not only a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `count > cwnd` (Algorithm 3, line 4).
    FastIncrease,
    /// `avg_wtd >= 0.25` (section 3.6.1).
    MayDecrease,
    /// Multiplicative increase reaches its limit (equation 4), and rule 20 limits the rest.
    Limited,
}

/// Answers a [`Question`], given the left number minus the right one.
pub type Judge<'a> = &'a mut dyn FnMut(Question, f64) -> bool;

/// Answers a question by the numbers alone.
pub fn plainly(question: Question, difference: f64) -> bool {
    match question {
        Question::FastIncrease => difference > 0.0,
        Question::MayDecrease | Question::Limited => difference >= 0.0,
    }
}

/// Answer of the oracle to an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The connection was open, or the event does not need an open one.
    pub accepted: bool,
    /// Case of the event.
    pub case: Case,
    /// Window after the event in bytes; 0 if closed.
    pub cwnd: f64,
}

/// All connections, by the text of the paper.
#[derive(Clone, Debug)]
pub struct Oracle {
    constants: Constants,
    connections: HashMap<u32, Connection>,
}

impl Oracle {
    /// An oracle in which no connection is open.
    pub fn new(constants: Constants) -> Self {
        Self { constants, connections: HashMap::new() }
    }

    /// Sets the constants from the next event on.
    pub fn set_constants(&mut self, constants: Constants) {
        self.constants = constants;
    }

    /// The variables of a connection; `None` when it is closed.
    pub fn connection(&self, connection: u32) -> Option<&Connection> {
        self.connections.get(&connection)
    }

    /// Gives a connection other variables.
    pub fn set_connection(&mut self, connection: u32, variables: Option<Connection>) {
        match variables {
            Some(variables) => self.connections.insert(connection, variables),
            None => self.connections.remove(&connection),
        };
    }

    /// Handles one event at the absolute time `now` in ticks.
    pub fn step(&mut self, event: &Event, now: u64, judge: Judge) -> Answer {
        let constants = self.constants;
        let class = &constants.classes[usize::from(event.class)];
        if event.kind == Kind::Open {
            let connection = Connection::open(class.bounded(class.max_cwnd));
            let answer = Answer { accepted: true, case: Case::None, cwnd: connection.cwnd };
            self.connections.insert(event.connection, connection);
            return answer;
        }
        if event.kind == Kind::Close {
            let was_open = self.connections.remove(&event.connection).is_some();
            return Answer { accepted: was_open, case: Case::None, cwnd: 0.0 };
        }
        let Some(connection) = self.connections.get_mut(&event.connection) else {
            return Answer { accepted: false, case: Case::None, cwnd: 0.0 };
        };
        if !matches!(event.kind, Kind::Ack | Kind::Trim | Kind::Timeout) {
            return Answer { accepted: false, case: Case::None, cwnd: connection.cwnd };
        }
        let mut loop_logic = Loop { constants: &constants, class, connection, p: event, now, judge };
        let case = loop_logic.congestion_loop_logic();
        // Line 36, after every event (rule 25).
        connection.cwnd = class.bounded(connection.cwnd);
        Answer { accepted: true, case, cwnd: connection.cwnd }
    }
}

/// One run of `congestion_loop_logic(p)`.
struct Loop<'a> {
    constants: &'a Constants,
    class: &'a ClassConstants,
    connection: &'a mut Connection,
    p: &'a Event,
    now: u64,
    judge: Judge<'a>,
}

impl Loop<'_> {
    /// Algorithm 1 without line 36.
    fn congestion_loop_logic(&mut self) -> Case {
        let size = u64::from(self.p.bytes);
        self.connection.bytes_ignored += size;
        if self.p.kind == Kind::Ack {
            self.connection.acked = (self.connection.acked + size).min(MOST_COUNTED); // rule 4
            if self.connection.ignores() {
                return Case::Ignored;
            }
            self.wait_to_decrease();
            let adp = self.quick_adapt();
            let finc = self.fast_increase();
            match (adp, finc) {
                (true, true) => Case::Both,
                (true, false) => Case::QuickAdapt,
                (false, true) => Case::FastIncrease,
                (false, false) => self.wait_for_a_reaction(),
            }
        } else if self.connection.ignores() && !self.constants.late_losses {
            Case::Ignored
        } else {
            self.connection.cwnd = (self.connection.cwnd - size as f64).max(0.0);
            self.connection.trigger_qa |= !self.single_signal(); // rule 9
            if !self.connection.ignores() && self.quick_adapt() { Case::QuickAdapt } else { Case::Loss }
        }
    }

    /// Section 3.6.1.
    fn wait_to_decrease(&mut self) {
        let alpha = self.constants.alphas[usize::from(self.p.packets) - 1];
        let ecn = if self.p.ecn { 1.0 } else { 0.0 };
        self.connection.avg_wtd = alpha * ecn + (1.0 - alpha) * self.connection.avg_wtd;
    }

    /// Algorithm 2.
    fn quick_adapt(&mut self) -> bool {
        let connection = &mut *self.connection;
        let mut adapted = false;
        if connection.end.is_none_or(|end| is_over(self.now, end, self.class.trtt)) {
            if connection.trigger_qa && connection.end.is_some() {
                connection.trigger_qa = false;
                adapted = true;
                connection.cwnd = self.class.mtu.max(connection.acked as f64) * self.constants.qa_scaling;
                connection.bytes_to_ignore = u64::from(self.p.in_flight_bytes).min(MOST_COUNTED);
                connection.bytes_ignored = 0;
                (connection.waiting, connection.waiting_bytes) = (0, 0); // rule 13
            }
            connection.end = Some(self.now + self.class.trtt);
            connection.acked = 0;
        }
        adapted
    }

    /// Algorithm 3. The RTT is close to the base RTT up to a constant.
    fn fast_increase(&mut self) -> bool {
        let calm = self.rtt() <= self.class.fast_rtt && !self.p.ecn && !self.single_signal(); // rule 9
        let connection = &mut *self.connection;
        if !calm {
            connection.count = 0;
            connection.increase = false;
            return false;
        }
        connection.count = (connection.count + u64::from(self.p.bytes)).min(MOST_COUNTED);
        connection.increase = connection.increase
            || (self.judge)(Question::FastIncrease, connection.count as f64 - connection.cwnd);
        // Until line 36 the block counts only up to the largest window that QuickAdapt can set (rule 17).
        let finc = connection.increase && connection.cwnd < MOST_COUNTED as f64;
        if finc {
            connection.cwnd += self.constants.k * self.class.mtu;
        }
        finc
    }

    /// Sums sizes up to the ACK that triggers the reaction (rule 19).
    fn wait_for_a_reaction(&mut self) -> Case {
        let connection = &mut *self.connection;
        connection.waiting += 1;
        connection.waiting_bytes = (connection.waiting_bytes + u64::from(self.p.bytes)).min(MOST_WAITING);
        if connection.waiting < self.constants.granularity {
            return Case::Waiting;
        }
        let size = connection.waiting_bytes as f64;
        (connection.waiting, connection.waiting_bytes) = (0, 0);
        self.react(size)
    }

    /// Algorithm 1, lines 19 to 27.
    fn react(&mut self, size: f64) -> Case {
        let high = self.counted_rtt() > self.class.trtt;
        let ecn = if self.constants.signals == Signals::Delay { high } else { self.p.ecn };
        if !ecn && high {
            self.connection.cwnd += self.fair_increase(size).min(MOST_CHANGED);
            return Case::FairIncrease;
        }
        if !ecn {
            self.multiplicative_increase(size);
            return Case::MultiplicativeIncrease;
        }
        let above = self.connection.avg_wtd - self.constants.threshold;
        if !self.single_signal() && !(self.judge)(Question::MayDecrease, above) {
            return Case::Held;
        }
        let most = if self.single_signal() { size / 2.0 } else { size };
        let (decrease, case) = if high {
            // Both decreases together subtract at most the packet (rule 24).
            (self.multiplicative_decrease(size) + self.fair_decrease(size), Case::MultiplicativeDecrease)
        } else {
            (self.fair_decrease(size), Case::FairDecrease)
        };
        self.connection.cwnd = (self.connection.cwnd - decrease.min(most)).max(0.0);
        case
    }

    /// Equation 1.
    fn fair_decrease(&self, size: f64) -> f64 {
        self.connection.cwnd / self.class.bdp * self.class.fd * size
    }

    /// Equation 2, without its limit.
    fn multiplicative_decrease(&self, size: f64) -> f64 {
        let (rtt, trtt) = (self.counted_rtt() as f64, self.class.trtt as f64);
        (rtt - trtt) / rtt * self.constants.md * size
    }

    /// Equation 3.
    fn fair_increase(&self, size: f64) -> f64 {
        size / self.connection.cwnd * self.class.mtu * self.class.fi
    }

    /// Equation 4, then equation 3, limited together by rule 20.
    fn multiplicative_increase(&mut self, size: f64) {
        let (rtt, trtt) = (self.counted_rtt() as f64, self.class.trtt as f64);
        let multiplicative =
            (trtt - rtt) / rtt * size / self.connection.cwnd * self.class.mtu * self.class.mi;
        let fair = self.fair_increase(size);
        let both = multiplicative.min(size) + fair;
        self.connection.cwnd += if both <= MOST_CHANGED {
            both
        } else if (self.judge)(Question::Limited, multiplicative - size) {
            size + fair.min(MOST_CHANGED)
        } else {
            MOST_CHANGED
        };
    }

    /// The paper has `rtt >= brtt` (rule 8).
    fn rtt(&self) -> u64 {
        u64::from(self.p.rtt_ticks).max(self.class.brtt)
    }

    /// RTT that counts: the target RTT if the delay is not a signal (rule 9).
    fn counted_rtt(&self) -> u64 {
        if self.constants.signals == Signals::Ecn { self.class.trtt } else { self.rtt() }
    }

    fn single_signal(&self) -> bool {
        self.constants.signals != Signals::Both
    }
}

/// `now >= end`, where both are known modulo [`TIME_WRAP`] and a period is at most the target RTT.
fn is_over(now: u64, end: u64, trtt: u64) -> bool {
    let ahead = (i128::from(end) - i128::from(now)).rem_euclid(TIME_WRAP);
    !(1..=i128::from(trtt)).contains(&ahead)
}

/// Windows of the oracle, rounded down for the sender. Times count as absolute, which is right for 2^32
/// ticks: no simulation with the oracle is longer.
impl Window for Oracle {
    type Error = Infallible;

    fn connections(&self) -> u32 {
        u32::MAX
    }

    fn event(&mut self, event: &Event) -> Result<Outcome, Infallible> {
        let Answer { accepted, case, cwnd } = self.step(event, event.now_ticks.into(), &mut plainly);
        let Event { kind, connection, .. } = *event;
        Ok(Outcome { kind, connection, accepted, case, cwnd_bytes: cwnd as u32 })
    }
}
