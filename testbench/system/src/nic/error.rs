//! Reasons why a run failed.

use super::capture::CaptureError;
use crate::host::breach::Fault;
use crate::host::device::DeviceError;

/// Reason why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NicError {
    /// A setting has an impossible value.
    #[error("{name} is not possible; use {rule}")]
    Setting {
        /// Name of the setting and, if it is a number, its value.
        name: String,
        /// Values possible.
        rule: &'static str,
    },
    /// A device cannot continue.
    #[error("NIC {nic}: {error}")]
    Device {
        /// Number of the NIC.
        nic: u32,
        /// Reason of the device.
        error: DeviceError,
    },
    /// A NIC broke a promise.
    #[error("seed {seed}, {fault}")]
    Fault {
        /// The seed of the run.
        seed: u64,
        /// The broken promise.
        fault: Fault,
    },
    /// The fabric is impossible.
    #[error("{0}")]
    Fabric(String),
    /// A capture could not be written.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}
