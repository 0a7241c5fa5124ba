//! Errors as exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyAssertionError, PyOSError, PyValueError};
use pyo3::prelude::*;
use weft_fabric::setup;

create_exception!(
    weft_sim,
    SetupError,
    PyValueError,
    "A setup that is not possible. `file`, `line` and `key` say where, as far as that is known."
);

create_exception!(weft_sim, Difference, PyAssertionError, "What a design did, and what the model does.");

/// The fault of a setup.
pub(crate) fn of_setup(error: setup::SetupError) -> PyErr {
    let setup::SetupError { text, file, line, key } = error;
    let made = SetupError::new_err(text);
    let with = Python::attach(|py| -> PyResult<()> {
        let value = made.value(py);
        value.setattr("file", file)?;
        value.setattr("line", line)?;
        value.setattr("key", key)
    });
    with.err().unwrap_or(made)
}

/// Makes a Python error from any other error.
pub(crate) fn of_any(error: anyhow::Error) -> PyErr {
    let error = match error.downcast::<setup::SetupError>() {
        Ok(error) => return of_setup(error),
        Err(error) => error,
    };
    let text = format!("{error:#}");
    if error.chain().any(|cause| cause.is::<std::io::Error>()) {
        PyOSError::new_err(text)
    } else {
        PyValueError::new_err(text)
    }
}

/// The exception for a value out of range.
pub(crate) fn value(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A number below `count`.
pub(crate) fn below(what: &str, value: u32, count: u32) -> PyResult<()> {
    if value < count {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{what} {value}: use 0 to {}", count - 1)))
}

/// The place of a name.
pub(crate) fn one_of(what: &str, name: &str, names: &[&str]) -> PyResult<usize> {
    let found = names.iter().position(|known| *known == name);
    found.ok_or_else(|| PyValueError::new_err(format!("{what} {name:?}: use one of {}", names.join(", "))))
}
