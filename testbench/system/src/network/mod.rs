//! The network between hosts: one seam ([`seam::Network`]) that every network implements, and the parts of
//! networks: links, queues, paths, and the fault injector.

pub(crate) mod adversary;
pub(crate) mod counts;
pub(crate) mod fault;
pub(crate) mod flight;
pub(crate) mod header;
pub(crate) mod leaf_spine;
pub(crate) mod link;
pub(crate) mod pace;
pub(crate) mod path;
mod port;
pub(crate) mod queue;
pub(crate) mod seam;
