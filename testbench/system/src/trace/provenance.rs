//! Origin of a capture: the lines `key=value` in its comments.

use super::error::TraceError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ops::Range;
use weft_params::{RepsCsr, RepsParams};

/// Kind of a path's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// The path loses every packet.
    Dead,
    /// The path has a fraction of its rate.
    Slow,
}

/// Fault of a path of a scenario, with its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Number of the path.
    pub path: u32,
    /// Beginning of the fault in nanoseconds.
    pub from_ns: u64,
    /// End of the fault in nanoseconds.
    pub until_ns: u64,
}

impl Fault {
    /// Duration of the fault.
    pub(crate) fn time_ns(&self) -> Range<u64> {
        self.from_ns..self.until_ns
    }
}

/// Origin of a capture, as its comments describe it. Captures of other tools describe no origin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// Name of the scenario.
    pub scenario: Option<String>,
    /// Seed of the block's random numbers.
    pub seed: Option<u32>,
    /// Paths that the EVs select among, by [`path_of`](crate::scenario::path_of).
    pub paths: Option<u32>,
    /// Fault of a path.
    pub fault: Option<Fault>,
    params: Option<String>,
    csr: Option<String>,
}

/// Parses the value of a comment's `key`.
fn parsed<T: DeserializeOwned>(key: &'static str, value: &str) -> Result<T, TraceError> {
    serde_json::from_str(value).map_err(|error| refused(key, value, error))
}

fn refused(key: &'static str, value: &str, reason: impl ToString) -> TraceError {
    let value = value.chars().take(200).collect();
    TraceError::Provenance { key, value, reason: reason.to_string() }
}

impl Provenance {
    pub(super) fn of_comments(comments: &[String]) -> Self {
        let get = |key: &str| {
            let lines = comments.iter().flat_map(|comment| comment.lines());
            lines.filter_map(|line| line.split_once('=')).find(|(name, _)| *name == key).map(|(_, it)| it)
        };
        if get("tool") != Some("weft") {
            return Self::default();
        }
        Self {
            scenario: get("scenario").map(str::to_owned),
            seed: get("seed").and_then(|seed| seed.parse().ok()),
            paths: get("paths").and_then(|paths| paths.parse().ok()).filter(|paths| *paths > 0),
            fault: get("fault").and_then(|fault| serde_json::from_str(fault).ok()),
            params: get("params").map(str::to_owned),
            csr: get("csr").map(str::to_owned),
        }
    }

    /// Parameters of the block, or the default ones. Impossible parameters are an error.
    pub fn params(&self) -> Result<RepsParams, TraceError> {
        let Some(value) = &self.params else { return Ok(RepsParams::default()) };
        let params: RepsParams = parsed("params", value)?;
        params.check().map_err(|error| refused("params", value, error))?;
        Ok(params)
    }

    /// CSRs of the block, or the default ones. Impossible CSRs are an error.
    pub fn csr(&self) -> Result<RepsCsr, TraceError> {
        let params = self.params()?;
        let Some(value) = &self.csr else { return Ok(RepsCsr::for_params(&params)) };
        let csr: RepsCsr = parsed("csr", value)?;
        csr.check(&params).map_err(|error| refused("csr", value, error))?;
        Ok(csr)
    }
}
