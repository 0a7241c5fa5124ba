//! `weft_ingress` under test.

#[path = "../common/runs.rs"]
mod runs;

mod lockstep;
