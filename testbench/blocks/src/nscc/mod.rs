//! The NSCC block under test.

pub mod driver;
pub mod oracle;
pub mod plant;
mod ports;
pub mod stimulus;

pub use ports::Dut;
