//! A value chooses: a hash (ECMP, W-ECMP), a random one (RSQ), one of the flowlet (LetFlow).

use super::hash::Salted;
use super::{Balancer, Place, draw16, scale16};
use crate::packet::Packet;
use crate::route::Group;
use weft_random::Rng;

/// ECMP; with weighted groups W-ECMP.
#[derive(Clone, Debug)]
pub struct Ecmp(Box<Salted>);

impl Ecmp {
    /// Of a switch.
    pub fn new(place: &Place) -> Self {
        Self(Box::new(Salted::new(place.hash_seed())))
    }
}

impl Balancer for Ecmp {
    const ORDERED: bool = false;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, packet: &Packet, _: u64, group: Option<&Group>, _: &[u32]) -> u16 {
        let Some(Group { ports, .. }) = group else { return 0 };
        ports[scale16(self.0.hash(packet.hash, packet.ev) >> 16, ports.len())]
    }
}

/// A random next hop for every packet.
#[derive(Clone, Debug)]
pub struct Random(Rng);

impl Random {
    /// Of a switch.
    pub fn new(place: &Place) -> Self {
        Self(place.pipe(0))
    }
}

impl Balancer for Random {
    const ORDERED: bool = true;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, _: &Packet, _: u64, group: Option<&Group>, _: &[u32]) -> u16 {
        let value = draw16(&mut self.0);
        group.map_or(0, |group| group.ports[scale16(value, group.ports.len())])
    }
}

/// A random next hop for every flowlet.
#[derive(Clone, Debug)]
pub struct LetFlow {
    salted: Box<Salted>,
    random: Rng,
    /// When the flow's last packet came, and its value; 0: never used.
    flowlets: Vec<u64>,
    gap_clocks: u64,
    bits: u32,
}

impl LetFlow {
    /// Of a switch; a clock of its program is a nanosecond.
    pub fn new(place: &Place, gap_clocks: u64, entries: u32) -> Self {
        Self {
            salted: Box::new(Salted::new(place.hash_seed())),
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
    fn choose(&mut self, packet: &Packet, now_ps: u64, group: Option<&Group>, _: &[u32]) -> u16 {
        let draw = u64::from(draw16(&mut self.random));
        let Some(Group { ports, .. }) = group else { return 0 };
        let index = self.salted.hash(packet.hash, packet.ev) >> (u32::BITS - self.bits);
        let entries = self.flowlets.len();
        let cell = &mut self.flowlets[index as usize % entries];
        let clock = now_ps / 1_000;
        let silent = clock.wrapping_sub(*cell >> 16) & (u64::MAX >> 16);
        let value = if *cell == 0 || silent > self.gap_clocks { draw } else { *cell & 0xFFFF };
        *cell = clock << 16 | value;
        ports[scale16(value as u32, ports.len())]
    }
}
