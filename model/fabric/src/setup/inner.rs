//! The inner network among hosts of a group.

use super::source::{Wrong, wrong};
use crate::workload::Workload;
use serde::{Deserialize, Serialize};

/// The greatest rate, in Gb/s, and the greatest latency.
const MOST_GBPS: u32 = 100_000;
const MOST_NS: u64 = 1_000_000;

/// An inner network, such as NVLink: hosts `0` to `hosts - 1` are a group, and so on. Flows within a group
/// use the inner network and not the network (`crate::live`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inner {
    /// Number of hosts of a group, from 2.
    pub hosts: u32,
    /// Rate at which a host sends, in Gb/s, 1 to 100,000.
    pub gbps: u32,
    /// Time from the last byte's departure to its arrival.
    pub latency_ns: u64,
}

impl Inner {
    /// Time in which bytes leave.
    pub(crate) fn serial_ps(&self, bytes: u64) -> u64 {
        (bytes * 8_000).div_ceil(self.gbps.into())
    }

    /// Refuses numbers out of range, and a workload: flows of a workload use only the network.
    pub(super) fn check(&self, workload: &Workload) -> Result<(), Wrong> {
        let Self { hosts, gbps, latency_ns } = *self;
        if *workload != (Workload::None {}) {
            return wrong(
                "inner",
                "a program sends flows over it; set workload.kind to none, or leave [inner] out",
            );
        }
        for (key, value, least, most) in [
            ("inner.hosts", hosts.into(), 2, u32::MAX.into()),
            ("inner.gbps", gbps.into(), 1, MOST_GBPS.into()),
            ("inner.latency_ns", latency_ns, 0, MOST_NS),
        ] {
            if !(least..=most).contains(&value) {
                return wrong(key, format!("{value} is not possible; use {least} to {most}"));
            }
        }
        Ok(())
    }
}
