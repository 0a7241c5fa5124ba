//! A model with its own registers: the same code serves all blocks, both views, libweft and Python.
//!
//! * [`Handle`]: a block and its registers;
//! * [`Image`]: the words of the registers, of a block or of the whole NIC;
//! * [`Scoreboard`]: compares the outputs of a design with those of the model.

#![forbid(unsafe_code)]

mod handle;
mod image;
mod scoreboard;

pub use handle::{Handle, Model};
pub use image::{Image, RegisterError, check};
pub use scoreboard::{Difference, Scoreboard};
