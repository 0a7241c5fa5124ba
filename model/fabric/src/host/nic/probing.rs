//! The probing software of a host with the NIC, and its packets.

use super::super::cargo::{Cargo, Hold};
use super::super::probe::Probe;
use super::{NicHost, Way};
use crate::flow::Lane;
use crate::packet::{CONTROL, PROBE, Packet};

impl NicHost {
    /// Runs the software at its time.
    pub(super) fn run_prober(&mut self, now_ps: u64) {
        let now = self.tick(now_ps);
        let Some(prober) = &mut self.prober else { return };
        for connection in prober.look(&self.nic.counters()) {
            self.nic.path_ok(connection, now);
        }
    }

    /// The packet of a probe or its answer, on a connection of this host.
    pub(super) fn probe(&self, desk: &mut Hold, probe: Probe) -> Packet {
        let Way { lane: Lane { peer, there }, hash, .. } = self.lanes[probe.connection as usize];
        Packet {
            source: self.number,
            destination: peer,
            hash,
            word: desk.put(Cargo::Probe(Probe { connection: there, ..probe })),
            ev: probe.ev,
            bytes: self.shared.wire.trimmed_bytes,
            flags: CONTROL | PROBE,
            ..Packet::default()
        }
    }
}
