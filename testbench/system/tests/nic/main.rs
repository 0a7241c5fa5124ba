//! Whole NICs.

mod bench;
mod bursts;
mod goodput;
mod hostile;
mod late;
mod latency;
mod loopback;
mod monitors;
mod reuse;
mod scenarios;
mod tags;
mod width;
