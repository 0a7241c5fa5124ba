//! The REPS block under test: oracle, stimulus, RTL.

pub mod oracle;
pub mod stimulus;
