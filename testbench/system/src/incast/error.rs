//! Reasons why an incast could not run to its end.

use std::convert::Infallible;
use weft_bench::Mismatch;
use weft_params::ParamError;

/// Reason why an incast could not run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IncastError {
    /// The network allows no constants for the block.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A setting has an impossible value.
    #[error("{name} = {value} is not possible in an incast; use {rule}")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Value found.
        value: u64,
        /// Values possible.
        rule: &'static str,
    },
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(#[from] weft_bench::Error),
    /// The RTL and its model differ.
    #[error("{0}")]
    Mismatch(Mismatch),
    /// Neither the RTL nor the model answers.
    #[error("the block gives no answer for {clocks} clocks; its handshake is stuck")]
    Silent {
        /// Clocks that the harness waited.
        clocks: u32,
    },
    /// The messages do not complete.
    #[error("the messages are not through after {after_us} us; the windows do not let them")]
    Stuck {
        /// Simulated time.
        after_us: u64,
    },
}

/// Models always answer.
impl From<Infallible> for IncastError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
