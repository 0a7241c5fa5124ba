//! Whole NICs.

mod bench;
mod goodput;
mod hostile;
mod latency;
mod loopback;
mod scenarios;
mod width;
