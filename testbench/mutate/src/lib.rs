//! Faults planted in the emitted Verilog, and whether the benches find them (page `docs/mutation.md`).
//!
//! All faults of a block go into one text, each as a choice that the port `fault` makes: one build by Verilator, and
//! then a run of the block's bench per fault.

mod campaign;
mod equivalent;
mod fault;
mod judge;
mod nic;
mod plant;
mod proved;
mod sites;
mod verilog;
mod watch;
pub mod wiring;

pub use campaign::{Campaign, Fate, Findings, Settings, Verdict, WANTED};
pub use equivalent::{Equivalent, LIST, UNPROVED};
pub use fault::{Fault, Operator};
pub use proved::{Against, Compared, against};
pub use verilog::ReadError;

/// Why faults could not be planted or judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A block that there is not.
    #[error("there is no block {0}")]
    Block(String),
    /// A module in which nothing can be planted.
    #[error("{block} has no module {module} to plant faults in; it has {known}")]
    Module {
        /// The block.
        block: String,
        /// The module that was asked for.
        module: String,
        /// Those that it has.
        known: String,
    },
    /// The emitter prints what the reader does not know.
    #[error("{module}, {error}")]
    Read {
        /// The module.
        module: String,
        /// What.
        error: ReadError,
    },
    /// The list of equivalents is wrong.
    #[error("{file}: {what}")]
    List {
        /// The file.
        file: &'static str,
        /// What.
        what: String,
    },
    /// The RTL differs from its model without any fault.
    #[error("{block} differs from its model without a fault: {what}")]
    Sound {
        /// The block.
        block: String,
        /// How.
        what: String,
    },
    /// More faults than the port can choose from.
    #[error("at most 65535 faults can be planted at once")]
    TooMany,
    /// The bench.
    #[error(transparent)]
    Bench(#[from] weft_bench::Error),
    /// A block of which no proof speaks.
    #[error("{0} has no proof: choose one of `weft prove --list`")]
    Proofless(String),
    /// The proof.
    #[error(transparent)]
    Proof(#[from] weft_proof::Error),
    /// A run of NICs.
    #[error(transparent)]
    Nic(#[from] weft_system::nic::NicError),
}

impl From<weft_hdl::emit::EmitError> for Error {
    fn from(error: weft_hdl::emit::EmitError) -> Self {
        Self::Bench(error.into())
    }
}

impl From<verilator_sys::Error> for Error {
    fn from(error: verilator_sys::Error) -> Self {
        Self::Bench(error.into())
    }
}
