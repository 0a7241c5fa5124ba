//! `weft_smartt` under test.

mod lockstep;
mod model;
mod page;
mod rules;
