//! The bench: two views of a block, the model and the RTL under Verilator, side by side.

mod error;
pub mod page;
pub mod timing;

pub use error::Error;
