//! Load balancers, compiled: what a switch's program decides (`weft_switch::schemes`), as a function of its state, the
//! packet and the loads. `tests/programs` holds every one of them equal to its program, packet by packet.
//!
//! A load counts what waits at a port and what is being sent there.

mod adaptive;
mod conga;
pub mod hash;
mod hashed;
mod named;
mod rotor;
mod turns;

pub use adaptive::{Drill, Shortest};
pub use conga::{Conga, LOOP_PS};
pub use hashed::{Ecmp, LetFlow, Random};
pub use named::Named;
pub use rotor::Rotor;
pub use turns::{PermutedTurns, Turns};

use crate::network::Network;
use crate::packet::Packet;
use crate::route::Group;
use weft_random::Rng;
use weft_switch::topology::{Failed, Role, Switch};

/// The load balancer of one switch.
pub trait Balancer: Clone + Send {
    /// It remembers something, or looks at queues: packets of a switch must come in the order of time.
    const ORDERED: bool;
    /// It looks at queues.
    const LOADS: bool;
    /// It wants to know of packets that leave, up to the time of the one that comes.
    const LEAVES: bool = false;

    /// The port for a packet that goes up.
    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16;

    /// A packet does not go up: it goes down by a port, or ends. A program draws its random numbers for every packet.
    fn pass(&mut self, _packet: &mut Packet, _down: Option<u16>) {}

    /// A packet starts to leave by a port.
    fn leave(&mut self, _packet: &mut Packet, _port: u16, _now_ps: u64) {}

    /// Routing knows of these failures.
    fn learn(&mut self, _place: &Place, _failed: &Failed) {}

    /// What it remembers, as the cells of its program's register arrays, by their names.
    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        Vec::new()
    }
}

/// A packet that goes up.
#[derive(Clone, Copy, Debug)]
pub struct Up<'a> {
    /// When.
    pub now_ps: u64,
    /// By one of these ports.
    pub group: &'a Group,
    /// To this target.
    pub target: u32,
    /// Of all ports of the switch.
    pub loads: &'a [u32],
}

/// What a switch's control plane knows, as `weft_switch::schemes::Site` has it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The network.
    pub network: &'a Network,
    /// The switch.
    pub switch: Switch,
}

impl Place<'_> {
    /// A generator for a purpose of the control plane.
    fn random(&self, purpose: u64) -> Rng {
        Rng::of(&[self.network.seed, self.switch.0.into(), purpose])
    }

    /// The seed of its hash.
    fn hash_seed(&self) -> u32 {
        self.random(0).below(u32::MAX)
    }

    /// The generator of the pipe, of an operation that draws.
    fn pipe(&self, operation: u64) -> Rng {
        Rng::of(&[pipe_seed(self.network.seed, self.switch), operation])
    }

    fn up(&self) -> usize {
        self.network.topology.up_ports(self.switch).len()
    }

    /// Groups that there can be.
    fn targets(&self) -> u32 {
        match self.network.topology.role(self.switch) {
            Role::Edge => self.network.topology.edges(),
            _ => self.network.topology.pods(),
        }
    }

    /// A random pointer for every group.
    fn pointers(&self) -> Vec<u32> {
        let mut random = self.random(1);
        (0..self.targets()).map(|_| random.below(self.up() as u32)).collect()
    }
}

/// The seed of a switch's pipe.
pub fn pipe_seed(seed: u64, switch: Switch) -> u64 {
    seed << 16 | u64::from(switch.0)
}

/// 16 bits of a draw, as programs have them.
#[inline]
fn draw16(random: &mut Rng) -> u32 {
    (random.draw() >> 48) as u32
}

/// One of so many by 16 bits.
#[inline]
fn scale16(value: u32, count: usize) -> usize {
    (value as usize * count) >> 16
}
