//! `weft_receiver` under test.

mod lockstep;
mod rules;
