//! `weft_ingress` under test.

#[path = "../common/bits.rs"]
mod bits;
#[path = "../common/runs.rs"]
mod runs;

mod bursts;
mod close;
mod desk;
mod lockstep;
mod strangers;
mod user;
mod windows;
