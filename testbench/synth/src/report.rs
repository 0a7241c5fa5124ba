//! Results, and the growth from an earlier result to a later one.

use crate::fanout::PINS;
use crate::{Area, Error, Fanout, Limit, Path, Target, Way};
use serde::{Deserialize, Serialize};
use std::path::Path as FilePath;

/// The measurements of one block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The block.
    pub block: String,
    /// Shape of the block as text.
    pub shape: String,
    /// The family.
    pub target: Target,
    /// The tools with their versions.
    pub tools: Vec<String>,
    /// Fingerprint of the Verilog.
    pub verilog: String,
    /// Area of the block.
    pub area: Area,
    /// The longest path between registers, in levels.
    pub longest: Way,
    /// The enable and the reset with the highest fan-out.
    pub fanout: Fanout,
    /// The clock frequency, if the block was placed and routed.
    pub clock: Option<Clock>,
}

/// The clock frequency of a block after place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The device.
    pub device: String,
    /// The median of the runs, in MHz. For an even number of runs, the lower of the two middle ones.
    pub mhz: f64,
    /// The slowest path of that run.
    pub path: Path,
    /// All runs.
    pub runs: Vec<Run>,
}

/// A run of place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Seed of the placement.
    pub seed: u32,
    /// The highest clock frequency.
    pub mhz: f64,
}

/// Results in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// A row for each block and target.
    pub rows: Vec<Row>,
}

impl Results {
    /// Reads a file.
    pub fn read(path: &FilePath) -> Result<Self, Error> {
        let place = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|error| Error::File { path: place.clone(), error })?;
        let unreadable =
            |error: serde_json::Error| Error::Unreadable { what: place, error: error.to_string() };
        serde_json::from_str(&text).map_err(unreadable)
    }

    /// The row of a block in a shape for a target.
    pub fn of(&self, block: &str, shape: &str, target: Target) -> Option<&Row> {
        self.rows.iter().find(|row| is_of(row, block, shape, target))
    }

    /// Adds a row, or replaces the row of the same block, shape and target. Sorts by target, block or limit,
    /// and shape.
    pub fn put(&mut self, row: Row) {
        self.rows.retain(|known| !is_of(known, &row.block, &row.shape, row.target));
        self.rows.push(row);
        let place = |row: &Row| {
            let block = weft_hdl::catalogue::BLOCKS.iter().position(|block| block.name == row.block);
            let limit = Limit::ALL.iter().position(|limit| limit.name() == row.block);
            (row.target, block, limit, row.shape.clone())
        };
        self.rows.sort_by_cached_key(place);
    }
}

fn is_of(row: &Row, block: &str, shape: &str, target: Target) -> bool {
    (row.block.as_str(), row.shape.as_str(), row.target) == (block, shape, target)
}

/// Accepted growth of a block, in percent.
const GROWTH: u32 = 5;
/// Accepted loss of clock frequency, in percent: seeds alone cause as much.
const SLOWER: f64 = 10.0;

/// The measures in which `now` exceeds `then`: LUTs and registers by more than 5 %, memories, multipliers or
/// levels by any amount, an enable or a reset that drives more than 1,000 pins and did not before, or a clock
/// that is slower by more than 10 %. Also lists changed versions of tools.
pub fn grown(now: &Row, then: &Row) -> Vec<String> {
    let area = |row: &Row| {
        [row.area.lut, row.area.ff, row.area.ram_halves(), row.area.uram, row.area.dsp, row.longest.levels]
    };
    let what = ["LUTs", "registers", "halves of block RAMs", "UltraRAMs", "multipliers", "levels"];
    let allowed = [GROWTH, GROWTH, 0, 0, 0, 0];
    let mut found = Vec::new();
    for ((what, allowed), (now, then)) in what.iter().zip(allowed).zip(area(now).into_iter().zip(area(then)))
    {
        if u64::from(now) * 100 > u64::from(then) * u64::from(100 + allowed) {
            found.push(format!("{now} {what}, {then} before"));
        }
    }
    for (what, load) in now.fanout.excessive() {
        if then.fanout.excessive().all(|(before, _)| before != what) {
            found.push(format!("{what} {} drives {} pins, no more than {PINS} before", load.net, load.pins));
        }
    }
    if let (Some(now), Some(then)) = (&now.clock, &then.clock)
        && now.mhz < then.mhz * (1.0 - SLOWER / 100.0)
    {
        found.push(format!("{:.1} MHz, {:.1} before", now.mhz, then.mhz));
    }
    if now.tools.iter().any(|tool| !then.tools.contains(tool)) {
        found.push(format!("made by {}, before by {}", now.tools.join(", "), then.tools.join(", ")));
    }
    found
}
