//! `weft_reps` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
mod model;
mod page;
mod rules;
mod yardstick;
