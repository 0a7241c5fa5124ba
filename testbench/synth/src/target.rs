//! The families of devices.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A family of devices that yosys supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Lattice ECP5; also placed and routed, on an LFE5U-85F of speed 8.
    Ecp5,
    /// AMD UltraScale+.
    Xcup,
    /// AMD 7 series.
    Xc7,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 3] = [Target::Ecp5, Target::Xcup, Target::Xc7];

    /// The name that yosys and the command use.
    pub fn name(self) -> &'static str {
        match self {
            Target::Ecp5 => "ecp5",
            Target::Xcup => "xcup",
            Target::Xc7 => "xc7",
        }
    }

    /// The command of yosys that makes the netlist of this family.
    pub fn synth(self) -> &'static str {
        match self {
            Target::Ecp5 => "synth_ecp5",
            // No pads and no clock buffers: the block's ports are not pins.
            Target::Xcup => "synth_xilinx -family xcup -flatten -noiopad -noclkbuf",
            Target::Xc7 => "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
