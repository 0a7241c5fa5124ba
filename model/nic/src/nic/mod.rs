//! The NIC (page `docs/blocks/nic.md`): its blocks joined. [`transaction::Nic`] is the transaction view, [`Nic`] the
//! RTL's twin, [`narrow::AnyWidth`] the same with streams of any width.

mod behind;
mod clocked;
mod counters;
mod holds;
pub mod narrow;
pub mod transaction;

pub use crate::words::{AxilInputs, AxilOutputs};
pub use clocked::{Inputs, Nic, Outputs};
