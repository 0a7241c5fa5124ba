//! A given list of events, at the speed of the block: long gaps are cut, since time enters as a port.

use super::random::Tally;
use crate::lockstep::{Driver, Turn};
use weft_nic::block::reps::{Clocked, Event, Inputs, Kind, Outcome, Outputs, Source};
use weft_params::RepsCsr;

/// Longest gap between two events in clocks: more than the pipeline is deep.
const GAP_MAX: u32 = 12;

/// Clocks to wait for the last decisions, and for the first event to be taken.
const PATIENCE: u32 = 100_000;

/// Offers the events of a trace and collects the decisions.
pub struct ReplayDriver<'a> {
    csr: Option<RepsCsr>,
    events: &'a [Event],
    next: usize,
    gap: u32,
    reset: bool,
    patience: u32,
    /// What happened so far.
    pub tally: Tally,
    /// The decisions, one per event, in order.
    pub decisions: Vec<Outcome>,
}

impl<'a> ReplayDriver<'a> {
    /// Resets the block and then offers `events`.
    pub fn new(csr: RepsCsr, events: &'a [Event]) -> Self {
        Self {
            csr: Some(csr),
            events,
            next: 0,
            gap: 0,
            reset: true,
            patience: PATIENCE,
            tally: Tally::default(),
            decisions: Vec::with_capacity(events.len()),
        }
    }
}

impl Driver<Clocked> for ReplayDriver<'_> {
    fn next(&mut self, outputs: &Outputs) -> Turn<Clocked> {
        if let Some(csr) = self.csr.take() {
            return Turn::Configure(csr);
        }
        if self.reset {
            self.reset = false;
            self.tally.resets += 1;
            return Turn::Clock(Inputs { rst: true, ..Inputs::default() });
        }
        if self.decisions.len() == self.events.len() || self.patience == 0 {
            return Turn::End;
        }
        self.patience -= 1;
        if outputs.decision_valid {
            self.decisions.push(decision(outputs));
            self.patience = PATIENCE;
        }
        let mut inputs = Inputs { decision_ready: true, ..Inputs::default() };
        if self.gap > 0 {
            self.gap -= 1;
        } else if let Some(event) = self.events.get(self.next) {
            inputs = inputs.with_event(event);
            if outputs.event_ready {
                self.next += 1;
                if let Some(after) = self.events.get(self.next) {
                    self.gap = after.now_ticks.wrapping_sub(event.now_ticks).min(GAP_MAX);
                }
            }
        }
        self.tally.count(outputs, &inputs);
        Turn::Clock(inputs)
    }
}

/// The decision on the output ports.
fn decision(outputs: &Outputs) -> Outcome {
    let user = outputs.decision_user;
    Outcome {
        kind: Kind::ALL[usize::from(user & 7)],
        connection: outputs.decision_id,
        accepted: user >> 3 & 1 == 1,
        source: Source::ALL[usize::from(user >> 4 & 3)],
        ev: outputs.decision_data,
        frozen: user >> 6 & 1 == 1,
        turned: user >> 7 & 1 == 1,
    }
}
