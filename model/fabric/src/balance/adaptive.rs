//! Choice of the least loaded next hop: among all next hops, by exact loads (JSQ) or by levels of load
//! (quantised); among a few next hops (DRILL).

use super::{Balancer, Place, Up, draw16, scale16};
use crate::packet::Packet;
use crate::route::Group;
use weft_random::Rng;

/// JSQ; with levels of load, its quantised form.
#[derive(Clone, Debug)]
pub struct Shortest {
    random: Rng,
    /// Lower bounds of the levels, in bytes; all 0: bytes count.
    levels: [u32; 3],
}

impl Shortest {
    /// Makes the state of JSQ for a switch.
    pub fn new(place: &Place) -> Self {
        Self { random: place.pipe(0), levels: [0; 3] }
    }

    /// Makes the balancer with levels that begin at percentages of a buffer.
    pub fn quantised(place: &Place, buffer_bytes: u32, percent: [u8; 3]) -> Self {
        let levels = percent.map(|share| (u64::from(buffer_bytes) * u64::from(share) / 100) as u32);
        Self { levels, ..Self::new(place) }
    }
}

impl Balancer for Shortest {
    const ORDERED: bool = true;
    const LOADS: bool = true;

    #[inline]
    fn choose(&mut self, _: &mut Packet, up: &Up) -> u16 {
        let (draw, ports, levels) = (draw16(&mut self.random), &up.group.ports, self.levels);
        let loads = ports.iter().map(|port| up.loads[usize::from(*port)]);
        let place = match levels {
            [0, 0, 0] => least(loads, draw),
            levels => {
                let level = |bytes: u32| levels.iter().filter(|level| bytes >= **level).count() as u32;
                least(loads.map(level), draw)
            }
        };
        ports[place]
    }

    #[inline]
    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        self.random.draw();
    }
}

/// The place of the lowest level. If several places have this level, 16 random bits select one. The loop is
/// free of branches, because processors could not predict them.
#[inline]
pub(super) fn least(levels: impl Iterator<Item = u32> + Clone, draw: u32) -> usize {
    let (mut least, mut count) = (u32::MAX, 0);
    for level in levels.clone() {
        count = if level < least { 0 } else { count };
        least = least.min(level);
        count += u32::from(level == least);
    }
    // Count places until `nth` least levels are before the chosen one.
    let nth = scale16(draw, count as usize) as u32;
    let (mut seen, mut place) = (0, 0);
    for level in levels {
        seen += u32::from(level == least);
        place += usize::from(seen <= nth);
    }
    place
}

/// DRILL(2,1): the least loaded of two random next hops and the best next hop of the previous packet.
#[derive(Clone, Debug)]
pub struct Drill {
    first: Rng,
    second: Rng,
    best: Vec<u32>,
}

impl Drill {
    /// Makes the state for a switch.
    pub fn new(place: &Place) -> Self {
        Self { first: place.pipe(0), second: place.pipe(1), best: place.pointers() }
    }
}

impl Balancer for Drill {
    const ORDERED: bool = true;
    const LOADS: bool = true;

    #[inline]
    fn choose(&mut self, _: &mut Packet, up: &Up) -> u16 {
        let draws = [draw16(&mut self.first), draw16(&mut self.second)];
        let Up { group: Group { number, ports }, loads, .. } = up;
        let count = ports.len();
        let first = scale16(draws[0], count);
        let second = (first + 1 + scale16(draws[1], count - 1)) % count;
        let best = &mut self.best[*number as usize];
        let mut chosen = *best as usize % count;
        for at in [first, second] {
            // The remembered one stays if none is better.
            if loads[usize::from(ports[at])] < loads[usize::from(ports[chosen])] {
                chosen = at;
            }
        }
        *best = chosen as u32;
        ports[chosen]
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        vec![("best", self.best.iter().copied().map(u64::from).collect())]
    }

    #[inline]
    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        self.first.draw();
        self.second.draw();
    }
}
