//! Synthesis of the blocks with open tools: the area of a block, the number of LUTs between two of its
//! registers, the number of pins that one enable or reset drives, and the clock frequency on an ECP5 after
//! place and route.
//!
//! Yosys makes the netlist, which this crate reads. nextpnr-ecp5 places and routes the netlist between
//! registers of a wrapper, so that no port needs a pin. See page `docs/synthesis.md`.

mod area;
mod cell;
mod cover;
mod fanout;
mod flow;
mod levels;
mod limit;
mod memory;
mod netlist;
mod report;
mod route;
mod table;
mod target;
mod tools;
mod wrapper;
mod yardstick;

pub use area::Area;
pub use fanout::{Fanout, Load};
pub use flow::{GoOn, Job, synthesise};
pub use levels::{Way, longest};
pub use limit::Limit;
pub use memory::memories;
pub use netlist::{Cell, Module, Net, Netlist, Port};
pub use report::{Clock, Results, Row, Run, grown};
pub use route::{Path, Timing};
pub use table::{OF_NIC, limits, markdown, missed, shapes, text, widths, windows};
pub use target::Target;
pub use tools::{Tool, Tools};
pub use wrapper::{AROUND, INSIDE, wrapper};
pub use yardstick::{YARDSTICKS, Yardstick};

/// The reason why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A tool is not installed.
    #[error("{0} is missing: `scripts/setup.sh extra` installs it (needs python3 with pip)")]
    Missing(&'static str),
    /// A tool failed.
    #[error("{tool} failed on {block}: {said}")]
    Failed {
        /// The tool.
        tool: &'static str,
        /// The block.
        block: String,
        /// The end of the tool's output.
        said: String,
    },
    /// A tool wrote a file that cannot be read.
    #[error("{what}: {error}")]
    Unreadable {
        /// The file.
        what: String,
        /// The error.
        error: String,
    },
    /// A cell that is in no table. This is an error, because the counts would be wrong without the cell.
    #[error("the netlist has a cell {0} that weft does not know: add it to testbench/synth/src/cell.rs")]
    UnknownCell(String),
    /// Logic that drives itself.
    #[error("the netlist has a combinational loop through {0}")]
    Loop(String),
    /// A file or folder cannot be used.
    #[error("cannot use {path}: {error}")]
    File {
        /// The path.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The caller stopped the flow.
    #[error("stopped")]
    Stopped,
}
