//! A rank at work.

use super::inbox::{Inbox, Message};
use super::{Places, Played, Schedule, What};
use crate::host::Signal;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

/// The events. At one time, first flows and operations end, then operations begin in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    End(u32),
    Begin(u32),
}

/// A rank at work.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    rank: u32,
    schedule: Arc<Schedule>,
    /// The places of the messages that have started to this host.
    places: HashMap<u32, Places>,
    /// The number of operations that each operation still waits for, by its number.
    needs: Vec<u32>,
    has_begun: Vec<bool>,
    has_ended: Vec<bool>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    /// Messages that have started, by destination, and by destination and tag.
    to: HashMap<u32, u32>,
    of_tag: HashMap<(u32, u32), u32>,
    inbox: Inbox,
    ended: u32,
    last_ps: u64,
}

impl Play {
    /// A rank before its first operation.
    pub(crate) fn new(rank: u32, schedule: &Arc<Schedule>) -> Self {
        let ops = &schedule.ranks[rank as usize];
        let first = (0..).zip(ops).filter(|(_, op)| op.needs == 0);
        Self {
            rank,
            needs: ops.iter().map(|op| op.needs).collect(),
            has_begun: vec![false; ops.len()],
            has_ended: vec![false; ops.len()],
            events: first.map(|(at, _)| Reverse((0, Event::Begin(at)))).collect(),
            to: HashMap::new(),
            of_tag: HashMap::new(),
            inbox: Inbox::new(schedule, rank),
            ended: 0,
            last_ps: 0,
            schedule: Arc::clone(schedule),
            places: HashMap::new(),
        }
    }

    /// Number of operations whose end the rank learns.
    pub(crate) fn operations(&self) -> u32 {
        self.needs.len() as u32
    }

    /// Time of the next event.
    #[inline]
    pub(crate) fn next_ps(&self) -> Option<u64> {
        self.events.peek().map(|Reverse((at, _))| *at)
    }

    /// A message to here has started.
    pub(crate) fn learn(&mut self, flow: u32, places: Places) {
        self.places.insert(flow, places);
    }

    /// Carries out all events up to a time. Flows that start go to `starts`, and the signals of these flows
    /// go to `signals`. Returns the number of operations that ended.
    pub(crate) fn advance(
        &mut self,
        until_ps: u64,
        starts: &mut BinaryHeap<Reverse<(u64, u32)>>,
        signals: &mut Vec<Signal>,
    ) -> u32 {
        let before = self.ended;
        while self.next_ps().is_some_and(|at| at <= until_ps)
            && let Some(Reverse((now_ps, event))) = self.events.pop()
        {
            let schedule = Arc::clone(&self.schedule);
            let ops = &schedule.ranks[self.rank as usize];
            match event {
                Event::Begin(at) => {
                    self.has_begun[at as usize] = true;
                    if let Some(signal) = self.begin(at, now_ps, starts) {
                        signals.push(signal);
                    }
                    self.tell(&ops[at as usize].at_begin, now_ps);
                }
                Event::End(at) => {
                    self.has_ended[at as usize] = true;
                    self.ended += 1;
                    self.last_ps = now_ps;
                    self.tell(&ops[at as usize].at_end, now_ps);
                }
            }
        }
        self.ended - before
    }

    /// Returns a signal if a message starts.
    fn begin(
        &mut self,
        at: u32,
        now_ps: u64,
        starts: &mut BinaryHeap<Reverse<(u64, u32)>>,
    ) -> Option<Signal> {
        let schedule = Arc::clone(&self.schedule);
        match schedule.ranks[self.rank as usize][at as usize].what {
            What::Calc { ps } => self.ends(at, now_ps + ps),
            What::Send { flow } => {
                let (destination, tag) =
                    (schedule.sends[flow as usize].destination, schedule.sends[flow as usize].tag);
                let count = |count: &mut u32| {
                    *count += 1;
                    *count - 1
                };
                let order = count(self.to.entry(destination).or_default());
                let of_tag = count(self.of_tag.entry((destination, tag)).or_default());
                starts.push(Reverse((now_ps, flow)));
                let places = Some(Places { order, of_tag });
                let host = schedule.order.position(destination);
                return Some(Signal { time_ps: now_ps, host, flow, places });
            }
            What::Recv { from, tag, .. } => {
                let ended = self.inbox.post(at, from, tag, &schedule, &order(&self.places));
                ended.into_iter().for_each(|op| self.ends(op, now_ps));
            }
        }
        None
    }

    fn ends(&mut self, op: u32, at_ps: u64) {
        self.events.push(Reverse((at_ps, Event::End(op))));
    }

    fn tell(&mut self, others: &[u32], now_ps: u64) {
        for &at in others {
            self.needs[at as usize] -= 1;
            if self.needs[at as usize] == 0 {
                self.events.push(Reverse((now_ps, Event::Begin(at))));
            }
        }
    }

    /// A message has arrived; all earlier events have happened.
    pub(crate) fn received(&mut self, flow: u32, now_ps: u64) {
        let schedule = Arc::clone(&self.schedule);
        let Places { order: place, of_tag } = self.places[&flow];
        let message = Message {
            flow,
            source: schedule.sends[flow as usize].source,
            tag: schedule.sends[flow as usize].tag,
            order: place,
            of_tag,
        };
        let ended = self.inbox.arrive(message, &schedule, &order(&self.places));
        ended.into_iter().for_each(|op| self.ends(op, now_ps));
    }

    /// The sender of a message learns that all bytes have arrived.
    pub(crate) fn acknowledged(&mut self, flow: u32, now_ps: u64) {
        self.ends(self.schedule.sends[flow as usize].op, now_ps);
    }

    /// The state so far.
    pub(crate) fn played(&self) -> Played {
        let (schedule, ops) = (&self.schedule, &self.schedule.ranks[self.rank as usize]);
        let name = |at: usize| schedule.name(self.rank, at);
        let waits = |at: &usize| {
            self.has_begun[*at] && !self.has_ended[*at] && matches!(ops[*at].what, What::Recv { .. })
        };
        let receives =
            (0..ops.len()).filter(waits).map(|at| name(at) + ": no message for this comes any more");
        let never = (0..ops.len()).find(|at| !self.has_begun[*at]);
        let left = self.inbox.left().into_iter().map(|flow| {
            let it = &schedule.sends[flow as usize];
            schedule.name(it.source, it.op as usize) + ": no receive takes this"
        });
        Played {
            ended: self.ended,
            last_ps: self.last_ps,
            is_idle: self.events.is_empty(),
            waits: receives.collect(),
            never: never.map(|at| name(at) + ": what this requires never ends"),
            left: left.collect(),
        }
    }
}

/// The place of a message among all of its source and destination.
fn order(places: &HashMap<u32, Places>) -> impl Fn(u32) -> Option<u32> + '_ {
    |flow| Some(places.get(&flow)?.order)
}
