//! A setup, its run, and the result.

use crate::error::{of_any, of_setup, value};
use crate::table::{Column, Table};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use weft_fabric::plan;
use weft_fabric::report::{FlowRow, Report};
use weft_fabric::simulate::Engine;
use weft_sweep::filter::Filter;
use weft_sweep::{program, text};

/// Sets the program's file: results have the digest of this file.
#[pyfunction]
pub(crate) fn program_is(file: PathBuf) {
    program::is(file);
}

/// A setup with all derived values, ready to run.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Plan(pub(crate) plan::Plan);

/// Time between two checks for Ctrl-C.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

#[pymethods]
impl Plan {
    /// The setup of a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, sets: Vec<String>) -> PyResult<Self> {
        py.detach(|| plan::Plan::read(&path, &sets)).map(Self).map_err(of_setup)
    }

    /// The setup of a text; `folder` has the files that the text names.
    #[staticmethod]
    fn parse(py: Python<'_>, name: &str, text: &str, folder: PathBuf, sets: Vec<String>) -> PyResult<Self> {
        py.detach(|| plan::Plan::parse(name, text, &folder, &sets)).map(Self).map_err(of_setup)
    }

    /// Warnings of settings that are possible but probably unintended.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings()
    }

    /// All keys with their values, in the form of the result.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string_pretty(self.0.setup()).map_err(value)
    }

    #[getter]
    fn hosts(&self) -> u32 {
        self.0.network().topology.hosts()
    }

    #[getter]
    fn switches(&self) -> u32 {
        self.0.network().topology.switches()
    }

    /// The flows that will run. Flows of a schedule start at the times of the schedule, not at `start_us`.
    fn flows(&self) -> Table {
        let of = |column: fn(&weft_fabric::flow::Flow) -> u32| {
            Column::U32(self.0.flows().iter().map(column).collect())
        };
        let bytes = self.0.flows().iter().map(|flow| Some(flow.bytes)).collect();
        Table::new(vec![
            ("source".into(), of(|flow| flow.source)),
            ("destination".into(), of(|flow| flow.destination)),
            ("bytes".into(), Column::U64(bytes)),
        ])
    }

    /// Runs the setup, without the GIL. `progress` is called at intervals with the number of ends of flows so
    /// far, and the number of ends of the whole run.
    #[pyo3(signature = (conditions=None, oracle=false, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        conditions: Option<&str>,
        oracle: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let filter: Option<Filter> = conditions.map(str::parse).transpose().map_err(value)?;
        let engine = if oracle { Engine::Heap } else { Engine::Windows };
        let (plan, ends) = (&self.0, self.0.ends());
        let mut looked = Instant::now();
        let mut stopped = None;
        let mut report = py.detach(|| {
            plan.run(engine, |so_far| {
                if looked.elapsed() < LOOK {
                    return true;
                }
                looked = Instant::now();
                let look = |py: Python<'_>| {
                    py.check_signals()?;
                    match &progress {
                        Some(progress) => progress.call1(py, (so_far.finished, ends)).map(drop),
                        None => Ok(()),
                    }
                };
                stopped = Python::attach(look).err();
                stopped.is_none()
            })
        });
        if let Some(error) = stopped {
            return Err(error);
        }
        if let Some(filter) = filter {
            filter.keep(&mut report).map_err(of_any)?;
        }
        report.program = Some(program::digest().map_err(of_any)?);
        Ok(Run(report))
    }
}

/// The result of a run.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Run(pub(crate) Report);

/// The columns of the table of flows, each with its type.
macro_rules! flow_columns {
    ($flows:expr; $($field:ident: $kind:ident),+ $(,)?) => {
        vec![$((stringify!($field).to_owned(), flow_columns!(@ $kind, $flows, $field))),+]
    };
    (@ count, $flows:expr, $field:ident) => { Column::U32($flows.iter().map(|it| it.$field).collect()) };
    (@ bytes, $flows:expr, $field:ident) => { Column::U64($flows.iter().map(|it| Some(it.$field)).collect()) };
    (@ time, $flows:expr, $field:ident) => { Column::F64($flows.iter().map(|it| Some(it.$field)).collect()) };
    (@ maybe, $flows:expr, $field:ident) => { Column::F64($flows.iter().map(|it| it.$field).collect()) };
}

fn flows(flows: &[FlowRow]) -> Table {
    Table::new(flow_columns! { flows;
        source: count, destination: count, bytes: bytes, start_us: maybe, fct_us: maybe, acknowledged_us: maybe,
        ideal_us: time, slowdown: maybe, sender_slowdown: maybe, packets: count, received: count, drops: count,
        again: count, by_nack: count, by_verdict: count, by_timeout: count, by_probe: count, trims: count,
        marks: count, explored: count, recycled: count, reused: count, freezes: count, answer_drops: count,
    })
}

#[pymethods]
impl Run {
    /// The text that `weft sim --json` writes.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        Ok(py.detach(|| serde_json::to_string_pretty(&self.0)).map_err(value)? + "\n")
    }

    /// The text that `weft sim` prints. The run took `seconds` seconds.
    fn text(&self, seconds: f64) -> PyResult<String> {
        text::of(&self.0, seconds).map_err(value)
    }

    /// Failures of the accounting check; empty if the check passed.
    #[getter]
    fn violations(&self) -> Vec<String> {
        self.0.violations.clone()
    }

    /// A row for each flow.
    #[getter]
    fn flows(&self) -> Table {
        flows(&self.0.flows)
    }

    /// Links over time, those of `[series]`: a row for each link and bin.
    #[getter]
    fn series(&self) -> Table {
        let every_us = self.0.setup.series.as_ref().map_or(0.0, |series| series.every_us);
        let (mut from, mut to, mut begin) = (Vec::new(), Vec::new(), Vec::new());
        let (mut carried, mut gbps, mut peak, mut lost) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for link in &self.0.series {
            for bin in 0..link.bytes.len().max(link.peak_bytes.len()) {
                let bytes = link.bytes.get(bin).copied().unwrap_or(0);
                from.push(link.from.to_string());
                to.push(link.to.to_string());
                begin.push(Some(bin as f64 * every_us));
                carried.push(Some(bytes));
                gbps.push(Some(bytes as f64 * 8.0 / (every_us * 1e3)));
                peak.push(link.peak_bytes.get(bin).copied().unwrap_or(0));
                lost.push(link.lost.get(bin).copied().unwrap_or(0));
            }
        }
        Table::new(vec![
            ("from".into(), Column::Text(from)),
            ("to".into(), Column::Text(to)),
            ("begin_us".into(), Column::F64(begin)),
            ("bytes".into(), Column::U64(carried)),
            ("gbps".into(), Column::F64(gbps)),
            ("peak_bytes".into(), Column::U32(peak)),
            ("lost".into(), Column::U32(lost)),
        ])
    }

    /// Packets ahead of a missing one over time, in the bins of `[series]`.
    #[getter]
    fn early(&self) -> Table {
        let every_us = self.0.setup.series.as_ref().map_or(0.0, |series| series.every_us);
        let (mean, most) =
            self.0.early.as_ref().map(|it| (it.mean.clone(), it.most.clone())).unwrap_or_default();
        let begin = (0..mean.len()).map(|bin| Some(bin as f64 * every_us)).collect();
        Table::new(vec![
            ("begin_us".into(), Column::F64(begin)),
            ("mean".into(), Column::F64(mean)),
            ("most".into(), Column::U64(most.into_iter().map(Some).collect())),
        ])
    }

    /// A table in the form that `weft sim` writes.
    fn csv(&self, table: &str) -> PyResult<String> {
        match table {
            "flows" => Ok(self.0.flow_table()),
            "series" => Ok(self.0.series_table()),
            "early" => Ok(self.0.early_table()),
            _ => Err(value(format!("table {table:?}: use one of flows, series, early"))),
        }
    }
}
