//! `weft_sender` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
mod model;
