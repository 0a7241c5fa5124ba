//! NICs and switches together: tests that no single block allows.

mod host;
mod memory;
mod network;
mod workload;

pub mod corundum;
pub mod fabric;
pub mod incast;
pub mod nic;
pub mod observer;
pub mod placed;
pub mod recovery;
pub mod scenario;
pub mod trace;
pub mod transport;
