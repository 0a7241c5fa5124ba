//! Tables of a sweep: for people, as CSV and as JSON.

use crate::points::Point;
use crate::sample::{Spread, busiest};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Figures of a result with their names, and number of digits after the point.
const FIGURES: [(&str, &str, usize); 26] = [
    ("last receiver, us", "/summary/finish_us", 2),
    ("last sender, us", "/summary/acknowledged_us", 2),
    ("completion, mean, us", "/summary/fct_us/mean", 2),
    ("completion, p99, us", "/summary/fct_us/p99", 2),
    ("slowdown, mean", "/summary/slowdown/mean", 3),
    ("slowdown, p99", "/summary/slowdown/p99", 3),
    ("sender's slowdown, mean", "/summary/sender_slowdown/mean", 3),
    ("sender's slowdown, p99", "/summary/sender_slowdown/p99", 3),
    ("longest queue, bytes", "/summary/peak_bytes", 0),
    ("trimmed", "/summary/trims", 0),
    ("sent again", "/summary/again", 0),
    ("marked", "/summary/marks", 0),
    ("lost in cut links", "/summary/losses/link", 0),
    ("lost to bit errors", "/summary/losses/corrupt", 0),
    ("freezes", "/counters/paths_freezes", 0),
    ("thaws", "/counters/paths_thaws", 0),
    ("round trip, mean, us", "/summary/rtt_us/mean", 3),
    ("round trip, median, us", "/summary/rtt_us/p50", 3),
    ("round trip, p99, us", "/summary/rtt_us/p99", 3),
    ("ahead of missing, mean", "/summary/early/mean", 2),
    ("ahead of missing, p99", "/summary/early/p99", 0),
    ("ahead of missing, most", "/summary/early/most", 0),
    ("reorder queues, p99, bytes", "/summary/reorder_bytes/p99", 0),
    ("reorder queues, most, bytes", "/summary/reorder_bytes/most", 0),
    ("control, share of bytes", "/summary/control_share", 4),
    ("goodput in all, Gb/s", "/summary/goodput_gbps", 1),
];

/// A figure of a combination over its seeds. Without `mean`, no run has the figure.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Keys of the combination with their values.
    pub values: BTreeMap<String, String>,
    /// The figure.
    pub figure: String,
    /// Number of runs that have the figure.
    pub runs: usize,
    /// Number of runs that could have the figure.
    pub of_runs: usize,
    /// Number of flows of the figure, if it is a figure of flows.
    pub flows: Option<u64>,
    /// Number of flows that have the figure.
    pub of_flows: Option<u64>,
    /// Mean over the runs.
    pub mean: Option<f64>,
    /// Standard deviation.
    pub deviation: Option<f64>,
    /// Least.
    pub least: Option<f64>,
    /// Most.
    pub most: Option<f64>,
    /// The lower end of the confidence interval of the mean at 95 %.
    pub low_95: Option<f64>,
    /// The upper end of that interval.
    pub high_95: Option<f64>,
    #[serde(skip)]
    digits: usize,
    #[serde(skip)]
    name: String,
}

/// The value of a result at a figure's place: `None` if the place does not exist; `Some(None)` if it has no value.
fn at(result: &Value, pointer: &str) -> Option<Option<f64>> {
    match result.pointer(pointer) {
        // A result may leave out a cause that has zero packets.
        None if pointer.starts_with("/summary/losses/") => Some(Some(0.0)),
        None => None,
        Some(value) => Some(value.as_f64()),
    }
}

/// The rows of all combinations. Results are in the order of the points; `None` for impossible points.
pub fn rows(points: &[Point], results: &[Option<Value>]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut from = 0;
    for group in points.chunk_by(|a, b| a.name == b.name) {
        let results: Vec<&Value> = results[from..from + group.len()].iter().flatten().collect();
        from += group.len();
        let mut add = |figure: &str, digits: usize, values: Vec<Option<f64>>, flows: Option<[u64; 2]>| {
            let known: Vec<f64> = values.iter().flatten().copied().collect();
            let spread = Spread::of(&known);
            let interval = spread.and_then(|it| it.confidence());
            rows.push(Row {
                values: group[0].values.iter().cloned().collect(),
                figure: figure.to_owned(),
                runs: known.len(),
                of_runs: group.len(),
                flows: flows.map(|it| it[0]),
                of_flows: flows.map(|it| it[1]),
                mean: spread.map(|it| it.mean),
                deviation: spread.map(|it| it.deviation),
                least: spread.map(|it| it.least),
                most: spread.map(|it| it.most),
                low_95: interval.map(|it| it[0]),
                high_95: interval.map(|it| it[1]),
                digits,
                name: group[0].name.clone(),
            });
        };
        for (figure, pointer, digits) in FIGURES {
            let found: Vec<Option<Option<f64>>> = results.iter().map(|result| at(result, pointer)).collect();
            if found.iter().all(Option::is_none) && !results.is_empty() {
                continue;
            }
            // Results omit counters that all NICs of a run left at 0.
            let missing = pointer.starts_with("/counters/").then_some(0.0);
            let values = found.into_iter().map(|value| value.unwrap_or(missing)).collect();
            let of_flows = pointer.rsplit_once('/').map_or("", |(distribution, _)| distribution);
            let count = |key: &str| {
                let of = |result: &&Value| result.pointer(&format!("{of_flows}/{key}"))?.as_u64();
                results.iter().map(of).sum::<Option<u64>>()
            };
            add(figure, digits, values, count("count").zip(count("of")).map(|(count, of)| [count, of]));
        }
        for kind in 0..6 {
            if let Some(name) = results.first().and_then(|result| result["ports"][kind]["kind"].as_str()) {
                let values = results.iter().map(|result| busiest(&result["ports"][kind])).collect();
                add(&format!("busiest {name}, %"), 2, values, None);
                let imbalance = |result: &&Value| result["ports"][kind]["imbalance"].as_f64();
                let values: Vec<_> = results.iter().map(imbalance).collect();
                if values.iter().any(Option::is_some) {
                    add(&format!("imbalance {name}"), 3, values, None);
                }
                for figure in ["mean", "p99"] {
                    let queue = |result: &&Value| result["ports"][kind]["queue_bytes"][figure].as_f64();
                    let values: Vec<_> = results.iter().map(queue).collect();
                    if values.iter().any(Option::is_some) {
                        add(&format!("queue {name}, {figure}, bytes"), 0, values, None);
                    }
                }
            }
        }
    }
    rows
}

/// The table for people. A figure of flows states the number of flows; a figure that is missing in some runs
/// states the number of runs that have it.
pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| a.name == b.name) {
        let all = group[0].of_runs;
        let there = group.iter().map(|row| row.runs).max().unwrap_or(0);
        let seeds = if there < all { format!("{there} of {all}") } else { all.to_string() };
        // A string takes everything.
        let _ = writeln!(text, "{} ({seeds} seeds)", group[0].name);
        for row in group {
            let digits = row.digits;
            let spread = row.mean.zip(row.deviation).zip(row.least.zip(row.most));
            let mut line = spread.map_or("-".to_owned(), |((mean, deviation), (least, most))| {
                format!("{mean:.digits$} ± {deviation:.digits$}, {least:.digits$} to {most:.digits$}")
            });
            if let Some((low, high)) = row.low_95.zip(row.high_95) {
                line += &format!("; 95 %: {low:.digits$} to {high:.digits$}");
            }
            if row.runs < there && row.mean.is_some() {
                line += &format!("; {} of {there} runs", row.runs);
            }
            match row.flows.zip(row.of_flows) {
                Some((flows, of)) if flows < of => line += &format!("; {flows} of {of} flows ended"),
                Some((flows, _)) => line += &format!("; {flows} flows"),
                None => {}
            }
            let _ = writeln!(text, "  {:<26} {line}", row.figure);
        }
    }
    text
}

/// A field of a table with commas (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The table as CSV: a column for each swept key, a line for each figure. A value that is not a number is
/// empty.
pub fn csv(rows: &[Row]) -> String {
    let keys: Vec<&String> = rows.first().into_iter().flat_map(|row| row.values.keys()).collect();
    let columns = [
        "figure",
        "runs",
        "of_runs",
        "flows",
        "of_flows",
        "mean",
        "deviation",
        "least",
        "most",
        "low_95",
        "high_95",
    ];
    let heads = keys.iter().map(|key| field(key)).chain(columns.map(str::to_owned));
    let mut text = heads.collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        let or_empty = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let count = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let figures = [row.mean, row.deviation, row.least, row.most, row.low_95, row.high_95].map(or_empty);
        let fields = row.values.values().map(|value| field(value)).chain([
            field(&row.figure),
            row.runs.to_string(),
            row.of_runs.to_string(),
            count(row.flows),
            count(row.of_flows),
        ]);
        text += &(fields.chain(figures).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// The table as JSON, with the seeds.
pub fn json(points: &[Point], rows: &[Row]) -> Value {
    let seeds: Vec<u64> =
        points.iter().take_while(|it| it.name == points[0].name).map(|it| it.seed).collect();
    json!({ "seeds": seeds, "rows": rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, seed: u64) -> Point {
        let values = vec![("until_us".to_owned(), name.to_owned())];
        Point { values, name: name.to_owned(), seed, sets: Vec::new(), file: "a".into() }
    }

    fn result(ended: u64, mean: Option<f64>) -> Value {
        let finish = mean.filter(|_| ended == 8);
        json!({ "summary": { "finish_us": finish, "fct_us": { "count": ended, "of": 8, "mean": mean, "p99": mean } } })
    }

    #[test]
    fn what_is_counted_has_rows() {
        let counted =
            |mean: f64| json!({ "count": 7, "mean": mean, "p50": mean, "p99": 2.0 * mean, "most": 9.0 });
        let result = json!({
            "summary": { "rtt_us": counted(4.5), "early": counted(1.25), "control_share": 0.0321 },
            "ports": [{ "kind": "edge up", "bytes": [1, 1, 1], "queue_bytes": counted(800.0) }],
        });
        let text = text(&rows(&[point("1", 1)], &[Some(result)]));
        for line in [
            "  round trip, mean, us       4.500 ± 0.000, 4.500 to 4.500\n",
            "  ahead of missing, most     9 ± 0, 9 to 9\n",
            "  control, share of bytes    0.0321 ± 0.0000, 0.0321 to 0.0321\n",
            "  queue edge up, p99, bytes  1600 ± 0, 1600 to 1600\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
        assert!(!text.contains("reorder queues"), "{text}");
    }

    #[test]
    fn a_figure_says_of_how_many_it_is() {
        let until = |us: &str| [point(us, 1), point(us, 2)];
        let points = [until("1"), until("13"), until("20")].concat();
        let results =
            [(0, None), (0, None), (3, Some(10.0)), (8, Some(14.0)), (8, Some(14.0)), (8, Some(14.0))];
        let rows = rows(&points, &results.map(|(ended, mean)| Some(result(ended, mean))));
        let text = text(&rows);
        for line in [
            "  completion, mean, us       -; 0 of 16 flows ended\n",
            "  last receiver, us          14.00 ± 0.00, 14.00 to 14.00; 1 of 2 runs\n",
            "  completion, mean, us       12.00 ± 2.83, 10.00 to 14.00; 95 %: -13.41 to 37.41; 11 of 16 flows ended\n",
            "  completion, mean, us       14.00 ± 0.00, 14.00 to 14.00; 95 %: 14.00 to 14.00; 16 flows\n",
        ] {
            assert!(text.contains(line), "{line}{text}");
        }
        let csv = csv(&rows);
        assert!(csv.starts_with("until_us,figure,runs,of_runs,flows,of_flows,mean,"), "{csv}");
        assert!(csv.contains("\n1,\"completion, mean, us\",0,2,0,16,,,,,,\n"), "{csv}");
        let json = json(&points, &rows);
        assert_eq!(json["seeds"], json!([1, 2]));
        assert_eq!((&json["rows"][1]["mean"], &json["rows"][1]["of_flows"]), (&Value::Null, &16.into()));
    }
}
