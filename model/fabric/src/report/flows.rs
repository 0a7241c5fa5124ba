//! The table of flows: the facts at both hosts of each, and where its packets ended.

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
    /// From this host
    pub source: u32,
    /// to that one,
    pub destination: u32,
    /// so many bytes.
    pub bytes: u64,
    /// When it was to start.
    pub start_us: Option<f64>,
    /// From then until its receiver had all.
    pub fct_us: Option<f64>,
    /// The same until its sender knew.
    pub acknowledged_us: Option<f64>,
    /// The time of the flow alone.
    pub ideal_us: f64,
    /// The time to the receiver, over `ideal_us`.
    pub slowdown: Option<f64>,
    /// The time until the sender knew, over that time of the flow alone.
    pub sender_slowdown: Option<f64>,
    /// Packets sent.
    pub packets: u32,
    /// Packets that came, whole or trimmed.
    pub received: u32,
    /// Packets that ended on their way, whole or trimmed.
    pub drops: u32,
    /// Packets sent again.
    pub again: u32,
    /// Those found lost by NACKs: trimmed or refused;
    pub by_nack: u32,
    /// by verdicts: ACKs of packets that were sent later;
    pub by_verdict: u32,
    /// by timeouts;
    pub by_timeout: u32,
    /// by probes.
    pub by_probe: u32,
    /// Packets that switches trimmed.
    pub trims: u32,
    /// Packets that came marked.
    pub marks: u32,
    /// Packets on entropy values that were drawn,
    pub explored: u32,
    /// that were cached and used for the first time since,
    pub recycled: u32,
    /// that were used before, while frozen.
    pub reused: u32,
    /// Freezes that began as a packet was found lost.
    pub freezes: u32,
    /// ACKs and NACKs that ended on their way: of the flow whose data had come last on their connection.
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

/// The end of a flow: the facts at both its hosts, and where its packets ended.
pub(super) struct FlowEnds {
    pub(super) sender: SenderEnd,
    pub(super) receiver: ReceiverEnd,
    pub(super) dropped: Dropped,
}

impl FlowEnds {
    /// Both hosts know that all has come.
    pub(super) fn has_ended(&self) -> bool {
        self.receiver.received_ps.is_some() && self.sender.acknowledged_ps.is_some()
    }
}

/// The end of each flow.
pub(super) fn ends(plan: &Plan, outcome: &Outcome<Told>) -> Vec<FlowEnds> {
    let mut next = vec![[0usize; 2]; outcome.hosts.len()];
    let of = |(number, flow): (u32, &Flow)| {
        let (from, to) = (flow.source as usize, flow.destination as usize);
        let sender = outcome.hosts[from].sent[next[from][0]];
        next[from][0] += 1;
        let receiver = outcome.hosts[to].came[next[to][1]];
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

/// Rows as a table, with commas.
pub(super) fn table(flows: &[FlowRow]) -> String {
    let mut text = FlowRow::COLUMNS.join(",") + "\n";
    for flow in flows {
        let or_empty = |value: Option<f64>| value.map(|value| format!("{value}")).unwrap_or_default();
        // A string takes everything.
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
