//! `weft_sack_tx` under test.

mod lockstep;
mod model;
mod page;
mod rules;
