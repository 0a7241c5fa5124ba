//! `weft_egress` under test.

mod lockstep;
mod rules;
