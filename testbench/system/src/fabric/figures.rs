//! Figures of the switches.

use serde::Serialize;
use std::collections::BTreeMap;
use weft_switch::switch;
use weft_switch::tm::Cause;

/// Figures of a switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwitchFigures {
    /// Name of the switch.
    pub name: String,
    /// Packets dropped by the traffic manager, by cause. Causes without a drop are left out.
    pub drops: BTreeMap<Cause, u64>,
    /// Packets marked CE.
    pub marks: u64,
    /// Packets trimmed.
    pub trims: u64,
    /// PFC frames sent, and received.
    pub pauses: [u64; 2],
    /// Maximum number of bytes of the shared buffer that were in use at once.
    pub buffer_peak_bytes: u64,
    /// Counters of the switch's program.
    pub program: switch::Counters,
    /// Counters in registers of the program, by name.
    pub scheme: Vec<(String, u64)>,
    /// Wires out of the switch, in the order of its ports.
    pub wires: Vec<WireFigures>,
}

/// Figures of a wire out of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WireFigures {
    /// Name of the node to which the wire leads.
    pub to: String,
    /// Whether the wire leads to a switch of the tier above.
    pub up: bool,
    /// Frames that entered the wire, including lost ones.
    pub frames: u64,
    /// Bytes of the frames on the wire, with preamble, FCS and gap.
    pub bytes: u64,
    /// Frames lost because the link was cut.
    pub lost: u64,
}

/// Evenness of the use of the wires up of some switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// Minimum number of bytes of a wire.
    pub least: u64,
    /// Mean bytes of a wire.
    pub mean: u64,
    /// Maximum number of bytes of a wire.
    pub most: u64,
}

impl Balance {
    /// Balance of all wires up of these switches. `None` without such a wire.
    pub fn of<'a>(switches: impl IntoIterator<Item = &'a SwitchFigures>) -> Option<Self> {
        let wires = switches.into_iter().flat_map(|switch| &switch.wires).filter(|wire| wire.up);
        let bytes: Vec<u64> = wires.map(|wire| wire.bytes).collect();
        Some(Self {
            least: *bytes.iter().min()?,
            mean: bytes.iter().sum::<u64>() / bytes.len() as u64,
            most: *bytes.iter().max()?,
        })
    }
}

impl SwitchFigures {
    /// Packets dropped by the traffic manager.
    pub fn dropped(&self) -> u64 {
        self.drops.values().sum()
    }

    /// Frames lost on the switch's wires.
    pub fn lost(&self) -> u64 {
        self.wires.iter().map(|wire| wire.lost).sum()
    }
}
