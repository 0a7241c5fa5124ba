//! What holds the windows.

use super::error::IncastError;
use weft_blocks::smartt::oracle::{Oracle, plainly};
use weft_nic::block::smartt::{Event, Outcome, Smartt};
use weft_params::SmarttParams;

/// What holds the windows of an incast.
pub trait Controller {
    /// Answers an event; the window that it gives counts at once.
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError>;
}

impl Controller for Smartt {
    fn react(&mut self, event: &Event) -> Result<Outcome, IncastError> {
        has_connection(self.params(), event)?;
        Ok(self.step(event))
    }
}

/// Refuses an event of a connection that the block does not have.
pub(super) fn has_connection(params: &SmarttParams, event: &Event) -> Result<(), IncastError> {
    if event.connection < params.connections {
        return Ok(());
    }
    let value = u64::from(event.connection) + 1;
    Err(IncastError::Setting { name: "senders", value, rule: "a block with a connection for each" })
}

/// The oracle's windows, rounded down for the sender. It takes the time as absolute, which holds for the
/// 2^32 ticks that no incast takes.
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
