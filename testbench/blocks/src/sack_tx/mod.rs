//! The sender of the out-of-order transport under test: oracle, stimulus, RTL.

pub mod oracle;
pub mod plant;
pub mod ports;
pub mod random;
pub mod session;
pub mod stimulus;
pub mod views;
