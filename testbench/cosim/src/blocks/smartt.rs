//! The SMaRTT block under test: oracle, stimulus, RTL, incasts.

pub mod incast;
pub mod oracle;
pub mod stimulus;
pub mod views;
