//! The seam between hosts and what is between them.

use super::fabric::Counts;
use super::mac::Received;

/// What is between the hosts. In a clock it is told what has come in from hosts after it was clocked.
pub(crate) trait Network {
    /// Connections of hosts, before the first clock: from, to, the entropy value of packets if it is fixed.
    fn connect(&mut self, _flows: &[(u32, u32, u16)]) {}

    /// The last byte of a frame from a host is in.
    fn enter(&mut self, clock: u64, from: u32, frame: Received);

    /// A clock passes; frames whose first byte leaves for a host in it are handed to `out`.
    fn clock(&mut self, clock: u64, out: &mut dyn FnMut(u32, Received));

    /// What happened since it was last asked, by path and by host.
    fn harvest(&mut self) -> (Vec<Counts>, Vec<Counts>);

    /// Frames that it had nobody for.
    fn strays(&self) -> u64;

    /// Why it cannot go on.
    fn fault(&mut self) -> Option<String> {
        None
    }

    /// No frame is in it.
    fn is_empty(&self) -> bool;
}
