//! The Rust-HDL blocks and the Verilog emitter.

pub mod primitives;

/// What a block's file imports.
pub mod prelude {
    pub use crate::comment;
    pub use crate::primitives::*;
    pub use rust_hdl_core::prelude::*;
}

/// A comment that reaches the Verilog: `comment!("text");` inside `update`.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
