//! Errors of a run.

use super::breach::Fault;
use weft_bench::Mismatch;
use weft_params::ParamError;

/// Reason why a run did not succeed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A register or a parameter has an impossible value.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A setting has an impossible value.
    #[error("--{name} {value} is not possible; use {rule}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value found.
        value: f64,
        /// Values possible.
        rule: &'static str,
    },
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(#[from] weft_bench::Error),
    /// The RTL and its model differ.
    #[error("{end}: {mismatch}")]
    Mismatch {
        /// Sender or receiver.
        end: &'static str,
        /// First difference.
        mismatch: Mismatch,
    },
    /// An invariant does not hold.
    #[error(transparent)]
    Fault(#[from] Fault),
}
