//! Faults planted in the emitted Verilog. A campaign tests whether the benches find them (page
//! `docs/mutation.md`).
//!
//! All faults of a block go into one text. The port `fault_planted` selects one of them. Hence Verilator
//! builds once, and the block's bench runs once per fault.

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

/// The reason why faults cannot be planted or judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A block that does not exist.
    #[error("there is no block {0}")]
    Block(String),
    /// A module in which no fault can be planted.
    #[error("{block} has no module {module} to plant faults in; it has {known}")]
    Module {
        /// The block.
        block: String,
        /// The requested module.
        module: String,
        /// The modules that the block has.
        known: String,
    },
    /// The emitter prints a construct that the reader does not support.
    #[error("{module}, {error}")]
    Read {
        /// The module.
        module: String,
        /// The error of the reader.
        error: ReadError,
    },
    /// The list of equivalents is wrong.
    #[error("{file}: {what}")]
    List {
        /// The file.
        file: &'static str,
        /// The error.
        what: String,
    },
    /// The RTL differs from its model without any fault.
    #[error("{block} differs from its model without a fault: {what}")]
    Sound {
        /// The block.
        block: String,
        /// The difference.
        what: String,
    },
    /// The module has more faults than the port can choose from.
    #[error("at most 65535 faults can be planted at once")]
    TooMany,
    /// An error of the bench.
    #[error(transparent)]
    Bench(#[from] weft_bench::Error),
    /// A block without a proof.
    #[error("{0} has no proof as a whole: `--block all` takes the blocks that have one")]
    Proofless(String),
    /// An error of the proof.
    #[error(transparent)]
    Proof(#[from] weft_proof::Error),
    /// An error of a run of NICs.
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
