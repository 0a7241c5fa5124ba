//! `weft_receiver` under test.

#[path = "../common/runs.rs"]
mod runs;

mod closes;
mod lockstep;
mod rules;
