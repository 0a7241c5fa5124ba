//! The `weft_sender` under test.

pub mod driver;
pub mod far;
pub mod oracle;
pub mod passed;
pub mod plant;
mod ports;
mod settings;
pub mod stimulus;
pub mod tally;

pub use ports::{Dut, Windowed, default_csr};
