//! Many runs of the fabric simulator: a setup over values of its keys and over seeds (page `docs/clusters.md`).
//!
//! * [`points`]: the runs of a sweep; [`share`]: the part of one of several machines;
//! * [`run`]: makes a run, unless its result exists; [`program`]: the program that made the result;
//! * [`table`]: figures over seeds; [`text`]: a result in words; [`filter`]: which flows count; [`sample`]: statistics.
//!
//! The command and the Python module call this crate.

#![forbid(unsafe_code)]

mod claim;
pub mod filter;
pub mod points;
pub mod program;
pub mod run;
pub mod sample;
pub mod share;
pub mod table;
pub mod text;
