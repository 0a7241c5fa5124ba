//! `weft_egress` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
mod rules;
