//! Each block under test, a folder each: what is particular to it in a co-simulation.

pub mod catalogue;
pub mod egress;
pub mod ingress;
pub mod nic;
pub mod nscc;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod smartt;
mod stream;
pub mod user;
