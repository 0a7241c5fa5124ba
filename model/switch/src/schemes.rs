//! Load balancers of the papers as programs for a switch of a [`Topology`] (page `docs/blocks/schemes.md`).
//!
//! [`Scheme::build`] gives the program of one switch and its [`Control`] plane, which fills the tables from the topology,
//! and again when links fail. Routing is the same for all of them ([`route`]): down by destination, up by scheme.

pub(crate) mod adaptive;
mod conga;
mod drill;
mod flowlet;
mod hashed;
pub(crate) mod next_hops;
mod round_robin;
pub mod route;

pub use conga::Conga;
pub use next_hops::members;

use crate::conweave::ConWeave;
use crate::kit::{Pipe, Profile, Program, ProgramError};
use crate::ofan::Ofan;
use crate::packet::CwForm;
use crate::random::Random;
use crate::topology::{Failed, Host, Role, Switch, Topology};
use route::Queues;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A load balancer, with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Scheme {
    /// A hash of the flow chooses among the next hops.
    Ecmp,
    /// The same, next hops weighted by the paths behind them.
    Wecmp,
    /// A random next hop for every packet (OFAN section 6.1: RSQ).
    Rsq,
    /// Next hops in turn, one pointer for each group of next hops (OFAN section 6.1: SIMPLE RR).
    RoundRobin,
    /// The same, and after so many turns the order is another one (OFAN Table 2: SWITCH PKT).
    PermutedRoundRobin {
        /// Turns in one order.
        #[serde(default = "default::turns")]
        turns: u8,
        /// Random orders that the switch holds for each number of next hops.
        #[serde(default = "default::orders")]
        orders: u8,
    },
    /// The next hop where the fewest bytes wait, a random one of several (OFAN section 6.1: JSQ).
    Jsq,
    /// The same with bytes in levels (OFAN Table 2: SWITCH PKT AR, modelled after Spectrum-X).
    Quantised {
        /// Bytes of a port's buffer.
        #[serde(default = "default::buffer_bytes")]
        buffer_bytes: u32,
        /// Where levels begin, in percent of it.
        #[serde(default = "default::percent")]
        percent: [u8; 3],
    },
    /// DRILL(2,1): the least loaded of two random next hops and the best of the packet before.
    Drill,
    /// LetFlow: a random next hop for every flowlet.
    LetFlow {
        /// A flow that was silent for longer than so many clocks begins a new flowlet.
        #[serde(default = "default::gap_clocks")]
        gap_clocks: u64,
        /// Entries of the flowlet table.
        #[serde(default = "default::entries")]
        entries: u32,
    },
    /// CONGA, in a leaf-spine.
    Conga(Conga),
    /// OFAN.
    Ofan(Ofan),
    /// ConWeave.
    Conweave(ConWeave),
}

/// The defaults of the papers, as values of options.
mod default {
    pub(super) fn turns() -> u8 {
        5
    }

    pub(super) fn orders() -> u8 {
        16
    }

    pub(super) fn buffer_bytes() -> u32 {
        800_000
    }

    pub(super) fn percent() -> [u8; 3] {
        [5, 10, 20]
    }

    pub(super) fn gap_clocks() -> u64 {
        100_000
    }

    pub(super) fn entries() -> u32 {
        65_536
    }
}

/// The switch that a program is for, and what its control plane knows.
#[derive(Clone, Debug)]
pub struct Site {
    /// The network.
    pub topology: Topology,
    /// The switch.
    pub switch: Switch,
    /// Address of every host: `DST_HIGH` and `DST` of packets to it.
    pub addresses: Arc<[[u64; 2]]>,
    /// Queues of a port.
    pub queues: Queues,
    /// Random choices of the control plane, and seeds of hashes, are functions of this and the switch's number.
    pub seed: u64,
}

/// What cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// The hardware cannot run it.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// An option.
    #[error("{option} = {value} cannot be; use {possible}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: u64,
        /// What it can be.
        possible: &'static str,
    },
    /// Ports up.
    #[error("{up} ports up are more than the state of this scheme has room for: {most}")]
    Ports {
        /// Ports up of the switch.
        up: usize,
        /// The most that is possible.
        most: usize,
    },
    /// CONGA knows leaves and spines.
    #[error("CONGA is for a leaf-spine; a fat tree has a third tier")]
    TwoTiers,
    /// Addresses.
    #[error("{addresses} addresses for {hosts} hosts; give each host one")]
    Addresses {
        /// Addresses that were given.
        addresses: usize,
        /// Addresses that are needed: one per host.
        hosts: usize,
    },
}

/// A flow that a control plane may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// From this host
    pub source: Host,
    /// to that one,
    pub destination: Host,
    /// with this UDP source port.
    pub port: u16,
}

/// A table was too small for what was to be put into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table {table} is full")]
pub struct Full {
    /// Its name.
    pub table: &'static str,
}

/// A control plane of one switch.
pub trait Control: Send + Sync {
    /// Sets what a switch starts with, once: random pointers.
    fn start(&self, pipe: &mut Pipe);

    /// Fills the tables for a network without these links; state of the data plane stays.
    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full>;

    /// Puts flows into the table of connections, if the scheme has one; call it once. Gives how many found no room: they go another
    /// way than by the scheme.
    fn connect(&self, _pipe: &mut Pipe, _flows: &[Flow], _failed: &Failed) -> Result<u64, Full> {
        Ok(0)
    }
}

/// A program for a switch, and its control plane.
pub struct Built {
    /// The program.
    pub program: Arc<Program>,
    /// The control plane.
    pub control: Box<dyn Control>,
}

impl Built {
    /// A pipe with this program, started and filled for a network in which nothing has failed.
    pub fn pipe(&self, clocks_per_tick: u64, seed: u64) -> Result<Pipe, Full> {
        let mut pipe = Pipe::new(Arc::clone(&self.program), clocks_per_tick, seed);
        self.control.start(&mut pipe);
        self.control.fill(&mut pipe, &Failed::new())?;
        Ok(pipe)
    }
}

impl Scheme {
    /// Reorder queues that every port needs between its data queue and its control queue.
    pub fn reorder_queues(&self) -> u8 {
        match self {
            Self::Conweave(options) => options.options().reorder_queues,
            _ => 0,
        }
    }

    /// The queues of every port.
    pub fn queues(&self) -> Queues {
        Queues { data: 0, control: 1 + self.reorder_queues() }
    }

    /// How a ConWeave header lies on the wire, if there are any.
    pub fn form(&self) -> CwForm {
        match self {
            Self::Conweave(options) => options.options().form,
            _ => CwForm::default(),
        }
    }

    /// Clocks of a tick, if the scheme counts in ticks.
    pub fn clocks_per_tick(&self) -> u64 {
        match self {
            Self::Conweave(options) => options.options().clocks_per_tick,
            _ => 1000,
        }
    }

    /// The program of a switch and its control plane. Core switches have routes only, and so has a switch without ports
    /// up.
    pub fn build(&self, site: Site, profile: Profile) -> Result<Built, SchemeError> {
        let (addresses, hosts) = (site.addresses.len(), site.topology.hosts() as usize);
        if addresses != hosts {
            return Err(SchemeError::Addresses { addresses, hosts });
        }
        if let Self::Conweave(options) = self {
            return options.build(site);
        }
        if let Self::Conga(options) = self
            && !site.topology.is_fat_tree()
            && site.up() == 0
        {
            return conga::build_spine(options, site, profile);
        }
        if site.up() == 0 {
            return route::alone(site, profile);
        }
        match self {
            Self::Ecmp => hashed::build(site, profile, hashed::Value::Flow, 1),
            Self::Wecmp => hashed::build(site, profile, hashed::Value::Flow, hashed::WEIGHTED_MEMBERS),
            Self::Rsq => hashed::build(site, profile, hashed::Value::Random, 1),
            Self::RoundRobin => round_robin::build(site, profile),
            Self::PermutedRoundRobin { turns, orders } => {
                round_robin::build_permuted(site, profile, *turns, *orders)
            }
            Self::Jsq => adaptive::build(site, profile, [0; 3]),
            Self::Quantised { buffer_bytes, percent } => {
                adaptive::build(site, profile, adaptive::levels(*buffer_bytes, *percent)?)
            }
            Self::Drill => drill::build(site, profile),
            Self::LetFlow { gap_clocks, entries } => flowlet::build(site, profile, *gap_clocks, *entries),
            Self::Conga(options) => conga::build(options, site, profile),
            Self::Ofan(options) => options.build(site, profile),
            Self::Conweave(options) => options.build(site),
        }
    }
}

impl Site {
    /// Ports up of the switch.
    pub(crate) fn up(&self) -> usize {
        self.topology.up_ports(self.switch).len()
    }

    /// What a way up is chosen for: at an edge switch edge switches, else pods.
    pub(crate) fn targets(&self) -> u32 {
        match self.topology.role(self.switch) {
            Role::Edge => self.topology.edges(),
            _ => self.topology.pods(),
        }
    }

    /// W-ECMP weights of the ports up for a target.
    pub(crate) fn weights(&self, failed: &Failed, target: u32) -> Vec<u32> {
        match self.topology.role(self.switch) {
            Role::Edge => self.topology.weights(failed, self.switch, target),
            _ => self.topology.pod_weights(failed, self.switch, target),
        }
    }

    /// A generator for a purpose of this switch.
    pub(crate) fn random(&self, purpose: u64) -> Random {
        Random::new(&[self.seed, self.switch.0.into(), purpose])
    }

    /// The seed of a hash of this switch: another one than at the switches below and above.
    pub(crate) fn hash_seed(&self) -> u32 {
        self.random(0).below(u32::MAX)
    }
}

/// Bits of numbers below `count`.
pub(crate) fn bits(count: u32) -> u32 {
    (u32::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}
