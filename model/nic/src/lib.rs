//! Bit-exact models of the NIC's blocks.
//!
//! Each block is one file with three parts: its state and events, `step()` (written once over a
//! [word type](weft_word)), and the clocked view with the ports and the latency of the RTL. The
//! protocol code is sans-IO: no clocks, no threads, no floats, no randomness but the seeded [`prng`].

#![forbid(unsafe_code)]

mod deadlines;
pub mod egress;
pub mod fifo;
pub mod icrc;
pub mod ingress;
pub mod narrow;
pub mod nic;
pub mod prng;
pub mod receiver;
pub mod registers;
pub mod reps;
pub mod ring;
pub mod sack_rx;
pub mod sack_tx;
pub mod sender;
pub mod skid;
pub mod smartt;
pub mod table;
pub mod widen;
