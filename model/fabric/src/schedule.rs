//! Schedules: the operations of ranks, their dependencies, and how messages meet receives. A rank is the host of its
//! number.
//!
//! Messages and receives meet by time: the first of a source, destination and tag that starts, with the first receive that
//! is posted, and so on. A receive of any source or any tag takes the first message that fits and that no earlier receive
//! takes; messages of one source keep the order in which they start.

mod inbox;
mod play;

pub(crate) use play::Play;

use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Operations of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The file that it is from.
    pub(crate) name: String,
    pub(crate) ranks: Vec<Vec<Op>>,
    /// The messages.
    pub(crate) sends: Vec<Sent>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Op {
    /// Its line, from 1; 0: it has none.
    pub(crate) line: u32,
    pub(crate) what: What,
    /// How many others it waits for.
    pub(crate) needs: u32,
    /// Those that wait for its end, and those that wait for its beginning.
    pub(crate) at_end: Vec<u32>,
    pub(crate) at_begin: Vec<u32>,
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The operation takes its time.
    Calc { ps: u64 },
    /// A flow; it ends as the sender knows that all has come.
    Send { flow: u32 },
    /// The operation ends when all bytes of the message that it meets have come.
    Recv { bytes: u64, from: Option<u32>, tag: Option<u32> },
}

/// A message: from where to where, how much, which operation of the source sends it, and the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) source: u32,
    pub(crate) destination: u32,
    pub(crate) bytes: u64,
    pub(crate) op: u32,
    pub(crate) tag: u32,
}

/// The order in which the messages of a run start, by their numbers, as the first packet of a message would say it. The
/// entry of a message has its place among all of its source and destination, and among those with its tag; [`u64::MAX`]
/// before it starts. A reader compares entries with that of a message that has come, so all earlier ones have been
/// written.
pub(crate) type Starts = Arc<[AtomicU64]>;

impl Schedule {
    /// As nothing of a run has begun.
    pub(crate) fn starts(&self) -> Starts {
        self.sends.iter().map(|_| AtomicU64::new(u64::MAX)).collect()
    }

    /// This host is a rank of it.
    pub(crate) fn has(&self, host: u32) -> bool {
        (host as usize) < self.ranks.len()
    }

    /// Operations of all ranks.
    pub fn operations(&self) -> u64 {
        self.ranks.iter().map(|ops| ops.len() as u64).sum()
    }

    /// An operation, as a message names it.
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
    /// Operations,
    pub operations: u64,
    /// and how many of them ended.
    pub ended: u64,
    /// When the last of these ended.
    pub last_us: Option<f64>,
}

/// The state of a rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    pub(crate) ended: u32,
    pub(crate) last_ps: u64,
    /// The rank has nothing more to do by itself.
    pub(crate) is_idle: bool,
    /// The operations that would never end, if all packets have come: receives that wait,
    pub(crate) waits: Vec<String>,
    /// and an operation that did not begin.
    pub(crate) never: Option<String>,
    /// Messages that have come and that no receive takes.
    pub(crate) left: Vec<String>,
}
