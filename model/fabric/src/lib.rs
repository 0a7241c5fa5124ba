//! A packet simulator of fabrics (page `docs/fabric-engine.md`): hosts are the bit-exact NIC, switches the load balancers
//! of `weft_switch`, compiled.
//!
//! * [`network`]: topology, rates, delays, queues; [`route`]: ways, and the failures that routing knows;
//! * [`port`]: queues, marking, trimming; [`balance`]: the load balancers;
//! * [`flow`]: the flows between hosts; [`host`]: the kinds of hosts;
//! * [`engine`]: the events and their order;
//! * [`tally`]: counts during a run;
//! * [`setup`], [`workload`], [`inputs`], [`plan`], [`simulate`], [`report`]: from a file to a result.
//!
//! Time is counted in picoseconds. The same seed gives the same run, with any number of threads.

#![forbid(unsafe_code)]

pub mod balance;
pub mod balls;
pub mod bounds;
pub mod buffer;
pub mod engine;
pub mod entropy;
pub mod flow;
pub mod host;
pub mod inputs;
pub mod network;
mod node;
pub mod packet;
pub mod plan;
pub mod port;
pub mod report;
pub mod route;
pub mod schedule;
pub mod setup;
pub mod simulate;
pub mod tally;
pub mod workload;
