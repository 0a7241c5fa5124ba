//! How two runs of a plan differ.

use super::placing::Run;
use serde::Serialize;
use std::collections::BTreeMap;

/// Of a figure of each flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Mean of what it is without its sign.
    pub mean: f64,
    /// Mean with its sign: what is not chance.
    pub shift: f64,
    /// The least,
    pub least: f64,
    /// and the most.
    pub most: f64,
}

impl Spread {
    /// `None` of nothing.
    fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let shift = values.iter().sum::<f64>() / count;
        let most = values.iter().copied().reduce(f64::max)?;
        let least = values.iter().copied().reduce(f64::min)?;
        Some(Self { mean: values.iter().map(|value| value.abs()).sum::<f64>() / count, shift, least, most })
    }
}

/// How a run differs from another one of the same plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Directions of connections in which data was sent,
    pub connections: u32,
    /// and those in which all PSNs and entropy values are the same, in the same order.
    pub same: u32,
    /// The same of ACKs and NACKs.
    pub answering: u32,
    /// The same of ACKs and NACKs.
    pub same_answers: u32,
    /// Data packets sent,
    pub packets: u64,
    /// and those before the first difference of their connection.
    pub same_packets: u64,
    /// Flows,
    pub flows: u32,
    /// and those that ended at their receivers in both runs.
    pub ended: u32,
    /// Their completion times, in ns more than in the other run.
    pub fct_ns: Option<Spread>,
    /// The same in percent.
    pub fct_percent: Option<Spread>,
}

/// What connections sent, by host, peer, and number there.
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

    /// How it differs from another run of its plan.
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
