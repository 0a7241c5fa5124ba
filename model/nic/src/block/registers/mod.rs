//! The registers behind AXI4-Lite, driven by their description, [`weft_params::registers`] (page
//! `docs/blocks/registers.md`).
//!
//! * [`Registers`] is the transaction view: the effect of an access.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod bus;
mod clocked;
pub mod rules;
mod standing;
mod state;
mod status;
mod step;
#[cfg(test)]
mod tests;
mod ticks;
mod totals;
mod transaction;

pub use clocked::{Clocked, Inputs, Outputs};
pub use standing::{Change, News, Standing, Standings};
pub use transaction::{Registers, Shown};
