//! Random lockstep runs of the SACK receiver: resets with junk in the registers, idle clocks, bursts,
//! back-pressure, all CSRs. Everything follows from the seed.

use super::stimulus::{Feedback, Stimulus, random_csr};
use crate::lockstep::{Driver, Turn};
use serde::Serialize;
use weft_nic::block::sack_rx::{Clocked, Event, Inputs, LATENCY, Outputs, Response, Verdict};
use weft_params::{SackParams, SackRxCsr};
use weft_random::Rng;

/// Most clocks between two configurations.
const SEGMENT_CLOCKS: u32 = 100_000;

/// What happened in a run, so that one which tests nothing is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Outcomes taken.
    pub outcomes: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// New packets.
    pub placed: u64,
    /// Packets received before.
    pub duplicates: u64,
    /// Packets beyond the window.
    pub outside: u64,
    /// Packets without their payload, which had not come before.
    pub trimmed: u64,
    /// ACKs to send.
    pub acks: u64,
    /// NACKs to send.
    pub nacks: u64,
    /// Packets that gather, unanswered.
    pub gathered: u64,
    /// Messages completed.
    pub messages: u64,
    /// Packets that moved the window by all its 256 PSNs.
    pub full_windows: u64,
    /// Packets that completed 256 messages.
    pub full_of_messages: u64,
    /// Packets received beyond the cumulative PSN, at most.
    pub out_of_order_max: u64,
    /// Events of one connection accepted in a row, in one clock after the other, at most.
    pub in_a_row_max: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

/// Counts what the ports do.
#[derive(Clone, Debug)]
struct Counter {
    tally: Tally,
    /// The cumulative PSN of every connection.
    expected: Vec<u32>,
    /// The connection of the last clock's event, and its events in a row.
    row: (Option<u32>, u64),
}

impl Counter {
    #[inline]
    fn count(&mut self, outputs: &Outputs, inputs: &Inputs) {
        let tally = &mut self.tally;
        tally.stalls += u64::from(inputs.event_valid && !outputs.event_ready);
        let taken = (inputs.event_valid && outputs.event_ready).then_some(inputs.event_id);
        tally.events += u64::from(taken.is_some());
        let before = if self.row.0 == taken { self.row.1 } else { 0 };
        self.row = (taken, before + u64::from(taken.is_some()));
        tally.in_a_row_max = tally.in_a_row_max.max(self.row.1);
        if !outputs.outcome_valid || !inputs.outcome_ready {
            return;
        }
        let (user, last) = (outputs.outcome_user, outputs.outcome_data[6]);
        let verdict = Verdict::ALL.get(usize::from(user >> 4 & 7));
        let response = Response::ALL.get(usize::from(user >> 7 & 3));
        let completed = last & 0xFFFF;
        tally.outcomes += 1;
        tally.not_open += u64::from(user >> 3 & 1 == 0);
        tally.placed += u64::from(verdict == Some(&Verdict::Placed));
        tally.duplicates += u64::from(verdict == Some(&Verdict::Duplicate));
        tally.outside += u64::from(verdict == Some(&Verdict::Outside));
        tally.trimmed += u64::from(verdict == Some(&Verdict::Trimmed));
        tally.acks += u64::from(response == Some(&Response::Ack));
        tally.nacks += u64::from(response == Some(&Response::Nack));
        tally.gathered += u64::from(verdict == Some(&Verdict::Placed) && response == Some(&Response::None));
        tally.messages += completed;
        tally.full_of_messages += u64::from(completed == 256);
        let expected = outputs.outcome_data[4] as u32 & 0xFF_FFFF;
        let before = std::mem::replace(&mut self.expected[outputs.outcome_id as usize], expected);
        let moved = expected.wrapping_sub(before) & 0xFF_FFFF;
        tally.full_windows += u64::from(verdict == Some(&Verdict::Placed) && moved == 256);
        tally.out_of_order_max = tally.out_of_order_max.max(last >> 16 & 0xFF);
    }
}

/// Drives a block for a number of clocks.
pub struct RandomDriver {
    rng: Rng,
    params: SackParams,
    clocks_left: u64,
    segment_left: u32,
    state: State,
    stimulus: Stimulus,
    /// The event that is offered and not yet taken.
    offered: Option<Event>,
    /// Of 256 clocks, how many have no event and how many no room for an outcome.
    idle: u32,
    stall: u32,
    counter: Counter,
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
    pub fn new(seed: u64, params: SackParams, clocks: u64) -> Self {
        let mut rng = Rng::new(seed);
        let stimulus = Stimulus::new(Rng::new(rng.draw()), params, true);
        Self {
            rng,
            params,
            clocks_left: clocks,
            segment_left: 0,
            state: State::Reset(0),
            stimulus,
            offered: None,
            idle: 0,
            stall: 0,
            counter: Counter {
                tally: Tally::default(),
                expected: vec![0; params.connections as usize],
                row: (None, 0),
            },
        }
    }

    /// What happened so far.
    pub fn tally(&self) -> Tally {
        self.counter.tally
    }

    fn new_segment(&mut self) -> Turn<Clocked> {
        let rng = &mut self.rng;
        self.idle = [0, 0, 20, 128, 250][rng.below(5) as usize];
        self.stall = [0, 0, 20, 128, 240][rng.below(5) as usize];
        self.segment_left = 1 + rng.below(SEGMENT_CLOCKS);
        // Model and RTL agree on registers that no software should write, too.
        let any = SackRxCsr { ack_packets: rng.below(1 << 8), ack_bytes: rng.below(1 << 16) };
        Turn::Configure(if rng.below(8) == 0 { any } else { random_csr(rng) })
    }

    fn clock(&mut self, inputs: Inputs, outputs: &Outputs) -> Turn<Clocked> {
        self.clocks_left -= 1;
        self.counter.count(outputs, &inputs);
        if outputs.outcome_valid && inputs.outcome_ready {
            self.stimulus.learn(Feedback::from(outputs));
        }
        Turn::Clock(inputs)
    }

    /// Anything on the ports of the event.
    fn junk(&mut self) -> Inputs {
        let (draw, data) = (self.rng.draw(), self.rng.draw());
        Inputs {
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: u128::from(data) << 8 | u128::from(draw & 0xFF),
            event_user: (draw >> 58) as u8,
            outcome_ready: draw >> 33 & 1 == 1,
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
                self.counter.tally.resets += 1;
                let obedient = self.rng.below(2) == 0;
                self.stimulus = Stimulus::new(Rng::new(self.rng.draw()), self.params, obedient);
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
                self.clock(Inputs { outcome_ready: true, ..Inputs::default() }, outputs)
            }
            State::Run => {
                if self.segment_left == 0 && self.offered.is_none() {
                    let reset = self.rng.below(4) == 0;
                    self.state = if reset { State::Reset(0) } else { State::Drain(LATENCY as u32 + 2) };
                    return self.next(outputs);
                }
                self.segment_left = self.segment_left.saturating_sub(1);
                let draw = self.rng.draw();
                if self.offered.is_none() && self.segment_left > 0 && (draw & 255) as u32 >= self.idle {
                    self.offered = self.stimulus.event();
                }
                // Junk beside a low tvalid must not matter.
                let inputs = match &self.offered {
                    Some(event) => Inputs::default().with_event(event),
                    None => Inputs { event_valid: false, ..self.junk() },
                };
                if inputs.event_valid && outputs.event_ready {
                    self.offered = None;
                }
                let outcome_ready = (draw >> 8 & 255) as u32 >= self.stall;
                self.clock(Inputs { outcome_ready, ..inputs }, outputs)
            }
        }
    }
}
