//! Many senders and one port: a test of congestion windows in an incast.
//!
//! Every sender has a link as fast as the port, its message has the same size, and all begin within
//! [`Incast::start_spread_ns`]. The port has a queue with RED marking at the dequeue, and trims or drops
//! packets that have no space. Any [`Window`](weft_nic::block::window::Window) can compute the windows: a
//! model, the RTL, an oracle. Time is in picoseconds, all decisions use integers, and every random number
//! depends only on the seed: an incast runs the same on every machine.
//!
//! The harness models one queue and not a fabric. Headers of data packets occupy no space, ACKs are never
//! lost or delayed, packets are never corrupted, and a window applies at once.

mod error;
mod figures;
mod lockstep;
mod port;
mod record;
mod run;
mod sender;
mod setting;

pub use error::IncastError;
pub use figures::{Figures, SHARE_OF_END};
pub use lockstep::Lockstep;
pub use record::{Depth, Flow, Reaction, Run};
pub use setting::Incast;
