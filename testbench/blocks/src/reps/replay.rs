//! Replay of a list of events at the speed of the block. Long gaps are cut, because time enters as a port.

use super::driver::Tally;
use super::ports::{Dut, outcome};
use weft_bench::{Driver, Error, EventBlock, Finding, Session, Watch};
use weft_nic::block::reps::{Event, Inputs, Outcome, Outputs};
use weft_params::{RepsCsr, RepsParams};

/// Longest gap between two events in clocks: more than the depth of the pipeline.
const GAP_MAX: u32 = 12;

/// Clocks to wait for the last decisions, and until the first event is accepted.
const PATIENCE: u32 = 100_000;

/// Offers the events of a trace and collects the decisions.
pub struct ReplayDriver<'a> {
    csr: RepsCsr,
    events: &'a [Event],
    next: usize,
    gap: u32,
    reset: bool,
    patience: u32,
    /// Counts so far.
    pub tally: Tally,
    /// The decisions, one per event, in order.
    pub decisions: Vec<Outcome>,
}

impl<'a> ReplayDriver<'a> {
    /// Resets the block and then offers `events`.
    pub fn new(csr: RepsCsr, events: &'a [Event]) -> Self {
        Self {
            csr,
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

impl Driver<Dut> for ReplayDriver<'_> {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if self.reset {
            self.reset = false;
            self.tally.resets += 1;
            return Some(Inputs { rst: true, ..Inputs::default() });
        }
        if self.decisions.len() == self.events.len() || self.patience == 0 {
            return None;
        }
        self.patience -= 1;
        if let Some(answer) = Dut::answer(outputs) {
            self.decisions.push(outcome(answer));
            self.patience = PATIENCE;
        }
        let mut event = None;
        if self.gap > 0 {
            self.gap -= 1;
        } else {
            event = self.events.get(self.next);
        }
        if let Some(event) = event.filter(|_| outputs.event_ready) {
            self.next += 1;
            if let Some(after) = self.events.get(self.next) {
                self.gap = after.now_ticks.wrapping_sub(event.now_ticks).min(GAP_MAX);
            }
        }
        let inputs = Dut::inputs(event, true);
        self.tally.count(outputs, &inputs);
        Some(inputs)
    }

    fn csr(&self) -> &RepsCsr {
        &self.csr
    }
}

/// Runs the events of a trace in lockstep. Returns the decision of each event, in order.
pub fn replay(
    session: &Session<RepsParams>,
    csr: RepsCsr,
    events: &[Event],
    watch: &mut impl Watch,
) -> Result<(Finding<Tally>, Vec<Outcome>), Error> {
    let (finding, driver) = session.run::<Dut, _>(|| ReplayDriver::new(csr, events), watch)?;
    Ok((finding.map(|()| driver.tally), driver.decisions))
}
