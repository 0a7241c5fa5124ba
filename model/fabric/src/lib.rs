//! A packet simulator of fabrics (page `docs/fabric-engine.md`): hosts are the bit-exact NIC, switches the load balancers
//! of `weft_switch`, compiled.
//!
//! * [`network`]: topology, rates, delays, queues; [`route`]: paths, and the failures that routing knows;
//! * [`port`]: queues, marking, trimming; [`balance`]: the load balancers;
//! * [`flow`]: the flows between hosts; [`host`]: the kinds of hosts;
//! * [`engine`]: the events and their order;
//! * [`tally`]: counts during a run; [`events`]: the events of connections, one by one;
//! * [`setup`], [`workload`], [`inputs`], [`plan`], [`simulate`], [`report`]: from a file to a result;
//! * [`live`]: a run to which a program adds flows meanwhile.
//!
//! Time is counted in picoseconds. A seed gives the same run with any number of threads.
//!
//! ```
//! use std::path::Path;
//! use weft_fabric::prelude::*;
//!
//! // Two leaves with four hosts each. Hosts 1 to 4 send 64 KiB to host 0.
//! let setup = r#"
//!     seed = 1
//!     topology = { kind = "leaf-spine", leaves = 2, spines = 2, hosts_per_leaf = 4 }
//!     scheme = { name = "ecmp" }
//!     workload = { kind = "incast", receiver = 0, senders = 4, bytes = 65536 }
//! "#;
//! let plan = Plan::parse("setup", setup, Path::new(""), &["workload.senders=3".into()])?;
//! let report = plan.run(Engine::Windows, |_| true);
//! assert_eq!(report.flows.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod balance;
pub mod balls;
pub mod bounds;
pub mod buffer;
mod defaults;
pub mod engine;
pub mod entropy;
pub mod events;
pub mod flow;
pub mod host;
pub mod inputs;
pub mod live;
pub mod network;
mod node;
pub mod order;
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

/// A setup, its run and its result.
pub mod prelude {
    pub use crate::live::Fabric;
    pub use crate::plan::Plan;
    pub use crate::report::{FlowRow, Report, Summary};
    pub use crate::setup::{Setup, SetupError};
    pub use crate::simulate::Engine;
}
