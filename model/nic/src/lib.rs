//! Bit-exact models of the NIC's blocks.
//!
//! [`block`] has a folder for each block: its state and events, `step()` (written once over a [word
//! type](weft_word)), the transaction view, and the clocked view with the ports and the latency of the RTL.
//! [`part`] has what several blocks are made of, [`words`] what their streams carry, [`nic`] the whole. The
//! protocol code is sans-IO: no clocks, no threads, no floats, no randomness but the seeded [`part::prng`].

#![forbid(unsafe_code)]

pub mod block;
pub mod nic;
pub mod part;
pub mod words;
