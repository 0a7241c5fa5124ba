//! What holds the windows.

use super::IncastError;
use crate::blocks::smartt::oracle::{Oracle, plainly};
use weft_nic::smartt::{Event, Outcome, Smartt};

/// What holds the windows of an incast.
pub trait Controller {
    /// Answers an event; the window that it gives counts at once.
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError>;
}

impl Controller for Smartt {
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError> {
        Ok(self.step(event))
    }
}

/// The oracle's windows, rounded down for the sender. The clock of a run does not wrap.
impl Controller for Oracle {
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError> {
        let answer = self.step(event, event.now_ticks.into(), &mut plainly);
        Ok(Outcome {
            kind: event.kind,
            connection: event.connection,
            accepted: answer.accepted,
            case: answer.case,
            cwnd_bytes: answer.cwnd as u32,
        })
    }
}
