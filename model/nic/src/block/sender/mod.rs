//! The sending side of the host's memory (page `docs/blocks/sender.md`; rule numbers are beside the code of
//! the rule): work requests become messages, messages become packets, acknowledgements become completions.
//!
//! * [`Sender`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod closing;
mod dispatch;
mod drains;
mod endings;
mod events;
mod feeders;
mod intake;
mod lists;
mod notes;
mod orders;
mod packets;
pub mod rules;
mod state;
mod step;
mod tally;
mod transaction;
mod windows;

pub use clocked::{Clocked, Inputs, Outputs};
pub use notes::Cause;
pub use state::{Control, ControlKind, Counters, Paths, Recovery, Rtt, SLOTS, Window};
pub use transaction::{Ordered, Sender};
