//! What is wrong with a setup.

use weft_fabric::setup::source::{self, Wrong};

/// What is wrong with a setup, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A key.
    #[error(transparent)]
    Key(#[from] Wrong),
    /// Something else, or a key with its place.
    #[error("{0}")]
    Line(String),
}

impl From<source::SetupError> for SetupError {
    fn from(error: source::SetupError) -> Self {
        Self::Line(error.text)
    }
}

/// It fits, or this is wrong with that key.
pub(super) fn ensure(fits: bool, key: &str, what: impl FnOnce() -> String) -> Result<(), Wrong> {
    if fits { Ok(()) } else { source::wrong(key, what()) }
}
