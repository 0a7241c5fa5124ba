//! A kit for switch programs. A [`Builder`] takes fields, register arrays, tables and operations in stages, and
//! [`Builder::build`] refuses programs beyond the abilities of hardware. A [`Program`] is run by a [`Pipe`],
//! which holds its state.
//!
//! The abilities of hardware, here:
//! 1. A packet passes the stages in order. Operations of one stage run side by side: none reads a field that another
//!    writes.
//! 2. A register array is in one stage. A packet reads, changes and writes one cell of it, once a pass.
//! 3. An operation reads only the fields that it names, and has no memory: state is in arrays.
//! 4. A program has at most as many stages, arrays, memory, tables and fields as the [`Profile`].

mod builder;
mod error;
mod field;
mod op;
pub(crate) mod pipe;
mod profile;
mod program;
mod shape;
#[cfg(test)]
mod tests;

pub use builder::{Builder, StageBuilder};
pub use error::ProgramError;
pub use field::{Field, Phv, intrinsic};
pub use op::Guard;
pub use pipe::{Load, Pipe, State, hash, mixed};
pub use profile::{Profile, Usage};
pub use program::{Program, Row, What};
pub use shape::{Array, Gress, Selector, Table};
