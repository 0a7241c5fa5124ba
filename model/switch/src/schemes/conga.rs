//! CONGA on two tiers (CONGA section 3): flowlets use the uplink whose path is least congested. Each leaf
//! learns the congestion of its paths to every other leaf: packets collect the highest metric of the links
//! that they pass, and packets in the reverse direction carry the metric back.
//!
//! The header uses the fields of the ConWeave header ([`crate::packet`]), which every RoCEv2 packet gets at
//! its first leaf and loses at its last. Other packets are balanced in the same way, but carry no metrics.
//!
//! | CONGA | here |
//! |---|---|
//! | LBTag, the uplink of the first leaf | `CW_PATH`, counted from 1 |
//! | CE, the metric so far | `CW_OPCODE` |
//! | FB_LBTag | `CW_TAIL_TX`, counted from 1; 0: no feedback |
//! | FB_Metric | `CW_TX` |
//!
//! The load of the leaf's own uplinks is measured behind the queues and needed before them. Hardware has no
//! path backwards. So a truncated copy of a packet carries the load through the recirculation port, whenever
//! the level of an uplink changes, and once in each age.

mod dre;
mod leaf;
mod metrics;
mod options;
mod spine;

pub use dre::Dre;
pub(super) use leaf::build;
pub use metrics::{Metrics, any, best};
pub use options::Conga;
pub(super) use spine::build as build_spine;
