//! The blocks: `block/<name>.rs` is the module `weft_<name>`, the folder beside it what it is made of.

pub mod egress;
pub mod ingress;
pub mod nic;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod smartt;
