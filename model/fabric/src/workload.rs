//! Workloads: the flows of patterns, collectives, arrivals at random, and files.

mod arrivals;
mod collective;
mod list;
pub mod matrix;
mod pattern;

pub use arrivals::{Cdf, CdfError};
pub use list::{ListError, flows as flow_list};

use crate::flow::Flow;
use serde::{Deserialize, Serialize};
use weft_random::Rng;

/// A workload that follows from numbers alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Pattern {
    /// Hosts send to one at once.
    Incast {
        /// Bytes of each.
        bytes: u64,
        /// How many send; without it all but the receiver.
        senders: Option<u32>,
        /// The receiver.
        #[serde(default)]
        receiver: u32,
    },
    /// Every host sends to one other, every host receives from one other.
    Permutation {
        /// Bytes of each.
        bytes: u64,
    },
    /// Host `i` sends to host `i + hosts / 2`: all packets cross the top of the network.
    Tornado {
        /// Bytes of each.
        bytes: u64,
    },
    /// Every host sends to every other, the next ones first, `window` at a time.
    AllToAll {
        /// Bytes to each.
        bytes: u64,
        /// Flows of a host at a time.
        #[serde(default = "one")]
        window: u32,
    },
    /// A ring AllReduce: `2 (n - 1)` steps of an n-th of the bytes to the next host.
    AllReduce {
        /// Bytes that every host has.
        bytes: u64,
    },
    /// An AllReduce by recursive halving and doubling; hosts are a power of two.
    Butterfly {
        /// Bytes that every host has.
        bytes: u64,
    },
}

fn one() -> u32 {
    1
}

/// What so many hosts cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct WorkloadError {
    /// The key of the setup.
    pub key: &'static str,
    /// What would be right.
    pub what: String,
}

pub(crate) fn wrong<T>(key: &'static str, what: impl Into<String>) -> Result<T, WorkloadError> {
    Err(WorkloadError { key, what: what.into() })
}

/// Most bytes of a flow: a connection's addresses have 32 bits.
pub const LONGEST: u64 = u32::MAX as u64;
/// Most flows of a run.
pub const MOST: u64 = 1 << 24;

impl Pattern {
    /// The flows for so many hosts.
    pub fn flows(&self, hosts: u32, rng: &mut Rng) -> Result<Vec<Flow>, WorkloadError> {
        let &(Self::Incast { bytes, .. }
        | Self::Permutation { bytes }
        | Self::Tornado { bytes }
        | Self::AllToAll { bytes, .. }
        | Self::AllReduce { bytes }
        | Self::Butterfly { bytes }) = self;
        if hosts < 2 {
            return wrong("kind", "at least two hosts are needed");
        }
        if !(1..=LONGEST).contains(&bytes) {
            return wrong("bytes", format!("{bytes} cannot be; use 1 to {LONGEST}"));
        }
        match *self {
            Self::Incast { senders, receiver, .. } => pattern::incast(hosts, bytes, senders, receiver),
            Self::Permutation { .. } => Ok(pattern::permutation(hosts, bytes, rng)),
            Self::Tornado { .. } => Ok(pattern::tornado(hosts, bytes)),
            Self::AllToAll { window, .. } => pattern::all_to_all(hosts, bytes, window),
            Self::AllReduce { .. } => collective::ring(hosts, bytes),
            Self::Butterfly { .. } => collective::butterfly(hosts, bytes),
        }
    }
}

#[cfg(test)]
mod tests;
