//! One module per block: what is particular to it in a co-simulation.

pub mod reps;
pub mod smartt;
