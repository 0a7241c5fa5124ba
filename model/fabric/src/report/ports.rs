//! The figures of ports, in all and over time.

use super::{Spread, is_of_nothing, share};
use crate::engine::Outcome;
use crate::host::Told;
use crate::network::Network;
use crate::port::Counts;
use crate::tally::{Distribution, LAYERS};
use serde::Serialize;
use std::collections::BTreeMap;

/// A link over time, in bins of `series.every_us` of the setup. The switch sent no bytes after the last bin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkSeries {
    /// The node that sends into the link.
    pub from: String,
    /// The node that receives from the link.
    pub to: String,
    /// Bytes that began to leave.
    pub bytes: Vec<u64>,
    /// Maximum number of bytes of data that waited as a packet arrived or left.
    pub peak_bytes: Vec<u32>,
    /// Packets that the link lost while it was cut, without probes.
    pub lost: Vec<u32>,
}

/// Ports of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PortFigures {
    /// The layer, one of [`LAYERS`].
    pub kind: String,
    /// Ports.
    pub ports: u32,
    /// Bytes that left a link: minimum, mean, maximum.
    pub bytes: [f64; 3],
    /// The maximum minus the minimum over the ports of each switch, divided by their mean. The result is the
    /// mean over the switches that sent packets by several ports.
    pub imbalance: Option<f64>,
    /// Maximum number of bytes of data that waited at one of the ports.
    pub peak_bytes: u32,
    /// Bytes of data that waited when a packet of data arrived; hosts are excluded, because they have no
    /// queue.
    #[serde(skip_serializing_if = "is_of_nothing")]
    pub queue_bytes: Distribution,
    /// The share of ACKs, NACKs, probes and packets between switches among all bytes.
    pub control_share: Option<f64>,
    /// Packets marked.
    pub marks: u64,
    /// Packets trimmed.
    pub trims: u64,
}

pub(super) fn series(network: &Network, outcome: &Outcome<Told>) -> Vec<LinkSeries> {
    let wiring = network.wiring();
    let link = |(port, series): &(u32, crate::port::Series)| LinkSeries {
        from: network.name(wiring.node_of(*port)),
        to: network.name(wiring.links[*port as usize].to),
        bytes: series.bytes.clone(),
        peak_bytes: series.peak_bytes.clone(),
        lost: series.lost.clone(),
    };
    outcome.series.iter().map(link).collect()
}

/// `ports` has ports with their nodes; the ports of a node are adjacent.
fn imbalance(ports: &[(u32, &Counts)]) -> Option<f64> {
    let of = |ports: &[(u32, &Counts)]| {
        let bytes = Spread::of(ports.iter().map(|(_, it)| Some(it.bytes as f64)));
        let mean = bytes.mean.filter(|mean| ports.len() > 1 && *mean > 0.0)?;
        Some((bytes.most? - bytes.least?) / mean)
    };
    let found: Vec<f64> = ports.chunk_by(|a, b| a.0 == b.0).filter_map(of).collect();
    Spread::of(found.into_iter().map(Some)).mean
}

pub(super) fn port_figures(network: &Network, outcome: &Outcome<Told>) -> Vec<PortFigures> {
    let wiring = network.wiring();
    let mut layers: BTreeMap<usize, Vec<(u32, &Counts)>> = BTreeMap::new();
    for ((number, counts), link) in (0..).zip(&outcome.ports).zip(&wiring.links) {
        layers.entry(link.layer.into()).or_default().push((wiring.node_of(number), counts));
    }
    let figures = |(layer, counts): (usize, Vec<(u32, &Counts)>)| {
        let bytes = Spread::of(counts.iter().map(|(_, it)| Some(it.bytes as f64)));
        let all = counts.iter().map(|(_, it)| it.bytes).sum();
        PortFigures {
            kind: LAYERS[layer].to_owned(),
            ports: counts.len() as u32,
            imbalance: imbalance(&counts),
            bytes: [bytes.least, bytes.mean, bytes.most].map(Option::unwrap_or_default),
            peak_bytes: counts.iter().map(|(_, it)| it.peak_bytes).max().unwrap_or(0),
            queue_bytes: outcome.tally.found[layer].figures(1.0),
            control_share: share(outcome.tally.control_bytes[layer], all),
            marks: counts.iter().map(|(_, it)| it.marks).sum(),
            trims: counts.iter().map(|(_, it)| it.trims).sum(),
        }
    };
    layers.into_iter().map(figures).collect()
}
