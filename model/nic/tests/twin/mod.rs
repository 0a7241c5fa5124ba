//! The clocked NIC beside the NIC as transactions.

mod bench;
mod device;
mod traffic;

pub(crate) use bench::Bench;
