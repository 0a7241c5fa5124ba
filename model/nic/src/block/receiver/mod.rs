//! The receiving side of the NIC's connections (page `docs/blocks/receiver.md`; its rule numbers are beside the code
//! that they force).
//!
//! * [`rules`] has the rules of a packet and of its outcome over words of any kind.
//! * [`Receiver`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod drain;
mod front;
pub mod rules;
mod settle;
mod state;
mod step;
mod timer;
mod transaction;

pub use clocked::{Clocked, Inputs, Outputs, PAYLOAD_LATENCY, REPLY_LATENCY};
pub use state::{Bar, Control, Stats};
pub use transaction::{Receiver, Taken};
