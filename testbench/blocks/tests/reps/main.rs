//! `weft_reps` under test.

mod changes;
mod lockstep;
mod model;
mod page;
mod rules;
mod yardstick;

#[path = "../common/changes.rs"]
mod changing;
#[path = "../common/runs.rs"]
mod runs;
