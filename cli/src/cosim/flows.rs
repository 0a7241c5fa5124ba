//! Completion times of the flows of a traffic trace.

use serde_json::{Value, json};
use weft_fabric::report::percentile;
use weft_system::nic::{CLOCK_NS, Figures, Flow, Matrix, Times, flow_times};

/// Number of clocks that a flow needs without other traffic.
pub(super) type Ideal<'a> = &'a dyn Fn(&Flow) -> u64;

fn us(clocks: u64) -> f64 {
    (clocks * CLOCK_NS) as f64 / 1e3
}

/// A flow with the clocks of its start and of its end.
struct Fate {
    flow: Flow,
    /// Clocks from the start of the run.
    start: Option<u64>,
    end: Option<u64>,
    /// Number of clocks that the flow needs without other traffic.
    ideal: u64,
}

impl Fate {
    /// Flow completion time in clocks, and the ratio of this time to the ideal one.
    fn completion(&self) -> Option<(u64, f64)> {
        let clocks = self.end? - self.start?;
        Some((clocks, clocks as f64 / self.ideal as f64))
    }
}

fn fates(ideal: Ideal<'_>, matrix: &Matrix, figures: &Figures) -> Vec<Fate> {
    let begin = figures.begin.unwrap_or(0);
    let fate = |(flow, times): (&Flow, Times)| Fate {
        flow: *flow,
        start: times.due.map(|clock| clock - begin),
        end: times.ended.map(|clock| clock - begin),
        ideal: ideal(flow),
    };
    matrix.flows().iter().zip(flow_times(matrix, &figures.messages)).map(fate).collect()
}

/// Every flow as JSON. Start and end count from the start of the run; they are null for a flow that did not
/// start or end.
pub(super) fn as_json(ideal: Ideal<'_>, matrix: &Matrix, figures: &Figures) -> Value {
    let flow = |fate: &Fate| {
        let Flow { id, source, destination, bytes, .. } = fate.flow;
        json!({
            "id": id,
            "src": source,
            "dst": destination,
            "bytes": bytes,
            "start_us": fate.start.map(us),
            "end_us": fate.end.map(us),
            "slowdown": fate.completion().map(|(_, slowdown)| slowdown),
        })
    };
    fates(ideal, matrix, figures).iter().map(flow).collect()
}

/// Number of flows that ended, and the spread of their completion times and slowdowns.
pub(super) fn as_text(ideal: Ideal<'_>, matrix: &Matrix, figures: &Figures) -> String {
    let fates = fates(ideal, matrix, figures);
    let (clocks, slowdowns): (Vec<u64>, Vec<f64>) = fates.iter().filter_map(Fate::completion).unzip();
    format!(
        "flows: {} of {} ended\n{}{}",
        clocks.len(),
        fates.len(),
        spread("completion time in us", clocks.into_iter().map(us).collect(), 1),
        spread("slowdown", slowdowns, 2),
    )
}

/// Mean, median, 99th percentile (the lowest value that at least 99 % of the values do not exceed) and
/// maximum, with a number of digits.
fn spread(name: &str, mut values: Vec<f64>, digits: usize) -> String {
    values.sort_unstable_by(f64::total_cmp);
    let [Some(p50), Some(p99), Some(max)] = [50, 99, 100].map(|percent| percentile(&values, percent)) else {
        return String::new();
    };
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    format!("{name}: mean {mean:.digits$}, p50 {p50:.digits$}, p99 {p99:.digits$}, max {max:.digits$}\n")
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn percentiles_are_values_that_there_are() {
        let values = (1..=200).rev().map(f64::from).collect();
        assert_eq!(spread("x", values, 1), "x: mean 100.5, p50 100.0, p99 198.0, max 200.0\n");
        assert_eq!(spread("x", vec![0.25], 2), "x: mean 0.25, p50 0.25, p99 0.25, max 0.25\n");
        assert_eq!(spread("x", vec![], 2), "");
    }
}
