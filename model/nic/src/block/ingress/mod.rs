//! The receiving side towards the network (page `docs/blocks/ingress.md`; its rule numbers are beside the code
//! that they force).
//!
//! * [`classify`], [`unsound`], [`unwelcome`] and [`admit`] decide, over words of any kind; [`arrival`] and
//!   [`acknowledgement`] make the outputs. The proof reads these.
//! * [`judge`] finds the kind of a whole frame and its verdict, [`meet`] applies the connection's peer to it.
//! * [`Ingress`] is the transaction view: with peers and counters.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod close;
mod headers;
mod packet;
mod state;
mod step;
mod transaction;

pub use clocked::{BYPASS_LATENCY, Clocked, Inputs, LATENCY, Outputs};
pub use headers::{Class, Csr, Headers, Party};
pub use packet::{acknowledgement, arrival};
pub use state::{Cause, Kind, Packet, Peer, Stats, VLAN, Verdict};
pub use step::{Entry, Room, admit, classify, in_range, judge, judge_in, meet, source, unsound, unwelcome};
pub use transaction::{Ingress, Refusal};
