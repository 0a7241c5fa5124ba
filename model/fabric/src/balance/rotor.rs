//! OFAN: for every target and class of packet size, a pointer that moves through a schedule of the ports up
//! (OFAN section 7 and appendix F.4). With `SHORTEST` a pointer starts at the port whose queue is shortest
//! when the pointer's first packet arrives.

use super::adaptive::least;
use super::{Balancer, Place, Up, draw16};
use crate::packet::Packet;
use weft_random::Rng;
use weft_switch::ofan::{Ofan, Schedule, Schedules, Step, Weights};
use weft_switch::topology::{Failed, Role};

/// A schedule: ports by slot, and for each round the slots whose weight is above the round's number.
#[derive(Clone, Debug, Default)]
struct Slots {
    ports: Vec<u16>,
    rounds: Vec<u64>,
}

/// The position of a pointer.
#[derive(Clone, Copy, Debug, Default)]
struct Pointer {
    slot: u8,
    round: u8,
    is_started: bool,
}

/// OFAN of one switch.
#[derive(Clone, Debug)]
pub struct Rotor<const SHORTEST: bool> {
    options: Ofan,
    random: Rng,
    schedules: Vec<Slots>,
    /// The schedule of each target, and a mask with a bit for each slot whose port leads to the target.
    targets: Vec<(u32, u64)>,
    /// Pointers by target and class.
    pointers: Vec<Pointer>,
    first: u16,
    up: Vec<u16>,
}

impl<const SHORTEST: bool> Rotor<SHORTEST> {
    /// Makes the state for a switch.
    pub fn new(place: &Place, options: &Ofan) -> Self {
        let classes = options.classes.0.len() + 1;
        let mut random = place.random(1);
        let mut pointer = |_| match SHORTEST {
            true => Pointer::default(),
            false => Pointer { slot: random.below(place.up() as u32) as u8, round: 0, is_started: true },
        };
        let up: Vec<u16> = place.network.topology.up_ports(place.switch).collect();
        let pointers = (0..place.targets() as usize * classes).map(&mut pointer).collect();
        let mut rotor = Self {
            options: options.clone(),
            random: place.pipe(0),
            schedules: Vec::new(),
            targets: Vec::new(),
            pointers,
            first: up.first().copied().unwrap_or(0),
            up,
        };
        if !rotor.up.is_empty() {
            rotor.fill(place, &Failed::new());
        }
        rotor
    }

    fn order(&self, place: &Place, row: u32) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.up.len()).collect();
        if !SHORTEST {
            place.random(3 + u64::from(row)).shuffle(&mut order);
        }
        order
    }

    /// Makes schedules and computes reachability.
    fn fill(&mut self, place: &Place, failed: &Failed) {
        let Place { network, switch } = *place;
        let topology = &network.topology;
        let is_edge = topology.role(switch) == Role::Edge;
        let per_pod = self.options.schedules == Schedules::PerPod;
        let weights = |target: u32| match is_edge {
            true => topology.weights(failed, switch, target),
            false => topology.pod_weights(failed, switch, target),
        };
        (self.schedules, self.targets) = (Vec::new(), Vec::new());
        let mut rows: Vec<(u32, Schedule)> = Vec::new();
        for target in 0..place.targets() {
            let row = if is_edge && per_pod { topology.pod_of_edge(target) } else { target };
            if rows.last().is_none_or(|(last, _)| *last != row) {
                let mut of_row =
                    if per_pod { topology.pod_weights(failed, switch, row) } else { weights(row) };
                if self.options.weights == Weights::Fib {
                    of_row.iter_mut().for_each(|weight| *weight = (*weight).min(1));
                }
                let schedule = Schedule::new(&of_row, self.order(place, row));
                self.schedules.push(Slots::of(&schedule, self.first));
                rows.push((row, schedule));
            }
            let (reached, number) = (weights(target), rows.len() - 1);
            let is_reached = |port: usize| reached.get(port).is_some_and(|weight| *weight > 0);
            let slots = rows[number].1.order.iter().enumerate();
            let mask = slots.map(|(slot, port)| u64::from(is_reached(*port)) << slot).sum();
            self.targets.push((number as u32, mask));
        }
    }
}

impl Slots {
    fn of(schedule: &Schedule, first: u16) -> Self {
        // The masks of the targets exclude a port without a weight.
        let weight = |slot: usize| schedule.weights[slot].max(1);
        let slots = 0..schedule.order.len();
        let most = slots.clone().map(weight).max().unwrap_or(1);
        let shown = |round: u32| slots.clone().map(|slot| u64::from(weight(slot) > round) << slot).sum();
        Self {
            ports: schedule.order.iter().map(|up| first + *up as u16).collect(),
            rounds: (0..most).map(shown).collect(),
        }
    }
}

impl Pointer {
    /// Returns the next slot of this round, else of the next round, else of the first round. The pointer then
    /// moves to the slot after it.
    #[inline]
    fn next(&mut self, rounds: &[u64], mask: u64) -> usize {
        let shown = |round: u8| rounds.get(usize::from(round)).copied().unwrap_or(0) & mask;
        let mut bits = shown(self.round) & (u64::MAX << self.slot);
        if bits == 0 {
            self.round += 1;
            bits = shown(self.round);
            if bits == 0 {
                (self.round, bits) = (0, mask);
            }
        }
        let slot = if bits == 0 { 0 } else { bits.trailing_zeros() as u8 };
        self.slot = slot + 1;
        slot.into()
    }
}

impl<const SHORTEST: bool> Balancer for Rotor<SHORTEST> {
    const ORDERED: bool = true;
    const LOADS: bool = SHORTEST;

    #[inline]
    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16 {
        let bounds = &self.options.classes.0;
        let class = bounds.iter().filter(|bound| packet.bytes > **bound).count();
        let (schedule, mask) = self.targets[up.target as usize];
        let pointer = &mut self.pointers[up.target as usize * (bounds.len() + 1) + class];
        if SHORTEST {
            let draw = draw16(&mut self.random);
            if !pointer.is_started {
                let loads = self.up.iter().map(|port| up.loads[usize::from(*port)]);
                (pointer.slot, pointer.is_started) = (least(loads, draw) as u8, true);
            }
        }
        let Slots { ports, rounds } = &self.schedules[schedule as usize];
        ports[pointer.next(rounds, mask)]
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        let cell = |pointer: &Pointer| {
            let Pointer { slot, round, is_started: started } = *pointer;
            Step { slot, round, started }.cell()
        };
        vec![("pointers", self.pointers.iter().map(cell).collect())]
    }

    fn pass(&mut self, _: &mut Packet, _: Option<u16>) {
        if SHORTEST {
            self.random.draw();
        }
    }

    fn learn(&mut self, place: &Place, failed: &Failed) {
        if !self.up.is_empty() {
            self.fill(place, failed);
        }
    }
}
