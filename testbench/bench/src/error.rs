use crate::{Broken, Plant};
use std::path::PathBuf;
use thiserror::Error as ThisError;

/// The reason why a co-simulation could not run.
#[derive(Debug, ThisError)]
pub enum Error {
    /// A parameter that the hardware cannot represent.
    #[error(transparent)]
    Param(#[from] weft_params::ParamError),
    /// The block could not be emitted.
    #[error(transparent)]
    Emit(#[from] weft_hdl::emit::EmitError),
    /// Verilator could not build or run the model.
    #[error(transparent)]
    Verilator(#[from] verilator_sys::Error),
    /// A stream or the AXI4-Lite side breaks a rule.
    #[error("{0}")]
    Port(#[from] Broken),
    /// A bug that cannot be planted.
    #[error(
        "the bug `{}` cannot be planted: {} has `{}` {found} times instead of once; make its text follow the Verilog",
        plant.name, plant.module, plant.text
    )]
    Plant {
        /// The bug.
        plant: Plant,
        /// Number of occurrences of the bug's text.
        found: usize,
    },
    /// Modules of a user that cannot be used.
    #[error("{}: {what}", path.display())]
    Own {
        /// The file or folder.
        path: PathBuf,
        /// The error, and advice.
        what: String,
    },
}
