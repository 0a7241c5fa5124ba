//! A sweep: its points, a run of one point, the table of all runs.

use crate::error::{of_any, of_setup, value};
use crate::table::{Column, Table};
use pyo3::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use weft_sweep::filter::Filter;
use weft_sweep::points::{self, Point, Seeds};
use weft_sweep::run::{End, Told, can_be, one};
use weft_sweep::table::{self, Row};

/// The runs of a sweep.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Points {
    file: PathBuf,
    points: Vec<Point>,
    stopped: AtomicBool,
}

#[pymethods]
impl Points {
    /// Keys and values as for the command: `--over`, `--set`, `--seeds`, `--out`.
    #[new]
    fn new(file: PathBuf, over: Vec<String>, sets: Vec<String>, seeds: &str, out: PathBuf) -> PyResult<Self> {
        let seeds: Seeds = seeds.parse().map_err(|error| value(format!("seeds: {error}")))?;
        let points = points::all(&over, &sets, &seeds, &out).map_err(of_any)?;
        Ok(Self { file, points, stopped: AtomicBool::new(false) })
    }

    fn __len__(&self) -> usize {
        self.points.len()
    }

    /// Combination, seed and the result's file of each run.
    fn list(&self) -> Vec<(String, u64, PathBuf)> {
        self.points.iter().map(|it| (it.name.clone(), it.seed, it.file.clone())).collect()
    }

    /// Refuses a combination that is impossible with every seed.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            self.points.chunk_by(|a, b| a.name == b.name).try_for_each(|seeds| can_be(&self.file, seeds))
        })
        .map_err(of_setup)
    }

    /// Does a run, unless its result exists. Returns how the point ended, and lines for users. The end is "made", "kept",
    /// "impossible", "stopped" or "elsewhere" (another sweep does the run).
    fn run(&self, py: Python<'_>, number: usize) -> PyResult<(&'static str, Vec<String>)> {
        let point = self.points.get(number);
        let point = point.ok_or_else(|| {
            value(format!("run {number} does not exist: there are {} runs", self.points.len()))
        })?;
        let lines = Mutex::new(Vec::new());
        let tell = |line: String| {
            if let Ok(mut lines) = lines.lock() {
                lines.push(line);
            }
        };
        let end = py.detach(|| one(&self.file, point, &Told::by(&tell), || !self.stopped.load(SeqCst)));
        let how = match end.map_err(of_any)? {
            End::Made(_) => "made",
            End::Kept(_) => "kept",
            End::CannotBe => "impossible",
            End::Interrupted => "stopped",
            End::Elsewhere => "elsewhere",
        };
        Ok((how, lines.into_inner().unwrap_or_default()))
    }

    /// Stops the runs that are in progress.
    fn stop(&self) {
        self.stopped.store(true, SeqCst);
    }

    /// The figures of all existing results; with conditions on flows, distributions cover only flows that
    /// meet the conditions.
    #[pyo3(signature = (conditions=None))]
    fn figures(&self, py: Python<'_>, conditions: Option<&str>) -> PyResult<Figures> {
        let filter: Option<Filter> = conditions.map(str::parse).transpose().map_err(value)?;
        let read = |point: &Point| -> anyhow::Result<Option<Value>> {
            let Ok(text) = std::fs::read_to_string(&point.file) else { return Ok(None) };
            let mut result: Value = serde_json::from_str(&text)?;
            if filter.is_some() {
                Filter::apply(filter.as_ref(), &mut result)?;
            }
            Ok(Some(result))
        };
        let results = py.detach(|| self.points.iter().map(read).collect::<anyhow::Result<Vec<_>>>());
        let results = results.map_err(of_any)?;
        let rows = table::rows(&self.points, &results);
        Ok(Figures { points: self.points.clone(), results, rows })
    }
}

/// The results of a sweep.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Figures {
    points: Vec<Point>,
    results: Vec<Option<Value>>,
    rows: Vec<Row>,
}

#[pymethods]
impl Figures {
    /// The table as text, in the form that `weft sweep` prints.
    fn text(&self) -> String {
        table::text(&self.rows)
    }

    /// The text of `weft sweep --csv`.
    fn csv(&self) -> String {
        table::csv(&self.rows)
    }

    /// The text of `weft sweep --json`.
    fn json(&self) -> PyResult<String> {
        let json = table::json(&self.points, &self.rows);
        Ok(serde_json::to_string_pretty(&json).map_err(value)? + "\n")
    }

    /// Number of failures of the accounting check in all runs.
    #[getter]
    fn violations(&self) -> usize {
        let count = |it: &Value| it["violations"].as_array().map_or(0, Vec::len);
        self.results.iter().flatten().map(count).sum()
    }

    /// Runs without a result.
    #[getter]
    fn missing(&self) -> usize {
        self.results.iter().filter(|it| it.is_none()).count()
    }

    /// A row for each figure of each combination, over its seeds.
    #[getter]
    fn summary(&self) -> Table {
        let number = |of: fn(&Row) -> Option<f64>| Column::F64(self.rows.iter().map(of).collect());
        let count = |of: fn(&Row) -> Option<u64>| Column::U64(self.rows.iter().map(of).collect());
        let mut columns = self.keys(self.rows.iter().map(|row| &row.values));
        columns.extend([
            ("figure".to_owned(), Column::Text(self.rows.iter().map(|row| row.figure.clone()).collect())),
            ("runs".to_owned(), count(|row| Some(row.runs as u64))),
            ("of_runs".to_owned(), count(|row| Some(row.of_runs as u64))),
            ("flows".to_owned(), count(|row| row.flows)),
            ("of_flows".to_owned(), count(|row| row.of_flows)),
            ("mean".to_owned(), number(|row| row.mean)),
            ("deviation".to_owned(), number(|row| row.deviation)),
            ("least".to_owned(), number(|row| row.least)),
            ("most".to_owned(), number(|row| row.most)),
            ("low_95".to_owned(), number(|row| row.low_95)),
            ("high_95".to_owned(), number(|row| row.high_95)),
        ]);
        Table::new(columns)
    }

    /// A row for each run: its keys, its seed, its figures.
    #[getter]
    fn runs(&self) -> Table {
        let (mut there, mut names, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for (point, result) in self.points.iter().zip(&self.results) {
            let Some(result) = result else { continue };
            let rows = table::rows(std::slice::from_ref(point), &[Some(result.clone())]);
            let own: BTreeMap<String, Option<f64>> =
                rows.into_iter().map(|row| (row.figure, row.mean)).collect();
            there.push(point);
            found.push(own);
        }
        for row in &self.rows {
            if !names.contains(&row.figure) {
                names.push(row.figure.clone());
            }
        }
        let values: Vec<BTreeMap<String, String>> =
            there.iter().map(|point| point.values.iter().cloned().collect()).collect();
        let mut columns = self.keys(values.iter());
        columns.push(("seed".into(), Column::U64(there.iter().map(|point| Some(point.seed)).collect())));
        for name in names {
            let figure = found.iter().map(|own| own.get(&name).copied().flatten()).collect();
            columns.push((name, Column::F64(figure)));
        }
        Table::new(columns)
    }
}

impl Figures {
    /// A column for each key that was swept.
    fn keys<'a>(
        &self,
        rows: impl Iterator<Item = &'a BTreeMap<String, String>> + Clone,
    ) -> Vec<(String, Column)> {
        let keys = self.points.first().into_iter().flat_map(|point| &point.values);
        keys.map(|(key, _)| {
            let values = rows.clone().map(|row| row.get(key).cloned().unwrap_or_default()).collect();
            (key.clone(), Column::Text(values))
        })
        .collect()
    }
}
