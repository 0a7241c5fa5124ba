//! `weft_egress` under test.

#[path = "../common/bits.rs"]
mod bits;
#[path = "../common/runs.rs"]
mod runs;

mod change;
mod lockstep;
mod reads;
mod rules;
mod user;
