//! The parts that several blocks are made of.

mod fifo;
mod icrc;
mod width;
