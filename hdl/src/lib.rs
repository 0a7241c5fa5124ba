//! The Rust-HDL blocks and the Verilog emitter: Rust-HDL in, Verilog that means the same out.
//!
//! A block is a struct of signals and submodules with an `update` that describes, in a subset of Rust, which
//! value drives which signal. All state is in the [`prim`]. [`emit()`] turns a block into readable
//! Verilog-2005, one file per module, with the widths that Rust computes, or refuses the block with file and
//! line. `docs/emitter.md` lists the supported and the refused constructs.
//!
//! An example of a whole block, which prints its Verilog:
//!
//! ```
#![doc = include_str!("../examples/counter.rs")]
//! ```
//!
//! A block of this crate needs no source: `emit(&mut block, "weft_name")?`. Documentation of the
//! struct and its fields, and comment lines above statements, appear in the Verilog.
//!
//! To run a block in Rust, drive its inputs and call `simulate(&mut block, 100)` until it settles,
//! once for each clock edge.

pub mod block;
pub mod catalogue;
pub mod emit;
pub mod gate;
pub mod part;
pub mod prim;
pub mod word;

pub use emit::{EmitError, Emitter, Floor, Module, emit};
pub use gate::{GateError, GateReport, Tools, gate};

/// The imports of a block's file.
pub mod prelude {
    pub use crate::comment;
    pub use crate::prim::*;
    pub use rust_hdl_core::prelude::*;
    pub use weft_hdl_macros::{BlockDefault, LogicWord, clocked};
}

/// A comment inside `update`: `comment!("text");`. A plain `//` line above a statement reaches the
/// Verilog too, and is shorter.
#[macro_export]
macro_rules! comment {
    ($($text:tt)*) => {};
}
