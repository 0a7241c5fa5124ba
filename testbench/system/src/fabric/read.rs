//! A setup out of a file.

use super::error::SetupError;
use super::setup::{Setup, StartUnit, Traffic};
use crate::workload::matrix::{Matrix, Unit};
use std::path::Path;

impl Setup {
    /// Reads a file, and the trace that it names.
    pub fn read(path: &Path) -> Result<Self, SetupError> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SetupError(format!("cannot read {name}: {error}")))?;
        let mut setup = Self::parse(&text).map_err(|(line, what)| {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            SetupError(format!("{name}{line}: {what}"))
        })?;
        setup.load(path.parent().unwrap_or(Path::new("")))?;
        setup.check().map_err(|SetupError(what)| SetupError(format!("{name}: {what}")))?;
        Ok(setup)
    }

    /// The text of a file; of a mistake its line, if it has one, and what it is.
    pub(super) fn parse(text: &str) -> Result<Self, (Option<usize>, String)> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            (line, error.message().replace('\n', "; "))
        })
    }

    /// Reads the trace, if there is one.
    fn load(&mut self, folder: &Path) -> Result<(), SetupError> {
        let Traffic::Trace { file, start_unit, matrix } = &mut self.workload else { return Ok(()) };
        let path = folder.join(&*file);
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| SetupError(format!("cannot read {name}: {error}")))?;
        let unit = match start_unit {
            StartUnit::Us => Unit::Us,
            StartUnit::Ns => Unit::Ns,
            StartUnit::Ps => Unit::Ps,
        };
        *matrix = Some(Matrix::parse(&name, &text, unit).map_err(|error| SetupError(error.to_string()))?);
        Ok(())
    }
}
