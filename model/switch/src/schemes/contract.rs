//! The input and the output of a scheme. Input: the switch for which the scheme is made. Output: its program
//! and its control plane.

use crate::kit::{Pipe, Program, ProgramError};
use crate::topology::{Failed, Host, Role, Switch, Topology};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use weft_random::Rng;
use weft_wire::Dscp;

/// The queues of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Queues {
    /// Queue of data.
    pub data: u8,
    /// Queue of ACKs, NACKs, probes and trimmed packets, by their DSCP ([`weft_wire::Dscp::DEFAULT`]).
    pub control: u8,
}

impl Default for Queues {
    /// The control queue has the higher priority.
    fn default() -> Self {
        Self { data: 0, control: 1 }
    }
}

/// The switch for which a program is made, and the information for its control plane.
#[derive(Clone, Debug)]
pub struct Site {
    /// The network.
    pub topology: Topology,
    /// The switch.
    pub switch: Switch,
    /// Address of every host: `DST_HIGH` and `DST` of packets to the host.
    pub addresses: Arc<[[u64; 2]]>,
    /// Queues of a port.
    pub queues: Queues,
    /// The seed. From it and the switch's number the control plane makes random choices and seeds of hashes.
    pub seed: u64,
}

impl Site {
    /// Ports up of the switch.
    pub(crate) fn up(&self) -> usize {
        self.topology.up_ports(self.switch).len()
    }

    /// Number of targets for which a path up is chosen. At an edge switch targets are edge switches,
    /// otherwise pods.
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

    /// The seed of a hash of this switch. The seed differs from the seeds of the switches below and above.
    pub(crate) fn hash_seed(&self) -> u32 {
        self.random(0).below(u32::MAX)
    }
}

/// The reason why a scheme cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// The hardware cannot run the program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// An option has a value that is not possible.
    #[error("{option} = {value} is not possible; use {possible}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// Value found.
        value: u64,
        /// The possible values.
        possible: &'static str,
    },
    /// A time that is not possible in the fabric.
    #[error("{option} = {ticks} is no longer than a round trip between edge switches; use {least} or more")]
    Time {
        /// Name of the option.
        option: &'static str,
        /// Value found.
        ticks: u64,
        /// The least possible value.
        least: u64,
    },
    /// The switch has too many ports up.
    #[error("a switch has {up} ports up; the state of this scheme has room for {most}")]
    Ports {
        /// Ports up of the switch.
        up: usize,
        /// The greatest possible number.
        most: usize,
    },
    /// CONGA works only on leaves and spines.
    #[error("CONGA is for a leaf-spine; a fat tree has a third tier")]
    TwoTiers,
    /// The number of addresses is wrong.
    #[error("{addresses} addresses for {hosts} hosts; give each host one")]
    Addresses {
        /// Addresses that the control plane got.
        addresses: usize,
        /// Number of addresses that are needed: one per host.
        hosts: usize,
    },
}

/// A flow that a control plane may install.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The host that sends.
    pub source: Host,
    /// The host that receives.
    pub destination: Host,
    /// The UDP source port.
    pub port: u16,
}

/// A table was too small for its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("table {table} is full")]
pub struct Full {
    /// Name of the table.
    pub table: &'static str,
}

/// A control plane of one switch.
pub trait Control: Send + Sync {
    /// Sets the initial state of a switch, once: random pointers.
    fn start(&self, pipe: &mut Pipe);

    /// Fills the tables for a network without these links. The state of the data plane stays.
    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full>;

    /// Adds flows to the table of connections, if the scheme has one. The caller may call this function only
    /// once. Returns the number of flows without space in the table. The scheme does not choose the paths of
    /// these flows.
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
    /// A pipe with this program, started and filled for a network without failures.
    pub fn pipe(&self, clocks_per_tick: u64, seed: u64) -> Result<Pipe, Full> {
        let mut pipe = Pipe::new(Arc::clone(&self.program), clocks_per_tick, seed);
        self.control.start(&mut pipe);
        self.control.fill(&mut pipe, &Failed::new())?;
        Ok(pipe)
    }
}

/// Whether packets of this DSCP wait in the control queue: ACKs, NACKs, probes and trimmed packets.
pub(crate) fn is_control(dscp: u64) -> bool {
    let Dscp { trimmed, trimmed_lasthop, control, .. } = Dscp::DEFAULT;
    [trimmed, trimmed_lasthop, control].map(u64::from).contains(&dscp)
}

/// Number of bits of numbers below `count`.
pub(crate) fn bits(count: u32) -> u32 {
    (u32::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// The numbers below `count` in a random order.
pub(crate) fn order(rng: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut order);
    order
}
