//! Lockstep co-simulation of the RTL and its models.
