//! The `weft_ingress` under test.

pub mod driver;
pub mod frames;
pub mod identity;
pub mod oracle;
pub mod plant;
mod ports;
pub mod stimulus;

pub use ports::{Dut, DutOf, Inputs};
