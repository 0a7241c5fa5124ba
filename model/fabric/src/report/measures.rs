//! Figures that a setup requests: imbalance of links over time, and reorder queues.

use super::Spread;
use crate::engine::{Outcome, Reorder};
use crate::host::Told;
use crate::network::Network;
use crate::tally::{Histogram, LAYERS};
use serde::Serialize;
use std::collections::BTreeMap;

/// Imbalance of the recorded links of a switch. In a bin: the maximum minus the minimum of the bytes that
/// began to leave by a link, divided by their mean. Each switch has one value for each bin in which the
/// switch sent bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imbalance {
    /// The layer, one of [`LAYERS`].
    pub kind: String,
    /// The values. Incomplete bins at the end are left out.
    #[serde(flatten)]
    pub spread: Spread,
}

/// Reorder queues, sampled at intervals of `series.reorder_us`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReorderFigures {
    /// Numbers of queues in use, held or with packets: one value for each port to a host and sample.
    pub queues: Fine,
    /// Bytes in these queues: one value for each edge switch and sample.
    pub bytes: Fine,
    /// Delays of TAILs after T_resume without its extra term, in us, for each T_resume that an OLD packet has
    /// set.
    pub resume_error_us: Errors,
}

/// A distribution with a long tail. Mean and maximum are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Fine {
    /// Number of values.
    pub count: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Maximum.
    pub most: Option<f64>,
}

impl Fine {
    fn of(it: &Histogram) -> Self {
        let all = it.figures(1.0);
        Self {
            count: all.count,
            mean: all.mean,
            p50: all.p50,
            p99: all.p99,
            p999: it.rank(999),
            most: all.most,
        }
    }
}

/// Errors with their signs. All figures are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Number of TAILs.
    pub count: u64,
    /// Share of TAILs that arrived after T_resume.
    pub late: Option<f64>,
    /// Minimum.
    pub least: Option<f64>,
    /// 1st percentile.
    pub p1: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Maximum.
    pub most: Option<f64>,
}

impl Errors {
    /// The figures of values in ns with their counts.
    pub(super) fn of(values: &BTreeMap<i64, u64>) -> Self {
        let count: u64 = values.values().sum();
        let rank = |percent: u64| {
            let mut left = (count * percent).div_ceil(100).max(1);
            let found = values.iter().find(|(_, times)| {
                let is_here = left <= **times;
                left = left.saturating_sub(**times);
                is_here
            });
            found.map(|(ns, _)| *ns as f64 / 1e3)
        };
        let late: u64 = values.range(1..).map(|(_, times)| times).sum();
        Self {
            count,
            late: super::share(late, count),
            least: rank(0),
            p1: rank(1),
            p50: rank(50),
            p99: rank(99),
            most: rank(100),
        }
    }
}

impl From<&Reorder> for ReorderFigures {
    fn from(it: &Reorder) -> Self {
        Self {
            queues: Fine::of(&it.queues),
            bytes: Fine::of(&it.bytes),
            resume_error_us: Errors::of(&it.resume_errors),
        }
    }
}

/// The imbalance of the links that a setup records, up to a time.
pub(super) fn imbalance(network: &Network, outcome: &Outcome<Told>, until_ps: u64) -> Vec<Imbalance> {
    let wiring = network.wiring();
    let mut switches: BTreeMap<(u8, u32), Vec<&[u64]>> = BTreeMap::new();
    let mut bins = 0;
    for (port, series) in &outcome.series {
        let key = (wiring.links[*port as usize].layer, wiring.node_of(*port));
        switches.entry(key).or_default().push(&series.bytes);
        bins = (until_ps / series.every_ps) as usize;
    }
    let mut layers: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
    for ((layer, _), ports) in switches.iter().filter(|(_, ports)| ports.len() > 1) {
        layers.entry(*layer).or_default().extend((0..bins).filter_map(|bin| unlike(ports, bin)));
    }
    let figures = |(layer, values): (u8, Vec<f64>)| Imbalance {
        kind: LAYERS[usize::from(layer)].to_owned(),
        spread: Spread::of(values.into_iter().map(Some)),
    };
    layers.into_iter().map(figures).collect()
}

/// The maximum minus the minimum of a bin, divided by the mean. `None` if the mean is 0.
fn unlike(ports: &[&[u64]], bin: usize) -> Option<f64> {
    let bytes = || ports.iter().map(|port| port.get(bin).copied().unwrap_or(0));
    let mean = bytes().sum::<u64>() as f64 / ports.len() as f64;
    (mean > 0.0).then(|| (bytes().max().unwrap_or(0) - bytes().min().unwrap_or(0)) as f64 / mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_uneven_by_its_most_less_its_least_over_its_mean() {
        let (first, second): (&[u64], &[u64]) = (&[10, 40, 0], &[30]);
        assert_eq!([0, 1, 2].map(|bin| unlike(&[first, second], bin)), [Some(1.0), Some(2.0), None]);
    }

    /// 99 TAILs on time and one 5 us late: the 99th percentile is on time, the maximum is not.
    #[test]
    fn errors_keep_their_signs() {
        let values = BTreeMap::from([(-2_000, 10), (0, 89), (5_000, 1)]);
        let found = Errors::of(&values);
        assert_eq!((found.count, found.late), (100, Some(0.01)));
        let ranks = [found.least, found.p1, found.p50, found.p99, found.most];
        assert_eq!(ranks, [-2.0, -2.0, 0.0, 0.0, 5.0].map(Some));
        assert_eq!(Errors::of(&BTreeMap::new()), Errors::default());
    }
}
