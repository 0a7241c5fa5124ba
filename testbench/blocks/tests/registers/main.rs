//! `weft_registers` under test.

#[path = "../common/runs.rs"]
mod runs;

mod bench;
mod lockstep;
mod rules;
mod status;
