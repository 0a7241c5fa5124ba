//! The observer (page `docs/observer.md`): an adversary around one whole NIC, without access to the NIC's
//! internal state. The observer plays the MAC, the host's memory and software, and all peers. A random
//! program posts, opens, closes, holds streams and forges frames, and the observer checks every promise of
//! the pages that is visible at the ports.

mod act;
mod answers;
mod books;
mod clocks;
mod craft;
mod directed;
mod far;
mod judge;
mod leaving;
mod nic;
mod op;
pub mod plants;
mod ports;
mod receiving;
mod run;
mod sending;
mod settle;
mod software;
mod standing;
mod wire;
mod world;

pub use directed::{STALE, Stale};
pub use nic::{Nics, Outcome, Shrunk};
pub use op::{Manner, Operation, Terms};
pub use run::{Failure, Report};
pub use world::Violation;
