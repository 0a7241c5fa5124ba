//! The receiving side towards the network (page `docs/blocks/ingress.md`; its rule numbers are beside the code
//! that they force).
//!
//! * [`judge`] finds the kind of a whole frame and its verdict, [`meet`] applies the connection's peer to that.
//! * [`Ingress`] is the transaction view: with peers and counters.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod close;
mod state;
mod step;
mod transaction;

pub use clocked::{BYPASS_LATENCY, Clocked, Inputs, LATENCY, Outputs};
pub use state::{Cause, Packet, Peer, Stats, VLAN, Verdict};
pub use step::{judge, meet};
pub use transaction::{Ingress, Refusal};
