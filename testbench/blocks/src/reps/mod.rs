//! The REPS block under test: oracle, stimulus, RTL.

pub mod oracle;
pub mod plant;
pub mod random;
pub mod replay;
pub mod session;
pub mod stimulus;
pub mod views;
