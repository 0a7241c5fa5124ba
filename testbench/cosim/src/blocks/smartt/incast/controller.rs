//! What holds the windows.

use super::IncastError;
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
