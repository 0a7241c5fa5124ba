//! `weft_smartt` under test.

mod lockstep;
mod model;
mod rules;
