//! `weft_reps` under test.

mod lockstep;
mod model;
mod page;
mod rules;
