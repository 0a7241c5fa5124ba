//! Load balancers, compiled: the decisions of a switch's program (`weft_switch::schemes`), as a function of
//! its state, the packet and the loads. `tests/programs` compares each of them with its program, packet by
//! packet.
//!
//! The load of a port is the bytes that wait at the port, and the bytes that the port is sending.

mod adaptive;
mod conga;
mod conweave;
pub mod hash;
mod hashed;
mod named;
mod rotor;
mod turns;

pub use adaptive::{Drill, Shortest};
pub use conga::{Conga, LOOP_PS};
pub use conweave::{CUT_BYTES, ConWeave};
pub use hashed::{Ecmp, LetFlow, Random};
pub use named::Named;
pub use rotor::Rotor;
pub use turns::{PermutedTurns, Turns};

use crate::network::Network;
use crate::packet::Packet;
use crate::route::Group;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weft_random::Rng;
use weft_switch::topology::{Failed, Role, Switch};

/// The load balancer of one switch.
pub trait Balancer: Clone + Send {
    /// Whether the balancer has state, or reads queues: the engine must then pass packets of a switch in the
    /// order of time.
    const ORDERED: bool;
    /// Whether the balancer reads queues.
    const LOADS: bool;
    /// Whether the balancer needs the packets that leave, up to the time of the arriving packet.
    const LEAVES: bool = false;

    /// Whether the balancer does more than choose ports: it may also hold packets back, make packets and end
    /// packets. The engine calls [`Balancer::take`], and [`Balancer::act`] after every call.
    const ACTS: bool = false;

    /// Chooses the port for a packet that goes up.
    fn choose(&mut self, packet: &mut Packet, up: &Up) -> u16;

    /// Handles a packet that does not go up: the packet leaves by a port down, or ends here. A switch program
    /// draws its random numbers for every packet, also for such packets.
    fn pass(&mut self, _packet: &mut Packet, _down: Option<u16>) {}

    /// Handles a packet that starts to leave by a port.
    fn leave(&mut self, _packet: &mut Packet, _port: u16, _now_ps: u64) {}

    /// Decides the course of a packet that has arrived. The packet goes down by the port `_down`.
    fn take(&mut self, _packet: &mut Packet, _down: Option<u16>) -> Course {
        Course::Nowhere
    }

    /// Handles the loss of a packet: its port had no space, or the port's link was cut.
    fn lose(&mut self, _packet: &Packet, _port: u16) {}

    /// Time at which the balancer next acts by itself.
    fn due(&self) -> Option<u64> {
        None
    }

    /// Called at the time that [`Balancer::due`] gave.
    fn wake(&mut self, _now_ps: u64) {}

    /// The next action to perform now, before the packet of [`Balancer::take`] continues.
    fn act(&mut self) -> Option<Act> {
        None
    }

    /// Counts of the packets that the balancer made.
    fn books(&self) -> Books {
        Books::default()
    }

    /// The balancer's counters, by name.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// ConWeave: delays of TAILs after T_resume without its extra term, in ns, with their counts.
    fn resume_errors(&self) -> Option<&BTreeMap<i64, u64>> {
        None
    }

    /// Reports failures that routing has learned.
    fn learn(&mut self, _place: &Place, _failed: &Failed) {}

    /// The state, as the cells of its program's register arrays, by their names.
    fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        Vec::new()
    }
}

/// The course of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// The packet leaves by a port, from a queue of the port: queue 0 is that of its kind, other queues are
    /// reorder queues.
    Out(u16, u8),
    /// The packet was for this switch, and ends here.
    Ends,
    /// No path exists.
    Nowhere,
}

/// An action of a load balancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Holds a reorder queue: no packet leaves the queue until [`Act::Release`].
    Hold {
        /// The port of the queue.
        port: u16,
        /// The number of the queue at the port.
        queue: u8,
    },
    /// Releases a reorder queue.
    Release {
        /// The port of the queue.
        port: u16,
        /// The queue at the port.
        queue: u8,
    },
    /// Puts a packet that the balancer made into a queue.
    Send {
        /// The port of the queue.
        port: u16,
        /// The queue at the port, with the numbers of [`Course::Out`].
        queue: u8,
        /// The packet.
        packet: Packet,
    },
}

/// Counts of the packets that load balancers make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Number of packets made.
    pub made: u64,
    /// Number of these packets that ended as intended.
    pub ended: u64,
    /// Number of packets in the loop.
    pub holds: u64,
}

impl Books {
    /// The sums of two counts.
    pub(crate) fn and(self, other: Self) -> Self {
        let Self { made, ended, holds } = other;
        Self { made: self.made + made, ended: self.ended + ended, holds: self.holds + holds }
    }
}

/// A packet that goes up.
#[derive(Clone, Copy, Debug)]
pub struct Up<'a> {
    /// The time of the choice.
    pub now_ps: u64,
    /// The ports from which one is chosen.
    pub group: &'a Group,
    /// Number of the target.
    pub target: u32,
    /// The loads of all ports of the switch.
    pub loads: &'a [u32],
}

/// The information of a switch's control plane, as in `weft_switch::schemes::Site`.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The network.
    pub network: &'a Network,
    /// The switch.
    pub switch: Switch,
}

impl Place<'_> {
    /// The random generator for one purpose of the control plane.
    fn random(&self, purpose: u64) -> Rng {
        Rng::of(&[self.network.seed, self.switch.0.into(), purpose])
    }

    /// The seed of the switch's hash.
    fn hash_seed(&self) -> u32 {
        self.random(0).below(u32::MAX)
    }

    /// The random generator of one operation of the pipe.
    fn pipe(&self, operation: u64) -> Rng {
        Rng::of(&[pipe_seed(self.network.seed, self.switch), operation])
    }

    fn up(&self) -> usize {
        self.network.topology.up_ports(self.switch).len()
    }

    /// Number of groups of the switch.
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

/// 16 random bits, the same bits that a switch program draws.
#[inline]
fn draw16(random: &mut Rng) -> u32 {
    (random.draw() >> 48) as u32
}

/// Chooses a number below `count` by 16 bits.
#[inline]
fn scale16(value: u32, count: usize) -> usize {
    (value as usize * count) >> 16
}
