//! The report of nextpnr about a design that it placed and routed.

use crate::{Error, INSIDE};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The timing of a routed design.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The highest clock frequency, in MHz.
    pub mhz: f64,
    /// The slowest path between two registers.
    pub path: Path,
}

/// A path between two registers of a routed design.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Delay of the cells, including set-up, in ns.
    pub logic_ns: f64,
    /// Delay of the wires, in ns.
    pub routing_ns: f64,
    /// Number of cells between the two registers.
    pub cells: u32,
    /// The register at the start.
    pub from: String,
    /// Names in the source of the nets on the path, each once.
    pub through: Vec<String>,
    /// The register at the end.
    pub to: String,
}

#[derive(Deserialize)]
struct Report {
    critical_paths: Vec<Critical>,
    fmax: BTreeMap<String, Fmax>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Deserialize)]
struct Critical {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    #[serde(rename = "type")]
    kind: String,
    delay: f64,
    net: Option<String>,
    to: Pin,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

impl Timing {
    /// Reads the file that `--report` wrote, for a design with one clock.
    pub fn read(json: &str) -> Result<Self, Error> {
        let unreadable = |error: String| Error::Unreadable { what: "nextpnr's report".into(), error };
        let report: Report = serde_json::from_str(json).map_err(|error| unreadable(error.to_string()))?;
        let [clock] = report.fmax.values().collect::<Vec<_>>()[..] else {
            return Err(unreadable(format!("it has {} clocks, not one", report.fmax.len())));
        };
        let edge = |at: &str| at.starts_with("posedge");
        let critical = report.critical_paths.iter().find(|path| edge(&path.from) && edge(&path.to));
        let critical =
            critical.ok_or_else(|| unreadable("it has no way from register to register".into()))?;
        Ok(Self { mhz: rounded(clock.achieved), path: critical.path() })
    }
}

impl Critical {
    fn path(&self) -> Path {
        let mut path = Path::default();
        let mut names: Vec<String> = Vec::new();
        for segment in &self.path {
            let is_wire = segment.kind == "routing";
            *(if is_wire { &mut path.routing_ns } else { &mut path.logic_ns }) += segment.delay;
            path.cells += u32::from(segment.kind == "logic");
            if let Some(net) = segment.net.as_deref().filter(|_| is_wire) {
                names.push(source_name(net));
            }
        }
        (path.logic_ns, path.routing_ns) = (rounded(path.logic_ns), rounded(path.routing_ns));
        names.dedup();
        let end = self.path.last().map_or("", |segment| segment.to.cell.as_str());
        path.to = source_name(end);
        if !names.is_empty() {
            path.from = names.remove(0);
        }
        path.through = names;
        path.through.retain(|name| *name != path.to);
        path
    }
}

/// The name in the source for a name in the netlist: yosys appends cells and pins to it.
fn source_name(name: &str) -> String {
    const CELLS: [&str; 8] =
        ["_TRELLIS_", "_LUT4_", "_CCU2C_", "_PFUMX_", "_L6MUX21_", "_DP16KD_", "_PDPW16KD_", "_MULT18X18D_"];
    let end = CELLS.iter().filter_map(|cell| name.find(cell)).min().unwrap_or(name.len());
    let inside = name[..end].strip_prefix(INSIDE).and_then(|rest| rest.strip_prefix('.'));
    inside.unwrap_or(&name[..end]).to_owned()
}

/// Rounds to hundredths, because more digits would be noise.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
