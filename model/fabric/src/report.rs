//! The report of a run: flows, figures, and the check that every packet is accounted for.

mod flows;
mod measures;
mod ports;

pub use flows::FlowRow;
pub use measures::{Errors, Fine, Imbalance, ReorderFigures};
pub use ports::{LinkSeries, PortFigures};

use crate::engine::{Losses, Outcome};
use crate::events::{self, Event, Header};
use crate::host::Told;
use crate::host::probe::ProbeCounts;
use crate::inputs::{Input, sha256};
use crate::plan::Plan;
use crate::port::Counts;
use crate::schedule::ScheduleFigures;
use crate::setup::Setup;
use crate::tally::{Distribution, EarlyBin, Seen};
use flows::FlowEnds;
use ports::{port_figures, series};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use weft_params::registers::counters;

/// The result of a run. The result depends only on the setup, and contains no wall time.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the program.
    pub version: &'static str,
    /// SHA-256 of the program, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// All settings of the run, including the seed.
    pub setup: Setup,
    /// The files that the setup names, with the contents that were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The changes of links.
    pub faults: Vec<crate::setup::Fault>,
    /// Whether the run was interrupted.
    pub is_interrupted: bool,
    /// The figures.
    pub summary: Summary,
    /// Failures of the accounting check. The list is empty if the check passed.
    pub violations: Vec<String>,
    /// The counters of all NICs, by name.
    pub counters: BTreeMap<String, u64>,
    /// The counters of load balancers, if there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub switch_counters: BTreeMap<String, u64>,
    /// The figures of every tier of ports.
    pub ports: Vec<PortFigures>,
    /// Recorded links over time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<LinkSeries>,
    /// Numbers of packets received ahead of a missing one, over time, if the setup has `series`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early: Option<EarlySeries>,
    /// Imbalance of recorded links for each layer, if the setup has `series.imbalance`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imbalance: Vec<Imbalance>,
    /// Reorder queues, if the setup has `series.reorder_us` and the switches have such queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder: Option<ReorderFigures>,
    /// The flows, if the setup has `flow_rows`.
    pub flows: Vec<FlowRow>,
    /// The noted events of connections, in their order.
    #[serde(skip)]
    pub events: Vec<Event>,
}

/// Numbers of packets that connections received ahead of a missing one, over all connections, in bins of
/// `series.every_us`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EarlySeries {
    /// Mean of the values of packets or ACKs; `null` for a bin without values.
    pub mean: Vec<Option<f64>>,
    /// Maximum of the values.
    pub most: Vec<u64>,
}

/// Figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of hosts.
    pub hosts: u32,
    /// Number of switches.
    pub switches: u32,
    /// Whether all flows ended and no packet was in transit.
    pub is_complete: bool,
    /// Number of flows.
    pub flows: u32,
    /// Number of flows that ended at both hosts.
    pub finished: u32,
    /// The operations of a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleFigures>,
    /// Time at which the last receiver had all bytes. `None` if a receiver lacks data.
    pub finish_us: Option<f64>,
    /// Time at which the last sender learned that all bytes have arrived. `None` if a sender has not learned
    /// so.
    pub acknowledged_us: Option<f64>,
    /// Received payload divided by the time of the last receiver. If a receiver lacks data, the payload
    /// divided by `until_us`.
    pub goodput_gbps: Option<f64>,
    /// Number of flows that started during the warm-up. No distribution includes them.
    #[serde(skip_serializing_if = "is_none")]
    pub warmup_flows: u32,
    /// Flow completion times of the flows that ended at their receivers.
    pub fct_us: Spread,
    /// Flow completion times divided by the times of the flows without other traffic.
    pub slowdown: Spread,
    /// Times until senders knew of the end, divided by the times of the flows without other traffic.
    pub sender_slowdown: Spread,
    /// Number of packets that hosts sent.
    pub sent: u64,
    /// Number of packets that hosts received.
    pub received: u64,
    /// Numbers of lost packets, by cause.
    pub losses: Losses,
    /// The buffers that ports share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<BufferFigures>,
    /// Number of packets in queues at the end.
    pub waiting: u64,
    /// Number of packets on links at the end.
    pub on_links: u64,
    /// Number of departures of packets from queues, including those of the hosts.
    pub packet_hops: u64,
    /// Number of departures of packets without the hosts' queues, as users of htsim count.
    pub switch_hops: u64,
    /// Maximum number of bytes of data that waited at a port of a switch.
    pub peak_bytes: u32,
    /// Number of packets that switches trimmed.
    pub trims: u64,
    /// Number of packets that were marked.
    pub marks: u64,
    /// Number of data packets sent again.
    pub again: u64,
    /// Round-trip times: from the departure of a packet to the arrival of its ACK.
    pub rtt_us: Distribution,
    /// Numbers of packets that connections received ahead of a missing packet.
    pub early: Distribution,
    /// Bytes in the reorder queues of a port after each arrival in one of these queues, for schemes with such
    /// queues.
    #[serde(skip_serializing_if = "is_of_nothing")]
    pub reorder_bytes: Distribution,
    /// Share of ACKs, NACKs, probes and packets between switches in the bytes that left ports.
    pub control_share: Option<f64>,
    /// Probes of the hosts' software.
    #[serde(skip_serializing_if = "ProbeCounts::is_none")]
    pub probes: ProbeCounts,
    /// A digest of all packets that hosts received, in order.
    pub digest: String,
}

impl Summary {
    /// Computes the distributions of those flows that did not start during the warm-up.
    fn measure(&mut self, flows: &[FlowRow], warmup_us: f64) {
        let measured = || flows.iter().filter(|flow| flow.start_us.is_none_or(|start| start >= warmup_us));
        self.warmup_flows = (flows.len() - measured().count()) as u32;
        self.fct_us = Spread::of(measured().map(|flow| flow.fct_us));
        self.slowdown = Spread::of(measured().map(|flow| flow.slowdown));
        self.sender_slowdown = Spread::of(measured().map(|flow| flow.sender_slowdown));
    }
}

fn is_of_nothing(it: &Distribution) -> bool {
    it.count == 0
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

/// Buffers that ports share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BufferFigures {
    /// Maximum number of bytes used at a switch, without headroom.
    pub peak_bytes: u64,
    /// Number of PFC frames sent.
    pub pauses_sent: u64,
    /// Number of PFC frames received.
    pub pauses_received: u64,
}

/// A distribution. Without values its figures are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Number of known values.
    pub count: u32,
    /// Number of all values. The remaining values are unknown, for example those of flows that have not
    /// ended.
    pub of: u32,
    /// Mean.
    pub mean: Option<f64>,
    /// Minimum.
    pub least: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile, the nearest rank.
    pub p99: Option<f64>,
    /// Maximum.
    pub most: Option<f64>,
}

/// The lowest one of the ordered values that at least `percent` percent of them do not exceed. For 0 percent,
/// the result is the minimum.
pub fn percentile(values: &[f64], percent: usize) -> Option<f64> {
    values.get((values.len() * percent).div_ceil(100).saturating_sub(1)).copied()
}

impl Spread {
    /// The distribution of the known values.
    pub fn of(values: impl Iterator<Item = Option<f64>>) -> Self {
        let (mut known, mut of) = (Vec::new(), 0);
        for value in values {
            of += 1;
            known.extend(value);
        }
        known.sort_by(f64::total_cmp);
        let rank = |percent| percentile(&known, percent);
        Self {
            count: known.len() as u32,
            of,
            mean: (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64),
            least: known.first().copied(),
            p50: rank(50),
            p99: rank(99),
            most: rank(100),
        }
    }
}

fn us(ps: u64) -> f64 {
    ps as f64 / 1e6
}

impl Report {
    pub(crate) fn new(plan: &Plan, outcome: &Outcome<Told>, is_interrupted: bool) -> Self {
        let hosts = plan.network.order.by_number(&outcome.hosts);
        let ends = flows::ends(plan, outcome, &hosts);
        let flows = flows::rows(plan, &ends);
        let summary = summary(plan, outcome, &ends, &flows, is_interrupted);
        let mut totals: BTreeMap<String, u64> = BTreeMap::new();
        for host in &outcome.hosts {
            for (counter, count) in counters().zip(&host.counters) {
                *totals.entry(counter.name.to_owned()).or_default() += u64::from(*count);
            }
        }
        totals.retain(|_, count| *count > 0);
        Self {
            version: env!("CARGO_PKG_VERSION"),
            setup: plan.setup.clone(),
            inputs: plan.inputs.clone(),
            program: None,
            faults: plan.faults.clone(),
            is_interrupted,
            violations: violations(plan, outcome, &ends),
            summary,
            counters: totals,
            switch_counters: outcome
                .counters
                .iter()
                .map(|(name, count)| (name.clone(), *count))
                .filter(|it| it.1 > 0)
                .collect(),
            ports: port_figures(&plan.network, outcome),
            series: series(&plan.network, outcome),
            early: plan.setup.series.as_ref().map(|_| early(&outcome.seen)),
            imbalance: match &plan.setup.series {
                Some(series) if series.imbalance => {
                    let last = ends.iter().filter_map(|ends| ends.receiver.received_ps).max();
                    measures::imbalance(&plan.network, outcome, last.unwrap_or(0))
                }
                _ => Vec::new(),
            },
            reorder: outcome.reorder.as_ref().map(Into::into),
            flows: if plan.setup.flow_rows { flows } else { Vec::new() },
            events: events::in_order(hosts.iter().map(|host| &host.events), &plan.network.order),
        }
    }

    /// Keeps only these flows. The distributions are then those of these flows, except for flows of the
    /// warm-up.
    pub fn keep(&mut self, mut is_kept: impl FnMut(&FlowRow) -> bool) {
        self.flows.retain(|flow| is_kept(flow));
        self.summary.measure(&self.flows, self.setup.warmup_us);
    }

    /// Links over time as a CSV table: one line for each bin.
    pub fn series_table(&self) -> String {
        let mut text = "from,to,begin_us,bytes,gbps,peak_bytes,lost\n".to_owned();
        let every_us = self.setup.series.as_ref().map_or(0.0, |series| series.every_us);
        for LinkSeries { from, to, bytes, peak_bytes, lost } in &self.series {
            for bin in 0..bytes.len().max(peak_bytes.len()) {
                let bytes = bytes.get(bin).copied().unwrap_or(0);
                let (begin, gbps) = (bin as f64 * every_us, bytes as f64 * 8.0 / (every_us * 1e3));
                let [peak, lost] = [peak_bytes, lost].map(|bins| bins.get(bin).copied().unwrap_or(0));
                // Writes to a string cannot fail.
                let _ = writeln!(text, "{from},{to},{begin},{bytes},{gbps:.3},{peak},{lost}");
            }
        }
        text
    }

    /// Packets ahead of a missing one over time, as a CSV table.
    pub fn early_table(&self) -> String {
        let mut text = "begin_us,mean,most\n".to_owned();
        let every_us = self.setup.series.as_ref().map_or(0.0, |series| series.every_us);
        let bins = self.early.iter().flat_map(|early| early.mean.iter().zip(&early.most));
        for (bin, (mean, most)) in bins.enumerate() {
            let mean = mean.map(|mean| format!("{mean:.3}")).unwrap_or_default();
            // Writes to a string cannot fail.
            let _ = writeln!(text, "{},{mean},{most}", bin as f64 * every_us);
        }
        text
    }

    /// Writes the noted events as lines of JSON, a header first.
    pub fn write_events(&self, file: &mut impl io::Write) -> io::Result<()> {
        let header = Header {
            weft_events: events::FORMAT,
            version: self.version,
            setup_sha256: sha256(&serde_json::to_vec(&self.setup)?),
            seed: self.setup.seed,
            is_interrupted: self.is_interrupted,
            mtu_bytes: self.setup.hosts.mtu,
            time: "ns since the start of the run",
            connection: "host that sends data . its number there",
        };
        events::write(file, &header, &self.events)
    }

    /// The flows as a CSV table.
    pub fn flow_table(&self) -> String {
        flows::table(&self.flows)
    }
}

fn summary(
    plan: &Plan,
    outcome: &Outcome<Told>,
    ends: &[FlowEnds],
    flows: &[FlowRow],
    is_interrupted: bool,
) -> Summary {
    let last_of = |end: fn(&FlowEnds) -> Option<u64>| {
        let all: Option<Vec<u64>> = ends.iter().map(end).collect();
        all.and_then(|all| all.into_iter().max())
    };
    let last = last_of(|ends| ends.receiver.received_ps);
    let over_us = last.map(us).or((!is_interrupted).then_some(plan.setup.until_us));
    let bytes: u64 = ends.iter().map(|ends| ends.receiver.bytes).sum();
    let sum = |count: fn(&Counts) -> u64| outcome.ports.iter().map(count).sum();
    let mut summary = Summary {
        hosts: plan.network.topology.hosts(),
        switches: plan.network.topology.switches(),
        is_complete: outcome.is_complete,
        flows: ends.len() as u32,
        finished: ends.iter().filter(|it| it.has_ended()).count() as u32,
        schedule: plan.schedule.as_ref().map(|schedule| {
            let ended = outcome.hosts.iter().map(|host| u64::from(host.played.ended)).sum();
            let last =
                outcome.hosts.iter().filter(|host| host.played.ended > 0).map(|host| host.played.last_ps);
            ScheduleFigures { operations: schedule.operations(), ended, last_us: last.max().map(us) }
        }),
        finish_us: last.map(us),
        acknowledged_us: last_of(|ends| ends.sender.acknowledged_ps).map(us),
        // 8 bits; 1,000 bits a microsecond are a Gb/s.
        goodput_gbps: over_us.filter(|us| *us > 0.0).map(|us| bytes as f64 * 8e-3 / us),
        sent: outcome.sent,
        received: outcome.received,
        losses: outcome.losses,
        buffer: outcome.buffer_peak.map(|peak_bytes| {
            let [pauses_sent, pauses_received] = outcome.pauses;
            BufferFigures { peak_bytes, pauses_sent, pauses_received }
        }),
        waiting: outcome.waiting,
        on_links: outcome.on_links,
        packet_hops: outcome.hops(),
        switch_hops: outcome.switch_hops(),
        peak_bytes: outcome.ports.iter().map(|port| port.peak_bytes).max().unwrap_or(0),
        trims: sum(|port| port.trims),
        marks: sum(|port| port.marks),
        again: flows.iter().map(|flow| u64::from(flow.again)).sum(),
        rtt_us: outcome.seen.rtt.figures(1e6),
        early: outcome.seen.early.figures(1.0),
        reorder_bytes: outcome.tally.held.figures(1.0),
        control_share: share(outcome.tally.control_bytes.iter().sum(), sum(|port| port.bytes)),
        probes: outcome.hosts.iter().fold(ProbeCounts::default(), |sum, host| sum.and(host.probes)),
        digest: format!("{:016x}", outcome.digest),
        ..Summary::default()
    };
    summary.measure(flows, plan.setup.warmup_us);
    summary
}

/// A part divided by a whole. `None` if the whole is 0.
fn share(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

fn early(seen: &Seen) -> EarlySeries {
    let mean = |bin: &EarlyBin| (bin.count > 0).then(|| bin.sum as f64 / bin.count as f64);
    EarlySeries {
        mean: seen.bins.iter().map(mean).collect(),
        most: seen.bins.iter().map(|bin| bin.most).collect(),
    }
}

/// Checks that every packet sent arrived, was lost with a cause, or is in transit, and that every byte of an
/// ended flow arrived once.
fn violations(plan: &Plan, outcome: &Outcome<Told>, ends: &[FlowEnds]) -> Vec<String> {
    let mut found = Vec::new();
    let Outcome { sent, received, losses, waiting, on_links, pauses: [told, heard], own, .. } = outcome;
    if sent + told + own.made != received + heard + own.ended + losses.all() + waiting + on_links {
        found.push(format!(
            "{sent} packets, {told} PFC frames and {} of switches sent, but {received}, {heard} and {} received, {} lost, \
             {waiting} waiting and {on_links} on links",
            own.made,
            own.ended,
            losses.all()
        ));
    }
    if plan.setup.switch.pfc && losses.buffer > 0 {
        found.push(format!("{} packets lost in spite of PFC", losses.buffer));
    }
    for (number, (flow, ends)) in plan.flows().iter().zip(ends).enumerate() {
        let FlowEnds { sender, receiver, dropped } = ends;
        let is_whole = receiver.is_whole(flow.bytes, plan.setup.hosts.mtu);
        let (came, known) = (receiver.received_ps.is_some(), sender.acknowledged_ps.is_some());
        let of = || format!("flow {number} from {} to {}", flow.source, flow.destination);
        if (came && !is_whole) || (known && !came && sender.errors == 0) {
            found.push(format!(
                "{}: {} of {} bytes, received: {came}, acknowledged: {known}",
                of(),
                receiver.bytes,
                flow.bytes
            ));
        }
        let (sent, ended) = (sender.packets(), receiver.packets + dropped.packets);
        if ended > sent {
            found.push(format!(
                "{}: {sent} packets sent, but {} received and {} lost",
                of(),
                receiver.packets,
                dropped.packets
            ));
        }
    }
    found.extend(never_ends(plan, outcome, ends));
    if outcome.is_complete && ends.iter().any(|ends| ends.sender.errors > 0) {
        found.push("a work request ended badly, and the run is complete".into());
    }
    found
}

/// Operations of a schedule that wait although all packets have arrived, and messages without a receive.
fn never_ends(plan: &Plan, outcome: &Outcome<Told>, ends: &[FlowEnds]) -> Vec<String> {
    /// Number of entries that are listed. A longer list would give no further information.
    const TOLD: usize = 8;
    let is_open = |it: &FlowEnds| {
        it.sender.start_ps.is_some()
            && (it.sender.acknowledged_ps.is_none() || it.receiver.received_ps.is_none())
    };
    let played = || outcome.hosts.iter().map(|host| &host.played);
    if plan.schedule.is_none() || ends.iter().any(is_open) || !played().all(|it| it.is_idle) {
        return Vec::new();
    }
    let mut found: Vec<String> = played().flat_map(|it| &it.waits).cloned().collect();
    if found.is_empty() {
        found.extend(played().filter_map(|it| it.never.clone()));
    }
    found.extend(played().flat_map(|it| &it.left).cloned());
    if found.len() > TOLD {
        let more = found.len() - TOLD;
        found.truncate(TOLD);
        found.push(format!("and {more} more operations that never end"));
    }
    found
}
