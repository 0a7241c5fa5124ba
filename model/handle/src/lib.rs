//! A model with the registers that are its own: one code for all blocks, both views, and every door to them (libweft, Python).
//!
//! * [`Handle`]: a block and its registers;
//! * [`Image`]: the words of the registers, of a block or of the whole NIC.

#![forbid(unsafe_code)]

mod handle;
mod image;

pub use handle::{Handle, Model};
pub use image::{Image, RegisterError, check};
