//! A fabric that accepts flows while it runs (page `docs/ai-simulators.md`).

use crate::error::{of_any, of_setup, value};
use crate::setup::{LOOK, Plan, Run};
use crate::words::record;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use weft_fabric::live;
use weft_sweep::program;

record! {
    /// The end of a flow at one of its hosts: the receiver has all bytes, or the sender has learned that the
    /// receiver has them.
    Done {
        /// Flows have numbers from 0, in the order in which they were sent.
        flow: u32,
        /// The caller's own number of the flow.
        user: u64,
        source: u32,
        destination: u32,
        bytes: u64,
        at_ps: u64,
        is_sender: bool,
    }
}

record! {
    /// Flows with a start time in a window that had already run; they started in the next window.
    Late { flows: u64, sum_ps: u64, most_ps: u64 }
}

/// A fabric that runs up to given times.
#[pyclass(frozen, module = "weft_sim")]
pub(crate) struct Fabric(Mutex<Option<live::Fabric>>);

impl Fabric {
    fn lock(&self) -> MutexGuard<'_, Option<live::Fabric>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, then: impl FnOnce(&mut live::Fabric) -> T) -> PyResult<T> {
        self.lock().as_mut().map(then).ok_or_else(|| value("finish() has ended the run"))
    }
}

#[pymethods]
impl Fabric {
    #[new]
    fn new(plan: &Plan) -> PyResult<Self> {
        let live = live::Fabric::new(plan.0.clone()).map_err(of_setup)?;
        Ok(Self(Mutex::new(Some(live))))
    }

    #[getter]
    fn hosts(&self) -> PyResult<u32> {
        self.with(|live| live.hosts())
    }

    #[getter]
    fn window_ps(&self) -> PyResult<u64> {
        self.with(|live| live.window_ps())
    }

    #[getter]
    fn now_ps(&self) -> PyResult<u64> {
        self.with(|live| live.now_ps())
    }

    #[getter]
    fn is_idle(&self) -> PyResult<bool> {
        self.with(|live| live.is_idle())
    }

    #[getter]
    fn late(&self) -> PyResult<Late> {
        let live::Late { flows, sum_ps, most_ps } = self.with(|live| live.late())?;
        Ok(Late { flows, sum_ps, most_ps })
    }

    #[pyo3(signature = (source, destination, count=1))]
    fn connect(&self, source: u32, destination: u32, count: u32) -> PyResult<()> {
        self.with(|live| live.connect(source, destination, count))?.map_err(value)
    }

    #[pyo3(signature = (source, destination, bytes, at_ps=0, user=0))]
    fn send(&self, source: u32, destination: u32, bytes: u64, at_ps: u64, user: u64) -> PyResult<u32> {
        self.with(|live| live.send(source, destination, bytes, at_ps, user))?.map_err(value)
    }

    #[pyo3(signature = (until_ps=None))]
    fn advance(&self, py: Python<'_>, until_ps: Option<u64>) -> PyResult<Vec<Done>> {
        let (mut looked, mut stopped) = (Instant::now(), None);
        let done = py.detach(|| {
            self.with(|live| {
                live.advance_while(until_ps.unwrap_or(u64::MAX), || {
                    if looked.elapsed() >= LOOK {
                        looked = Instant::now();
                        stopped = Python::attach(|py| py.check_signals()).err();
                    }
                    stopped.is_none()
                })
            })
        })?;
        if let Some(error) = stopped {
            return Err(error);
        }
        let done = done.into_iter().map(|it| {
            let live::Done { flow, user, source, destination, bytes, at_ps, is_sender } = it;
            Done { flow, user, source, destination, bytes, at_ps, is_sender }
        });
        Ok(done.collect())
    }

    /// Ends the run and returns its result.
    fn finish(&self, py: Python<'_>) -> PyResult<Run> {
        let live = self.lock().take().ok_or_else(|| value("finish() has ended the run"))?;
        let mut report = py.detach(|| live.finish());
        report.program = Some(program::digest().map_err(of_any)?);
        Ok(Run(report))
    }
}
