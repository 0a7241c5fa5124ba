//! Driver of a NIC. Each driver has its own map of the registers.

use super::breach::Breach;
use crate::network::pace::Rate;
use std::net::IpAddr;
use weft_nic::nic::{AxilInputs, AxilOutputs};

/// Identity of a NIC on its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Number of the NIC in the scenario.
    pub number: u32,
    /// MAC address of the NIC.
    pub mac: [u8; 6],
    /// IP address of the NIC.
    pub address: IpAddr,
    /// Queue pair of connection 0.
    pub qp_base: u32,
    /// Connections that the NIC has.
    pub connections: u32,
    /// Payload bytes of a full packet, a power of two.
    pub mtu: u32,
    /// Rate of the NIC's wire.
    pub rate: Rate,
    /// Clocks of a round trip through empty queues, of a full packet and its ACK.
    pub base_rtt_clocks: u64,
    /// Whether queues of switches trim the NIC's packets.
    pub trims: bool,
    /// Whether switches pause each other (PFC) before they would have to drop a packet.
    pub pauses: bool,
    /// Seed of all random choices in the NIC.
    pub seed: u64,
}

/// A connection to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Number of the connection at this NIC.
    pub number: u32,
    /// MAC address of the peer.
    pub peer_mac: [u8; 6],
    /// IP address of the peer.
    pub peer_address: IpAddr,
    /// VLAN tag of frames that the NIC sends.
    pub tag: Option<u16>,
    /// Class of the base RTT.
    pub class: u8,
    /// Entropy value of a connection that has a fixed one.
    pub ev: u16,
    /// The connection's queue pair at the peer.
    pub peer_qp: u32,
    /// First PSN that is sent.
    pub send_psn: u32,
    /// First PSN that the NIC expects.
    pub receive_psn: u32,
    /// First address that the peer may write.
    pub region_base: u64,
    /// Bytes that the peer may write.
    pub region_length: u32,
    /// Key that the peer must use.
    pub region_key: u32,
}

/// A driver that has the identity of its NIC and has begun to bring it up. The driver uses only AXI4-Lite;
/// [`Axil`](crate::host::axil::Axil) does the handshakes.
pub trait Driver {
    /// Opens a connection, after all earlier requests.
    fn connect(&mut self, connection: &Connection);

    /// One clock: the inputs that the driver applies, from the NIC's outputs.
    fn poll(&mut self, bus: &AxilOutputs) -> Result<AxilInputs, Breach>;

    /// Whether all requests are done.
    fn is_idle(&self) -> bool;

    /// Starts to read all counters.
    fn read_counters(&mut self) {}

    /// Values of the counters, once the driver is idle again.
    fn counters(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}
