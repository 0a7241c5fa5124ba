//! The table of flows: the facts of each flow at both hosts, and the losses of its packets.

use super::us;
use crate::engine::{Dropped, Outcome};
use crate::flow::Flow;
use crate::host::Told;
use crate::host::nic::{ReceiverEnd, SenderEnd};
use crate::plan::Plan;
use serde::Serialize;
use std::fmt::Write;

/// A flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlowRow {
    /// The host that sends.
    pub source: u32,
    /// The host that receives.
    pub destination: u32,
    /// Number of bytes.
    pub bytes: u64,
    /// Time at which the flow was to start.
    pub start_us: Option<f64>,
    /// Time from the start until the receiver had all bytes.
    pub fct_us: Option<f64>,
    /// Time from the start until the sender knew that the receiver had all bytes.
    pub acknowledged_us: Option<f64>,
    /// Completion time of the flow without other traffic.
    pub ideal_us: f64,
    /// `fct_us` divided by `ideal_us`.
    pub slowdown: Option<f64>,
    /// `acknowledged_us` divided by the time of the flow without other traffic.
    pub sender_slowdown: Option<f64>,
    /// Number of packets sent.
    pub packets: u32,
    /// Number of packets that arrived, whole or trimmed.
    pub received: u32,
    /// Number of packets that were lost, whole or trimmed.
    pub drops: u32,
    /// Number of packets sent again.
    pub again: u32,
    /// Number of resent packets found lost by NACKs: trimmed or refused.
    pub by_nack: u32,
    /// Number of resent packets found lost by verdicts: ACKs of packets that were sent later.
    pub by_verdict: u32,
    /// Number of resent packets found lost by timeouts.
    pub by_timeout: u32,
    /// Number of resent packets found lost by probes.
    pub by_probe: u32,
    /// Number of packets that switches trimmed.
    pub trims: u32,
    /// Number of packets that arrived marked.
    pub marks: u32,
    /// Number of packets on drawn entropy values.
    pub explored: u32,
    /// Number of packets on cached entropy values that were used for the first time since an ACK returned them.
    pub recycled: u32,
    /// Number of packets on entropy values used before, during a freeze.
    pub reused: u32,
    /// Number of freezes that began when a packet was found lost.
    pub freezes: u32,
    /// Number of lost ACKs and NACKs. Such a loss counts for the flow whose data arrived last on the
    /// connection.
    pub answer_drops: u32,
}

impl FlowRow {
    /// Columns of the table of flows.
    pub const COLUMNS: [&str; 24] = [
        "source",
        "destination",
        "bytes",
        "start_us",
        "fct_us",
        "acknowledged_us",
        "ideal_us",
        "slowdown",
        "sender_slowdown",
        "packets",
        "received",
        "drops",
        "again",
        "by_nack",
        "by_verdict",
        "by_timeout",
        "by_probe",
        "trims",
        "marks",
        "explored",
        "recycled",
        "reused",
        "freezes",
        "answer_drops",
    ];

    /// The counts, in the order of the columns.
    fn counts(&self) -> [u32; 15] {
        let Self { packets, received, drops, again, by_nack, by_verdict, by_timeout, by_probe, .. } = *self;
        let Self { trims, marks, explored, recycled, reused, freezes, answer_drops, .. } = *self;
        let sent = [packets, received, drops, again, by_nack, by_verdict, by_timeout, by_probe];
        let paths = [trims, marks, explored, recycled, reused, freezes, answer_drops];
        let mut all = [0; 15];
        all[..8].copy_from_slice(&sent);
        all[8..].copy_from_slice(&paths);
        all
    }
}

/// The end of a flow: the facts at both its hosts, and the losses of its packets.
pub(super) struct FlowEnds {
    pub(super) sender: SenderEnd,
    pub(super) receiver: ReceiverEnd,
    pub(super) dropped: Dropped,
}

impl FlowEnds {
    /// Whether both hosts have learned that all bytes have arrived.
    pub(super) fn has_ended(&self) -> bool {
        self.receiver.received_ps.is_some() && self.sender.acknowledged_ps.is_some()
    }
}

/// The end of each flow. `hosts` has the hosts in the order of their numbers.
pub(super) fn ends(plan: &Plan, outcome: &Outcome<Told>, hosts: &[&Told]) -> Vec<FlowEnds> {
    let mut next = vec![[0usize; 2]; hosts.len()];
    let of = |(number, flow): (u32, &Flow)| {
        let (from, to) = (flow.source as usize, flow.destination as usize);
        let sender = hosts[from].sent[next[from][0]];
        next[from][0] += 1;
        let receiver = hosts[to].came[next[to][1]];
        next[to][1] += 1;
        FlowEnds { sender, receiver, dropped: outcome.drops.of(number) }
    };
    (0..).zip(plan.flows()).map(of).collect()
}

/// The rows of all flows.
pub(super) fn rows(plan: &Plan, ends: &[FlowEnds]) -> Vec<FlowRow> {
    let row = |(flow, ends): (&Flow, &FlowEnds)| {
        let FlowEnds { sender, receiver, dropped } = ends;
        let since = |end: Option<u64>| Some(end? - sender.start_ps?);
        let ideal = plan.ideal_ps(flow);
        let fct = since(receiver.received_ps);
        let known = since(sender.acknowledged_ps);
        let [by_nack, by_verdict, by_timeout, by_probe, _] = sender.again;
        let [_, explored, recycled, reused] = sender.chosen;
        FlowRow {
            source: flow.source,
            destination: flow.destination,
            bytes: flow.bytes,
            start_us: sender.start_ps.map(us),
            fct_us: fct.map(us),
            acknowledged_us: known.map(us),
            ideal_us: us(ideal),
            slowdown: fct.map(|fct| fct as f64 / ideal as f64),
            sender_slowdown: known.map(|known| known as f64 / plan.ideal_known_ps(flow) as f64),
            packets: sender.packets(),
            received: receiver.packets,
            drops: dropped.packets,
            again: sender.again.iter().sum(),
            by_nack,
            by_verdict,
            by_timeout,
            by_probe,
            trims: receiver.trims + dropped.trims,
            marks: receiver.marks,
            explored,
            recycled,
            reused,
            freezes: sender.freezes,
            answer_drops: dropped.answers,
        }
    };
    plan.flows().iter().zip(ends).map(row).collect()
}

/// Rows as a CSV table.
pub(super) fn table(flows: &[FlowRow]) -> String {
    let mut text = FlowRow::COLUMNS.join(",") + "\n";
    for flow in flows {
        let or_empty = |value: Option<f64>| value.map(|value| format!("{value}")).unwrap_or_default();
        // Writes to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{}",
            flow.source,
            flow.destination,
            flow.bytes,
            or_empty(flow.start_us),
            or_empty(flow.fct_us),
            or_empty(flow.acknowledged_us),
            flow.ideal_us,
            or_empty(flow.slowdown),
            or_empty(flow.sender_slowdown),
            flow.counts().map(|count| count.to_string()).join(",")
        );
    }
    text
}
