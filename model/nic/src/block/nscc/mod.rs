//! NSCC congestion window (page `docs/blocks/nscc.md`; its rule numbers are beside the code that they force). Source:
//! Ultra Ethernet 1.0, section 3.6.13; "line" names a function of its pseudocode.
//!
//! A step has two exact divisions. So the step has three parts, each over any word type, with a division
//! after the first and after the second part:
//!
//! 1. [`measure`]: the delay that an event signals and its average. `Measured::excess / Measured::average` follows.
//! 2. [`decide`]: which rule applies, all state but the window. `Decision::numerator / denominator` follows.
//! 3. [`settle`]: the window within its bounds.
//!
//! * [`Nscc`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod state;
mod step;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, SPACING};
pub use state::{Class, Control, Csr, Stimulus};
pub use step::{Decision, Measured, decide, measure, settle};
pub use transaction::{CHANGE_BITS, Nscc, RATIO_BITS};

/// Kinds, cases, events and outcomes are those of the seam, with SMaRTT's codes.
pub use super::smartt::{Case, Event, Kind, Outcome};
