use thiserror::Error as ThisError;

/// Why a proof could not be carried out.
#[derive(Debug, ThisError)]
pub enum Error {
    /// The block could not be built or run.
    #[error(transparent)]
    Bench(#[from] weft_bench::Error),
    /// Yosys could not read it.
    #[error(transparent)]
    Yosys(#[from] weft_symbolic::YosysError),
    /// A proof could not be carried out.
    #[error(transparent)]
    Proof(#[from] weft_symbolic::ProofError),
    /// The Verilog lacks a signal that the proof names.
    #[error(transparent)]
    Signal(#[from] weft_symbolic::SignalError),
}

impl From<weft_params::ParamError> for Error {
    fn from(error: weft_params::ParamError) -> Self {
        Error::Bench(error.into())
    }
}

impl From<weft_hdl::EmitError> for Error {
    fn from(error: weft_hdl::EmitError) -> Self {
        Error::Bench(error.into())
    }
}

impl From<verilator_sys::Error> for Error {
    fn from(error: verilator_sys::Error) -> Self {
        Error::Bench(error.into())
    }
}
