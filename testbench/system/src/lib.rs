//! NICs and switches together: what no block alone shows.

pub mod fabric;
pub mod incast;
pub mod nic;
pub mod scenario;
pub mod trace;
pub mod transport;
