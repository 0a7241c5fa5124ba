//! Matches messages that have arrived with receives that are posted.

use super::{Schedule, What};
use std::collections::{HashMap, VecDeque};

/// A message that has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) flow: u32,
    pub(super) source: u32,
    pub(super) tag: u32,
    /// Place of the message among all messages of its source, and among those with its tag.
    pub(super) order: u32,
    pub(super) of_tag: u32,
}

/// Messages and receives of a rank.
#[derive(Clone, Debug)]
pub(super) enum Inbox {
    /// Every receive names source and tag: the n-th message matches the n-th receive.
    Exact(HashMap<(u32, u32), Channel>),
    /// Some receives accept any source or tag.
    Any(Any),
}

/// Messages of one source and tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Channel {
    /// Number of receives that were posted.
    posted: u32,
    /// Receives that wait, and messages that wait, by number.
    waiting: HashMap<u32, u32>,
    came: HashMap<u32, u32>,
}

/// Receives in the order in which they were posted, and messages in the order in which they arrived.
#[derive(Clone, Debug, Default)]
pub(super) struct Any {
    posted: VecDeque<(u32, Option<u32>, Option<u32>)>,
    came: VecDeque<Message>,
    /// Messages without a receive, received or in transit, by source.
    open: HashMap<u32, Vec<u32>>,
}

/// The place of a message among all messages of its source. When a message arrives, the places of all
/// messages that started before it are known.
pub(super) type Order<'a> = dyn Fn(u32) -> Option<u32> + 'a;

impl Inbox {
    /// The inbox of a rank.
    pub(super) fn new(schedule: &Schedule, rank: u32) -> Self {
        let ops = &schedule.ranks[rank as usize];
        let takes_any = |op: &super::Op| matches!(op.what, What::Recv { from, tag, .. } if from.is_none() || tag.is_none());
        if !ops.iter().any(takes_any) {
            return Self::Exact(HashMap::new());
        }
        let mut open: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, flow) in (0..).zip(&schedule.sends) {
            if flow.destination == rank {
                open.entry(flow.source).or_default().push(number);
            }
        }
        Self::Any(Any { open, ..Any::default() })
    }

    /// Posts a receive. Returns pairs of receives and messages that match.
    pub(super) fn post(
        &mut self,
        op: u32,
        from: Option<u32>,
        tag: Option<u32>,
        schedule: &Schedule,
        order: &Order<'_>,
    ) -> Vec<u32> {
        match (self, from, tag) {
            (Self::Exact(channels), Some(from), Some(tag)) => {
                let channel = channels.entry((from, tag)).or_default();
                let number = channel.posted;
                channel.posted += 1;
                if channel.came.remove(&number).is_some() {
                    return vec![op];
                }
                channel.waiting.insert(number, op);
                Vec::new()
            }
            (Self::Any(any), ..) => {
                any.posted.push_back((op, from, tag));
                any.meet(schedule, order)
            }
            (Self::Exact(_), ..) => Vec::new(),
        }
    }

    /// Accepts a message. Returns the receives that end.
    pub(super) fn arrive(&mut self, message: Message, schedule: &Schedule, order: &Order<'_>) -> Vec<u32> {
        match self {
            Self::Exact(channels) => {
                let channel = channels.entry((message.source, message.tag)).or_default();
                match channel.waiting.remove(&message.of_tag) {
                    Some(op) => vec![op],
                    None => {
                        channel.came.insert(message.of_tag, message.flow);
                        Vec::new()
                    }
                }
            }
            Self::Any(any) => {
                any.came.push_back(message);
                any.meet(schedule, order)
            }
        }
    }

    /// Messages that have arrived and have no receive.
    pub(super) fn left(&self) -> Vec<u32> {
        let mut left: Vec<u32> = match self {
            Self::Exact(channels) => {
                channels.values().flat_map(|channel| channel.came.values().copied()).collect()
            }
            Self::Any(any) => any.came.iter().map(|message| message.flow).collect(),
        };
        left.sort_unstable();
        left
    }
}

impl Any {
    /// Matches messages that have arrived with receives, while there are such pairs.
    fn meet(&mut self, schedule: &Schedule, order: &Order<'_>) -> Vec<u32> {
        let mut ended = Vec::new();
        while let Some((at, place)) =
            (0..self.came.len()).find_map(|at| Some((at, self.receive_of(&self.came[at], schedule, order)?)))
        {
            let message = self.came.remove(at);
            let receive = self.posted.remove(place);
            if let Some(message) = message
                && let Some(open) = self.open.get_mut(&message.source)
            {
                open.retain(|flow| *flow != message.flow);
            }
            ended.extend(receive.map(|(op, ..)| op));
        }
        ended
    }

    /// The receive that a message matches: the first one that fits, after each earlier message of its source
    /// has matched one.
    fn receive_of(&self, message: &Message, schedule: &Schedule, order: &Order<'_>) -> Option<usize> {
        let mut before: Vec<(u32, u32)> = (self.open.get(&message.source)?.iter())
            .filter_map(|&flow| Some((order(flow)?, flow)))
            .filter(|(order, _)| *order <= message.order)
            .collect();
        before.sort_unstable();
        let mut taken = vec![false; self.posted.len()];
        let mut place = None;
        for (_, flow) in before {
            let tag = schedule.sends[flow as usize].tag;
            let fits = |&(at, (_, from, wanted)): &(usize, &(u32, Option<u32>, Option<u32>))| {
                !taken[at]
                    && from.is_none_or(|from| from == message.source)
                    && wanted.is_none_or(|wanted| wanted == tag)
            };
            place = self.posted.iter().enumerate().find(fits).map(|(at, _)| at);
            if let Some(at) = place {
                taken[at] = true;
            }
        }
        place
    }
}
