//! NICs on a fabric of switch pipelines (page `docs/fabric-cosim.md`): the hosts of [`crate::nic`], and
//! between them the switches of [`weft_switch`] with wires that can be cut. A [`Setup`], which is read from a
//! file, describes both.
//!
//! All choices depend only on the seed, with any number of threads. Hosts share only the network. Hence each
//! host runs by itself for as long as the latency of its wire, and then the switches run.

mod check;
mod cuts;
mod error;
mod figures;
mod meaning;
mod queues;
mod read;
mod run;
mod setup;
mod switched;
mod timing;
mod wire;

pub use error::SetupError;
pub use figures::{Balance, SwitchFigures, WireFigures};
pub use run::{Attempt, Report};
pub use setup::{
    Cut, Ecn, Hosts, Links, Pairs, Routing, Setup, Shape, StartUnit, SwitchSettings, SwitchView, Traffic,
    Volume,
};
pub use timing::SWITCH_CLOCKS;
