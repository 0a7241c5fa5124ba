//! Whole NICs.

mod bench;
mod goodput;
mod hostile;
mod latency;
mod loopback;
mod monitors;
mod scenarios;
mod tags;
mod width;
