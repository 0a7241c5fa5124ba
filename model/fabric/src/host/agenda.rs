//! The flows of a host: their starts, signals and ends, and the flows that these signals start.

use super::ends::{ReceiverEnd, SenderEnd};
use super::{Ended, NEVER, Signal};
use crate::flow::{Flow, Start, Table};
use crate::schedule::{Play, Played};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

/// The flows that start and end at a host.
#[derive(Clone, Debug)]
pub struct Agenda {
    number: u32,
    table: Arc<Table>,
    /// The time from the end of a flow to the start of the next one at another host.
    signal_ps: u64,
    /// Flows that start, by their time.
    starts: BinaryHeap<Reverse<(u64, u32)>>,
    /// Signals that have arrived: the place of the flow in this agenda, and the time.
    heard: Vec<(u32, u64)>,
    /// The rank of a schedule that the host plays.
    play: Option<Box<Play>>,
    /// Ends of senders, by the places of flows in this agenda.
    pub(super) sent: Vec<SenderEnd>,
    pub(super) came: Vec<ReceiverEnd>,
    /// Number of ends of flows and of operations that the host has recorded.
    pub finished: u32,
    /// Signals for other hosts, since the last call.
    pub signals: Vec<Signal>,
    /// The numbers of the flows that start here and of those that end here, in their order.
    outgoing: Vec<u32>,
    incoming: Vec<u32>,
    /// Flows that were added during the run, with their connections; each flow stays until its end here.
    added: BTreeMap<u32, (Flow, Arc<[u32]>)>,
    /// Ends of added flows, since the last call.
    pub(crate) ended: Vec<Ended>,
}

impl Agenda {
    /// The agenda of the host of this number.
    pub(super) fn new(number: u32, table: &Arc<Table>, signal_ps: u64) -> Self {
        let outgoing = &table.outgoing[number as usize];
        let starts = outgoing.iter().filter_map(|&flow| match table.flows[flow as usize].start {
            Start::AtPs(at) => Some(Reverse((at, flow))),
            Start::After(_) => None,
        });
        let play = table.schedule.as_ref().and_then(|schedule| Some((schedule.rank(number)?, schedule)));
        Self {
            play: play.map(|(rank, schedule)| Box::new(Play::new(rank, schedule))),
            number,
            table: Arc::clone(table),
            signal_ps,
            starts: starts.collect(),
            heard: vec![(0, 0); outgoing.len()],
            sent: vec![SenderEnd::default(); outgoing.len()],
            came: vec![ReceiverEnd::default(); table.incoming[number as usize].len()],
            finished: 0,
            signals: Vec::new(),
            outgoing: outgoing.clone(),
            incoming: table.incoming[number as usize].clone(),
            added: BTreeMap::new(),
            ended: Vec::new(),
        }
    }

    /// Adds a flow that starts here, on one of these connections. The flow's number is the highest so far.
    pub(crate) fn add(&mut self, number: u32, flow: Flow, lanes: Arc<[u32]>) {
        if let Start::AtPs(at_ps) = flow.start {
            self.starts.push(Reverse((at_ps, number)));
        }
        self.outgoing.push(number);
        self.sent.push(SenderEnd::default());
        self.heard.push((0, 0));
        self.added.insert(number, (flow, lanes));
    }

    /// Adds a flow that ends here.
    pub(crate) fn expect(&mut self, number: u32, flow: Flow) {
        self.incoming.push(number);
        self.came.push(ReceiverEnd::default());
        self.added.insert(number, (flow, Arc::default()));
    }

    /// A flow that starts or ends here.
    pub(super) fn flow(&self, flow: u32) -> &Flow {
        self.table.flows.get(flow as usize).unwrap_or_else(|| &self.added[&flow].0)
    }

    /// The first connection with the least value of `of`, among the connections of a flow that starts here.
    pub(super) fn lane(&self, flow: u32, of: impl Fn(u32) -> u32) -> u32 {
        let lane = match self.table.lanes.get(flow as usize) {
            Some((first, count)) => (*first..first + count).min_by_key(|lane| of(*lane)),
            None => self.added[&flow].1.iter().copied().min_by_key(|lane| of(*lane)),
        };
        lane.unwrap_or(0)
    }

    pub(super) fn place_sent(&self, flow: u32) -> usize {
        place(&self.sent, &self.outgoing, flow)
    }

    pub(super) fn place_came(&self, flow: u32) -> usize {
        place(&self.came, &self.incoming, flow)
    }

    /// Ends a flow here. A flow that was added during the run signals no other flow.
    fn end(&mut self, flow: u32, is_sender: bool, at_ps: u64) {
        self.finished += 1;
        if self.added.remove(&flow).is_some() {
            self.ended.push(Ended { flow, at_ps, is_sender });
            return;
        }
        let table = Arc::clone(&self.table);
        let it = &table.flows[flow as usize];
        self.fire(if is_sender { &it.then_sender } else { &it.then }, at_ps);
    }

    /// Time at which the next flow starts, or the next operation of the rank begins.
    #[inline]
    pub(super) fn next_ps(&self) -> u64 {
        let start = self.starts.peek().map_or(NEVER, |Reverse((at, _))| *at);
        match &self.play {
            Some(play) => start.min(play.next_ps().unwrap_or(NEVER)),
            None => start,
        }
    }

    /// Returns the next flow that starts by a time, and the flow's place.
    pub(super) fn start(&mut self, until_ps: u64) -> Option<(u32, usize)> {
        if self.next_ps() > until_ps {
            return None;
        }
        self.play(until_ps);
        if self.starts.peek().is_none_or(|Reverse((at, _))| *at > until_ps) {
            return None;
        }
        let Reverse((at_ps, flow)) = self.starts.pop()?;
        let at = self.place_sent(flow);
        self.sent[at].start_ps = Some(at_ps);
        Some((flow, at))
    }

    /// Carries out the operations of the rank up to a time.
    fn play(&mut self, until_ps: u64) {
        if let Some(play) = &mut self.play {
            self.finished += play.advance(until_ps, &mut self.starts, &mut self.signals);
        }
    }

    /// The result of the operations of the host's rank.
    pub(super) fn played(&self) -> Played {
        let played = self.play.as_ref().map(|play| play.played()).unwrap_or_default();
        Played { is_idle: self.next_ps() == NEVER, ..played }
    }

    /// A flow has arrived.
    pub(super) fn received(&mut self, flow: u32, now_ps: u64) {
        let at = self.place_came(flow);
        self.came[at].received_ps = Some(now_ps);
        self.end(flow, false, now_ps);
        self.play(now_ps);
        if let Some(play) = &mut self.play {
            play.received(flow, now_ps);
        }
        self.play(now_ps);
    }

    /// The sender of a flow learns that all bytes have arrived.
    pub(super) fn acknowledged(&mut self, flow: u32, now_ps: u64) {
        let at = self.place_sent(flow);
        self.sent[at].acknowledged_ps = Some(now_ps);
        self.end(flow, true, now_ps);
        self.play(now_ps);
        if let Some(play) = &mut self.play {
            play.acknowledged(flow, now_ps);
        }
        self.play(now_ps);
    }

    /// Number of ends of flows, and of operations, of the whole run.
    pub fn expected(&self) -> u32 {
        let operations = self.play.as_ref().map_or(0, |play| play.operations());
        (self.sent.len() + self.came.len()) as u32 + operations
    }

    /// Signals an end to flows: to those of this host at once, to those of other hosts later.
    fn fire(&mut self, flows: &[u32], now_ps: u64) {
        for &flow in flows {
            let host = self.table.flows[flow as usize].source;
            let time_ps = now_ps + if host == self.number { 0 } else { self.signal_ps };
            let signal = Signal { time_ps, host, flow, places: None };
            if host == self.number {
                self.signal(signal);
            } else {
                self.signals.push(signal);
            }
        }
    }

    /// A signal for this host.
    pub fn signal(&mut self, signal: Signal) {
        if let Some(places) = signal.places {
            self.play.iter_mut().for_each(|play| play.learn(signal.flow, places));
            return;
        }
        let at = self.place_sent(signal.flow);
        let (heard, latest_ps) = &mut self.heard[at];
        *heard += 1;
        *latest_ps = signal.time_ps.max(*latest_ps);
        if self.table.flows[signal.flow as usize].start == Start::After(*heard) {
            self.starts.push(Reverse((*latest_ps, signal.flow)));
        }
    }
}

/// The position of a flow among those of a host: a single flow is found without a memory access.
fn place<T>(ends: &[T], flows: &[u32], flow: u32) -> usize {
    match ends {
        [_] => 0,
        _ => flows.partition_point(|other| *other < flow),
    }
}
