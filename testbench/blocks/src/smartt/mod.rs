//! The SMaRTT block under test: oracle, stimulus, RTL, incasts.

pub mod oracle;
pub mod plant;
pub mod random;
pub mod session;
pub mod stimulus;
pub mod views;
