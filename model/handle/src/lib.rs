//! A model with the registers that are its own: one code for all blocks, both views, and every door to them (libweft, Python).
//!
//! * [`Handle`]: a block and its registers;
//! * [`Image`]: the words of the registers, of a block or of the whole NIC;
//! * [`Scoreboard`]: the outputs of a design against those of the model.

#![forbid(unsafe_code)]

mod handle;
mod image;
mod scoreboard;

pub use handle::{Handle, Model};
pub use image::{Image, RegisterError, check};
pub use scoreboard::{Difference, Scoreboard};
