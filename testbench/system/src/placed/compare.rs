//! Differences between two runs of a plan.

use super::placing::Run;
use serde::Serialize;
use std::collections::BTreeMap;

/// Statistics of a figure over all flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Mean of the absolute values.
    pub mean: f64,
    /// Mean with signs: the systematic part.
    pub shift: f64,
    /// Least value.
    pub least: f64,
    /// Largest value.
    pub most: f64,
}

impl Spread {
    /// `None` if there are no values.
    fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let shift = values.iter().sum::<f64>() / count;
        let most = values.iter().copied().reduce(f64::max)?;
        let least = values.iter().copied().reduce(f64::min)?;
        Some(Self { mean: values.iter().map(|value| value.abs()).sum::<f64>() / count, shift, least, most })
    }
}

/// Differences of a run from another run of the same plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Directions of connections in which data was sent.
    pub connections: u32,
    /// Directions in which all PSNs and entropy values are the same, in the same order.
    pub same: u32,
    /// Directions of connections in which ACKs or NACKs were sent.
    pub answering: u32,
    /// Directions in which all ACKs and NACKs are the same.
    pub same_answers: u32,
    /// Data packets sent.
    pub packets: u64,
    /// Data packets before the first difference of their connection.
    pub same_packets: u64,
    /// Flows of the plan.
    pub flows: u32,
    /// Flows that ended at their receivers in both runs.
    pub ended: u32,
    /// Completion times minus those of the other run, in ns.
    pub fct_ns: Option<Spread>,
    /// The differences in percent.
    pub fct_percent: Option<Spread>,
}

/// Packets of connections, by host, peer and the connection's number at the peer.
type Sent = BTreeMap<(u32, u32, u32), Vec<(u32, u16)>>;

impl Run {
    fn sent(&self, answers: bool) -> Sent {
        let mut sent = Sent::new();
        for (host, decisions) in &self.decisions {
            for it in decisions.iter().filter(|it| it.is_answer == answers) {
                sent.entry((*host, it.peer, it.connection)).or_default().push((it.psn, it.ev));
            }
        }
        sent
    }

    /// Differences from another run of the same plan.
    pub fn differs(&self, other: &Self) -> Difference {
        let same = |answers: bool| {
            let (own, others) = (self.sent(answers), other.sent(answers));
            let same = own.iter().filter(|(key, packets)| others.get(key) == Some(packets)).count();
            let packets: usize = own.values().map(Vec::len).sum();
            let both = own.iter().filter_map(|(key, own)| Some((own, others.get(key)?)));
            let alike = both.map(|(own, others)| own.iter().zip(others).take_while(|(a, b)| a == b).count());
            (own.len() as u32, same as u32, packets as u64, alike.sum::<usize>() as u64)
        };
        let (connections, all_same, packets, same_packets) = same(false);
        let (answering, same_answers, ..) = same(true);
        let times = self.report.flows.iter().zip(&other.report.flows);
        let times: Vec<(f64, f64)> =
            times.filter_map(|(own, other)| Some((own.fct_us?, other.fct_us?))).collect();
        let of = |figure: fn(&(f64, f64)) -> f64| Spread::of(&times.iter().map(figure).collect::<Vec<_>>());
        Difference {
            connections,
            same: all_same,
            answering,
            same_answers,
            packets,
            same_packets,
            flows: self.report.flows.len() as u32,
            ended: times.len() as u32,
            fct_ns: of(|(own, other)| (own - other) * 1e3),
            fct_percent: of(|(own, other)| (own / other - 1.0) * 100.0),
        }
    }
}
