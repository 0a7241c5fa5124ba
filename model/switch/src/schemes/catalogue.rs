//! The schemes by their names, with their options.

use super::conga::{self, Conga};
use super::contract::{Built, Queues, SchemeError, Site};
use super::{adaptive, drill, flowlet, hashed, round_robin, route};
use crate::conweave::ConWeave;
use crate::kit::Profile;
use crate::ofan::Ofan;
use crate::packet::CwForm;
use crate::topology::Topology;
use serde::{Deserialize, Serialize};

/// A load balancer, with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Scheme {
    /// A hash of the flow chooses among the next hops.
    Ecmp {},
    /// A hash of the flow chooses among the next hops, weighted by the number of paths behind each.
    Wecmp {},
    /// A random next hop for every packet (OFAN section 6.1: RSQ).
    Rsq {},
    /// Next hops in turn, one pointer for each group of next hops (OFAN section 6.1: SIMPLE RR).
    RoundRobin {},
    /// Next hops in turn, in an order that changes after a number of turns (OFAN Table 2: SWITCH PKT).
    PermutedRoundRobin {
        /// Number of turns in one order.
        #[serde(default = "default::turns")]
        turns: u8,
        /// Number of random orders that the switch holds for each number of next hops.
        #[serde(default = "default::orders")]
        orders: u8,
    },
    /// The next hop with the fewest waiting bytes; of several, a random one (OFAN section 6.1: JSQ).
    Jsq {},
    /// The next hop with the lowest level of waiting bytes (OFAN Table 2: SWITCH PKT AR, modelled after
    /// Spectrum-X).
    Quantised {
        /// Bytes of a port's buffer. The default is a data queue of the fabric; outside of a fabric it is
        /// 800,000.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        buffer_bytes: Option<u32>,
        /// Lower limits of the levels, in percent of the buffer.
        #[serde(default = "default::percent")]
        percent: [u8; 3],
    },
    /// DRILL(2,1): the least loaded of two random next hops and the best of the packet before.
    Drill {},
    /// LetFlow: a random next hop for every flowlet.
    LetFlow {
        /// Clocks of silence after which a flow begins a new flowlet.
        #[serde(default = "default::gap_clocks")]
        gap_clocks: u64,
        /// Number of entries of the flowlet table.
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

/// The facts about the fabric that schemes need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fabric {
    /// Rate of links between switches in Gb/s.
    pub gbps: u32,
    /// Bytes of a data queue.
    pub queue_bytes: u32,
    /// Time from the entry of a packet into the stages of an edge switch to the entry of its answer. The
    /// farthest edge switch answers, and there is no other traffic.
    pub edge_rtt_ns: u64,
}

impl Scheme {
    /// Sets options that were left open to values of the fabric. Refuses times that are not possible in the
    /// fabric.
    pub fn fit(&mut self, fabric: &Fabric) -> Result<(), SchemeError> {
        match self {
            Self::Quantised { buffer_bytes, .. } => {
                buffer_bytes.get_or_insert(fabric.queue_bytes);
            }
            Self::Conga(options) => {
                options.gbit_per_s.get_or_insert(fabric.gbps);
            }
            Self::Conweave(options) => options.check_times(fabric.edge_rtt_ns)?,
            _ => {}
        }
        Ok(())
    }

    /// Refuses options that are not possible on any switch.
    pub fn check(&self) -> Result<(), SchemeError> {
        match self {
            Self::PermutedRoundRobin { turns, orders } => round_robin::check(*turns, *orders),
            Self::Quantised { buffer_bytes, percent } => levels(*buffer_bytes, *percent).map(drop),
            Self::LetFlow { entries, .. } => flowlet::check(*entries),
            Self::Conga(options) => options.check(),
            Self::Ofan(options) => options.check(),
            Self::Conweave(options) => options.check(1),
            _ => Ok(()),
        }
    }

    /// Refuses a network for which the scheme is not made.
    pub fn suits(&self, topology: &Topology) -> Result<(), SchemeError> {
        match self {
            Self::Conga(_) => Conga::suits(topology),
            _ => Ok(()),
        }
    }

    /// Number of reorder queues that every port needs between its data queue and its control queue.
    pub fn reorder_queues(&self) -> u8 {
        match self {
            Self::Conweave(options) => options.options().reorder_queues,
            _ => 0,
        }
    }

    /// The queues of every port.
    pub fn queues(&self) -> Queues {
        Queues { data: 0, control: self.reorder_queues().saturating_add(1) }
    }

    /// The form of a ConWeave header on the wire, if packets have such a header.
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

    /// The program of a switch and its control plane. Core switches, and switches without ports up, have only
    /// routes.
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
            Self::Ecmp {} => hashed::build(site, profile, hashed::Value::Flow, 1),
            Self::Wecmp {} => hashed::build(site, profile, hashed::Value::Flow, hashed::WEIGHTED_MEMBERS),
            Self::Rsq {} => hashed::build(site, profile, hashed::Value::Random, 1),
            Self::RoundRobin {} => round_robin::build(site, profile),
            Self::PermutedRoundRobin { turns, orders } => {
                round_robin::build_permuted(site, profile, *turns, *orders)
            }
            Self::Jsq {} => adaptive::build(site, profile, [0; 3]),
            Self::Quantised { buffer_bytes, percent } => {
                adaptive::build(site, profile, levels(*buffer_bytes, *percent)?)
            }
            Self::Drill {} => drill::build(site, profile),
            Self::LetFlow { gap_clocks, entries } => flowlet::build(site, profile, *gap_clocks, *entries),
            Self::Conga(options) => conga::build(options, site, profile),
            Self::Ofan(options) => options.build(site, profile),
            Self::Conweave(options) => options.build(site),
        }
    }
}

/// Levels of a buffer; by default those of the usual buffer.
fn levels(buffer_bytes: Option<u32>, percent: [u8; 3]) -> Result<[u32; 3], SchemeError> {
    adaptive::levels(buffer_bytes.unwrap_or(adaptive::BUFFER_BYTES), percent)
}
