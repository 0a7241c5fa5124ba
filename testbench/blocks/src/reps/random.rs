//! Random lockstep runs of the REPS block: resets with junk in the registers, idle clocks, bursts,
//! back-pressure, all modes, all CSRs. Everything follows from the seed.

use super::stimulus::{Stimulus, random_csr};
use crate::lockstep::{Driver, Turn};
use serde::Serialize;
use weft_nic::block::reps::{Clocked, Event, Inputs, LATENCY, Outputs};
use weft_params::{RepsCsr, RepsParams};
use weft_random::Rng;

/// Clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 20_000;

/// What happened in a run, so that one which tests nothing is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// Events for connections that were not open.
    pub not_open: u64,
    /// Packets with a new entropy value.
    pub explored: u64,
    /// Packets with a cached one.
    pub recycled: u64,
    /// Packets with a used one, while frozen.
    pub reused: u64,
    /// Times that freezing mode began.
    pub freezes: u64,
    /// Times that it ended.
    pub thaws: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

impl Tally {
    /// Counts one clock.
    #[inline]
    pub fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        self.events += u64::from(inputs.event_valid && outputs.event_ready);
        self.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        if outputs.decision_valid && inputs.decision_ready {
            let user = outputs.decision_user;
            let bit = |index: u32| u64::from(user >> index & 1);
            self.decisions += 1;
            self.not_open += 1 - bit(3);
            let source = user >> 4 & 3;
            self.explored += u64::from(source == 1);
            self.recycled += u64::from(source == 2);
            self.reused += u64::from(source == 3);
            self.freezes += bit(7) & bit(6);
            self.thaws += bit(7) & !bit(6);
        }
    }
}

/// Drives a block for a number of clocks.
pub struct RandomDriver {
    rng: Rng,
    params: RepsParams,
    clocks_left: u64,
    segment_left: u32,
    state: State,
    csr: RepsCsr,
    stimulus: Stimulus,
    /// The event that is offered and not yet taken.
    offered: Option<Event>,
    /// Of 256 clocks, how many have no event and how many no room for a decision.
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
    pub fn new(seed: u64, params: RepsParams, clocks: u64) -> Self {
        let mut rng = Rng::new(seed);
        let csr = random_csr(&mut rng, &params);
        let stimulus = Stimulus::new(Rng::new(rng.draw()), params, &csr);
        Self {
            rng,
            params,
            clocks_left: clocks,
            segment_left: SEGMENT_CLOCKS,
            state: State::Reset(0),
            csr,
            stimulus,
            offered: None,
            idle: 0,
            stall: 0,
            tally: Tally::default(),
        }
    }

    /// The CSRs in force.
    pub fn csr(&self) -> &RepsCsr {
        &self.csr
    }

    fn new_segment(&mut self) -> Turn<Clocked> {
        let rng = &mut self.rng;
        self.csr = random_csr(rng, &self.params);
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &self.csr);
        self.idle = [0, 0, 20, 128, 250][rng.below(5) as usize];
        self.stall = [0, 0, 20, 128, 240][rng.below(5) as usize];
        self.segment_left = SEGMENT_CLOCKS;
        Turn::Configure(self.csr)
    }

    fn clock(&mut self, inputs: Inputs, outputs: &Outputs) -> Turn<Clocked> {
        self.clocks_left -= 1;
        self.tally.count(outputs, &inputs);
        Turn::Clock(inputs)
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
                let junk = self.rng.draw();
                let inputs = Inputs {
                    rst: true,
                    now: junk as u32,
                    event_valid: junk >> 32 & 1 == 1,
                    event_id: (junk >> 40) as u32 & (self.params.connections - 1),
                    event_data: (junk >> 20) as u32,
                    event_user: (junk >> 60) as u8,
                    decision_ready: junk >> 33 & 1 == 1,
                };
                // A reset takes no event, whatever the ports say.
                self.clocks_left -= 1;
                Turn::Clock(inputs)
            }
            State::Drain(0) => {
                self.state = State::Run;
                self.new_segment()
            }
            State::Drain(left) => {
                self.state = State::Drain(left - 1);
                self.clock(Inputs { decision_ready: true, ..Inputs::default() }, outputs)
            }
            State::Run => {
                if self.segment_left == 0 && self.offered.is_none() {
                    let reset = self.rng.below(2) == 0;
                    self.state = if reset { State::Reset(0) } else { State::Drain(LATENCY as u32 + 2) };
                    return self.next(outputs);
                }
                self.segment_left = self.segment_left.saturating_sub(1);
                let draw = self.rng.draw();
                if self.offered.is_none() && self.segment_left > 0 && (draw & 255) as u32 >= self.idle {
                    self.offered = Some(self.stimulus.event().0);
                }
                let mut inputs =
                    Inputs { decision_ready: (draw >> 8 & 255) as u32 >= self.stall, ..Inputs::default() };
                match &self.offered {
                    Some(event) => inputs = inputs.with_event(event),
                    // Junk beside a low tvalid must not matter.
                    None => {
                        inputs.now = draw as u32;
                        inputs.event_id = (draw >> 32) as u32 & (self.params.connections - 1);
                        inputs.event_data = (draw >> 24) as u32;
                        inputs.event_user = (draw >> 60) as u8;
                    }
                }
                if inputs.event_valid && outputs.event_ready {
                    self.offered = None;
                }
                self.clock(inputs, outputs)
            }
        }
    }
}
