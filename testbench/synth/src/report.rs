//! Results, and what has grown between two of them.

use crate::fanout::PINS;
use crate::{Area, Error, Fanout, Limit, Path, Target, Way};
use serde::{Deserialize, Serialize};
use std::path::Path as FilePath;

/// What was measured of one block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The block.
    pub block: String,
    /// Its shape in words.
    pub shape: String,
    /// The family.
    pub target: Target,
    /// The tools with their versions.
    pub tools: Vec<String>,
    /// Which Verilog that was: its fingerprint.
    pub verilog: String,
    /// What it takes.
    pub area: Area,
    /// The longest way between registers, in levels.
    pub longest: Way,
    /// The enable and the reset that drive most.
    pub fanout: Fanout,
    /// The speed, if it was placed and routed.
    pub clock: Option<Clock>,
}

/// The speed of a block after place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The device.
    pub device: String,
    /// The median of the runs, in MHz; of an even number the lower one of the two in the middle.
    pub mhz: f64,
    /// The slowest way of that run.
    pub path: Path,
    /// Every run.
    pub runs: Vec<Run>,
}

/// A run of place and route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What the placement began with.
    pub seed: u32,
    /// The fastest clock.
    pub mhz: f64,
}

/// Results as a file holds them.
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

    /// The row of this block in this shape for this target.
    pub fn of(&self, block: &str, shape: &str, target: Target) -> Option<&Row> {
        self.rows.iter().find(|row| is_of(row, block, shape, target))
    }

    /// Takes a row in, in the place of the one that is alike; then by target, block or limit, and shape.
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

/// What a block may grow by, in percent.
const GROWTH: u32 = 5;
/// What its clock may fall by, in percent: seeds alone make as much.
const SLOWER: f64 = 10.0;

/// In which measures `now` is more than `then`: LUTs and registers by more than 5 %, memories, multipliers or levels by
/// any, an enable or a reset that drives more than 1,000 pins and did not, or a clock that is slower by more than 10 %. Other
/// tools than then are told as well.
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
