//! The words between the host and the NIC.

use super::described::Place;
use super::stream::Beat;

/// A word of DMA write data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Write {
    /// The bytes.
    pub beat: Beat,
    /// Place of the packet; the same for all its words.
    pub place: Place,
}
