//! What happened in the switches.

use serde::Serialize;
use std::collections::BTreeMap;
use weft_switch::switch;
use weft_switch::tm::Cause;

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SwitchFigures {
    /// Its name.
    pub name: String,
    /// Packets dropped by the traffic manager, by cause; causes that did not happen are left out.
    pub drops: BTreeMap<Cause, u64>,
    /// Packets marked CE.
    pub marks: u64,
    /// Packets trimmed.
    pub trims: u64,
    /// PFC frames sent, and received.
    pub pauses: [u64; 2],
    /// Most bytes of the shared buffer that were in use at once.
    pub buffer_peak_bytes: u64,
    /// What its program did with packets.
    pub program: switch::Counters,
    /// What its program counts in registers, by name.
    pub scheme: Vec<(String, u64)>,
    /// Its wires out, in the order of its ports.
    pub wires: Vec<WireFigures>,
}

/// A wire out of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WireFigures {
    /// Where it leads.
    pub to: String,
    /// It leads to a switch of the tier above.
    pub up: bool,
    /// Frames that entered it, lost ones too.
    pub frames: u64,
    /// Their bytes on the wire: preamble, FCS and gap counted.
    pub bytes: u64,
    /// Frames lost because the link was cut.
    pub lost: u64,
}

/// How evenly the wires up of some switches were used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// Fewest bytes of a wire.
    pub least: u64,
    /// All bytes by all wires.
    pub mean: u64,
    /// Most bytes of a wire.
    pub most: u64,
}

impl Balance {
    /// Of all wires up of these switches, if there are any.
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

    /// Frames lost on its wires.
    pub fn lost(&self) -> u64 {
        self.wires.iter().map(|wire| wire.lost).sum()
    }
}
