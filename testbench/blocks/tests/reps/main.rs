//! `weft_reps` under test.

mod lockstep;
mod model;
mod rules;
