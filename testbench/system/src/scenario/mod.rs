//! Traces that the project makes itself: a NIC with REPS sends through a toy fabric of parallel paths,
//! one of which may slow down or die, and everything that crosses its port is captured.
//!
//! The loop is closed: the model of the block ([`Reps`](weft_nic::block::reps::Reps)) chooses the entropy
//! value (EV) of every packet, the EV selects the path ([`path_of`]), the path decides when and whether
//! the ACK returns. So a replay with the same CSRs and seed must choose every recorded EV again. The
//! block's random numbers are the only ones: a seed makes the same file, byte for byte, anywhere.
//!
//! It is a toy: one hop, ACKs that are never lost or delayed, a fixed window in place of congestion
//! control. What REPS gains in a fabric is not measured here.

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
