//! Schedules: the operations of ranks, their dependencies, and the matching of messages and receives. A rank
//! is the host with its number.
//!
//! Messages and receives match by time. The first message of a source, destination and tag that starts
//! matches the first receive that is posted, the second message the second receive, and so on. A receive of
//! any source or any tag matches the first message that fits and that no earlier receive matches. Messages of
//! one source keep the order in which they start.

mod inbox;
mod play;

pub(crate) use play::Play;

use crate::order::Order;
use serde::{Deserialize, Serialize};

/// Operations of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Name of the schedule's file.
    pub(crate) name: String,
    /// The numbers of the hosts.
    pub(crate) order: Order,
    pub(crate) ranks: Vec<Vec<Op>>,
    /// The messages.
    pub(crate) sends: Vec<Sent>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Op {
    /// Line of the operation, from 1; 0 if there is no line.
    pub(crate) line: u32,
    pub(crate) what: What,
    /// Number of operations that this operation waits for.
    pub(crate) needs: u32,
    /// The operations that wait for its end, and the operations that wait for its start.
    pub(crate) at_end: Vec<u32>,
    pub(crate) at_begin: Vec<u32>,
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A computation, which needs a time.
    Calc { ps: u64 },
    /// A flow. The flow ends when the sender learns that all bytes have arrived.
    Send { flow: u32 },
    /// An operation that ends when all bytes of its matching message have arrived.
    Recv { bytes: u64, from: Option<u32>, tag: Option<u32> },
}

/// A message: source, destination, size, the operation of the source that sends it, and the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) source: u32,
    pub(crate) destination: u32,
    pub(crate) bytes: u64,
    pub(crate) op: u32,
    pub(crate) tag: u32,
}

/// The places of a message, as its first packet would carry them: its place among all messages of its source
/// and destination, and its place among those with its tag. The source signals the places to the destination
/// when the message starts, which is a window before the message can arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Places {
    /// The place among all messages.
    pub order: u32,
    /// The place among the messages with the same tag.
    pub of_tag: u32,
}

impl Schedule {
    /// The rank of the host at a position, if the schedule has this rank.
    pub(crate) fn rank(&self, position: u32) -> Option<u32> {
        Some(self.order.number(position)).filter(|rank| (*rank as usize) < self.ranks.len())
    }

    /// Number of operations of all ranks.
    pub fn operations(&self) -> u64 {
        self.ranks.iter().map(|ops| ops.len() as u64).sum()
    }

    /// The name of an operation in error messages.
    fn name(&self, rank: u32, at: usize) -> String {
        let op = &self.ranks[rank as usize][at];
        let any = |it: Option<u32>| it.map_or("-1".to_owned(), |it| it.to_string());
        let what = match op.what {
            What::Calc { ps } => format!("calc {}", ps / 1_000),
            What::Send { flow } => {
                let Sent { bytes, destination, tag, .. } = self.sends[flow as usize];
                format!("send {bytes}b to {destination} tag {tag}")
            }
            What::Recv { bytes, from, tag } => format!("recv {bytes}b from {} tag {}", any(from), any(tag)),
        };
        let line = if op.line > 0 { format!(":{}", op.line) } else { format!(": operation {at}") };
        format!("{}{line}: rank {rank}: {what}", self.name)
    }
}

/// The figures of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ScheduleFigures {
    /// Number of operations.
    pub operations: u64,
    /// Number of operations that ended.
    pub ended: u64,
    /// Time at which the last operation ended.
    pub last_us: Option<f64>,
}

/// The state of a rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) ended: u32,
    pub(crate) last_ps: u64,
    /// Whether the rank has no operation that it can start by itself.
    pub(crate) is_idle: bool,
    /// The receives that never end, although all packets have arrived.
    pub(crate) waits: Vec<String>,
    /// An operation that did not start.
    pub(crate) never: Option<String>,
    /// Messages that have arrived without a matching receive.
    pub(crate) left: Vec<String>,
}
