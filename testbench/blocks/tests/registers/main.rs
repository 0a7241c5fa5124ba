//! `weft_registers` under test.

mod bench;
mod lockstep;
mod rules;
