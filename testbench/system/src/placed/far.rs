//! The far ends of a host's connections: how the peers' NICs read the frames of this host, and the frames
//! that they send to it. The functions of the NIC's transaction view make and read the frames, with the
//! identity of each peer.
//!
//! Fields that the engine's packets do not have are as in a first packet: RTX bit and DSCP of packets sent
//! again, and the counts of messages, bytes and packets out of order in answers. No NIC reads these fields.

use crate::network::header::{mark, route};
use crate::network::seam::Frame;
use crate::nic::bench::{address_of, mac_of};
use std::collections::BTreeMap;
use std::net::IpAddr;
use weft_nic::block::egress::{self, Egress};
use weft_nic::block::ingress::{self, Ingress, Packet};
use weft_nic::words::{Acknowledgement, Arrival, ArrivalKind, Order, Reply};
use weft_params::SackParams;
use weft_params::registers::{DEFAULT_PKEY, NicCsr, Staged};
use weft_wire::Dscp;

/// The NIC of a peer.
struct End {
    ingress: Ingress,
    egress: Egress,
}

/// The far ends of all connections.
pub(super) struct Far {
    /// Ends by the peers' addresses.
    ends: BTreeMap<u32, End>,
    /// Address of each connection's peer.
    peers: Vec<u32>,
    /// Connections by the peer's address and the connection's number at the peer.
    numbers: BTreeMap<(u32, u32), u32>,
}

/// Address and MAC address of a host, in the form of the registers.
pub(super) fn identity(host: u32) -> (u32, u64) {
    let address = match address_of(host, false) {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(_) => 0,
    };
    (address, mac_of(host).iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Registers of a host's NIC with the identity of its number.
pub(super) fn registers(csr: &NicCsr, host: u32) -> NicCsr {
    let (address, mac) = identity(host);
    let mut csr = *csr;
    (csr.ingress.ipv4, csr.egress.ipv4, csr.egress.mac) = (address, address, mac);
    csr
}

impl Far {
    /// Far ends of a host's connections.
    pub(super) fn new(csr: &NicCsr, host: u32, connections: &[Staged]) -> Self {
        let (own, own_mac) = identity(host);
        let most = connections.iter().map(|it| it.peer_qp + 1).max().unwrap_or(1);
        let params = SackParams { connections: most.next_power_of_two().max(4) };
        let mut far = Self { ends: BTreeMap::new(), peers: Vec::new(), numbers: BTreeMap::new() };
        for (number, staged) in (0..).zip(connections) {
            let peer = staged.peer_address as u32;
            let csr = registers(csr, peer);
            let end = far.ends.entry(csr.ingress.ipv4).or_insert_with(|| End {
                ingress: Ingress::new(params, csr.ingress),
                egress: Egress::new(csr.egress),
            });
            let (address, pkey) = (own.into(), DEFAULT_PKEY);
            let from = ingress::Peer { open: true, v6: false, address, vlan: 0, pkey };
            end.ingress.set_peer(staged.peer_qp, from);
            let (mac, tagged, tag, qp) = (own_mac, false, 0, number);
            end.egress.set_peer(number, egress::Peer { v6: false, address, mac, tagged, tag, qp, pkey });
            far.peers.push(csr.ingress.ipv4);
            far.numbers.insert((csr.ingress.ipv4, staged.peer_qp), number);
        }
        far
    }

    /// Reads a frame of this host as the peer does: the connection here, the packet, and its payload. `None`
    /// if the peer would drop the frame.
    pub(super) fn read<'a>(&mut self, frame: &'a Frame) -> Option<(u32, Packet, &'a [u8])> {
        let IpAddr::V4(address) = route(&frame.bytes)?.destination else { return None };
        let address = u32::from(address);
        let end = self.ends.get_mut(&address)?;
        let (there, packet) = end.ingress.receive(&frame.bytes, frame.bad).ok()?;
        let number = *self.numbers.get(&(address, there))?;
        Some((number, packet, end.ingress.payload(&frame.bytes)))
    }

    /// The frame of a packet to a connection of this host.
    pub(super) fn frame(&mut self, connection: u32, packet: &Packet, payload: &[u8]) -> Option<Frame> {
        let end = self.ends.get_mut(self.peers.get(connection as usize)?)?;
        let bytes = match packet {
            Packet::Arrival(arrival) => {
                let stamp = arrival.stamp.into();
                let mut frame =
                    end.egress.data(connection, &order_of(arrival), Some(payload), false, stamp)?;
                if arrival.ce {
                    mark(&mut frame);
                }
                match arrival.kind {
                    ArrivalKind::Trimmed => {
                        weft_wire::frame::trim(&frame, &Dscp::DEFAULT, arrival.last_hop).ok()?
                    }
                    _ => frame,
                }
            }
            Packet::Acknowledgement(it) => end.egress.reply(connection, &reply_of(it)),
        };
        Some(Frame { bytes, bad: false })
    }
}

/// The order whose frame has these fields.
fn order_of(arrival: &Arrival) -> Order {
    let Arrival { psn, ev, last, solicited, request, address, key, bytes, immediate, message, .. } = *arrival;
    Order { psn, ev, again: false, last, solicited, request, address, key, bytes, immediate, message }
}

/// The reply whose frame has these fields.
fn reply_of(it: &Acknowledgement) -> Reply {
    let Acknowledgement { nack, expected, trigger, bitmap, ce, ev, stamp, reason, .. } = *it;
    let cumulative = if nack { 0 } else { expected.wrapping_sub(1) & 0xFF_FFFF };
    Reply { nack, cumulative, psn: trigger, bitmap, ce, ev, stamp, reason, ..Reply::default() }
        .with_list(it.listed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_nic::words::Listed;

    /// A host whose only connection goes to host 5, where its number is 9, and the peer's view of this
    /// connection.
    fn both() -> [Far; 2] {
        let to = |peer: u32, qp: u32| Staged { peer_address: peer.into(), peer_qp: qp, ..Staged::default() };
        let strange = to(6, 2);
        let mut there = vec![strange; 9];
        there.push(to(4, 0));
        [Far::new(&NicCsr::default(), 4, &[to(5, 9)]), Far::new(&NicCsr::default(), 5, &there)]
    }

    #[test]
    fn a_packet_becomes_a_frame_and_is_read_again() {
        let [mut near, mut far] = both();
        let arrival = Arrival {
            psn: 0xFF_FFFE,
            ev: 0xC123,
            stamp: 77,
            address: 1 << 20,
            key: 0x77,
            bytes: 100,
            message: 3,
            request: true,
            ..Arrival::default()
        };
        let last = Arrival { last: true, solicited: true, immediate: 0xABCD, ce: true, ..arrival };
        let mut listed = Listed { there: 2, ..Listed::default() };
        listed.evs[1] = 0xC007;
        let ack = Acknowledgement {
            expected: 2,
            trigger: 0xFF_FFF0,
            bitmap: [1, 2, 3, 4],
            ev: 7,
            stamp: 9,
            ..Acknowledgement::default()
        };
        let ack = ack.with_list(listed);
        let nack = Acknowledgement {
            nack: true,
            expected: 5,
            trigger: 5,
            ev: 7,
            reason: 2,
            ..Acknowledgement::default()
        };
        let payload: Vec<u8> = (0..100).collect();
        // The far end of host 4 makes the frame that host 5 sends on connection 9. The far end of host 5
        // reads that frame.
        for packet in [
            Packet::Arrival(arrival),
            Packet::Arrival(last),
            Packet::Acknowledgement(ack),
            Packet::Acknowledgement(nack),
        ] {
            let frame = near.frame(0, &packet, &payload).expect("a frame");
            let (connection, read, bytes) = far.read(&frame).expect("it is taken");
            assert_eq!((connection, read), (9, packet));
            assert!(bytes.is_empty() || bytes == payload);
            assert!(near.read(&frame).is_none(), "it is not for a peer of host 4");
        }
        let trimmed = Arrival { kind: ArrivalKind::Trimmed, last_hop: true, ..arrival };
        let frame = near.frame(0, &Packet::Arrival(trimmed), &payload).expect("a frame");
        // A trimmed packet has no payload.
        let left = Packet::Arrival(Arrival { bytes: 0, ..trimmed });
        assert_eq!(far.read(&frame).map(|it| (it.0, it.1)), Some((9, left)));
    }
}
