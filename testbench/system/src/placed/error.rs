//! Reasons why the Verilog cannot be placed at a host.

use crate::nic::error::NicError;

/// Reason why the Verilog cannot be placed at a host.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The host does not exist.
    #[error("there is no host {host}: use 0 to {last}")]
    Host {
        /// Number of the host.
        host: u32,
        /// Number of the last host.
        last: u32,
    },
    /// A setting has a value that is impossible with the Verilog.
    #[error("{key}: {what}")]
    Setting {
        /// Key of the setting.
        key: &'static str,
        /// Fault of its value.
        what: String,
    },
    /// A NIC could not be made or brought up.
    #[error(transparent)]
    Nic(#[from] NicError),
}
