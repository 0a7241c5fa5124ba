//! ConWeave: an edge switch moves a connection off a path whose reply is late. The edge switch at the other
//! end holds back packets that arrived too early. `weft_switch` defines cells and the steps on them; this
//! file says which switch runs which step, and when.

mod busy;
mod tor;
mod transit;

use super::conga::LOOP_PS;
use super::hash::address;
use super::{Act, Balancer, Books, Course, Place, Up};
use crate::packet::Packet;
use std::collections::BTreeMap;
use tor::Tor;
use transit::Transit;
use weft_switch::conweave::{self, COPIES, EVENTS, EXTRAS, TRANSIT};
use weft_switch::kit;
use weft_switch::schemes::Flow;
use weft_switch::topology::{Failed, Role};

/// Bytes of a packet between edge switches: cut to its BTH, with the header and FCS.
pub const CUT_BYTES: u16 = 66;

/// The fields of the header, beside time stamps, which a packet carries in place of its hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Header {
    path: u64,
    opcode: u64,
    epoch: u64,
    rerouted: u64,
    tail: u64,
}

impl Header {
    /// The header as bits of a packet. The bits are not 0, because the header has an opcode.
    fn bits(self) -> u16 {
        let Self { path, opcode, epoch, rerouted, tail } = self;
        (path | opcode << 8 | epoch << 11 | rerouted << 13 | tail << 14) as u16
    }

    /// The header whose bits are `bits`.
    fn of(bits: u16) -> Self {
        let at = |shift: u32, bits_of: u32| u64::from(bits) >> shift & ((1 << bits_of) - 1);
        Self { path: at(0, 8), opcode: at(8, 3), epoch: at(11, 2), rerouted: at(13, 1), tail: at(14, 1) }
    }
}

/// The hash of a packet's addresses and entropy value, 16 bits.
fn hash(seed: u32, packet: &Packet) -> u64 {
    let ([a, b], [c, d]) = (address(packet.source), address(packet.destination));
    u64::from(kit::hash(seed, [a, b, c, d, packet.ev.into()].into_iter()) >> 16)
}

/// Chooses a member by 16 bits.
fn select<T: Copy>(members: &[T], value: u64) -> Option<T> {
    members.get((value as usize * members.len()) >> 16).copied()
}

/// ConWeave of one switch.
#[derive(Clone, Debug)]
pub struct ConWeave(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Tor(Box<Tor>),
    Transit(Box<Transit>),
}

impl ConWeave {
    /// Makes the state for a switch. Flows that begin or end at the switch are connections, until its table is full.
    pub fn new(place: &Place, options: &conweave::ConWeave, flows: &[Flow]) -> Self {
        Self(match place.network.topology.role(place.switch) {
            Role::Edge => Kind::Tor(Box::new(Tor::new(place, options, flows))),
            _ => Kind::Transit(Box::new(Transit::new(place))),
        })
    }
}

impl Balancer for ConWeave {
    const ORDERED: bool = true;
    const LOADS: bool = false;
    const LEAVES: bool = true;
    const ACTS: bool = true;

    fn choose(&mut self, packet: &mut Packet, _: &Up) -> u16 {
        match self.take(packet, None) {
            Course::Out(port, _) => port,
            _ => 0,
        }
    }

    fn take(&mut self, packet: &mut Packet, down: Option<u16>) -> Course {
        match &mut self.0 {
            Kind::Tor(tor) => tor.take(packet, down),
            Kind::Transit(transit) => transit.take(packet, down),
        }
    }

    fn leave(&mut self, packet: &mut Packet, port: u16, now_ps: u64) {
        if let Kind::Tor(tor) = &mut self.0 {
            tor.leave(packet, port, now_ps);
        }
    }

    fn lose(&mut self, packet: &Packet, port: u16) {
        if let Kind::Tor(tor) = &mut self.0 {
            tor.lose(packet, port);
        }
    }

    fn due(&self) -> Option<u64> {
        match &self.0 {
            Kind::Tor(tor) => tor.due(),
            Kind::Transit(_) => None,
        }
    }

    fn wake(&mut self, now_ps: u64) {
        if let Kind::Tor(tor) = &mut self.0 {
            tor.wake(now_ps);
        }
    }

    fn act(&mut self) -> Option<Act> {
        match &mut self.0 {
            Kind::Tor(tor) => tor.act(),
            Kind::Transit(_) => None,
        }
    }

    fn books(&self) -> Books {
        match &self.0 {
            Kind::Tor(tor) => tor.books(),
            Kind::Transit(_) => Books::default(),
        }
    }

    fn learn(&mut self, place: &Place, failed: &Failed) {
        match &mut self.0 {
            Kind::Tor(tor) => tor.learn(place, failed),
            Kind::Transit(transit) => transit.learn(place, failed),
        }
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let named = |names: &[&'static str], cells: &[u64], first: usize| {
            names.iter().copied().zip(cells.iter().copied()).skip(first).collect::<Vec<_>>()
        };
        match &self.0 {
            Kind::Tor(tor) => {
                let [events, extras, copies] = tor.counts();
                [named(&EVENTS, events, 0), named(&EXTRAS, extras, 1), named(&COPIES, copies, 1)].concat()
            }
            Kind::Transit(transit) => named(&TRANSIT, transit.counts(), 0),
        }
    }

    fn resume_errors(&self) -> Option<&BTreeMap<i64, u64>> {
        match &self.0 {
            Kind::Tor(tor) => Some(tor.resume_errors()),
            Kind::Transit(_) => None,
        }
    }

    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        match &self.0 {
            Kind::Tor(tor) => tor.registers(),
            Kind::Transit(transit) => vec![("transit", transit.counts().to_vec())],
        }
    }
}
