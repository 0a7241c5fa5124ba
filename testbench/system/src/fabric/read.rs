//! A setup out of a file.

use super::error::SetupError;
use super::setup::{Setup, StartUnit, Traffic};
use crate::workload::matrix::{Matrix, Unit};
use std::path::Path;
use weft_fabric::setup::source::{Source, Wrong};

impl Setup {
    /// Reads a file, and the trace that it names.
    pub fn read(path: &Path) -> Result<Self, SetupError> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SetupError::Line(format!("cannot read {name}: {error}")))?;
        Self::parse(name.to_string(), text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a text, whose trace is in `folder`.
    pub(super) fn parse(name: String, text: String, folder: &Path) -> Result<Self, SetupError> {
        let source = Source::new(name, text);
        let mut setup: Self = source.parse()?;
        let told = |error: SetupError| match error {
            SetupError::Key(wrong) => source.error(wrong).into(),
            line => line,
        };
        setup.load(folder).map_err(told)?;
        setup.fit().map_err(told)?;
        setup.check().map_err(told)?;
        Ok(setup)
    }

    /// Reads the trace, if there is one.
    fn load(&mut self, folder: &Path) -> Result<(), SetupError> {
        let Traffic::Trace { file, start_unit, matrix } = &mut self.workload else { return Ok(()) };
        let path = folder.join(&*file);
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let what = format!("cannot read {name}: {error}");
            Wrong { key: "workload.file".to_owned(), what }
        })?;
        let unit = match start_unit {
            StartUnit::Us => Unit::Us,
            StartUnit::Ns => Unit::Ns,
            StartUnit::Ps => Unit::Ps,
        };
        let parsed = Matrix::parse(&name, &text, unit);
        *matrix = Some(parsed.map_err(|error| SetupError::Line(error.to_string()))?);
        Ok(())
    }
}
