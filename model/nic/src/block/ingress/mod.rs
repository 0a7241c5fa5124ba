//! What comes in from the network (page `docs/blocks/ingress.md`; its rule numbers stand beside the code that they
//! force).
//!
//! * [`judge`] says what a whole frame is and what becomes of it.
//! * [`step::Ingress`] is the transaction view: with peers and counters.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod frame;
pub mod step;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, Stats};
pub use frame::{Cause, Packet, Peer, Verdict, judge, meet};
