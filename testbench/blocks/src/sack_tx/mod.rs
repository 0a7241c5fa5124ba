//! The sender of the out-of-order transport under test.

pub mod driver;
pub mod oracle;
pub mod plant;
mod ports;
pub mod stimulus;

pub use ports::{Answer, Dut, Windowed, classes, outcome};
