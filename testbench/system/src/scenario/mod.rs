//! Traces that the project makes itself. A NIC with REPS sends through a toy fabric of parallel paths, one of
//! which may slow down or die. A capture contains all packets at the NIC's port.
//!
//! The loop is closed: the model of the block ([`Reps`](weft_nic::block::reps::Reps)) chooses the entropy
//! value (EV) of every packet, the EV selects the path ([`path_of`]), and the path decides whether and when
//! the ACK returns. A replay with the same CSRs and seed must therefore choose every recorded EV again. All
//! random numbers are the block's, so a seed makes the same file on every machine, byte for byte.
//!
//! The fabric is a toy: one hop, ACKs that are never lost or delayed, a fixed window in place of congestion
//! control. The fabric does not measure the gain of REPS in a real network.

mod nic;
mod packets;
mod paths;
mod receiver;
mod run;
mod sender;
mod settings;

pub use crate::network::path::path_of;
pub use run::{Run, Stats};
pub use settings::{Scenario, ScenarioError, Settings, TICK_NS, UnknownScenario};
