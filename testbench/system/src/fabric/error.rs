//! What is wrong with a setup.

/// What is wrong with a setup, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub(super) String);

impl SetupError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// It fits, or this is wrong.
pub(super) fn ensure(fits: bool, what: impl FnOnce() -> String) -> Result<(), SetupError> {
    if fits { Ok(()) } else { Err(SetupError(what())) }
}
