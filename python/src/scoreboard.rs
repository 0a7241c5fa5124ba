//! Compares the outputs of a design with those of the model (page `docs/verify-your-nic.md`).

use crate::error::{Difference, one_of};
use crate::nic::{Nic, STATUSES};
use crate::words::Where;
use pyo3::prelude::*;
use weft_handle::Scoreboard as Board;
use weft_nic::nic::transaction;
use weft_nic::words::{Received, Work};

/// A model of the NIC, and the outputs that the model has made and the design has not made yet. An output
/// that differs raises `Difference`, an `AssertionError`.
#[pyclass(module = "weft_sim", subclass)]
pub(crate) struct Scoreboard {
    board: Board,
    /// The model, for its registers and connections.
    #[pyo3(get)]
    nic: Py<Nic>,
}

impl Scoreboard {
    /// Runs a call at a time; some calls have a connection.
    fn on<T>(
        &mut self,
        py: Python<'_>,
        connection: Option<u32>,
        now_ticks: u64,
        then: impl FnOnce(&mut Board, &mut transaction::Nic) -> T,
    ) -> PyResult<T> {
        let mut nic = self.nic.try_borrow_mut(py)?;
        let model = match connection {
            Some(connection) => nic.at(connection, now_ticks)?,
            None => nic.on(now_ticks)?,
        };
        Ok(then(&mut self.board, model))
    }
}

/// Converts an answer of the scoreboard.
fn told(said: Result<(), weft_handle::Difference>) -> PyResult<()> {
    said.map_err(Difference::new_err)
}

#[pymethods]
impl Scoreboard {
    #[new]
    #[pyo3(signature = (connections=256))]
    fn new(py: Python<'_>, connections: u32) -> PyResult<Self> {
        let mut nic = Nic::new(connections)?;
        Ok(Self { board: Board::new(&mut nic.model), nic: Py::new(py, nic)? })
    }

    /// Number of outputs that were equal.
    #[getter]
    fn compared(&self) -> u64 {
        self.board.compared()
    }

    #[pyo3(signature = (connection, *, now_ticks, local=0, remote=0, key=0, length, immediate=None, id=0))]
    #[expect(clippy::too_many_arguments, reason = "a work request, by its names")]
    fn work(
        &mut self,
        py: Python<'_>,
        connection: u32,
        now_ticks: u64,
        local: u64,
        remote: u64,
        key: u32,
        length: u32,
        immediate: Option<u32>,
        id: u32,
    ) -> PyResult<()> {
        let (with_immediate, immediate) = (immediate.is_some(), immediate.unwrap_or(0));
        let work = Work { local, remote, key, length, immediate, id, with_immediate };
        self.on(py, Some(connection), now_ticks, |board, nic| board.work(nic, connection, &work, now_ticks))
    }

    #[pyo3(signature = (frame, *, bad=false, now_ticks))]
    fn receive(&mut self, py: Python<'_>, frame: &[u8], bad: bool, now_ticks: u64) -> PyResult<()> {
        self.on(py, None, now_ticks, |board, nic| board.receive(nic, frame, bad, now_ticks))
    }

    fn bypass(&mut self, py: Python<'_>, frame: &[u8]) -> PyResult<()> {
        self.board.bypass(&mut self.nic.try_borrow_mut(py)?.model, frame);
        Ok(())
    }

    #[pyo3(signature = (frame, *, now_ticks))]
    fn frame(&mut self, py: Python<'_>, frame: &[u8], now_ticks: u64) -> PyResult<()> {
        told(self.on(py, None, now_ticks, |board, nic| board.frame(nic, frame, now_ticks))?)
    }

    #[pyo3(signature = (frame, *, bad=false))]
    fn bypassed(&mut self, frame: &[u8], bad: bool) -> PyResult<()> {
        told(self.board.bypassed(frame, bad))
    }

    #[pyo3(signature = (connection, address, payload_bytes, *, now_ticks))]
    fn fetch(
        &mut self,
        py: Python<'_>,
        connection: u32,
        address: u64,
        payload_bytes: usize,
        now_ticks: u64,
    ) -> PyResult<()> {
        told(self.on(py, Some(connection), now_ticks, |board, nic| {
            board.fetch(nic, connection, address, payload_bytes, now_ticks)
        })?)
    }

    #[pyo3(signature = (payload=None))]
    fn read(&mut self, payload: Option<&[u8]>) -> PyResult<()> {
        told(self.board.read(payload))
    }

    fn write(&mut self, connection: u32, address: u64, payload: &[u8]) -> PyResult<()> {
        told(self.board.write(connection, address, payload))
    }

    #[pyo3(signature = (connection, immediate, message, *, now_ticks))]
    fn received(
        &mut self,
        py: Python<'_>,
        connection: u32,
        immediate: u32,
        message: u32,
        now_ticks: u64,
    ) -> PyResult<()> {
        told(self.on(py, Some(connection), now_ticks, |board, nic| {
            board.received(nic, connection, Received { immediate, message }, now_ticks)
        })?)
    }

    #[pyo3(signature = (connection, id, status, *, now_ticks))]
    fn sent(
        &mut self,
        py: Python<'_>,
        connection: u32,
        id: u32,
        status: &str,
        now_ticks: u64,
    ) -> PyResult<()> {
        let code = one_of("status", status, &STATUSES)? as u8;
        told(self.on(py, Some(connection), now_ticks, |board, nic| {
            board.sent(nic, connection, id, code, now_ticks)
        })?)
    }

    #[pyo3(signature = (connection, state, *, now_ticks))]
    fn event(&mut self, py: Python<'_>, connection: u32, state: u8, now_ticks: u64) -> PyResult<()> {
        told(self.on(py, Some(connection), now_ticks, |board, nic| {
            board.event(nic, connection, state, now_ticks)
        })?)
    }

    /// The scoreboard compares the low word of a counter of 64 bits.
    #[pyo3(signature = (register, value, *, now_ticks))]
    fn counter(&mut self, py: Python<'_>, register: Where, value: u64, now_ticks: u64) -> PyResult<()> {
        let place = register.counter()?;
        told(self.on(py, None, now_ticks, |board, nic| board.counter(nic, place, value as u32, now_ticks))?)
    }

    #[pyo3(signature = (*, now_ticks))]
    fn settle(&mut self, py: Python<'_>, now_ticks: u64) -> PyResult<()> {
        told(self.on(py, None, now_ticks, |board, nic| board.settle(nic, now_ticks))?)
    }
}
