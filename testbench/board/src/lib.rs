//! REPS and SMaRTT on an FPGA (page `docs/board.md`, Verilog in `fpga/ecp5`).
//!
//! The board makes events, signs the answers of both blocks and compares the signatures with the expected
//! ones. This crate is the other side: the same events ([`reps_events`], [`smartt_events`]), the signatures
//! that the models give them ([`Run::signatures`]), the dialogue with a board ([`check`]) and a simulated
//! board ([`Simulated`]).

mod check;
mod constants;
mod error;
mod event;
mod frame;
mod port;
mod run;
mod simulated;
mod source;

pub use check::{Report, check};
pub use constants::files;
pub use error::Error;
pub use event::{reps_events, smartt_events};
pub use frame::{Link, Register};
pub use port::{PseudoTerminal, open};
pub use run::{Run, Signatures};
pub use simulated::{Led, Simulated, Verilog};
pub use source::{Moment, Source};
