//! Errors of a setup.

use weft_fabric::setup::source::{self, Wrong};

/// Fault of a setup, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A key has an impossible value.
    #[error(transparent)]
    Key(#[from] Wrong),
    /// Another fault, or a key with its place in the file.
    #[error("{0}")]
    Line(String),
}

impl From<source::SetupError> for SetupError {
    fn from(error: source::SetupError) -> Self {
        Self::Line(error.text)
    }
}

/// Reports a key as wrong unless `fits` is true.
pub(super) fn ensure(fits: bool, key: &str, what: impl FnOnce() -> String) -> Result<(), Wrong> {
    if fits { Ok(()) } else { source::wrong(key, what()) }
}
