//! The SACK receiver under test: oracle, stimulus, RTL.

pub mod oracle;
pub mod stimulus;
