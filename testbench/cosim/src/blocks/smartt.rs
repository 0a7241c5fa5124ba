//! The SMaRTT block under test.

pub mod incast;
