//! The inner network of a fabric: links among the hosts of a group, such as NVLink among the processors of a
//! server. A host sends to its group at a rate, one flow after the other, and a flow arrives after a latency.
//! No packets are simulated.

use super::Done;
use crate::host::NEVER;
use crate::setup::Inner;
use std::collections::BTreeMap;

/// The flows of the inner network.
#[derive(Debug)]
pub(super) struct Groups {
    inner: Inner,
    /// Time at which each host has sent its flows so far.
    free_ps: Vec<u64>,
    /// Pending ends, by time, flow and whether the end is the sender's.
    ends: BTreeMap<(u64, u32, bool), Done>,
}

impl Groups {
    pub(super) fn new(inner: Inner, hosts: u32) -> Self {
        Self { inner, free_ps: vec![0; hosts as usize], ends: BTreeMap::new() }
    }

    /// Whether two hosts are in the same group.
    pub(super) fn has(&self, source: u32, destination: u32) -> bool {
        source / self.inner.hosts == destination / self.inner.hosts
    }

    /// Starts a flow at `at_ps`, or when the earlier flows of its host have left. The caller has set the
    /// other fields of `flow`.
    pub(super) fn send(&mut self, flow: Done) {
        let free_ps = &mut self.free_ps[flow.source as usize];
        *free_ps = flow.at_ps.max(*free_ps) + self.inner.serial_ps(flow.bytes);
        let come_ps = *free_ps + 1_000 * self.inner.latency_ns;
        for (at_ps, is_sender) in [(*free_ps, true), (come_ps, false)] {
            self.ends.insert((at_ps, flow.flow, is_sender), Done { at_ps, is_sender, ..flow });
        }
    }

    /// Time of the next end.
    pub(super) fn next_ps(&self) -> u64 {
        self.ends.first_key_value().map_or(NEVER, |((at_ps, ..), _)| *at_ps)
    }

    /// The ends at a time, which is the time of the next end.
    pub(super) fn take(&mut self, at_ps: u64) -> Vec<Done> {
        let mut done = Vec::new();
        while let Some(end) = self.ends.first_entry().filter(|end| end.key().0 == at_ps) {
            done.push(end.remove());
        }
        done
    }
}
