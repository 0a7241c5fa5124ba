//! The rules: the bytes of our frames, from the Ethernet header to the ICRC (`wire.md` 7).

use super::state::Peer;
use crate::part::icrc;
use crate::words::{Order, Reply};
use weft_params::EgressCsr;

/// UDP destination port of RoCEv2.
const PORT: u16 = 4791;
/// Bytes of the ICRC.
const ICRC: usize = 4;

/// A data packet; its payload is as long as the order says (rules 8 and 9).
pub fn data(csr: &EgressCsr, peer: &Peer, order: &Order, stamp: u16, payload: &[u8]) -> Vec<u8> {
    let pad = payload.len().wrapping_neg() % 4;
    let opcode = if order.last { 0x0B } else { 0x0A };
    let first = opcode << 24 | u32::from(order.solicited) << 23 | 1 << 22 | (pad as u32) << 20;
    let flags = u32::from(order.request) << 31 | u32::from(order.again) << 29 | 1 << 28;
    let mut packet = bth(first, peer, flags | order.psn);
    packet.extend(order.address.to_be_bytes());
    packet.extend(order.key.to_be_bytes());
    packet.extend(u32::from(order.bytes).to_be_bytes());
    if order.last {
        packet.extend(order.immediate.to_be_bytes());
    }
    packet.extend((u32::from(stamp) << 16 | 0x8001).to_be_bytes());
    packet.extend(u32::from(order.message).to_be_bytes());
    packet.extend(payload);
    packet.resize(packet.len() + pad, 0);
    let dscp = if order.again { csr.dscp_again } else { csr.dscp_data };
    seal(csr, peer, dscp << 2 | 2, order.ev, &packet)
}

/// An ACK or NACK (rule 8).
pub fn reply(csr: &EgressCsr, peer: &Peer, reply: &Reply) -> Vec<u8> {
    let mut packet = bth(0x1140 << 16, peer, if reply.nack { reply.psn } else { reply.cumulative });
    let mut word = |value: u32| packet.extend(value.to_be_bytes());
    let echo = u32::from(reply.ce) << 21;
    if reply.nack {
        word(0x60 << 24 | reply.messages);
        word(echo | u32::from(reply.reason) << 8);
        word(reply.ev.into());
        word(0);
        word(reply.psn);
        word(2 << 28 | u32::from(reply.stamp));
    } else {
        let offset = reply.psn.wrapping_sub(reply.cumulative) & 0xFFFF;
        word(0x1F << 24 | reply.messages);
        word(echo | u32::from(reply.probe) << 17 | offset);
        word(reply.ev.into());
        word(0);
        word(reply.cumulative);
        let lists = reply.there != 0;
        word(2 << 28 | u32::from(lists) << 25 | 1 << 24 | 2 << 16 | 1);
        let [low, wide @ ..] = reply.bitmap;
        packet.extend(low.to_be_bytes());
        packet.extend((u32::from(reply.stamp) << 16 | u32::from(reply.out_of_order)).to_be_bytes());
        packet.extend(reply.received.to_be_bytes());
        packet.extend(wide.into_iter().flat_map(u64::to_be_bytes));
        if lists {
            packet.extend((u32::from(reply.there) << 16).to_be_bytes());
            packet.extend(reply.evs.into_iter().flat_map(u16::to_be_bytes));
        }
    }
    seal(csr, peer, csr.dscp_control << 2, reply.ev, &packet)
}

fn bth(first: u32, peer: &Peer, last: u32) -> Vec<u8> {
    [first | u32::from(peer.pkey), peer.qp, last].into_iter().flat_map(u32::to_be_bytes).collect()
}

/// Ethernet, IP and UDP headers before a packet (rule 7), its ICRC behind (rule 9).
fn seal(csr: &EgressCsr, peer: &Peer, tos: u8, source_port: u16, packet: &[u8]) -> Vec<u8> {
    let udp_length = (8 + packet.len() + ICRC) as u16;
    let mut frame = Vec::with_capacity(66 + packet.len() + ICRC);
    frame.extend(&peer.mac.to_be_bytes()[2..]);
    frame.extend(&csr.mac.to_be_bytes()[2..]);
    if peer.tagged {
        frame.extend([0x81, 0x00]);
        frame.extend(peer.tag.to_be_bytes());
    }
    let ip = frame.len() + 2;
    if peer.v6 {
        frame.extend([0x86, 0xDD]);
        frame.extend((6 << 28 | u32::from(tos) << 20).to_be_bytes());
        frame.extend(udp_length.to_be_bytes());
        frame.extend([17, csr.hop_limit]);
        frame.extend(csr.ipv6.to_be_bytes());
        frame.extend(peer.address.to_be_bytes());
    } else {
        frame.extend([0x08, 0x00, 0x45, tos]);
        frame.extend((udp_length + 20).to_be_bytes());
        frame.extend([0, 0, 0x40, 0, csr.hop_limit, 17, 0, 0]);
        frame.extend(csr.ipv4.to_be_bytes());
        frame.extend((peer.address as u32).to_be_bytes());
        let checksum = checksum(&frame[ip..]);
        frame[ip + 10..ip + 12].copy_from_slice(&checksum.to_be_bytes());
    }
    for number in [source_port, PORT, udp_length, 0] {
        frame.extend(number.to_be_bytes());
    }
    frame.extend(packet);

    let icrc = icrc::of_datagram(&frame[ip..], peer.v6);
    frame.extend(icrc.to_le_bytes());
    frame
}

/// The checksum of an IPv4 header whose checksum is 0.
fn checksum(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    !(folded + (folded >> 16)) as u16
}
