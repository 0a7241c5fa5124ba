//! Recovery from losses, measured: the models of the sender's blocks, and rule sets to compare with, on the same paths.

mod cases;
mod far;
mod lockstep;
mod plain;
mod sample;
mod setting;
mod sim;
mod table;
mod transport;

pub use sample::{Sample, sample};
pub use setting::{Setting, Work};
pub use table::{Goal, Part, Row, Rules, rows};
