//! Each block under test has a folder with the parts of a co-simulation that belong to it.

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
