//! The naive oracle: NSCC as the specification prints it (Ultra Ethernet 1.0, section 3.6.13), function by
//! function, over real numbers, with absolute time. The oracle shares neither code nor encoding with the
//! model. Where the specification is silent, the rules of `docs/blocks/nscc.md` apply, cited by number.

use std::collections::HashMap;
use std::convert::Infallible;
use weft_nic::block::window::{Case, Event, Kind, Outcome, Window};
use weft_params::{Network, NsccClass, NsccCsr, NsccParams, ParamError};

/// Link rate and base RTT for which `scaling_a` is 1: 100 Gb/s times 12 us, in bytes.
const REFERENCE_BDP: f64 = 150_000.0;
/// Upper limit of the block's increase (rule 11), in square bytes.
const MOST_INCREASE: f64 = ((1u64 << 37) - 256) as f64;
/// Maximum number of bytes that one event adds to the increase (rule 11).
const MOST_COUNTED: u64 = (1 << 17) - 1;
/// Moduli in ticks of the times of QuickAdapt and of adjustments (rules 9 and 14).
const WRAPS: [u64; 2] = [1 << 12, 1 << 11];

/// The constants of flows with the same base RTT: Table 3-82.
#[derive(Clone, Copy, Debug)]
pub struct ClassConstants {
    /// MTU in bytes.
    pub mtu: f64,
    /// `max_wnd` in bytes.
    pub max_wnd: f64,
    /// `config_base_rtt` in ticks, in which times are measured.
    pub base_rtt: u64,
    /// `target_qdelay` in ticks.
    pub target_qdelay: u64,
    /// Largest delay that counts as about 0.
    pub calm: u64,
    /// `alpha` in bytes per tick.
    pub alpha: f64,
    /// `fi` in bytes.
    pub fi: f64,
    /// `fi_scale`.
    pub fi_scale: f64,
    /// `eta` in bytes.
    pub eta: f64,
}

/// All constants.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// Constants of each class.
    pub classes: [ClassConstants; NsccParams::CLASSES],
    /// `gamma`
    pub gamma: f64,
    /// Weights of the newest 1 to 16 packets in the average delay (rule 6).
    pub alphas: [f64; 16],
    /// `qa_threshold` counts.
    pub adapt_by_delay: bool,
}

impl Constants {
    /// Table 3-82 for a network, not rounded. Three values are rounded as the registers round them: times in
    /// ticks, as measured RTTs are; `gamma`; the weights of the average.
    pub fn of(network: &Network) -> Result<Self, ParamError> {
        let csr = network.nscc()?;
        let rtts = &network.base_rtt_ns;
        let tick_ns = f64::from(network.sizing()?.network.tick_ps.unwrap_or_default()) / 1e3;
        let classes = std::array::from_fn(|at| {
            let base_rtt_ns = f64::from(rtts[at.min(rtts.len() - 1)]);
            let mtu = f64::from(network.mtu_bytes);
            let bytes_per_ns = f64::from(network.link_gbps) / 8.0;
            let qdelay_ns = if network.trimming { 0.75 * base_rtt_ns } else { base_rtt_ns };
            let scaling_a = bytes_per_ns * base_rtt_ns / REFERENCE_BDP;
            let scaling_b = qdelay_ns / 12_000.0;
            ClassConstants {
                // A packet counts from its choice on, before it leaves (as in SMaRTT's windows).
                max_wnd: 1.5 * bytes_per_ns * (base_rtt_ns + f64::from(network.wait_ns)),
                alpha: 4.0 * scaling_a * scaling_b * mtu / (qdelay_ns / tick_ns),
                fi: 5.0 * mtu * scaling_a,
                fi_scale: 0.25 * scaling_a,
                eta: 0.15 * mtu * scaling_a,
                ..ClassConstants::from((&csr.classes[at], csr.eta))
            }
        });
        Ok(Self { classes, ..Self::from(&csr) })
    }
}

impl From<(&NsccClass, u32)> for ClassConstants {
    fn from((class, eta): (&NsccClass, u32)) -> Self {
        let fi = f64::from(class.fair_increase) / 64.0;
        Self {
            mtu: class.mtu_bytes.into(),
            max_wnd: class.max_cwnd_bytes.into(),
            base_rtt: class.base_rtt_ticks.into(),
            target_qdelay: class.target_delay_ticks.into(),
            calm: class.calm_delay_ticks.into(),
            alpha: f64::from(class.proportional_increase) / 4096.0,
            fi,
            fi_scale: f64::from(class.fast_increase) / f64::from(1 << 20),
            eta: fi * f64::from(eta) / 4096.0,
        }
    }
}

impl From<&NsccCsr> for Constants {
    /// The constants in the registers, as real numbers.
    fn from(csr: &NsccCsr) -> Self {
        Self {
            classes: csr.classes.each_ref().map(|class| ClassConstants::from((class, csr.eta))),
            gamma: f64::from(csr.gamma) / 256.0,
            alphas: std::array::from_fn(|at| f64::from(csr.alpha_of(at)) / 256.0),
            adapt_by_delay: csr.adapt_by_delay,
        }
    }
}

/// State of a source (Table 3-77) without the part that the transport holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// The window in bytes.
    pub cwnd: f64,
    /// Part of QuickAdapt.
    pub achieved_bytes: u64,
    /// Part of the adjustment.
    pub received_bytes: u64,
    /// Part of fast increase.
    pub fi_count: u64,
    /// Fast increase is on.
    pub increase: bool,
    /// Part of QuickAdapt.
    pub trigger_qa: bool,
    /// Part of QuickAdapt. `None` is 0, when no period has begun.
    pub qa_endtime: Option<u64>,
    /// Part of QuickAdapt.
    pub bytes_to_ignore: u64,
    /// Part of QuickAdapt.
    pub bytes_ignored: u64,
    /// Waiting increase, in square bytes.
    pub inc_bytes: f64,
    /// Part of the adjustment.
    pub last_adjust_time: u64,
    /// Part of multiplicative decrease.
    pub last_dec_time: u64,
    /// `get_avg_delay()`, in ticks.
    pub avg_delay: f64,
}

/// A comparison of real numbers whose result decides more than a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `fi_count > cwnd`.
    FastIncrease,
    /// `avg_delay > target_qdelay`.
    Decrease,
    /// `achieved_bytes < max_wnd >> qa_gate`.
    Gate,
}

/// Answers a [`Question`], given the left number minus the right one.
pub type Judge<'a> = &'a mut dyn FnMut(Question, f64) -> bool;

/// Answers a question by the numbers alone.
pub fn plainly(question: Question, difference: f64) -> bool {
    match question {
        Question::FastIncrease | Question::Decrease => difference > 0.0,
        Question::Gate => difference < 0.0,
    }
}

/// The answer of the oracle to an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The connection was open, or the event does not need an open one.
    pub accepted: bool,
    /// The case of the event.
    pub case: Case,
    /// Window after the event in bytes; 0 if closed.
    pub cwnd: f64,
}

/// All connections, by the text of the specification.
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

    /// The state of a connection; `None` when it is closed.
    pub fn connection(&self, connection: u32) -> Option<&Connection> {
        self.connections.get(&connection)
    }

    /// Gives a connection another state.
    pub fn set_connection(&mut self, connection: u32, state: Option<Connection>) {
        match state {
            Some(state) => self.connections.insert(connection, state),
            None => self.connections.remove(&connection),
        };
    }

    /// Handles one event at the absolute time `now` in ticks.
    pub fn step(&mut self, event: &Event, now: u64, judge: Judge) -> Answer {
        let constants = self.constants;
        let class = &constants.classes[usize::from(event.class)];
        // Rule 15.
        let bounded = |cwnd: f64| cwnd.min(class.max_wnd).max(class.mtu);
        if event.kind == Kind::Open {
            let cwnd = bounded(class.max_wnd);
            let connection = Connection {
                cwnd,
                achieved_bytes: 0,
                received_bytes: 0,
                fi_count: 0,
                increase: false,
                trigger_qa: false,
                qa_endtime: None,
                bytes_to_ignore: 0,
                bytes_ignored: 0,
                inc_bytes: 0.0,
                last_adjust_time: now,
                last_dec_time: now,
                avg_delay: 0.0,
            };
            self.connections.insert(event.connection, connection);
            return Answer { accepted: true, case: Case::None, cwnd };
        }
        if event.kind == Kind::Close {
            let was_open = self.connections.remove(&event.connection).is_some();
            return Answer { accepted: was_open, case: Case::None, cwnd: 0.0 };
        }
        let Some(ccc) = self.connections.get_mut(&event.connection) else {
            return Answer { accepted: false, case: Case::None, cwnd: 0.0 };
        };
        let size = u64::from(event.bytes);
        let mut source = Source { constants: &constants, class, ccc, event, size, now, judge };
        let case = match event.kind {
            Kind::Ack => source.on_ack(),
            Kind::Trim => source.on_nack(),
            Kind::Timeout => source.on_inferred_loss(),
            _ => return Answer { accepted: false, case: Case::None, cwnd: ccc.cwnd },
        };
        ccc.cwnd = bounded(ccc.cwnd);
        Answer { accepted: true, case, cwnd: ccc.cwnd }
    }
}

/// The functions of the pseudocode.
struct Source<'a> {
    constants: &'a Constants,
    class: &'a ClassConstants,
    ccc: &'a mut Connection,
    event: &'a Event,
    /// `newly_rcvd_bytes`, or the size of the lost packet.
    size: u64,
    now: u64,
    judge: Judge<'a>,
}

impl Source<'_> {
    fn on_ack(&mut self) -> Case {
        let (now, class) = (self.now, self.class);
        self.ccc.bytes_ignored += self.size;
        self.ccc.received_bytes += self.size;
        self.ccc.achieved_bytes += self.size;
        let m_flag = self.event.ecn;
        if self.event.rtt_ticks == 0 {
            return Case::None; // INVALID_RTT
        }
        let delay = u64::from(self.event.rtt_ticks).saturating_sub(class.base_rtt).min(4_095);
        self.update_delay(delay);
        if let Some(case) = self.quick_adapt(false, m_flag, delay) {
            return case;
        }
        let case = match (m_flag, delay >= class.target_qdelay) {
            (false, true) => self.fair_increase(),
            (false, false) => self.proportional_increase(delay),
            (true, true) => self.multiplicative_decrease(),
            (true, false) => Case::Held,
        };
        let elapsed = since(now, self.ccc.last_adjust_time) >= class.base_rtt;
        if elapsed || self.ccc.received_bytes as f64 > 8.0 * class.mtu {
            self.fulfill_adjustment(elapsed);
        }
        case
    }

    fn on_inferred_loss(&mut self) -> Case {
        self.ccc.cwnd = (self.ccc.cwnd - self.size as f64).max(self.class.mtu);
        self.ccc.bytes_ignored += self.size;
        Case::Loss
    }

    fn on_nack(&mut self) -> Case {
        self.update_delay(self.class.base_rtt);
        self.ccc.bytes_ignored += self.size;
        self.ccc.trigger_qa = true;
        if let Some(case) = self.quick_adapt(true, true, 0) {
            return case;
        }
        self.ccc.cwnd = (self.ccc.cwnd - self.size as f64).max(self.class.mtu);
        Case::Loss
    }

    fn update_delay(&mut self, delay: u64) {
        let alpha = self.constants.alphas[usize::from(self.event.packets) - 1];
        self.ccc.avg_delay = alpha * delay as f64 + (1.0 - alpha) * self.ccc.avg_delay;
    }

    fn quick_adapt(&mut self, is_loss: bool, m_flag: bool, qdelay: u64) -> Option<Case> {
        let class = self.class;
        let mut done_or_ignore = None;
        if self.ccc.bytes_ignored < self.ccc.bytes_to_ignore && m_flag {
            done_or_ignore = Some(Case::Ignored);
        } else if self.ccc.qa_endtime.is_none_or(|end| is_over(self.now, end, class)) {
            let late = self.constants.adapt_by_delay && qdelay > 4 * class.target_qdelay;
            if self.ccc.qa_endtime.is_some()
                && (self.ccc.trigger_qa || is_loss || late)
                && (self.judge)(
                    Question::Gate,
                    self.ccc.achieved_bytes as f64 - (class.max_wnd / 8.0).floor(),
                )
            {
                self.ccc.cwnd = (self.ccc.achieved_bytes as f64).max(class.mtu);
                self.ccc.bytes_to_ignore = u64::from(self.event.in_flight_bytes).min((1 << 23) - 1);
                self.ccc.bytes_ignored = 0;
                self.ccc.trigger_qa = false;
                done_or_ignore = Some(Case::QuickAdapt);
            }
            self.ccc.achieved_bytes = 0;
            self.ccc.qa_endtime = Some(self.now + class.base_rtt + class.target_qdelay);
        }
        if done_or_ignore.is_some() {
            self.ccc.inc_bytes = 0.0;
            self.ccc.received_bytes = 0;
        }
        done_or_ignore
    }

    fn increase_by(&mut self, gain: f64) {
        let size = self.size.min(MOST_COUNTED) as f64;
        self.ccc.inc_bytes = (self.ccc.inc_bytes + gain * size).min(MOST_INCREASE);
    }

    fn fair_increase(&mut self) -> Case {
        self.increase_by(self.class.fi);
        Case::FairIncrease
    }

    fn proportional_increase(&mut self, delay: u64) -> Case {
        self.fast_increase(delay);
        if self.ccc.increase {
            return Case::FastIncrease;
        }
        // The gain is limited to what the block's register can hold (rule 12).
        let gain = self.class.alpha * (self.class.target_qdelay - delay) as f64;
        self.increase_by(gain.min(((1u64 << 30) - 1) as f64 / 64.0));
        Case::MultiplicativeIncrease
    }

    fn fast_increase(&mut self, delay: u64) {
        if delay <= self.class.calm {
            self.ccc.fi_count += self.size;
            let above = self.ccc.fi_count as f64 - self.ccc.cwnd;
            if self.ccc.increase || (self.judge)(Question::FastIncrease, above) {
                let size = self.size.min(MOST_COUNTED) as f64;
                self.ccc.cwnd = (self.ccc.cwnd + size * self.class.fi_scale).min(self.class.max_wnd);
                self.ccc.increase = true;
                return;
            }
        } else {
            self.ccc.fi_count = 0;
        }
        self.ccc.increase = false;
    }

    fn multiplicative_decrease(&mut self) -> Case {
        self.ccc.increase = false;
        self.ccc.fi_count = 0;
        let (avg_delay, target) = (self.ccc.avg_delay, self.class.target_qdelay as f64);
        let due = since(self.now, self.ccc.last_dec_time) > self.class.base_rtt;
        if due && (self.judge)(Question::Decrease, avg_delay - target) {
            self.ccc.cwnd *= (1.0 - self.constants.gamma * (avg_delay - target) / avg_delay).max(0.5);
            self.ccc.cwnd = self.ccc.cwnd.max(self.class.mtu);
            self.ccc.last_dec_time = self.now;
            return Case::MultiplicativeDecrease;
        }
        Case::Held
    }

    fn fulfill_adjustment(&mut self, elapsed: bool) {
        self.ccc.cwnd += self.ccc.inc_bytes / self.ccc.cwnd;
        if elapsed {
            self.ccc.last_adjust_time = self.now;
            self.ccc.cwnd += self.class.eta;
        }
        self.ccc.cwnd = self.ccc.cwnd.min(self.class.max_wnd);
        self.ccc.inc_bytes = 0.0;
        self.ccc.received_bytes = 0;
    }
}

/// Rule 9: `now >= qa_endtime`, as far as the block's time can decide it.
fn is_over(now: u64, end: u64, class: &ClassConstants) -> bool {
    let ahead = end.wrapping_sub(now) % WRAPS[0];
    !(1..=class.base_rtt + class.target_qdelay).contains(&ahead)
}

/// Rules 13 and 14: time since `then`, as far as the block's time can decide it.
fn since(now: u64, then: u64) -> u64 {
    now.wrapping_sub(then) % WRAPS[1]
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
