//! Topology files of other simulators: htsim's `.topo`, and lists of links of ns-3, as in HPCC, ConWeave and
//! SimAI.

mod htsim;
mod ns3;

use super::{Links, Setup, Shape};
use crate::inputs::Inputs;
use std::path::Path;

/// The topology of a file.
#[derive(Debug, PartialEq)]
struct Found {
    shape: Shape,
    links: Links,
    /// The latency of switches, if the file gives it.
    latency_ns: Option<u64>,
    /// The omitted parts, one per line.
    notes: Vec<String>,
}

/// A mistake, and its line.
type Wrong = (usize, String);

/// The reader of a file's text.
type Reader = fn(&str) -> Result<Found, Wrong>;

/// A mistake in a line of a file.
fn at<T>(line: usize, what: impl Into<String>) -> Result<T, Wrong> {
    Err((line, what.into()))
}

/// An error of a topology file, or of a key that conflicts with it.
pub(crate) enum Unread {
    /// The error text, with the name of the file and the number of the line.
    File(String),
    /// A key, and its fault.
    Key(&'static str, String),
}

impl Setup {
    /// Puts the contents of a topology file in place of its name; the parts left out, a line each.
    pub(crate) fn read_shape(&mut self, folder: &Path, inputs: &Inputs) -> Result<Vec<String>, Unread> {
        let (file, reads): (_, Reader) = match &self.topology {
            Shape::Htsim { file } => (file, htsim::read),
            Shape::Ns3 { file } => (file, ns3::read),
            _ => return Ok(Vec::new()),
        };
        let name = folder.join(file).display().to_string();
        if self.links != Links::default() {
            let what = format!("rates and latencies are those of {name}; leave [links] out");
            return Err(Unread::Key("links", what));
        }
        let bytes = inputs
            .read(folder, file)
            .map_err(|error| Unread::Key("topology.file", format!("cannot read {name}: {error}")))?;
        let text = String::from_utf8_lossy(&bytes);
        let found = reads(text.trim_start_matches('\u{FEFF}'))
            .and_then(|found| match found.shape.topology() {
                Ok(_) => Ok(found),
                Err(error) => at(1, error.to_string()),
            })
            .map_err(|(line, what)| Unread::File(format!("{name}:{line}: {what}")))?;
        let Found { shape, links, latency_ns, notes } = found;
        (self.topology, self.links) = (shape, links);
        self.switch.latency_ns = latency_ns.unwrap_or(self.switch.latency_ns);
        Ok(notes.into_iter().map(|note| format!("{name}: {note}")).collect())
    }
}

/// A latency in whole nanoseconds, of a number and its unit.
fn nanoseconds(text: &str) -> Option<u64> {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let (number, unit) = units.iter().find_map(|(unit, ns)| Some((text.strip_suffix(unit)?, ns)))?;
    let ns = number.parse::<f64>().ok()? * unit;
    (ns.is_finite() && (0.0..=1e12).contains(&ns)).then_some(ns.round() as u64)
}
