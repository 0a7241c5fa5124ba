//! The sending side of the NIC (page `docs/blocks/egress.md`).
//!
//! * [`data`] and [`reply`] are the bytes of a frame.
//! * [`Egress`] is the transaction view: with peers and counters.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock. The model makes a frame when it is chosen,
//!   and lets its beats travel.

mod change;
mod clocked;
mod intake;
mod state;
mod step;
mod store;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs};
pub use state::{Counters, Peer};
pub use step::{data, reply};
pub use transaction::Egress;
