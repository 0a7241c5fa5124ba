//! Why a run has no good end.

use super::capture::CaptureError;
use crate::host::breach::Fault;
use crate::host::device::DeviceError;

/// Why a run has no good end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NicError {
    /// It cannot be like that.
    #[error("{name} is not possible; use {rule}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What is possible.
        rule: &'static str,
    },
    /// A device could not go on.
    #[error("NIC {nic}: {error}")]
    Device {
        /// Which.
        nic: u32,
        /// Why.
        error: DeviceError,
    },
    /// A NIC broke a promise.
    #[error("seed {seed}, {fault}")]
    Fault {
        /// The seed of the run.
        seed: u64,
        /// What.
        fault: Fault,
    },
    /// The fabric cannot be like that.
    #[error("{0}")]
    Fabric(String),
    /// A capture could not be written.
    #[error(transparent)]
    Capture(#[from] CaptureError),
}
