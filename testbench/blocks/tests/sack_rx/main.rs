//! `weft_sack_rx` under test.

mod lockstep;
mod model;
mod page;
mod rules;
