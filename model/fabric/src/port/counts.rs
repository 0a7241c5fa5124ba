//! The counts of a port: totals, and series over time.

use serde::{Deserialize, Serialize};

/// The counts of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Packets that left.
    pub packets: u64,
    /// Bytes of these packets.
    pub bytes: u64,
    /// Number of these packets that this port marked.
    pub marks: u64,
    /// Packets that this port trimmed.
    pub trims: u64,
    /// Maximum number of bytes of data that waited.
    pub peak_bytes: u32,
}

/// The series of a port over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// The width of each bin.
    pub every_ps: u64,
    /// Bytes that began to leave in each bin.
    pub bytes: Vec<u64>,
    /// Maximum number of bytes of data that waited in each bin as a packet arrived or left.
    pub peak_bytes: Vec<u32>,
    /// Packets that the link lost while it was cut, without probes, by the time at which the packets began to
    /// leave.
    pub lost: Vec<u32>,
}

impl Series {
    #[cold]
    pub(super) fn sends(&mut self, at_ps: u64, bytes: u16) {
        *bin(&mut self.bytes, at_ps / self.every_ps) += u64::from(bytes);
    }

    #[cold]
    pub(super) fn loses(&mut self, at_ps: u64) {
        *bin(&mut self.lost, at_ps / self.every_ps) += 1;
    }

    #[cold]
    pub(super) fn holds(&mut self, at_ps: u64, bytes: u32) {
        let peak = bin(&mut self.peak_bytes, at_ps / self.every_ps);
        *peak = bytes.max(*peak);
    }
}

/// The bin of this number. Adds missing bins.
fn bin<T: Clone + Default>(bins: &mut Vec<T>, number: u64) -> &mut T {
    let at = number as usize;
    if bins.len() <= at {
        bins.resize(at + 1, T::default());
    }
    &mut bins[at]
}
