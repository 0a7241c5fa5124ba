//! Each block under test, a folder each: what is particular to it in a co-simulation.

pub mod egress;
pub mod ingress;
pub mod lockstep;
pub mod nic;
pub mod pins;
pub mod receiver;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod session;
pub mod smartt;
