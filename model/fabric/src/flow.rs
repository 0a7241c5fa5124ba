//! Flows: source, destination, bytes, and start.

use crate::balance::hash;
use crate::order::Order;
use crate::schedule::{Schedule, Sent};
use serde::Serialize;
use std::sync::Arc;
use weft_switch::schemes;
use weft_switch::topology::Host;

/// The start of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Start at a time.
    AtPs(u64),
    /// Start after a number of signals. [`u32::MAX`]: a schedule starts the flow.
    After(u32),
}

/// A transfer of bytes from one host to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The host that sends.
    pub source: u32,
    /// The host that receives. The destination differs from the source.
    pub destination: u32,
    /// Number of bytes, at least 1.
    pub bytes: u64,
    /// Start of the flow.
    pub start: Start,
    /// Flows that get a signal when the receiver has all bytes.
    pub then: Vec<u32>,
    /// Flows that get a signal when the sender learns that the receiver has all bytes.
    pub then_sender: Vec<u32>,
}

impl Flow {
    /// A flow that starts at a time and makes no signals.
    pub fn at(source: u32, destination: u32, bytes: u64, start_ps: u64) -> Self {
        let start = Start::AtPs(start_ps);
        Self { source, destination, bytes, start, then: Vec::new(), then_sender: Vec::new() }
    }

    /// The same flow, with the positions of its hosts in place of their numbers.
    pub(crate) fn placed(&self, order: &Order) -> Self {
        let [source, destination] = order.ends(self.source, self.destination);
        Self { source, destination, ..self.clone() }
    }

    /// The same flow, with the numbers of its hosts in place of their positions.
    pub(crate) fn numbered(self, order: &Order) -> Self {
        let (source, destination) = (order.number(self.source), order.number(self.destination));
        Self { source, destination, ..self }
    }
}

impl From<&Sent> for Flow {
    /// A flow that a schedule starts.
    fn from(sent: &Sent) -> Self {
        let flow = Self::at(sent.source, sent.destination, sent.bytes, 0);
        Self { start: Start::After(u32::MAX), ..flow }
    }
}

/// The connection of a flow, as seen from one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lane {
    /// The host at the far end.
    pub(crate) peer: u32,
    /// Number of the connection at the peer.
    pub(crate) there: u32,
}

/// Flows with their connections.
///
/// Every ordered pair of hosts has its own connections in one direction. A flow uses an idle connection, or,
/// if all are in use, the connection with the fewest flows. Connections stay open: windows and entropy values
/// persist from flow to flow.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) flows: Vec<Flow>,
    /// The first connection of a flow's pair at its source, and the number of the pair's connections.
    pub(crate) lanes: Vec<(u32, u32)>,
    /// The connections of every host.
    pub(crate) hosts: Vec<Vec<Lane>>,
    /// Flows that end at every host.
    pub(crate) incoming: Vec<Vec<u32>>,
    /// Flows that start at every host.
    pub(crate) outgoing: Vec<Vec<u32>>,
    /// The schedule of the hosts, if a schedule starts the flows.
    pub(crate) schedule: Option<Arc<Schedule>>,
}

impl Table {
    /// Makes the table for a number of hosts. A pair of hosts has at most `most` connections in each
    /// direction.
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

    /// Sets the schedule that starts the flows.
    pub(crate) fn scheduled(self, schedule: Option<&Arc<Schedule>>) -> Self {
        Self { schedule: schedule.cloned(), ..self }
    }

    /// The connections of flows, as switches see them.
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

/// The UDP source port of a host's connection that has one entropy value. Each connection to a peer has
/// another port.
pub(crate) fn port(host: u32, peer: u32, connection: u32) -> u16 {
    0xC000 | (hash::of_flow(host, peer) as u16).wrapping_add(connection as u16) & 0x3FFF
}
