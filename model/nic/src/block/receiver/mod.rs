//! The receiving side of the NIC's connections (page `docs/blocks/receiver.md`; its rule numbers are beside the code
//! that they force).
//!
//! * [`Receiver`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod drain;
mod front;
mod settle;
mod state;
mod step;
mod timer;
mod transaction;

pub use clocked::{Clocked, Inputs, Outputs, PAYLOAD_LATENCY, REPLY_LATENCY};
pub use state::{Bar, Control, Stats};
pub use transaction::{Receiver, Taken};
