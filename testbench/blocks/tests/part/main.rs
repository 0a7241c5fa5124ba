//! The parts that several blocks are made of.

mod fence;
mod fifo;
mod icrc;
mod width;
