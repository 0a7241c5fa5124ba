//! `weft_sender` under test.

#[path = "../common/runs.rs"]
mod runs;

mod bench;
mod bursts;
mod closes;
mod drains;
mod failures;
mod flight;
mod freezes;
mod lists;
mod lockstep;
mod model;
mod slots;
mod stalls;
mod timeouts;
