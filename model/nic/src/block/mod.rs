//! The blocks of the NIC, a folder each.

pub mod egress;
pub mod ingress;
pub mod nscc;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod smartt;
pub mod window;
