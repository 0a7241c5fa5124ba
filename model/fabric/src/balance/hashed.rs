//! Balancers in which one value selects the port: a hash (ECMP, W-ECMP), a random value (RSQ), or the
//! flowlet's random value (LetFlow).

use super::hash::Salted;
use super::{Balancer, Place, Up, draw16, scale16};
use crate::packet::Packet;
use weft_random::Rng;

/// ECMP; with weighted groups W-ECMP.
#[derive(Clone, Debug)]
pub struct Ecmp(Salted);

impl Ecmp {
    /// Makes the state for a switch.
    pub fn new(place: &Place) -> Self {
        Self(Salted::new(place.hash_seed()))
    }
}

impl Balancer for Ecmp {
    const ORDERED: bool = false;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16 {
        let ports = &up.group.ports;
        ports[scale16(self.0.hash(packet.hash, packet.ev) >> 16, ports.len())]
    }
}

/// A random next hop for every packet.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// Makes the state for a switch.
    pub fn new(place: &Place) -> Self {
        Self(place.pipe(0))
    }
}

impl Balancer for Random {
    const ORDERED: bool = true;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, _: &mut Packet, up: &Up) -> u16 {
        let ports = &up.group.ports;
        ports[scale16(draw16(&mut self.0), ports.len())]
    }

    #[inline]
    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        self.0.draw();
    }
}

/// A random next hop for every flowlet.
#[derive(Clone, Debug)]
pub struct LetFlow {
    salted: Salted,
    random: Rng,
    /// Time of each flow's last packet, and its value; 0: never used.
    flowlets: Vec<u64>,
    gap_clocks: u64,
    bits: u32,
}

impl LetFlow {
    /// Makes the state for a switch. A clock of the switch's program is a nanosecond.
    pub fn new(place: &Place, gap_clocks: u64, entries: u32) -> Self {
        Self {
            salted: Salted::new(place.hash_seed()),
            random: place.pipe(0),
            flowlets: vec![0; entries as usize],
            gap_clocks,
            bits: (u32::BITS - entries.saturating_sub(1).leading_zeros()).max(1),
        }
    }
}

impl Balancer for LetFlow {
    const ORDERED: bool = true;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16 {
        let (draw, ports) = (u64::from(draw16(&mut self.random)), &up.group.ports);
        let index = self.salted.hash(packet.hash, packet.ev) >> (u32::BITS - self.bits);
        let entries = self.flowlets.len();
        let cell = &mut self.flowlets[index as usize % entries];
        let clock = up.now_ps / 1_000;
        let silent = clock.wrapping_sub(*cell >> 16) & (u64::MAX >> 16);
        let value = if *cell == 0 || silent > self.gap_clocks { draw } else { *cell & 0xFFFF };
        *cell = clock << 16 | value;
        ports[scale16(value as u32, ports.len())]
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        vec![("flowlets", self.flowlets.clone())]
    }

    #[inline]
    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        self.random.draw();
    }
}
