//! The host chooses the path of each packet: HOST DR of the OFAN paper, which sends packets to a switch of
//! the highest layer on the packets' path.

use super::{Balancer, Place, Up};
use crate::packet::Packet;
use weft_switch::topology::{Role, Switch};

/// The entropy value names the path: its last digit is the port up at the edge switch, the next digit is the
/// port up at the switch above. Digits are to the base of the number of ports up of an edge switch.
#[derive(Clone, Debug)]
pub struct Named {
    first: u16,
    up: u16,
    /// The bits of the entropy value before this switch's digit.
    before: u16,
}

impl Named {
    /// Makes the state for a switch.
    pub fn new(place: &Place) -> Self {
        let topology = &place.network.topology;
        let up = topology.up_ports(place.switch);
        let edge = topology.up_ports(Switch(0)).len() as u16;
        let before = if topology.role(place.switch) == Role::Edge { 1 } else { edge };
        Self { first: up.start, up: up.len().max(1) as u16, before }
    }
}

impl Balancer for Named {
    const ORDERED: bool = false;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, packet: &mut Packet, _: &Up) -> u16 {
        self.first + packet.ev / self.before % self.up
    }
}
