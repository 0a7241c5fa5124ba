//! The data that all hosts with the NIC share: flows and connections, registers, and the opening of
//! connections.

use super::KEY;
use crate::events::Noted;
use crate::flow::{self, Lane, Table};
use crate::host::probe::Prober;
use crate::host::registers::Registers;
use crate::network::{Network, Wire};
use std::collections::BTreeSet;
use std::sync::Arc;
use weft_nic::nic::transaction::Nic;
use weft_params::NicParams;
use weft_params::registers::Staged;

/// Maximum number of connections of a NIC, given by the bits of a queue pair's number. Only open connections
/// use memory.
const ROOM: u32 = 1 << 24;

/// The data that all hosts of a run share.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Flows and connections.
    pub table: Arc<Table>,
    /// The registers of every NIC.
    pub registers: Registers,
    /// The frames on the wire.
    pub wire: Wire,
    /// Time from the start of a flow to the first packet of its NIC.
    pub work_ps: u64,
    /// Time from the end of a flow to the start of the next one at another host.
    pub signal_ps: u64,
    /// Seed of the entropy values.
    pub seed: u64,
    /// The RTT classes of connections.
    classes: Classes,
    /// The connections whose events are noted, if the run notes events.
    pub(super) noted: Option<Arc<Noted>>,
    /// The NIC that each host clones.
    pub(super) nic: Nic,
}

/// Sizes that determine a connection's RTT class.
#[derive(Clone, Copy, Debug)]
struct Classes {
    edge: u32,
    pod: u32,
}

impl Shared {
    /// Makes the data for a network.
    pub fn new(network: &Network, table: Table, registers: Registers, work_ps: u64) -> Self {
        let edge = network.topology.hosts_per_edge();
        let classes = Classes { edge, pod: edge * network.topology.edges_per_pod() };
        let signal_ps = network.wiring().delays_ps().0;
        let Registers { window, psns, .. } = registers;
        let shape = NicParams { connections: ROOM, window, psns, ..NicParams::default() };
        let mut nic = Nic::of_shape(shape, registers.csr);
        nic.tell_frozen();
        let (wire, seed) = (network.wire, network.seed);
        let (table, noted) = (Arc::new(table), None);
        Self { table, registers, wire, work_ps, signal_ps, seed, classes, noted, nic }
    }

    /// Makes the hosts note the events of these connections.
    pub(crate) fn noting(self, noted: Option<Arc<Noted>>) -> Self {
        Self { noted, ..self }
    }

    /// The connections on which a host sends.
    pub(super) fn sending(&self, host: u32) -> BTreeSet<u32> {
        let outgoing = self.table.outgoing[host as usize].iter().map(|flow| self.table.lanes[*flow as usize]);
        outgoing.flat_map(|(first, count)| first..first + count).collect()
    }

    /// The probing software of a host, for the connections on which it sends.
    pub(super) fn prober(&self, host: u32) -> Option<Prober> {
        let reps = &self.registers.csr.sender.reps;
        let range = [reps.ev_base, reps.evs_size];
        let seed = self.seed << 32 | u64::from(host);
        let sending = || self.sending(host).into_iter().collect();
        self.registers.probe.map(|probing| Prober::new(&probing, seed, sending(), range))
    }

    /// The seed of the generator of a host's NIC. Bit 0 is 0. This bit had no effect when the results on the
    /// pages were recorded, so all generators still begin in the states of that time. Hosts 2k - 1 and 2k
    /// draw the same entropy values. Their packets use different paths, as switches also hash addresses.
    pub fn nic_seed(&self, host: u32) -> u32 {
        (1 + host + (self.seed as u32).wrapping_mul(0x9E37_79B9)) & !1
    }

    /// The open requests of a host's connections, by number. The addresses of peers are the numbers of hosts.
    pub fn connections(&self, host: u32) -> impl Iterator<Item = Staged> {
        let lanes = (0..).zip(&self.table.hosts[host as usize]);
        lanes.map(move |(at, lane)| self.staged(host, at, *lane))
    }

    /// The open request of one connection.
    pub(super) fn staged(&self, host: u32, at: u32, lane: Lane) -> Staged {
        Staged {
            peer_address: lane.peer.into(),
            peer_qp: lane.there,
            send_psn: 1,
            receive_psn: 1,
            region_length: u32::MAX,
            region_key: KEY,
            class: self.class(host, lane.peer),
            ev: flow::port(host, lane.peer, at),
            ..Staged::default()
        }
    }

    fn class(&self, a: u32, b: u32) -> u8 {
        let Classes { edge, pod } = self.classes;
        if a / edge == b / edge { 0 } else { 1 + u8::from(a / pod != b / pod) }
    }
}
