//! What can go wrong with a board.

use std::path::PathBuf;

/// What can go wrong with a board.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A register value that means nothing.
    #[error("CONFIG {0:#x} is none: seven bits, of which 5:4 are 0, 1 or 2 (docs/board.md)")]
    Config(u32),
    /// A port that cannot be opened.
    #[error("{port}: {what}")]
    Port {
        /// The port.
        port: String,
        /// Why not.
        what: String,
    },
    /// Nobody answers.
    #[error("no answer: is this the board's port, and is weft_board.bit loaded?")]
    Silent,
    /// Somebody else answers.
    #[error("no weft_board answers: its ID is {0:#010x}")]
    Stranger(u32),
    /// A register does not hold what was written.
    #[error("the board lost a write: register {register} holds {holds:#010x}, not {written:#010x}")]
    Lost {
        /// The register's number.
        register: u8,
        /// What it holds.
        holds: u32,
        /// What was written.
        written: u32,
    },
    /// A block gives no more answers.
    #[error("the run stands: REPS has given {reps} answers, SMaRTT {smartt}, of {events}")]
    Stands {
        /// Answers of REPS.
        reps: u32,
        /// Answers of SMaRTT.
        smartt: u32,
        /// Answers of each that there should be.
        events: u32,
    },
    /// A read or write that failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file of the repository that cannot be read.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The simulation.
    #[error(transparent)]
    Verilator(#[from] verilator_sys::Error),
}
