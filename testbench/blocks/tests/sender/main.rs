//! `weft_sender` under test.

mod lockstep;
mod model;
