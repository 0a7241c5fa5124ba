//! The sender under test: ports, far ends, oracle, traffic.

pub mod far;
pub mod oracle;
pub mod ports;
pub mod traffic;
