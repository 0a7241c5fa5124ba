//! The clocked NIC, compared with the NIC as transactions.

mod bench;
mod device;
mod traffic;

pub(crate) use bench::Bench;
