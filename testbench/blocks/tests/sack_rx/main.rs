//! `weft_sack_rx` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
mod model;
mod page;
mod rules;
