//! Random lockstep runs of the SACK sender: resets with junk in the registers, idle clocks, bursts, back-pressure,
//! a time that jumps, all CSRs. Everything follows from the seed.

use super::ports::outcome;
use super::stimulus::{Feedback, Stimulus, any_csr, random_csr};
use crate::lockstep::{Driver, Turn};
use serde::Serialize;
use weft_nic::block::sack_tx::{Clocked, Event, Inputs, Kind, Outputs, Reason};
use weft_params::{SackParams, SackTxCsr};
use weft_random::Rng;

/// What happened in a run, so that one which tests nothing is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Events accepted.
    pub events: u64,
    /// Outcomes taken.
    pub outcomes: u64,
    /// Events of connections that were not open.
    pub not_open: u64,
    /// New packets sent.
    pub fresh: u64,
    /// Packets sent again.
    pub again: u64,
    /// Turns to send in which nothing was sent.
    pub idle_turns: u64,
    /// Packets acknowledged.
    pub acked: u64,
    /// ACKs that acknowledged a whole window of 256 packets.
    pub whole_windows: u64,
    /// Packets lost by the gap rule, by NACKs, by timeouts.
    pub lost_by_gap: u64,
    /// See before.
    pub lost_by_nack: u64,
    /// See before.
    pub lost_by_timeout: u64,
    /// Timeouts.
    pub timeouts: u64,
    /// Connections that ran out of retries.
    pub failures: u64,
    /// Messages completed.
    pub completed: u64,
    /// Messages ended unfinished.
    pub errors: u64,
    /// ACKs and NACKs of PSNs never sent.
    pub never_sent: u64,
    /// ACKs whose bitmaps spoke of some.
    pub beyond: u64,
    /// ACKs and NACKs older than the window.
    pub stale: u64,
    /// Messages refused.
    pub refused: u64,
    /// Packets with PSN 0: the PSNs went round, or began there.
    pub psn_0: u64,
    /// Packets outstanding, at most.
    pub unacked_max: u64,
    /// Events of one connection accepted in a row, in one clock after the other, at most.
    pub in_a_row_max: u64,
    /// Clocks in which an event waited.
    pub stalls: u64,
    /// Resets.
    pub resets: u64,
}

/// Counts what the ports do.
#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    tally: Tally,
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
        let outcome = outcome(outputs);
        let lost = u64::from(outcome.lost);
        tally.outcomes += 1;
        tally.not_open += u64::from(!outcome.accepted);
        tally.fresh += u64::from(outcome.fresh);
        tally.again += u64::from(outcome.send && !outcome.fresh);
        tally.idle_turns += u64::from(outcome.kind == Kind::Send && !outcome.send);
        tally.acked += u64::from(outcome.acked);
        tally.whole_windows += u64::from(outcome.acked == 256);
        tally.lost_by_gap += if outcome.kind == Kind::Ack { lost } else { 0 };
        tally.lost_by_nack += if outcome.kind == Kind::Nack { lost } else { 0 };
        tally.lost_by_timeout += if outcome.kind == Kind::Timeout { lost } else { 0 };
        tally.timeouts += u64::from(outcome.kind == Kind::Timeout);
        tally.failures += u64::from(outcome.failed);
        tally.completed += u64::from(outcome.completed);
        tally.errors += u64::from(outcome.errors);
        tally.never_sent += u64::from(outcome.reason == Reason::NeverSent);
        tally.beyond += u64::from(outcome.beyond);
        tally.stale += u64::from(outcome.reason == Reason::Stale);
        tally.refused += u64::from(outcome.reason == Reason::Refused);
        tally.psn_0 += u64::from(outcome.fresh && outcome.psn == 0);
        tally.unacked_max = tally.unacked_max.max(outcome.unacked.into());
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
    /// The time jumps in every clock.
    wild: bool,
    counter: Counter,
}

enum State {
    /// Clocks of reset still to give.
    Reset(u32),
    Run,
}

impl RandomDriver {
    /// A run of `clocks` clocks.
    pub fn new(seed: u64, params: SackParams, clocks: u64) -> Self {
        let mut rng = Rng::new(seed);
        let stimulus = Stimulus::new(Rng::new(rng.draw()), params, &SackTxCsr::default());
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
            wild: false,
            counter: Counter::default(),
        }
    }

    /// What happened so far.
    pub fn tally(&self) -> Tally {
        self.counter.tally
    }

    /// Another world. The block's own events never end, so only a reset lets registers change.
    fn new_segment(&mut self) -> Turn<Clocked> {
        let rng = &mut self.rng;
        // Model and RTL agree on registers that no software should write, too.
        let csr = if rng.below(8) == 0 { any_csr(rng) } else { random_csr(rng) };
        self.stimulus = Stimulus::new(Rng::new(rng.draw()), self.params, &csr);
        self.idle = [0, 0, 20, 128, 250][rng.below(5) as usize];
        self.stall = [0, 0, 20, 128, 240][rng.below(5) as usize];
        self.wild = rng.below(16) == 0;
        let clocks = [1_000, 30_000, 200_000, 200_000][rng.below(4) as usize];
        self.segment_left = 1 + rng.below(clocks);
        self.offered = None;
        Turn::Configure(csr)
    }

    /// Anything on the ports of the event.
    fn junk(&mut self) -> Inputs {
        let (draw, data) = (self.rng.draw(), self.rng.draw());
        Inputs {
            now: (draw >> 8) as u32 & 0xFF_FFFF,
            event_valid: draw >> 32 & 1 == 1,
            event_id: (draw >> 40) as u32 & (self.params.connections - 1),
            event_data: [data, draw, !data, data ^ draw, draw.rotate_left(9), data & 0xFF_FFFF],
            event_user: (draw >> 58) as u8 & 7,
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
                self.new_segment()
            }
            State::Reset(left) => {
                self.state = if left == 1 { State::Run } else { State::Reset(left - 1) };
                // A reset takes no event, whatever the ports say.
                self.clocks_left -= 1;
                Turn::Clock(Inputs { rst: true, ..self.junk() })
            }
            State::Run if self.segment_left == 0 => {
                self.state = State::Reset(0);
                self.next(outputs)
            }
            State::Run => {
                self.segment_left -= 1;
                self.clocks_left -= 1;
                self.stimulus.tick();
                let draw = self.rng.draw();
                if self.offered.is_none() && (draw & 255) as u32 >= self.idle {
                    self.offered = self.stimulus.event();
                }
                // Junk beside a low tvalid must not matter.
                let junk = self.junk();
                let inputs = match &self.offered {
                    Some(event) => Inputs::default().with_event(event),
                    None => Inputs { event_valid: false, ..junk },
                };
                if inputs.event_valid && outputs.event_ready {
                    self.offered = None;
                }
                let now = if self.wild { junk.now } else { self.stimulus.now() as u32 & 0xFF_FFFF };
                let outcome_ready = (draw >> 8 & 255) as u32 >= self.stall;
                let inputs = Inputs { now, outcome_ready, ..inputs };
                self.counter.count(outputs, &inputs);
                if outputs.outcome_valid && outcome_ready {
                    self.stimulus.learn(Feedback::from(outputs));
                }
                Turn::Clock(inputs)
            }
        }
    }
}
