//! Distributions that are counted during a run, in constant memory.

use crate::packet::{CONTROL, Packet};
use serde::{Deserialize, Serialize};

/// Layers of ports, in the order in which a packet passes them. A port has the index of its layer.
pub const LAYERS: [&str; 6] =
    ["host up", "edge up", "aggregation up", "core down", "aggregation down", "edge down"];

/// Number of bits of a value that are stored below its highest bit.
const FINE: u32 = 5;
const STEPS: usize = 1 << FINE;

/// Counts of values. Values below 64 are exact, greater values are rounded to a thirty-second part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    bins: Vec<u64>,
    sum: u128,
    most: u64,
}

/// The bin of a value.
#[inline]
fn bin(value: u64) -> usize {
    if value < 2 << FINE {
        return value as usize;
    }
    let shift = value.ilog2() - FINE;
    shift as usize * STEPS + (value >> shift) as usize
}

/// The middle of a bin.
fn middle(bin: usize) -> f64 {
    if bin < 2 * STEPS {
        return bin as f64;
    }
    let shift = bin / STEPS - 1;
    let least = ((bin % STEPS + STEPS) as u64) << shift;
    least as f64 + ((1u64 << shift) - 1) as f64 / 2.0
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        let at = bin(value);
        if at >= self.bins.len() {
            self.grow(at);
        }
        self.bins[at] += 1;
        self.sum += u128::from(value);
        self.most = self.most.max(value);
    }

    /// Counts a value a number of times.
    pub fn add_many(&mut self, value: u64, times: u64) {
        if times > 0 {
            self.add(value);
            self.bins[bin(value)] += times - 1;
            self.sum += u128::from(value) * u128::from(times - 1);
        }
    }

    #[cold]
    fn grow(&mut self, at: usize) {
        self.bins.resize(at + 1, 0);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        self.bins.resize(self.bins.len().max(other.bins.len()), 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(count, more)| *count += more);
        self.sum += other.sum;
        self.most = self.most.max(other.most);
    }

    /// The figures of the histogram, divided by `unit`.
    pub fn figures(&self, unit: f64) -> Distribution {
        let count: u64 = self.bins.iter().sum();
        let known = |value: f64| (count > 0).then_some(value / unit);
        let rank = |percent: u64| self.rank(percent * 10).map(|value| value / unit);
        Distribution {
            count,
            mean: known(self.sum as f64 / count.max(1) as f64),
            p50: rank(50),
            p90: rank(90),
            p99: rank(99),
            most: known(self.most as f64),
        }
    }

    /// The value that `per_mille` of a thousand values do not exceed.
    pub fn rank(&self, per_mille: u64) -> Option<f64> {
        let count: u64 = self.bins.iter().sum();
        let rank = (u128::from(count) * u128::from(per_mille)).div_ceil(1_000) as u64;
        let mut so_far = 0;
        let at = self.bins.iter().position(|count| {
            so_far += count;
            so_far >= rank
        });
        (count > 0).then(|| at.map_or(0.0, middle).min(self.most as f64))
    }
}

/// A distribution of values counted during a run. Mean and maximum are exact, percentiles are exact to a
/// sixty-fourth part. Without values the figures are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distribution {
    /// Number of values.
    pub count: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Maximum.
    pub most: Option<f64>,
}

/// Counts of ports, by layer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Bytes of data in the queue at each arrival of data.
    pub found: [Histogram; LAYERS.len()],
    /// Bytes of ACKs, NACKs, probes and of packets between switches that left.
    pub control_bytes: [u64; LAYERS.len()],
    /// Bytes in all reorder queues of a port after each arrival in one of them.
    pub held: Histogram,
}

impl Tally {
    /// Counts a packet that leaves a port of this layer.
    #[inline]
    pub(crate) fn leaves(&mut self, layer: u8, packet: &Packet) {
        if packet.flags & CONTROL != 0 {
            self.control_bytes[usize::from(layer)] += u64::from(packet.bytes);
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.found.iter_mut().zip(&other.found).for_each(|(it, more)| it.merge(more));
        self.control_bytes.iter_mut().zip(other.control_bytes).for_each(|(it, more)| *it += more);
        self.held.merge(&other.held);
    }
}

/// Packets received ahead of a missing one, in a bin of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlyBin {
    /// Number of packets or ACKs with a value.
    pub count: u64,
    /// Sum of the values.
    pub sum: u64,
    /// Maximum of the values.
    pub most: u64,
}

/// Counts of hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Round-trip times, in ps.
    pub rtt: Histogram,
    /// Numbers of packets that a connection received ahead of a missing packet.
    pub early: Histogram,
    /// The values of `early` over time, in bins of `every_ps`.
    pub bins: Vec<EarlyBin>,
    /// Width of a bin; 0: no record over time.
    pub every_ps: u64,
}

impl Seen {
    /// Counts the packets that a connection received ahead of a missing packet.
    #[inline]
    pub fn early(&mut self, packets: u32, now_ps: u64) {
        self.early.add(packets.into());
        if self.every_ps != 0 {
            self.note(packets.into(), now_ps);
        }
    }

    #[cold]
    fn note(&mut self, packets: u64, now_ps: u64) {
        let at = (now_ps / self.every_ps) as usize;
        if self.bins.len() <= at {
            self.bins.resize(at + 1, EarlyBin::default());
        }
        let EarlyBin { count, sum, most } = &mut self.bins[at];
        *count += 1;
        *sum += packets;
        *most = packets.max(*most);
    }

    /// Adds the counts of another set.
    pub fn merge(&mut self, other: &Self) {
        self.rtt.merge(&other.rtt);
        self.early.merge(&other.early);
        self.every_ps = self.every_ps.max(other.every_ps);
        self.bins.resize(self.bins.len().max(other.bins.len()), EarlyBin::default());
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.count += more.count;
            bin.sum += more.sum;
            bin.most = bin.most.max(more.most);
        }
    }
}

/// The counts in the data that the hosts of a thread share.
pub trait Counts {
    /// The counts, if the hosts count.
    fn seen(&mut self) -> Option<&mut Seen>;
}

impl Counts for () {
    fn seen(&mut self) -> Option<&mut Seen> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_random::Rng;

    #[test]
    fn figures_are_those_of_the_sorted_values() {
        let mut rng = Rng::new(3);
        for bits in [3, 6, 7, 13, 40, 64] {
            let values: Vec<u64> =
                (0..5_000).map(|_| rng.draw() >> (64 - bits) >> (rng.draw() % bits)).collect();
            let (mut first, mut second) = (Histogram::default(), Histogram::default());
            for (at, value) in values.iter().enumerate() {
                (if at % 3 == 0 { &mut first } else { &mut second }).add(*value);
            }
            first.merge(&second);
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let figures = first.figures(10.0);
            let exact = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1] as f64 / 10.0;
            let mean = values.iter().map(|it| *it as f64).sum::<f64>() / 5e4;
            assert_eq!(figures.count, 5_000);
            assert!((figures.mean.expect("some") / mean - 1.0).abs() < 1e-9);
            assert_eq!(figures.most, Some(exact(100)));
            for (found, percent) in [(figures.p50, 50), (figures.p90, 90), (figures.p99, 99)] {
                let (found, exact) = (found.expect("some"), exact(percent));
                assert!((found - exact).abs() <= exact / 64.0, "{bits} bits, {percent} %: {found}, {exact}");
            }
        }
        assert_eq!(Histogram::default().figures(1.0), Distribution::default());
    }

    #[test]
    fn bins_have_an_order_without_gaps() {
        let bins: Vec<usize> = (0..1 << 17).map(bin).collect();
        assert!(bins.windows(2).all(|two| two[1] == two[0] || two[1] == two[0] + 1));
        let powers = (17..64).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit]);
        let bins: Vec<usize> = powers.map(bin).collect();
        assert!(bins.is_sorted());
    }
}
