//! Bit-exact models of the NIC's blocks.
//!
//! [`block`] has a folder for each block: its state and events, `step()` (written once over a [word
//! type](weft_word)), the transaction view, and the clocked view with the ports and the latency of the RTL.
//! [`part`] has the parts that several blocks use, [`words`] the words of their streams, [`nic`] the whole.
//! The protocol code is sans-IO: clocks, threads, floats and randomness are left to the caller, except the
//! seeded [`part::prng`].

#![forbid(unsafe_code)]

pub mod block;
pub mod nic;
pub mod part;
pub mod words;
