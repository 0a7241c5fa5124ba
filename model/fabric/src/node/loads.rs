//! The loads of ports up, next to each other in memory. A load balancer reads all of them for each packet.
//! This layout needs only a cache line or two, and only ports that change by themselves need an update.

use crate::host::NEVER;
use crate::packet::fetch;
use crate::port::Port;
use std::ops::Range;

/// Loads of a switch's ports up.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    up: Range<usize>,
    /// Bytes of each port. Ports that are not up have 0.
    bytes: Vec<u32>,
    /// A tree in which each node has the lesser value of its two children; the root is at index 1. The leaves
    /// are the second half. A leaf has, as its high bits, the time when the packet that a port up sends has
    /// left, and below them the port's number.
    ends: Vec<u64>,
}

/// Bits of a port's number.
const PORT: u32 = 12;

impl Loads {
    pub(super) fn new(ports: usize, up: Range<usize>) -> Self {
        let leaves = up.len().next_power_of_two();
        Self { up, bytes: vec![0; ports], ends: vec![NEVER; 2 * leaves] }
    }

    /// Bytes of each port.
    #[inline]
    pub(super) fn bytes(&self) -> &[u32] {
        &self.bytes
    }

    /// Prefetches the loads.
    #[inline]
    pub(super) fn fetch(&self) {
        self.bytes.iter().skip(self.up.start).step_by(16).for_each(fetch);
        self.ends.iter().step_by(8).for_each(fetch);
    }

    /// The port up that is the first to finish its packet, if that is by a time. The caller must call
    /// [`Self::note`] for this port after the port has caught up.
    #[inline]
    pub(super) fn behind(&self, now_ps: u64) -> Option<usize> {
        let first = self.ends[1];
        (first >> PORT <= now_ps).then_some((first & ((1 << PORT) - 1)) as usize)
    }

    /// Records that a port has advanced to a time, or has changed at that time.
    #[inline]
    pub(super) fn note(&mut self, at: usize, port: &Port, now_ps: u64) {
        if !self.up.contains(&at) {
            return;
        }
        self.bytes[at] = port.load(now_ps);
        let end = if port.free_ps > now_ps { port.free_ps << PORT | at as u64 } else { NEVER };
        let mut place = self.ends.len() / 2 + at - self.up.start;
        if self.ends[place] == end {
            return;
        }
        self.ends[place] = end;
        while place > 1 {
            self.ends[place / 2] = self.ends[place].min(self.ends[place ^ 1]);
            place /= 2;
        }
    }

    /// Records the state of all ports.
    pub(super) fn look(&mut self, ports: &[Port], now_ps: u64) {
        self.up.clone().for_each(|at| self.bytes[at] = ports[at].load(now_ps));
    }

    /// The loads equal those of the ports, which have caught up to a time.
    pub(super) fn are_right(&self, ports: &[Port], now_ps: u64) -> bool {
        self.up.clone().all(|at| self.bytes[at] == ports[at].load(now_ps))
    }
}
