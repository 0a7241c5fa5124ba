//! Statistics over several seeds: for each figure the mean, its spread, the minimum and the maximum.

use super::Run;
use serde_json::{Map, Value, json};
use weft_fabric::report;
use weft_sweep::sample::Spread;
use weft_system::nic::Figures;

/// A figure of a run.
struct Figure {
    /// Key in JSON, with the unit.
    key: &'static str,
    /// Name in text.
    name: &'static str,
    /// Digits after the point.
    digits: usize,
    of: fn(&Figures, nics: f64) -> Option<f64>,
}

const FIGURES: [Figure; 8] = [
    Figure { key: "finish_us", name: "all is done, us", digits: 1, of: |run, _| run.finish_us() },
    Figure {
        key: "goodput_gbps",
        name: "goodput of a NIC, Gb/s",
        digits: 2,
        of: |run, nics| Some(run.goodput_gbps()? / nics),
    },
    Figure {
        key: "slowest_flow_gbps",
        name: "goodput of the slowest flow, Gb/s",
        digits: 2,
        of: |run, _| percentile(run.flow_goodputs_gbps(), 0),
    },
    Figure {
        key: "message_p50_us",
        name: "a message, p50, us",
        digits: 1,
        of: |run, _| percentile(run.completions_us(), 50),
    },
    Figure {
        key: "message_p99_us",
        name: "a message, p99, us",
        digits: 1,
        of: |run, _| percentile(run.completions_us(), 99),
    },
    Figure { key: "marks", name: "packets marked", digits: 0, of: |run, _| Some(run.fabric().marks as f64) },
    Figure {
        key: "lost",
        name: "packets lost",
        digits: 0,
        of: |run, _| Some((run.fabric().dead + run.fabric().drops) as f64),
    },
    Figure {
        key: "again",
        name: "packets sent again",
        digits: 0,
        of: |run, _| Some(run.packets.retransmissions as f64),
    },
];

/// [`report::percentile`] of values in any order.
fn percentile(mut values: Vec<f64>, percent: usize) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    report::percentile(&values, percent)
}

/// The figures of the runs of one mode, without the figures that one of the runs lacks.
fn spreads(runs: &[Run], nics: u32) -> impl Iterator<Item = (&'static Figure, Spread)> {
    let values = move |figure: &Figure| -> Option<Vec<f64>> {
        runs.iter().map(|run| (figure.of)(&run.figures, f64::from(nics))).collect()
    };
    FIGURES.iter().filter_map(move |figure| Some((figure, Spread::of(&values(figure)?)?)))
}

/// The figures of one mode as a table.
pub(super) fn as_text(runs: &[Run], nics: u32) -> String {
    let Some(first) = runs.first() else { return String::new() };
    let mut text = format!(
        "{} over {} seeds: mean ± standard deviation, least to most\n",
        first.mode.name(),
        runs.len()
    );
    for (Figure { name, digits, .. }, Spread { mean, deviation, least, most, .. }) in spreads(runs, nics) {
        text += &format!(
            "  {name:<34} {mean:.digits$} ± {deviation:.digits$}, {least:.digits$} to {most:.digits$}\n"
        );
    }
    text
}

/// The statistics as JSON.
pub(super) fn as_json(runs: &[Run], nics: u32) -> Value {
    let figure = |(figure, spread): (&Figure, Spread)| {
        let Spread { mean, deviation, least, most, .. } = spread;
        let value = json!({ "mean": mean, "deviation": deviation, "least": least, "most": most });
        (figure.key.to_owned(), value)
    };
    spreads(runs, nics).map(figure).collect::<Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_there_are() {
        let values = |count: u32| (1..=count).rev().map(f64::from).collect::<Vec<_>>();
        assert_eq!([0, 50, 99].map(|percent| percentile(values(100), percent)), [1.0, 50.0, 99.0].map(Some));
        assert_eq!((percentile(values(3), 50), percentile(Vec::new(), 50)), (Some(2.0), None));
    }
}
