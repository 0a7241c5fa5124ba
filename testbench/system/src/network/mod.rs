//! What lies between those who send: one seam ([`seam::Network`]) behind which any network stands, and what networks are
//! made of: links, queues, paths, and the one fault injector.

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
