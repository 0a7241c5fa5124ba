//! `weft_nscc` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
mod model;
mod rules;
