use thiserror::Error as ThisError;

/// The reason why a proof could not be carried out.
#[derive(Debug, ThisError)]
pub enum Error {
    /// The block could not be built or run.
    #[error(transparent)]
    Bench(#[from] weft_bench::Error),
    /// Yosys could not read the Verilog.
    #[error(transparent)]
    Yosys(#[from] weft_symbolic::YosysError),
    /// ABC gave no answer.
    #[error(transparent)]
    Abc(#[from] weft_symbolic::AbcError),
    /// A proof could not be carried out.
    #[error(transparent)]
    Proof(#[from] weft_symbolic::ProofError),
    /// A module of the proof is missing.
    #[error("there is no module {0}, which the proof follows: keep its name and its part of the block")]
    Module(String),
    /// An instance that is proved alone is missing.
    #[error("{module} has no instance {instance}, which the proof follows: keep its name and its module")]
    Instance {
        /// The module.
        module: String,
        /// The instance.
        instance: String,
    },
    /// A parameter of an instance that is proved alone is an expression.
    #[error("{instance}: the parameter {parameter} is {value}: write it by name and as a plain number")]
    Parameter {
        /// The instance, as `module.instance`.
        instance: String,
        /// The parameter.
        parameter: String,
        /// The text found.
        value: String,
    },
    /// The proof does not apply to the modules that replace emitted ones.
    #[error("the proof cannot follow these modules: {0}")]
    Unlike(String),
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
