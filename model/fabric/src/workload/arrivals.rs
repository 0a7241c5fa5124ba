//! Flows that arrive at random times, with sizes from a distribution.

use super::{LONGEST, MOST, WorkloadError, wrong};
use crate::flow::Flow;
use weft_random::Rng;

/// The latest arrival, in microseconds.
const LONGEST_US: f64 = 1e9;

/// A distribution of sizes: points of bytes and percent, linear between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Cdf {
    points: Vec<(f64, f64)>,
}

/// An error of a distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct CdfError {
    /// The line of the fault, from 1.
    pub line: Option<usize>,
    /// The correct form.
    pub what: String,
}

impl Cdf {
    /// Makes a distribution from points of bytes and percent. Bytes and percent rise, and the last point is
    /// 100 %.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, CdfError> {
        let wrong = |line: usize, what: &str| Err(CdfError { line: Some(line + 1), what: what.to_owned() });
        for (line, [bytes, percent]) in points.iter().enumerate() {
            if !(0.0..=LONGEST as f64).contains(bytes) || !(0.0..=100.0).contains(percent) {
                return wrong(line, "a point is bytes and percent, from 0 to 100");
            }
            if line > 0 && (points[line - 1][0] > *bytes || points[line - 1][1] > *percent) {
                return wrong(line, "bytes and percent must rise");
            }
        }
        match points {
            [] | [_] => Err(CdfError { line: None, what: "at least two points are needed".into() }),
            [.., [_, last]] if *last == 1.0 => wrong(
                points.len() - 1,
                "the last point is 1, as in a distribution in fractions; give percent: the second number times 100",
            ),
            [.., [_, last]] if *last != 100.0 => wrong(points.len() - 1, "the last point must be 100 %"),
            _ => Ok(Self {
                points: points.iter().map(|[bytes, percent]| (*bytes, *percent / 100.0)).collect(),
            }),
        }
    }

    /// Reads a distribution from the text of a file: bytes and percent in each line.
    pub fn parse(text: &str) -> Result<Self, CdfError> {
        let mut points = Vec::new();
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").replace(',', " ");
            let mut numbers = line.split_whitespace().map(str::parse::<f64>);
            match (numbers.next(), numbers.next(), numbers.next()) {
                (None, ..) => {}
                (Some(Ok(bytes)), Some(Ok(percent)), None) => {
                    points.push([bytes, percent]);
                    lines.push(number + 1);
                }
                _ => {
                    let what = "a line is two numbers: bytes and percent".into();
                    return Err(CdfError { line: Some(number + 1), what });
                }
            }
        }
        let line = |error: CdfError| CdfError { line: error.line.map(|at| lines[at - 1]), ..error };
        Self::new(&points).map_err(line)
    }

    /// The mean, in bytes.
    pub fn mean(&self) -> f64 {
        self.points.windows(2).map(|it| (it[1].1 - it[0].1) * (it[0].0 + it[1].0) / 2.0).sum()
    }

    /// A size, at least a byte.
    fn draw(&self, rng: &mut Rng) -> u64 {
        let share = unit(rng);
        let at = self
            .points
            .partition_point(|(_, cumulative)| *cumulative < share)
            .clamp(1, self.points.len() - 1);
        let ((a, low), (b, high)) = (self.points[at - 1], self.points[at]);
        let part = if high > low { (share - low) / (high - low) } else { 1.0 };
        ((a + (b - a) * part.clamp(0.0, 1.0)).round() as u64).max(1)
    }

    /// Poisson arrivals: `flows` of them, or the arrivals within `duration_us`. Every host sends at `load` of
    /// its rate on average, equally to all other hosts.
    pub(crate) fn arrivals(&self, it: &Arrivals, rng: &mut Rng) -> Result<Vec<Flow>, WorkloadError> {
        let Arrivals { hosts, gbps, load, flows, duration_us } = *it;
        if !(load > 0.0 && load <= 2.0) {
            return wrong(
                "load",
                format!("{load} of the hosts' rate is not possible; use a share above 0 to 2"),
            );
        }
        let mean_ps = self.mean() * 8_000.0 / (f64::from(gbps) * load * f64::from(hosts));
        let until_ps = duration_us.map_or(f64::INFINITY, |us| us * 1e6);
        if flows.is_none() && duration_us.is_none() {
            return wrong("flows", "give flows or duration_us");
        }
        if let Some(count) = flows.filter(|count| !(1..=MOST).contains(&u64::from(*count))) {
            return wrong("flows", format!("{count} is not possible; use 1 to {MOST}"));
        }
        if let Some(us) = duration_us.filter(|us| !(*us > 0.0 && *us <= LONGEST_US)) {
            return wrong(
                "duration_us",
                format!("{us:?} is not possible; use a number above 0 to {LONGEST_US:e}"),
            );
        }
        let too_many = || {
            let what = format!("more than {MOST} flows arrive in that time; make it shorter, or give flows");
            wrong("duration_us", what)
        };
        if flows.is_none() && until_ps / mean_ps > MOST as f64 {
            return too_many();
        }
        let most = flows.map_or(MOST, u64::from);
        if hosts < 2 {
            return wrong("kind", "at least two hosts are needed");
        }
        let mut now = 0.0;
        let mut all = Vec::new();
        while (all.len() as u64) < most {
            now -= mean_ps * (1.0 - unit(rng)).ln();
            if now >= until_ps {
                break;
            }
            if now > LONGEST_US * 1e6 {
                let what = format!(
                    "{load:?} is not possible: flow {} arrives after {LONGEST_US:e} us; use a larger load or fewer flows",
                    all.len()
                );
                return wrong("load", what);
            }
            let source = rng.below(hosts);
            let destination = (source + 1 + rng.below(hosts - 1)) % hosts;
            all.push(Flow::at(source, destination, self.draw(rng), now as u64));
        }
        if flows.is_none() && all.len() as u64 == MOST {
            return too_many();
        }
        if all.is_empty() {
            return wrong("duration_us", "no flow arrives in that time; make it longer");
        }
        Ok(all)
    }
}

/// Settings of arrivals.
pub(crate) struct Arrivals {
    pub(crate) hosts: u32,
    pub(crate) gbps: u32,
    pub(crate) load: f64,
    pub(crate) flows: Option<u32>,
    pub(crate) duration_us: Option<f64>,
}

/// A number from 0 to below 1, with 53 bits.
fn unit(rng: &mut Rng) -> f64 {
    (rng.draw() >> 11) as f64 / (1u64 << 53) as f64
}
