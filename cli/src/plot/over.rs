//! A figure of runs over the values of a key.

use super::curves::{Curve, Scale, curves};
use super::groups::{Group, drawn, of_all};
use anyhow::{Result, bail, ensure};
use plotters::style::RGBColor;
use serde_json::Value;
use std::collections::BTreeMap;
use weft_sweep::sample::Spread;

/// Axes for keys and figures: their names, and the divisors of their values.
const KEYS: [(&str, &str); 10] = [
    ("workload.bytes", "size of a message (bytes)"),
    ("hosts.mtu", "payload of a packet (bytes)"),
    ("hosts.evs", "entropy values"),
    ("workload.load", "load (share of the hosts' rate)"),
    ("workload.senders", "senders"),
    ("workload.window", "flows of a host at a time"),
    ("draw.0.share", "share of links that are cut"),
    ("routing.converge_us", "time until switches know of failures (µs)"),
    ("topology.k", "ports of a switch"),
    ("scheme.reply-ticks", "wait for a reply (ticks)"),
];
const FIGURES: [(&str, &str, f64); 15] = [
    ("finish_us", "time of the last receiver (µs)", 1.0),
    ("acknowledged_us", "time of the last sender (µs)", 1.0),
    ("fct_us.mean", "mean completion time of a flow (µs)", 1.0),
    ("fct_us.p50", "median completion time of a flow (µs)", 1.0),
    ("fct_us.p99", "99th percentile of completion times (µs)", 1.0),
    ("slowdown.mean", "mean slowdown of a flow", 1.0),
    ("slowdown.p99", "99th percentile of the slowdown", 1.0),
    ("peak_bytes", "longest queue (kB)", 1e3),
    ("losses.link", "packets lost in cut links", 1.0),
    ("sender_slowdown.p99", "99th percentile of the slowdown", 1.0),
    ("imbalance.0.mean", "imbalance of uplinks", 1.0),
    ("ports.1.queue_bytes.mean", "mean queue above edge switches (kB)", 1e3),
    ("reorder.queues.most", "most reorder queues of a port", 1.0),
    ("reorder.bytes.most", "most in the reorder queues of a switch (kB)", 1e3),
    ("switch_counters.reply", "replies in a run", 1.0),
];
/// Figures that are distributions over flows.
const OF_FLOWS: [&str; 3] = ["fct_us", "slowdown", "sender_slowdown"];
/// If the largest value is at least this multiple of the least, the axis is logarithmic, unless the values
/// are shares.
const FAR: f64 = 4.0;

/// A figure over a key. The plot shows how many runs lack the figure, for example because their flows have
/// not ended.
pub(super) fn over(heading: &str, groups: &[Group], key: &str, figure: &str) -> Result<String> {
    let pointer = |path: &str| format!("/{}", path.replace('.', "/"));
    let (along, up) = (format!("/setup{}", pointer(key)), pointer(figure));
    let of = |run: &Value| {
        let found = run.pointer(&format!("/summary{up}")).or_else(|| run.pointer(&up));
        found.and_then(Value::as_f64)
    };
    let distribution = of_flows(figure).unwrap_or_default();
    let (name_y, by) = FIGURES.iter().find(|it| it.0 == figure).map_or((figure, 1.0), |it| (it.1, it.2));
    let mut named = drawn(groups);
    let mut all = Vec::new();
    for ((_, runs), (name, color)) in groups.iter().zip(&mut named) {
        let mut points: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let (mut known, mut ended, mut flows) = (0, 0, 0);
        for run in runs {
            let Some(number) = run.pointer(&along).and_then(Value::as_f64) else {
                bail!("--key {key}: a result has no number at this key");
            };
            ensure!(number >= 0.0, "--key {key}: {number} is below 0");
            // For numbers that are not negative, bits sort as the numbers do.
            let values = points.entry((number + 0.0).to_bits()).or_default();
            values.extend(of(run).map(|value| value / by));
            known += usize::from(of(run).is_some());
            // A distribution has the number of its flows, and of all flows.
            let number = |part: &str| run["summary"][distribution][part].as_u64().unwrap_or(0) as usize;
            (ended, flows) = (ended + number("count"), flows + number("of"));
        }
        *name = of_all(&of_all(name, known, runs.len(), "runs"), ended, flows, "flows");
        let spread =
            |(number, values): (&u64, &Vec<f64>)| Some((f64::from_bits(*number), Spread::of(values)?));
        all.push(with_spread(&points.iter().filter_map(spread).collect::<Vec<_>>(), *color));
    }
    ensure!(all.iter().any(|curve| !curve.points.is_empty()), "--figure {figure}: no result has this figure");
    let name_x = KEYS.iter().find(|it| it.0 == key).map_or(key, |it| it.1);
    let numbers = || all.iter().flat_map(|curve| curve.points.iter().map(|it| it.0));
    let (least, most) = (numbers().fold(f64::MAX, f64::min), numbers().fold(0.0, f64::max));
    let along = if most > 1.0 && least > 0.0 && most / least >= FAR { Scale::Swept } else { Scale::Steps };
    curves(heading, &named, (name_x, name_y), &all, [along, Scale::Linear])
}

/// The distribution over flows to which a figure belongs.
pub(super) fn of_flows(figure: &str) -> Option<&str> {
    figure.split('.').next().filter(|it| OF_FLOWS.contains(it))
}

/// Means, and as a band one standard deviation up and down.
fn with_spread(points: &[(f64, Spread)], color: RGBColor) -> Curve {
    let band = |(number, it): &(f64, Spread)| (*number, it.mean - it.deviation, it.mean + it.deviation);
    let means = points.iter().map(|(number, it)| (*number, it.mean)).collect();
    Curve { band: points.iter().map(band).collect(), ..Curve::new(color, means) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_longest_queue_is_drawn_by_the_number_that_was_swept() {
        let run = |bytes: u64, peak: u32| json!({ "setup": { "workload": { "bytes": bytes } }, "summary": { "peak_bytes": peak } });
        let runs =
            vec![run(65_536, 4_000), run(65_536, 8_000), run(1_048_576, 50_000), run(1_048_576, 50_000)];
        let svg = over("a", &[("jsq".to_owned(), runs)], "workload.bytes", "peak_bytes").expect("drawn");
        // Ticks are at the swept values; the axis ends above 50 kB; the spread is a band.
        for words in
            [">\njsq\n<", ">\n50\n<", ">\n64 KiB\n<", ">\n1 MiB\n<", "<polygon", "longest queue (kB)"]
        {
            assert!(svg.contains(words), "{words} in {svg}");
        }
    }

    #[test]
    fn a_figure_is_drawn_over_a_key() {
        let run = |load: f64, p99: Option<f64>| json!({ "setup": { "workload": { "load": load } }, "summary": { "slowdown": { "p99": p99 } } });
        let runs = vec![run(0.4, Some(2.0)), run(0.4, Some(4.0)), run(0.8, Some(9.0)), run(0.8, None)];
        let groups = [("ecmp".to_owned(), runs)];
        let svg = over("a", &groups, "workload.load", "slowdown.p99").expect("drawn");
        assert!(
            svg.contains("ecmp (3 of 4 runs)") && svg.contains("99th percentile of the slowdown"),
            "{svg}"
        );
        let run = |count: u32| json!({ "setup": { "until_us": 9 }, "summary": { "fct_us": { "mean": 2.0, "count": count, "of": 8 } } });
        let svg = over("a", &[("ecmp".to_owned(), vec![run(8), run(3)])], "until_us", "fct_us.mean");
        assert!(svg.expect("drawn").contains("ecmp (11 of 16 flows)"));
        assert!(over("a", &groups, "workload.no", "slowdown.p99").is_err());
        assert!(over("a", &groups, "workload.load", "no").is_err());
    }
}
