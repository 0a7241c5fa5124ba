//! The sending side of the NIC (page `docs/blocks/egress.md`).
//!
//! * [`header`] has the headers of a frame over words of any kind.
//! * [`turn`] chooses the next frame and [`sound`] judges read data, also over such words.
//! * [`data`] and [`reply`] are the bytes of a frame.
//! * [`Egress`] is the transaction view: with peers and counters.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock. The model makes the whole frame in the
//!   clock of the choice, and then delays its beats.

mod change;
mod clocked;
pub mod header;
mod intake;
pub mod sound;
mod state;
mod step;
mod store;
mod transaction;
pub mod turn;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs};
pub use state::{Counters, Peer};
pub use step::{data, reply};
pub use transaction::Egress;
