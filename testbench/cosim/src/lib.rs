//! Lockstep co-simulation of the RTL and its models.

pub mod blocks;
mod error;
pub mod fabric;
pub mod lockstep;
pub mod nic;
pub mod pins;
pub mod prove;
pub mod scenario;
pub mod session;
pub mod timing;
pub mod trace;
pub mod transport;

pub use error::Error;
