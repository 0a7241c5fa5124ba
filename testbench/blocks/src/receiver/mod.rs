//! The `weft_receiver` under test.

pub mod driver;
pub mod oracle;
pub mod plant;
mod ports;
pub mod stimulus;
pub mod tally;

pub use ports::{Dut, Windowed};
