//! The channel that tests the transport (`docs/transport.md`): the sender and the receiver of many
//! connections, as RTL, as model or both in lockstep, on one clock. Between them is a network that loses,
//! trims, duplicates, reorders, delays and damages packets. Every message must be delivered exactly once, and
//! every outcome of both blocks is compared with the true state. All choices depend only on the seed.

mod bench;
mod breach;
mod buffers;
mod end;
mod error;
mod figures;
mod host;
mod isolation;
mod ledger;
mod message;
mod network;
mod nic;
mod plant;
mod ports;
mod run;
mod setting;
mod stream;

pub use crate::network::adversary::DEAD_CLOCKS;
pub use crate::network::counts::LinkCounts;
pub use breach::{Breach, Fault};
pub use end::View;
pub use error::TransportError;
pub use figures::{Ending, Figures};
pub use host::Traffic;
pub use network::Network;
pub use plant::Plant;
pub use setting::{CLOCKS_PER_TICK, Transport};
