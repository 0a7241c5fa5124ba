//! The sender of the out-of-order transport under test: oracle, stimulus.

pub mod oracle;
pub mod ports;
pub mod stimulus;
