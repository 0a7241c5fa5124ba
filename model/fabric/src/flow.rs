//! Flows: source, destination, bytes, and start.

use crate::balance::hash;
use crate::schedule::{Schedule, Sent, Starts};
use serde::Serialize;
use std::sync::Arc;
use weft_switch::schemes;
use weft_switch::topology::Host;

/// When a flow starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At this time.
    AtPs(u64),
    /// When it has been signalled so many times; if a schedule starts it, [`u32::MAX`].
    After(u32),
}

/// Bytes from one host to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The host that sends,
    pub source: u32,
    /// and the one that receives; another one.
    pub destination: u32,
    /// How many, 1 at least.
    pub bytes: u64,
    /// When.
    pub start: Start,
    /// Flows that are signalled as the receiver has all.
    pub then: Vec<u32>,
    /// Flows that are signalled as the sender knows it.
    pub then_sender: Vec<u32>,
}

impl Flow {
    /// A flow that starts at a time and signals none.
    pub fn at(source: u32, destination: u32, bytes: u64, start_ps: u64) -> Self {
        let start = Start::AtPs(start_ps);
        Self { source, destination, bytes, start, then: Vec::new(), then_sender: Vec::new() }
    }
}

impl From<&Sent> for Flow {
    /// A flow that a schedule starts.
    fn from(sent: &Sent) -> Self {
        let flow = Self::at(sent.source, sent.destination, sent.bytes, 0);
        Self { start: Start::After(u32::MAX), ..flow }
    }
}

/// Where a flow runs: a connection at each host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// The other host.
    pub(crate) peer: u32,
    /// The connection there.
    pub(crate) there: u32,
}

/// Flows with their connections.
///
/// Every ordered pair of hosts has connections of its own, in one direction; a flow takes one that is idle, and if there is
/// none the one with the fewest flows. They stay open: windows and entropy values are kept from flow to flow.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) flows: Vec<Flow>,
    /// The first connection of a flow's pair at its source, and how many there are.
    pub(crate) lanes: Vec<(u32, u32)>,
    /// The connections of every host.
    pub(crate) hosts: Vec<Vec<Lane>>,
    /// Flows to every host.
    pub(crate) incoming: Vec<Vec<u32>>,
    /// Flows that start at every host.
    pub(crate) outgoing: Vec<Vec<u32>>,
    /// The schedule of the hosts, if a schedule starts the flows.
    pub(crate) schedule: Option<(Arc<Schedule>, Starts)>,
}

impl Table {
    /// For so many hosts; a pair of hosts has at most `most` connections each way.
    pub fn new(flows: Vec<Flow>, hosts: u32, most: u32) -> Self {
        let mut pairs: std::collections::BTreeMap<(u32, u32), u32> = Default::default();
        for flow in &flows {
            *pairs.entry((flow.source, flow.destination)).or_default() += 1;
        }
        let mut lanes: Vec<Vec<Lane>> = vec![Vec::new(); hosts as usize];
        let mut first = std::collections::BTreeMap::new();
        for (&(source, destination), &count) in &pairs {
            let count = count.min(most.max(1));
            first.insert((source, destination), (lanes[source as usize].len() as u32, count));
            for _ in 0..count {
                let (here, there) =
                    (lanes[source as usize].len() as u32, lanes[destination as usize].len() as u32);
                lanes[source as usize].push(Lane { peer: destination, there });
                lanes[destination as usize].push(Lane { peer: source, there: here });
            }
        }
        let of = |end: fn(&Flow) -> u32| {
            let mut by_host: Vec<Vec<u32>> = vec![Vec::new(); hosts as usize];
            (0..).zip(&flows).for_each(|(number, flow)| by_host[end(flow) as usize].push(number));
            by_host
        };
        let (incoming, outgoing) = (of(|flow| flow.destination), of(|flow| flow.source));
        let lanes_of = |flow: &Flow| first[&(flow.source, flow.destination)];
        let lanes_by_flow = flows.iter().map(lanes_of).collect();
        Self { lanes: lanes_by_flow, hosts: lanes, incoming, outgoing, flows, schedule: None }
    }

    /// The flows are those of a schedule, which starts them.
    pub(crate) fn scheduled(self, schedule: Option<&Arc<Schedule>>) -> Self {
        Self { schedule: schedule.map(|it| (Arc::clone(it), it.starts())), ..self }
    }

    /// The connections on which flows are sent, as switches know them.
    pub fn connections(&self) -> Vec<schemes::Flow> {
        let lanes: std::collections::BTreeSet<(u32, u32, u32)> = (self.flows.iter().zip(&self.lanes))
            .flat_map(|(flow, (first, count))| {
                (*first..first + count).map(|at| (flow.source, flow.destination, at))
            })
            .collect();
        let flow = |(source, destination, at)| schemes::Flow {
            source: Host(source),
            destination: Host(destination),
            port: port(source, destination, at),
        };
        lanes.into_iter().map(flow).collect()
    }

    /// The flows.
    pub fn flows(&self) -> &[Flow] {
        &self.flows
    }
}

/// The UDP source port of a host's connection with one entropy value: another one for each to a peer.
pub(crate) fn port(host: u32, peer: u32, connection: u32) -> u16 {
    0xC000 | (hash::of_flow(host, peer) as u16).wrapping_add(connection as u16) & 0x3FFF
}
