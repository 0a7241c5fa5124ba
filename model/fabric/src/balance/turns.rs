//! Next hops in turn: in one order, or in orders that change.

use super::{Balancer, Place, Up, draw16};
use crate::packet::Packet;
use crate::route::Group;
use weft_random::Rng;

/// SIMPLE RR.
#[derive(Clone, Debug)]
pub struct Turns(Vec<u32>);

impl Turns {
    /// Makes the state for a switch.
    pub fn new(place: &Place) -> Self {
        Self(place.pointers())
    }
}

impl Balancer for Turns {
    const ORDERED: bool = true;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, _: &mut Packet, up: &Up) -> u16 {
        let Group { number, ports } = up.group;
        let next = &mut self.0[*number as usize];
        let at = if (*next as usize) < ports.len() { *next } else { 0 };
        *next = at + 1;
        ports[at as usize]
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        vec![("pointer", self.0.iter().copied().map(u64::from).collect())]
    }
}

/// SWITCH PKT: after a number of turns, the order becomes a random one of several.
#[derive(Clone, Debug)]
pub struct PermutedTurns {
    random: Rng,
    turns: u32,
    /// Pointer of each group: number of the next hop, turns used, order.
    pointers: Vec<[u32; 3]>,
    /// Orders for each number of next hops.
    orders: Vec<Vec<Vec<u16>>>,
}

impl PermutedTurns {
    /// Makes the state for a switch.
    pub fn new(place: &Place, turns: u8, orders: u8) -> Self {
        let mut random = place.random(2);
        let mut order = |size: u16| {
            let mut order: Vec<u16> = (0..size).collect();
            random.shuffle(&mut order);
            order
        };
        let of_size = |size: u16| (0..orders).map(|_| order(size)).collect();
        let orders = (1..=place.up() as u16).map(of_size).collect();
        let pointers = place.pointers().into_iter().map(|at| [at, 0, 0]).collect();
        Self { random: place.pipe(0), turns: turns.into(), pointers, orders }
    }
}

impl Balancer for PermutedTurns {
    const ORDERED: bool = true;
    const LOADS: bool = false;

    #[inline]
    fn choose(&mut self, _: &mut Packet, up: &Up) -> u16 {
        let draw = draw16(&mut self.random);
        let Group { number, ports } = up.group;
        let orders = &self.orders[ports.len() - 1];
        let [at, taken, order] = &mut self.pointers[*number as usize];
        if *at as usize >= ports.len() {
            (*at, *taken) = (0, *taken + 1);
        }
        if *taken >= self.turns {
            (*taken, *order) = (0, (draw * orders.len() as u32) >> 16);
        }
        *at += 1;
        ports[usize::from(orders[*order as usize][*at as usize - 1])]
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        let cell = |[at, taken, order]: &[u32; 3]| u64::from(order << 16 | taken << 8 | at);
        vec![("pointer", self.pointers.iter().map(cell).collect())]
    }

    #[inline]
    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        self.random.draw();
    }
}
