//! The flows of a host: when they start, what has signalled them, how they end, and whom that concerns.

use super::ends::{ReceiverEnd, SenderEnd};
use super::{NEVER, Signal};
use crate::flow::{Delayed, Flow, Start, Table};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The flows that start and end at a host.
#[derive(Clone, Debug)]
pub struct Agenda {
    number: u32,
    table: Arc<Table>,
    /// From the end of a flow to what starts after it at another host.
    signal_ps: u64,
    /// Flows that start, by their time.
    starts: BinaryHeap<Reverse<(u64, u32)>>,
    /// Signals that have come, by the place of the flow here.
    heard: Vec<(u32, u64)>,
    /// By the places of flows that start and end here.
    pub(super) sent: Vec<SenderEnd>,
    pub(super) came: Vec<ReceiverEnd>,
    /// Ends of flows that it has seen.
    pub finished: u32,
    /// Signals for others, since it was asked last.
    pub signals: Vec<Signal>,
}

impl Agenda {
    /// Of the host of this number.
    pub(super) fn new(number: u32, table: &Arc<Table>, signal_ps: u64) -> Self {
        let outgoing = &table.outgoing[number as usize];
        let starts = outgoing.iter().filter_map(|&flow| match table.flows[flow as usize].start {
            Start::AtPs(at) => Some(Reverse((at, flow))),
            Start::After(_) => None,
        });
        Self {
            number,
            table: Arc::clone(table),
            signal_ps,
            starts: starts.collect(),
            heard: vec![(0, 0); outgoing.len()],
            sent: vec![SenderEnd::default(); outgoing.len()],
            came: vec![ReceiverEnd::default(); table.incoming[number as usize].len()],
            finished: 0,
            signals: Vec::new(),
        }
    }

    /// A flow of the table.
    pub(super) fn flow(&self, flow: u32) -> &Flow {
        &self.table.flows[flow as usize]
    }

    pub(super) fn place_sent(&self, flow: u32) -> usize {
        place(&self.sent, || &self.table.outgoing[self.number as usize], flow)
    }

    pub(super) fn place_came(&self, flow: u32) -> usize {
        place(&self.came, || &self.table.incoming[self.number as usize], flow)
    }

    /// When the next flow starts.
    #[inline]
    pub(super) fn next_ps(&self) -> u64 {
        self.starts.peek().map_or(NEVER, |Reverse((at, _))| *at)
    }

    /// A flow that starts by a time, and its place.
    pub(super) fn start(&mut self, until_ps: u64) -> Option<(u32, usize)> {
        if self.next_ps() > until_ps {
            return None;
        }
        let Reverse((at_ps, flow)) = self.starts.pop()?;
        let at = self.place_sent(flow);
        self.sent[at].start_ps = Some(at_ps);
        Some((flow, at))
    }

    /// A flow has come.
    pub(super) fn received(&mut self, flow: u32, now_ps: u64) {
        let (table, at) = (Arc::clone(&self.table), self.place_came(flow));
        self.came[at].received_ps = Some(now_ps);
        self.finished += 1;
        let it = &table.flows[flow as usize];
        self.fire(&it.then, now_ps);
        self.fire_later(&it.delayed, now_ps);
    }

    /// The sender of a flow knows that it has come.
    pub(super) fn acknowledged(&mut self, flow: u32, now_ps: u64) {
        let (table, at) = (Arc::clone(&self.table), self.place_sent(flow));
        self.sent[at].acknowledged_ps = Some(now_ps);
        self.finished += 1;
        let it = &table.flows[flow as usize];
        self.fire(&it.then_sender, now_ps);
        self.fire_later(&it.delayed_sender, now_ps);
    }

    /// Ends of flows that there will be.
    pub fn expected(&self) -> u32 {
        (self.sent.len() + self.came.len()) as u32
    }

    /// Tells flows that something has ended: those of this host at once, those of others later.
    fn fire(&mut self, flows: &[u32], now_ps: u64) {
        for &flow in flows {
            let host = self.table.flows[flow as usize].source;
            let time_ps = now_ps + if host == self.number { 0 } else { self.signal_ps };
            let signal = Signal { time_ps, host, flow };
            if host == self.number {
                self.signal(signal);
            } else {
                self.signals.push(signal);
            }
        }
    }

    /// Tells flows of this host that something has ended, a while after it.
    fn fire_later(&mut self, flows: &[Delayed], now_ps: u64) {
        for Delayed { flow, after_ps } in flows {
            self.signal(Signal { time_ps: now_ps + after_ps, host: self.number, flow: *flow });
        }
    }

    /// A signal for a flow of this host.
    pub fn signal(&mut self, signal: Signal) {
        let at = self.place_sent(signal.flow);
        let (heard, latest_ps) = &mut self.heard[at];
        *heard += 1;
        *latest_ps = signal.time_ps.max(*latest_ps);
        let flow = &self.table.flows[signal.flow as usize];
        if flow.start == Start::After(*heard) {
            self.starts.push(Reverse((flow.earliest_ps.max(*latest_ps), signal.flow)));
        }
    }
}

/// Where a flow stands among those of a host: to find the only one no memory is asked.
fn place<'a, T>(ends: &[T], flows: impl FnOnce() -> &'a Vec<u32>, flow: u32) -> usize {
    match ends {
        [_] => 0,
        _ => flows().partition_point(|other| *other < flow),
    }
}
