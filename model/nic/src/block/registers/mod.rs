//! The registers behind AXI4-Lite, driven by their description, [`weft_params::registers`] (page
//! `docs/blocks/registers.md`).
//!
//! * [`Registers`] is the transaction view: what an access does.
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
