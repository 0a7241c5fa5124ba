//! Right outcome of a frame by `weft-wire` and the rules of the page. The oracle has frames in place of
//! clocks and words.

use super::frames::Frame;
use weft_nic::block::ingress::Peer;
use weft_nic::words::{Acknowledgement, Arrival, ArrivalKind};
use weft_params::IngressCsr;
use weft_wire::packet::parse_with;
use weft_wire::{Addresses, Body, Dscp, Ecn, Packet, icrc};

/// Right outcome of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The frame passes unchanged.
    Bypass,
    /// The frame is dropped and counted.
    Dropped(Drop),
    /// The receiver gets this arrival with this payload.
    Arrival(u32, Arrival, Vec<u8>),
    /// The sender gets this acknowledgement.
    Acknowledgement(u32, Acknowledgement),
}

/// Reason why a frame is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drop {
    /// The MAC reports the frame as bad.
    Mac,
    /// The lengths of the frame contradict each other.
    Malformed,
    /// The checksum of the IPv4 header is wrong.
    Checksum,
    /// The ICRC is wrong.
    Icrc,
    /// The frame has another VLAN.
    Vlan,
    /// The frame has another partition.
    Partition,
    /// The connection does not exist.
    Unknown,
    /// The source is not the peer.
    Stranger,
}

/// Offsets in a frame that goes to port 4791 of this NIC and has a known BTH.
struct Place {
    ip: usize,
    udp: usize,
    trimmed: bool,
}

fn half(bytes: &[u8]) -> usize {
    usize::from(u16::from_be_bytes([bytes[0], bytes[1]]))
}

/// Offsets of a frame of the NIC by rule 1. `None` for all other frames.
fn place(csr: &IngressCsr, bytes: &[u8]) -> Option<Place> {
    let (kind, ip) = match bytes.get(12..14)? {
        [0x81, 0x00] => (bytes.get(16..18)?, 18),
        kind => (kind, 14),
    };
    let (udp, tos) = match kind {
        [0x08, 0x00] => {
            let header = bytes.get(ip..ip + 20)?;
            let fragment = half(&header[6..]) & 0x3FFF != 0;
            if header[0] != 0x45 || fragment || header[9] != 17 || header[16..] != csr.ipv4.to_be_bytes() {
                return None;
            }
            (ip + 20, header[1])
        }
        [0x86, 0xDD] => {
            let header = bytes.get(ip..ip + 40)?;
            if header[0] >> 4 != 6 || header[6] != 17 || header[24..] != csr.ipv6.to_be_bytes() {
                return None;
            }
            (ip + 40, header[0] << 4 | header[1] >> 4)
        }
        _ => return None,
    };
    let headers = bytes.get(udp..udp + 20)?;
    let data = matches!(headers[8], 0x0A | 0x0B) && headers[16] & 0x10 != 0;
    let answer = headers[8] == 0x11 && matches!(half(&headers[4..]), 48 | 64 | 88 | 124);
    if half(&headers[2..]) != 4791 || !(data || answer || headers[8] == 0xDE) {
        return None;
    }
    let dscp = tos >> 2;
    Some(Place { ip, udp, trimmed: data && (dscp == csr.dscp_trimmed || dscp == csr.dscp_trimmed_last_hop) })
}

/// Whether the lengths of a frame for the NIC contradict each other, or the transport has another version:
/// rule 4, and rule 6 for trimmed data.
fn malformed(bytes: &[u8], place: &Place) -> bool {
    let Place { ip, udp, trimmed } = *place;
    let by_ip =
        if udp - ip == 40 { half(&bytes[ip + 4..]) as i64 } else { half(&bytes[ip + 2..]) as i64 - 20 };
    let by_udp = half(&bytes[udp + 4..]) as i64;
    if bytes[udp + 9] & 0xF != 0 {
        return true;
    }
    if trimmed {
        return by_ip < 20 || by_udp < 20;
    }
    if by_ip != by_udp || bytes.len() as i64 - (udp as i64) < by_udp {
        return true;
    }
    // From this point on the frame has all bytes that UDP claims.
    match bytes[udp + 8] {
        0x11 => false,
        0xDE => by_udp != 40,
        opcode => {
            let headers = if opcode == 0x0B { 48 } else { 44 };
            if by_udp < headers + 4 {
                return true;
            }
            let length = u32::from_be_bytes([32, 33, 34, 35].map(|at| bytes[udp + at]));
            let pad = bytes[udp + 9] >> 4 & 3;
            let fits = i64::from(length) + i64::from(pad) + headers + 4 == by_udp;
            length > 8192 || !fits || (length + u32::from(pad)) % 4 != 0
        }
    }
}

/// Whether the sum of an IPv4 header, with carries added, is wrong.
fn checksum_wrong(header: &[u8]) -> bool {
    let sum: usize = header.chunks_exact(2).map(half).sum();
    (sum & 0xFFFF) + (sum >> 16) != 0xFFFF
}

fn source(packet: &Packet<'_>) -> (bool, u128) {
    match packet.envelope.ip {
        Addresses::V4 { src, .. } => (false, u32::from(src).into()),
        Addresses::V6 { src, .. } => (true, src.into()),
    }
}

/// Right outcome of `frame`: by rule 2 for other software; for the NIC's frames the first cause of rule 3,
/// the ICRC by rule 5, connection and peer by rule 7. A window has `psns`.
pub fn fate(csr: &IngressCsr, peers: &[Peer], frame: &Frame, psns: u32) -> Fate {
    let bytes = &frame.bytes[..];
    let Some(place) = place(csr, bytes) else {
        return Fate::Bypass;
    };
    if frame.bad {
        return Fate::Dropped(Drop::Mac);
    }
    if malformed(bytes, &place) {
        return Fate::Dropped(Drop::Malformed);
    }
    if place.udp - place.ip == 20 && checksum_wrong(&bytes[place.ip..place.udp]) {
        return Fate::Dropped(Drop::Checksum);
    }
    let dscp =
        Dscp { trimmed: csr.dscp_trimmed, trimmed_lasthop: csr.dscp_trimmed_last_hop, ..Dscp::DEFAULT };
    let packet = match parse_with(bytes, &dscp) {
        Ok(packet) => packet,
        Err(error) => panic!("a frame that is ours and whole does not parse: {error}"),
    };
    if !place.trimmed {
        let end = place.udp + half(&bytes[place.udp + 4..]);
        let stored = u32::from_le_bytes([4, 3, 2, 1].map(|back| bytes[end - back]));
        if icrc::icrc(bytes) != Some(stored) {
            return Fate::Dropped(Drop::Icrc);
        }
    }
    let Some(connection) =
        packet.dest_qp().checked_sub(csr.qp_base).filter(|&id| (id as usize) < peers.len())
    else {
        return Fate::Dropped(Drop::Unknown);
    };
    let peer = peers[connection as usize];
    if !peer.open {
        return Fate::Dropped(Drop::Unknown);
    }
    if source(&packet) != (peer.v6, peer.address) {
        return Fate::Dropped(Drop::Stranger);
    }
    // IEEE 802.1Q: a tag of VLAN 0 has a priority and no VLAN.
    if packet.envelope.vlans[0].map_or(0, |tag| tag.tci % 4096) != peer.vlan {
        return Fate::Dropped(Drop::Vlan);
    }
    // InfiniBand: the low 15 bits are equal and not all 0, and at least one of the two is a full member.
    let (here, there) = (peer.pkey, packet.bth.p_key());
    if here << 1 != there << 1 || here << 1 == 0 || here < 0x8000 && there < 0x8000 {
        return Fate::Dropped(Drop::Partition);
    }
    brings(connection, &packet, psns)
}

/// Outcome of an accepted packet.
fn brings(connection: u32, packet: &Packet<'_>, psns: u32) -> Fate {
    let bth = packet.bth;
    let arrival = Arrival {
        psn: packet.psn(),
        ce: packet.ecn() == Ecn::Ce,
        request: bth.ack_request(),
        solicited: bth.solicited_event(),
        ev: packet.envelope.source_port,
        ..Arrival::default()
    };
    match &packet.body {
        Body::Data(data) => {
            let arrival = Arrival {
                kind: ArrivalKind::Data,
                last: data.immediate.is_some(),
                stamp: data.xeth.tx_timestamp(),
                address: data.reth.va(),
                key: data.reth.r_key(),
                bytes: data.payload.len() as u16,
                immediate: data.immediate.unwrap_or_default(),
                message: data.xeth.msn(),
                ..arrival
            };
            Fate::Arrival(connection, arrival, data.payload.to_vec())
        }
        Body::Trimmed(rest) => {
            // Rule 6: incomplete fields read as 0, and the payload is empty.
            let (reth, xeth) = (rest.reth.unwrap_or_default(), rest.xeth.unwrap_or_default());
            let arrival = Arrival {
                kind: ArrivalKind::Trimmed,
                last: bth.opcode() == 0x0B,
                last_hop: rest.last_hop,
                stamp: xeth.tx_timestamp(),
                address: reth.va(),
                key: reth.r_key(),
                immediate: rest.immediate.unwrap_or_default(),
                message: xeth.msn(),
                ..arrival
            };
            Fate::Arrival(connection, arrival, Vec::new())
        }
        Body::Probe(peth) => {
            let arrival = Arrival { kind: ArrivalKind::Probe, stamp: peth.tx_timestamp(), ..arrival };
            Fate::Arrival(connection, arrival, Vec::new())
        }
        Body::Ack(ack) => {
            // Rule 9.
            let ahead = i32::from(ack.seth.ack_psn_offset()) - 1;
            let moved = if (256..psns as i32).contains(&ahead) { ahead - 254 } else { 1 };
            let understood = i32::from(ack.seth.sack_offset()) == moved;
            let said = Acknowledgement {
                nack: false,
                expected: (ack.seth.cack_psn() + 1) & 0xFF_FFFF,
                trigger: ack.trigger_psn(),
                bitmap: if understood { ack.bitmap() } else { [0; 4] },
                ce: ack.seth.m() != 0,
                ev: ack.seth.echoed_ev() as u16,
                stamp: ack.cc_state.tx_timestamp(),
                reason: 0,
                there: ack.evx.map_or(0, |evx| evx.there()),
                marked: ack.evx.map_or(0, |evx| evx.marked()),
                evs: ack.evx.map_or([0; 16], |evx| evx.evs()),
            };
            Fate::Acknowledgement(connection, said)
        }
        Body::Nack(nack) => {
            let said = Acknowledgement {
                nack: true,
                expected: nack.neth.nack_psn(),
                trigger: nack.neth.nack_psn(),
                bitmap: [0; 4],
                ce: nack.neth.m() != 0,
                ev: nack.neth.echoed_ev() as u16,
                stamp: nack.neth.tx_timestamp(),
                reason: nack.neth.reason(),
                ..Acknowledgement::default()
            };
            Fate::Acknowledgement(connection, said)
        }
        body => panic!("a frame that is ours parses as {body:?}"),
    }
}
