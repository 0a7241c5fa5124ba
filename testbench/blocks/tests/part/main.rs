//! The parts that several blocks use.

mod fence;
mod fifo;
mod icrc;
mod width;
