//! Load balancers of the papers as programs for a switch of a [`Topology`](crate::topology::Topology) (page
//! `docs/blocks/schemes.md`).
//!
//! [`Scheme::build`] gives the program of one switch and its [`Control`] plane, which fills the tables from the topology,
//! and again when links fail. Routing is the same for all of them (`schemes/route.rs`): down by destination, up by
//! scheme.

pub(crate) mod adaptive;
mod catalogue;
pub mod conga;
pub(crate) mod contract;
mod drill;
mod flowlet;
mod hashed;
pub(crate) mod next_hops;
mod round_robin;
pub(crate) mod route;

pub use catalogue::{Fabric, Scheme};
pub use conga::Conga;
pub use contract::{Built, Control, Flow, Full, Queues, SchemeError, Site};
pub use next_hops::members;
