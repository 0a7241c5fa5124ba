use thiserror::Error as ThisError;

/// Why a co-simulation or a proof could not run.
#[derive(Debug, ThisError)]
pub enum Error {
    /// A parameter that the hardware cannot hold.
    #[error(transparent)]
    Param(#[from] weft_params::ParamError),
    /// The block could not be emitted.
    #[error(transparent)]
    Emit(#[from] weft_hdl::emit::EmitError),
    /// Verilator could not build or run it.
    #[error(transparent)]
    Verilator(#[from] verilator_sys::Error),
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
