//! The interface between ends and the network between them: a wire, an adversary, a fabric.

use super::counts::Counts;

/// A frame as a MAC passes it on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// The FCS was wrong.
    pub(crate) bad: bool,
}

/// The network between numbered ends. Parcels are frames or their descriptions. Time is in the network's unit
/// and never decreases.
pub(crate) trait Network<P> {
    /// Announces connections before the first parcel: from, to, and the entropy value of packets if it is
    /// fixed.
    fn connect(&mut self, _flows: &[(u32, u32, u16)]) {}

    /// Accepts a parcel from an end.
    fn send(&mut self, now: u64, from: u32, parcel: P);

    /// Advances time to `now`, after all earlier parcels were sent. Calls `out` for each parcel that arrives,
    /// with its end.
    fn poll(&mut self, now: u64, out: &mut dyn FnMut(u32, P));

    /// Whether no parcel is in the network.
    fn is_empty(&self) -> bool;

    /// Counts of queues since the last call, by path and by end. Empty for networks without queues.
    fn harvest(&mut self) -> (Vec<Counts>, Vec<Counts>) {
        (Vec::new(), Vec::new())
    }

    /// Number of parcels whose end does not exist.
    fn strays(&self) -> u64 {
        0
    }

    /// Reason why the network cannot continue.
    fn fault(&mut self) -> Option<String> {
        None
    }
}
