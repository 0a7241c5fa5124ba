//! Why the Verilog cannot stand at a host.

use crate::nic::error::NicError;

/// Why the Verilog cannot stand there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// There is no such host.
    #[error("there is no host {host}: use 0 to {last}")]
    Host {
        /// Its number.
        host: u32,
        /// The last one.
        last: u32,
    },
    /// A setting that it cannot have.
    #[error("{key}: {what}")]
    Setting {
        /// The setting.
        key: &'static str,
        /// What is wrong.
        what: String,
    },
    /// A NIC could not be made or brought up.
    #[error(transparent)]
    Nic(#[from] NicError),
}
