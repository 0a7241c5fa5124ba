//! What a host tells its NIC by registers. The map of the registers is the driver's business.

use super::breach::Breach;
use crate::network::pace::Rate;
use std::net::IpAddr;
use weft_nic::nic::{AxilInputs, AxilOutputs};

/// Who a NIC is, and on what network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Number of the NIC in the scenario.
    pub number: u32,
    /// Its MAC address.
    pub mac: [u8; 6],
    /// Its IP address.
    pub address: IpAddr,
    /// Queue pair of its connection 0.
    pub qp_base: u32,
    /// Connections that it has.
    pub connections: u32,
    /// Payload bytes of a full packet, a power of two.
    pub mtu: u32,
    /// Rate of its wire.
    pub rate: Rate,
    /// Clocks of a round trip through empty queues, of a full packet and its ACK.
    pub base_rtt_clocks: u64,
    /// Its queues at switches trim.
    pub trims: bool,
    /// They stop each other before they would have to drop one (PFC).
    pub pauses: bool,
    /// Of what is random in it.
    pub seed: u64,
}

/// A connection to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its number at this NIC.
    pub number: u32,
    /// MAC address of the peer.
    pub peer_mac: [u8; 6],
    /// IP address of the peer.
    pub peer_address: IpAddr,
    /// VLAN tag of what is sent.
    pub tag: Option<u16>,
    /// Class of the base RTT.
    pub class: u8,
    /// Entropy value, where one is fixed.
    pub ev: u16,
    /// The connection's queue pair at the peer.
    pub peer_qp: u32,
    /// First PSN that is sent.
    pub send_psn: u32,
    /// First PSN that is expected.
    pub receive_psn: u32,
    /// Where the peer may write,
    pub region_base: u64,
    /// so many bytes,
    pub region_length: u32,
    /// with this key.
    pub region_key: u32,
}

/// A driver that has been told who its NIC is and has begun to bring it up. It speaks over AXI4-Lite only:
/// [`Axil`](crate::host::axil::Axil) does the handshakes.
pub trait Driver {
    /// Opens a connection, after all that was asked before.
    fn connect(&mut self, connection: &Connection);

    /// A clock: what it drives, from what the NIC shows.
    fn poll(&mut self, bus: &AxilOutputs) -> Result<AxilInputs, Breach>;

    /// All that was asked is done.
    fn is_idle(&self) -> bool;

    /// Asks for the values of all counters.
    fn read_counters(&mut self) {}

    /// The counters, when it is idle again.
    fn counters(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}
