//! The seam between those who send and what is between them: a wire, an adversary, a fabric.

use super::counts::Counts;

/// A frame as a MAC hands it over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) bytes: Vec<u8>,
    /// The FCS was wrong.
    pub(crate) bad: bool,
}

/// What is between ends, which have numbers. Parcels are frames, or what stands for them. Time is in the network's unit,
/// and never goes back.
pub(crate) trait Network<P> {
    /// Connections of ends, before the first parcel: from, to, the entropy value of packets if it is fixed.
    fn connect(&mut self, _flows: &[(u32, u32, u16)]) {}

    /// A parcel goes in at this end.
    fn send(&mut self, now: u64, from: u32, parcel: P);

    /// Time has come to this, after what was sent until now: parcels that come out are handed to `out`, each with its end.
    fn poll(&mut self, now: u64, out: &mut dyn FnMut(u32, P));

    /// No parcel is in it.
    fn is_empty(&self) -> bool;

    /// What happened at queues since it was last asked, by path and by end; nothing where there are none.
    fn harvest(&mut self) -> (Vec<Counts>, Vec<Counts>) {
        (Vec::new(), Vec::new())
    }

    /// Parcels that it had nobody for.
    fn strays(&self) -> u64 {
        0
    }

    /// Why it cannot go on.
    fn fault(&mut self) -> Option<String> {
        None
    }
}
