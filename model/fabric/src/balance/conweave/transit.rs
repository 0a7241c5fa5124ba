//! The switches between ToR switches. A packet goes down by its destination. It goes up by the path in its
//! header, or by a hash if the header gives no usable path.

use super::{Header, hash, select};
use crate::balance::{Course, Place};
use crate::packet::Packet;
use weft_switch::conweave::TRANSIT;
use weft_switch::conweave::opcode::is_of_switches;
use weft_switch::conweave::rules::{LAYER_SEED, port_of, uplinks};
use weft_switch::topology::{Failed, Role};

/// ConWeave of a switch between edge switches.
#[derive(Clone, Debug)]
pub(super) struct Transit {
    seed: u32,
    hosts: u32,
    /// For each edge switch, whether that switch is below this one.
    is_below: Vec<bool>,
    /// For each edge switch, the ports up that lead to that switch.
    up: Vec<Vec<u16>>,
    /// The port of each path.
    ports: Vec<Option<u16>>,
    counts: [u64; TRANSIT.len()],
}

impl Transit {
    pub(super) fn new(place: &Place) -> Self {
        let topology = &place.network.topology;
        let below = |edge| topology.down_port(place.switch, edge).is_some();
        let mut transit = Self {
            seed: LAYER_SEED + topology.role(place.switch) as u32,
            hosts: topology.hosts_per_edge(),
            is_below: (0..topology.edges()).map(below).collect(),
            up: Vec::new(),
            ports: (0..=u8::MAX).map(|path| port_of(topology, place.switch, path)).collect(),
            counts: [0; TRANSIT.len()],
        };
        transit.learn(place, &Failed::new());
        transit
    }

    pub(super) fn learn(&mut self, place: &Place, failed: &Failed) {
        let topology = &place.network.topology;
        let goes_up = topology.role(place.switch) == Role::Aggregation;
        let up = |(edge, is_below): (u32, &bool)| match goes_up && !is_below {
            true => uplinks(topology, place.switch, edge, failed),
            false => Vec::new(),
        };
        self.up = (0..).zip(&self.is_below).map(up).collect();
    }

    pub(super) fn take(&mut self, packet: &Packet, down: Option<u16>) -> Course {
        let (header, edge) = (Header::of(packet.header), (packet.destination / self.hosts) as usize);
        let has_path = packet.header != 0 && !is_of_switches(header.opcode);
        let by_path = self.ports[header.path as usize].filter(|_| has_path);
        let (port, count) = match down {
            _ if self.is_below[edge] => (down, if down.is_some() { 0 } else { 3 }),
            _ if by_path.is_some() => (by_path, 1),
            _ => {
                let port = select(&self.up[edge], hash(self.seed, packet));
                (port, if port.is_some() { 2 } else { 4 })
            }
        };
        self.counts[count] += 1;
        port.map_or(Course::Nowhere, |port| Course::Out(port, 0))
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }
}
