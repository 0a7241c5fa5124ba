//! Why a run has no good end.

use super::breach::Fault;
use weft_bench::Mismatch;
use weft_params::ParamError;

/// Why a run has no good end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A register or the shape.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// It cannot be like that.
    #[error("--{name} {value} is not possible; use {rule}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What is possible.
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
        /// Where.
        mismatch: Mismatch,
    },
    /// An invariant does not hold.
    #[error(transparent)]
    Fault(#[from] Fault),
}
