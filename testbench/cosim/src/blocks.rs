//! One module per block: what is particular to it in a co-simulation.

pub mod reps;
pub mod sack_rx;
pub mod sack_tx;
pub mod smartt;
