//! Errors of a board.

use std::path::PathBuf;

/// An error of a board.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A value of CONFIG that is not valid.
    #[error(
        "CONFIG {0:#x} is not possible: the register has seven bits, and bits 5:4 are 0, 1 or 2 (docs/board.md)"
    )]
    Config(u32),
    /// A port that cannot be opened.
    #[error("{port}: {what}")]
    Port {
        /// The port.
        port: String,
        /// The reason.
        what: String,
    },
    /// No device answers.
    #[error("no answer: is this the board's port, and is weft_board.bit loaded?")]
    Silent,
    /// Another device answers.
    #[error("the device is not a weft_board: its ID is {0:#010x}")]
    Stranger(u32),
    /// A register did not keep the written value.
    #[error("the board lost a write: register {register} holds {holds:#010x}, not {written:#010x}")]
    Lost {
        /// The register's number.
        register: u8,
        /// The value of the register.
        holds: u32,
        /// The value written.
        written: u32,
    },
    /// A block has stopped: it gives no more answers.
    #[error("the run stalls: of {events} answers REPS has given {reps}, SMaRTT {smartt}")]
    Stands {
        /// Number of answers of REPS.
        reps: u32,
        /// Number of answers of SMaRTT.
        smartt: u32,
        /// Number of answers that each block must give.
        events: u32,
    },
    /// A read or write of the port failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file of the repository that cannot be read.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// An error of the simulation.
    #[error(transparent)]
    Verilator(#[from] verilator_sys::Error),
}
