//! OFAN: destination-based rotation in switches ("Load Balancing for AI Training Workloads", section 7 and Appendix F;
//! page `docs/blocks/ofan.md`).
//!
//! An edge switch has a pointer for each destination edge switch and class of packet size, an aggregation
//! switch one for each destination pod and class. Every packet leaves by the port up that its pointer shows,
//! and advances the pointer. Pointers go through schedules: interleaved weighted round robin over the ports
//! up in a random order ([`Schedule`]).

mod control;
mod options;
mod program;
mod schedule;

pub use options::{Classes, First, Ofan, Schedules, Weights};
pub use schedule::{Schedule, Step};
