//! Random lockstep runs of the SMaRTT block: resets with junk in the registers, idle clocks, bursts,
//! back-pressure, all cases, all CSRs. Everything follows from the seed.

use super::stimulus::{Stimulus, any_csr, random_csr};
use crate::lockstep::{Driver, Turn};
use serde::{Serialize, Serializer};
use weft_nic::block::smartt::{Case, Clocked, Event, Inputs, LATENCY, Outputs, SPACING};
use weft_params::{SmarttCsr, SmarttParams};
use weft_random::Rng;

/// Most clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 100_000;

/// What happened in a run, so that one which tests nothing is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Answers taken.
    pub answers: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// Answers of each case, by its code.
    #[serde(serialize_with = "by_name")]
    pub cases: [u64; Case::ALL.len()],
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

fn by_name<S: Serializer>(cases: &[u64; Case::ALL.len()], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Case::ALL.map(|case| (format!("{case:?}"), cases[case as usize])))
}

impl Tally {
    /// Counts one clock.
    #[inline]
    pub fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.events += u64::from(inputs.event_valid && outputs.event_ready);
        self.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        if outputs.window_valid && inputs.window_ready {
            let user = outputs.window_user;
            self.answers += 1;
            self.not_open += u64::from(user >> 4 & 1 == 0);
            self.cases[usize::from(user & 15)] += 1;
        }
    }
}

/// Drives a block for a number of clocks.
pub struct RandomDriver {
    rng: Rng,
    params: SmarttParams,
    clocks_left: u64,
    segment_left: u32,
    state: State,
    stimulus: Stimulus,
    /// The event that is offered and not yet taken.
    offered: Option<Event>,
    /// Of 256 clocks, how many have no event and how many no room for an answer.
    idle: u32,
    stall: u32,
    /// What happened so far.
    pub tally: Tally,
}

enum State {
    /// Clocks of reset still to give.
    Reset(u32),
    Run,
    /// Clocks to wait until the pipeline is empty.
    Drain(u32),
}

impl RandomDriver {
    /// A run of `clocks` clocks.
    pub fn new(seed: u64, params: SmarttParams, clocks: u64) -> Self {
        let mut rng = Rng::new(seed);
        let stimulus = Stimulus::new(Rng::new(rng.draw()), params, &SmarttCsr::default());
        Self {
            rng,
            params,
            clocks_left: clocks,
            segment_left: SEGMENT_CLOCKS,
            state: State::Reset(0),
            stimulus,
            offered: None,
            idle: 0,
            stall: 0,
            tally: Tally::default(),
        }
    }

    fn new_segment(&mut self) -> Turn<Clocked> {
        let rng = &mut self.rng;
        // Model and RTL agree on registers that no software should write, too.
        let csr = if rng.below(8) == 0 { any_csr(rng) } else { random_csr(rng) };
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &csr);
        self.idle = [0, 0, 20, 128, 250][rng.below(5) as usize];
        self.stall = [0, 0, 20, 128, 240][rng.below(5) as usize];
        self.segment_left = 1 + rng.below(SEGMENT_CLOCKS);
        Turn::Configure(csr)
    }

    fn clock(&mut self, inputs: Inputs, outputs: &Outputs) -> Turn<Clocked> {
        self.clocks_left -= 1;
        self.tally.count(outputs, &inputs);
        Turn::Clock(inputs)
    }

    /// Anything on the ports of the event.
    fn junk(&mut self) -> Inputs {
        let (draw, data) = (self.rng.draw(), self.rng.draw());
        Inputs {
            now: draw as u32 & 0xF_FFFF,
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: u128::from(data) << 8 | u128::from(draw & 0xFF),
            event_user: (draw >> 58) as u8,
            window_ready: draw >> 33 & 1 == 1,
            rst: false,
        }
    }
}

impl Driver<Clocked> for RandomDriver {
    #[inline]
    fn next(&mut self, outputs: &Outputs) -> Turn<Clocked> {
        if self.clocks_left == 0 {
            return Turn::End;
        }
        match self.state {
            // Before the first reset, and then now and again, with anything on the other ports.
            State::Reset(0) => {
                self.state = State::Reset(1 + self.rng.below(3));
                self.tally.resets += 1;
                self.new_segment()
            }
            State::Reset(left) => {
                self.state = if left == 1 { State::Run } else { State::Reset(left - 1) };
                self.offered = None;
                // A reset takes no event, whatever the ports say.
                self.clocks_left -= 1;
                Turn::Clock(Inputs { rst: true, ..self.junk() })
            }
            State::Drain(0) => {
                self.state = State::Run;
                self.new_segment()
            }
            State::Drain(left) => {
                self.state = State::Drain(left - 1);
                self.clock(Inputs { window_ready: true, ..Inputs::default() }, outputs)
            }
            State::Run => {
                if self.segment_left == 0 && self.offered.is_none() {
                    let reset = self.rng.below(2) == 0;
                    // An event in the input register may still wait for the one before it.
                    let empty = (LATENCY + SPACING) as u32;
                    self.state = if reset { State::Reset(0) } else { State::Drain(empty) };
                    return self.next(outputs);
                }
                self.segment_left = self.segment_left.saturating_sub(1);
                let draw = self.rng.draw();
                if self.offered.is_none() && self.segment_left > 0 && (draw & 255) as u32 >= self.idle {
                    self.offered = Some(self.stimulus.event().0);
                }
                // Junk beside a low tvalid must not matter.
                let inputs = match &self.offered {
                    Some(event) => Inputs::default().with_event(event),
                    None => Inputs { event_valid: false, ..self.junk() },
                };
                if inputs.event_valid && outputs.event_ready {
                    self.offered = None;
                }
                let window_ready = (draw >> 8 & 255) as u32 >= self.stall;
                self.clock(Inputs { window_ready, ..inputs }, outputs)
            }
        }
    }
}
