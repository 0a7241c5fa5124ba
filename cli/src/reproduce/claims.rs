//! Claims, and the measured values.

use super::rows::Claim;
use crate::plot::busiest;
use crate::sweep::Swept;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;

/// Results by their names. A name consists of the values of the swept keys. If the run has a name, that name
/// and a slash precede the values.
#[derive(Default)]
pub(super) struct Measured(BTreeMap<String, Vec<Value>>);

impl Measured {
    /// Adds the results of a sweep.
    pub(super) fn add(&mut self, run: &str, swept: Swept) {
        for (values, result) in swept.named() {
            let name = match (run, values.as_str()) {
                ("", "") => "run".to_owned(),
                ("", values) => values.to_owned(),
                (run, "") => run.to_owned(),
                (run, values) => format!("{run}/{values}"),
            };
            self.0.entry(name).or_default().push(result);
        }
    }

    /// Adds the rows of another command, by their `name`.
    pub(super) fn add_json(&mut self, run: &str, text: &str) -> Result<()> {
        let rows: Vec<Value> = serde_json::from_str(text)?;
        for row in rows {
            let name = row["name"].as_str().context("a row has no name")?;
            let name = if run.is_empty() { name.to_owned() } else { format!("{run}/{name}") };
            self.0.entry(name).or_default().push(row);
        }
        Ok(())
    }

    /// Checks a claim. Returns whether the claim holds, and the value found.
    pub(super) fn check(&self, claim: &Claim) -> Result<(bool, String)> {
        let means = claim.order.iter().chain(&claim.of).map(|name| self.mean(name, &claim.figure));
        let means: Vec<f64> = match means.collect::<Result<Option<Vec<f64>>>>()? {
            Some(means) => means,
            None => return Ok((false, "a flow has not ended, or the figure is missing".to_owned())),
        };
        if !claim.order.is_empty() {
            let found: Vec<String> = claim
                .order
                .iter()
                .zip(&means)
                .map(|(name, mean)| format!("{name} {}", figure(*mean)))
                .collect();
            return Ok((means.is_sorted(), found.join(", ")));
        }
        let (what, value) = match means[..] {
            [value] => ("", value),
            [first, second] if claim.along.is_empty() => ("ratio ", first / second),
            [first, second] => {
                let [from, to] = [0, 1].map(|at| self.key(&claim.of[at], &claim.along));
                ("exponent ", (second / first).ln() / (to? / from?).ln())
            }
            _ => bail!("{:?} compares more than two runs; give one, two or an order", claim.text),
        };
        let bounds = match [claim.least, claim.most].map(f64::is_finite) {
            [true, true] => format!("{} to {}", claim.least, claim.most),
            [true, false] => format!("{} at least", claim.least),
            _ => format!("{} at most", claim.most),
        };
        Ok((
            (claim.least..=claim.most).contains(&value),
            format!("{what}{}, claimed {bounds}", figure(value)),
        ))
    }

    fn runs(&self, name: &str) -> Result<&[Value]> {
        let Some(runs) = self.0.get(name) else {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            bail!("a claim names {name:?}; the runs are {}", known.join("; "));
        };
        Ok(runs)
    }

    /// The mean of a figure over the runs with a name; `None` if a run lacks the figure.
    fn mean(&self, name: &str, figure: &str) -> Result<Option<f64>> {
        let runs = self.runs(name)?;
        let of = |run: &Value| match figure {
            "busiest" => busiest(run),
            path => at(run, path),
        };
        let values: Option<Vec<f64>> = runs.iter().map(of).collect();
        Ok(values
            .filter(|values| !values.is_empty())
            .map(|values| values.iter().sum::<f64>() / values.len() as f64))
    }

    /// A number of the setup.
    fn key(&self, name: &str, key: &str) -> Result<f64> {
        let run = self.runs(name)?.first().context("no run")?;
        at(&run["setup"], key).with_context(|| format!("{name}: no {key}"))
    }
}

/// A number at a path, in the summary or otherwise in the whole result; for a list the mean.
fn at(run: &Value, path: &str) -> Option<f64> {
    let pointer = format!("/{}", path.replace('.', "/"));
    let found = run["summary"].pointer(&pointer).or_else(|| run.pointer(&pointer));
    match found {
        Some(Value::Array(values)) => {
            let values: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        }
        // A result leaves out causes without losses and counters at 0.
        None if path.starts_with("losses.") || path.starts_with("counters.") => Some(0.0),
        found => found?.as_f64(),
    }
}

/// A number with four digits.
fn figure(value: f64) -> String {
    let places = (3 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn claim(text: &str) -> Claim {
        toml::from_str(&format!("text = \"a\"\nfigure = \"finish_us\"\n{text}")).expect("a claim")
    }

    fn measured() -> Measured {
        let run = |us: f64, bytes: u64| json!({ "setup": { "workload": { "bytes": bytes } }, "summary": { "finish_us": us } });
        let named = |name: &str, runs: Vec<Value>| (name.to_owned(), runs);
        let missing = json!({ "summary": { "finish_us": null } });
        Measured(BTreeMap::from([
            named("reps", vec![run(10.0, 1_000), run(12.0, 1_000)]),
            named("ops", vec![run(22.0, 1_000)]),
            named("more", vec![run(44.0, 4_000)]),
            named("late", vec![run(1.0, 1_000), missing]),
        ]))
    }

    #[test]
    fn a_claim_holds_or_not() {
        let measured = measured();
        for (text, holds) in [
            ("order = ['reps', 'ops']", true),
            ("order = ['ops', 'reps']", false),
            ("of = ['ops', 'reps']\nleast = 1.9\nmost = 2.1", true),
            ("of = ['ops', 'reps']\nleast = 2.1", false),
            ("of = ['ops', 'reps']\nmost = 1.9", false),
            ("of = ['reps']\nleast = 11\nmost = 11", true),
            ("of = ['reps']\nmost = 10.9", false),
            // Four times the bytes, twice the time: the root.
            ("of = ['ops', 'more']\nalong = 'workload.bytes'\nleast = 0.49\nmost = 0.51", true),
            ("of = ['ops', 'more']\nalong = 'workload.bytes'\nleast = 0.9", false),
            // One of the two runs has not ended.
            ("order = ['late', 'reps']", false),
        ] {
            let (found, words) = measured.check(&claim(text)).expect(text);
            assert_eq!(found, holds, "{text}: {words}");
        }
        let error = measured.check(&claim("order = ['reps', 'none']")).expect_err("no such run").to_string();
        assert!(error.contains("\"none\"; the runs are late; more; ops; reps"), "{error}");
    }

    #[test]
    fn figures_have_four_digits() {
        assert_eq!([0.01234, 1.5, 31.2559, 123_456.7].map(figure), ["0.01234", "1.500", "31.26", "123457"]);
    }
}
