//! The SMaRTT block under test: oracle, stimulus, RTL.

pub mod incast;
pub mod views;
