//! Lockstep co-simulation of the RTL and its models.

pub mod blocks;
