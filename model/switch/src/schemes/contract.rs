//! The input and the output of a scheme: the switch that it is for, its program, its control plane.

use crate::kit::{Pipe, Program, ProgramError};
use crate::topology::{Failed, Host, Role, Switch, Topology};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use weft_random::Rng;
use weft_wire::Dscp;

/// Queues of a port that packets wait in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Queues {
    /// Queue of data.
    pub data: u8,
    /// Queue of ACKs, NACKs, probes and trimmed packets, by their DSCP ([`weft_wire::Dscp::DEFAULT`]).
    pub control: u8,
}

impl Default for Queues {
    /// Control goes first.
    fn default() -> Self {
        Self { data: 0, control: 1 }
    }
}

/// The switch that a program is for, and the knowledge of its control plane.
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

impl Site {
    /// Ports up of the switch.
    pub(crate) fn up(&self) -> usize {
        self.topology.up_ports(self.switch).len()
    }

    /// The number of targets that a way up is chosen for: at an edge switch edge switches, else pods.
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
    pub(crate) fn random(&self, purpose: u64) -> Rng {
        Rng::of(&[self.seed, self.switch.0.into(), purpose])
    }

    /// The seed of a hash of this switch: another one than at the switches below and above.
    pub(crate) fn hash_seed(&self) -> u32 {
        self.random(0).below(u32::MAX)
    }
}

/// The reason why a scheme cannot be built.
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
        /// The possible values.
        possible: &'static str,
    },
    /// A time that the fabric makes impossible.
    #[error("{option} = {ticks} is no longer than a round trip between edge switches; use {least} or more")]
    Time {
        /// The option's name.
        option: &'static str,
        /// Its value.
        ticks: u64,
        /// The least that is possible.
        least: u64,
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

/// A flow that a control plane may install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// From this host
    pub source: Host,
    /// to that one,
    pub destination: Host,
    /// with this UDP source port.
    pub port: u16,
}

/// A table was too small for its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table {table} is full")]
pub struct Full {
    /// Its name.
    pub table: &'static str,
}

/// A control plane of one switch.
pub trait Control: Send + Sync {
    /// Sets the initial state of a switch, once: random pointers.
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

/// Packets of this DSCP wait in the control queue: ACKs, NACKs, probes and trimmed packets.
pub(crate) fn is_control(dscp: u64) -> bool {
    let Dscp { trimmed, trimmed_lasthop, control, .. } = Dscp::DEFAULT;
    [trimmed, trimmed_lasthop, control].map(u64::from).contains(&dscp)
}

/// Bits of numbers below `count`.
pub(crate) fn bits(count: u32) -> u32 {
    (u32::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// The numbers below `count` in a random order.
pub(crate) fn order(rng: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut order);
    order
}
