//! Whole NICs.

mod answered;
mod bench;
mod bursts;
mod feedback;
mod goodput;
mod holds;
mod hostile;
mod late;
mod latency;
mod loopback;
mod monitors;
mod nscc;
mod queried;
mod reuse;
mod scenarios;
mod streams;
mod tags;
mod width;
mod windows;
