//! Why an incast could not be run to its end.

use std::convert::Infallible;
use weft_bench::Mismatch;
use weft_params::ParamError;

/// Why an incast could not be run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IncastError {
    /// The network has no constants.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The incast cannot be like that.
    #[error("{name} = {value} is not possible in an incast; use {rule}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: u64,
        /// What is possible.
        rule: &'static str,
    },
    /// The RTL could not be built or run.
    #[error(transparent)]
    Rtl(#[from] weft_bench::Error),
    /// The RTL and its model differ.
    #[error("{0}")]
    Mismatch(Mismatch),
    /// The block gives no answer, neither the RTL nor the model.
    #[error("the block gives no answer for {clocks} clocks; its handshake is stuck")]
    Silent {
        /// Clocks that were waited.
        clocks: u32,
    },
    /// The messages do not get through.
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
