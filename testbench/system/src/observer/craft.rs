//! Frames for the NIC: of honest peers, forged ones, and frames of other software.

use super::world::{Identity, OWN_MAC, OWN_V4, OWN_V6, PSN_MASK, Peer, QP_BASE, memory};
use std::net::{IpAddr, Ipv6Addr};
use weft_random::Rng;
use weft_wire::headers::{Evx, Peth, Reth, Xeth, nack_reason};
use weft_wire::{Ack, Addresses, Body, Bth, Data, Ecn, Envelope, Nack, Vlan, frame};

/// A data packet of a peer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    /// PSN, counted from the first one.
    pub(super) number: u32,
    pub(super) address: u64,
    pub(super) key: u32,
    pub(super) bytes: u32,
    pub(super) last: bool,
    pub(super) solicited: bool,
    pub(super) message: u16,
    /// Owner of the memory from which the payload is copied.
    pub(super) owner: u64,
}

/// Fields of a packet that differ each time the packet is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) ev: u16,
    pub(super) stamp: u16,
    pub(super) request: bool,
    pub(super) ce: bool,
}

impl Marks {
    pub(super) fn random(rng: &mut Rng) -> Self {
        let (ev, stamp) = (0xC000 | rng.draw() as u16, rng.draw() as u16);
        Self { ev, stamp, request: rng.chance(1, 8), ce: rng.chance(1, 8) }
    }
}

/// Envelope of a frame from a peer to the NIC.
pub(super) fn envelope(peer: &Peer, dscp: u8, ecn: Ecn, source_port: u16) -> Envelope {
    let v6 = |src| Addresses::V6 { src, dst: OWN_V6, flow_label: 0 };
    let ip = match peer.address {
        IpAddr::V4(src) => Addresses::V4 { src, dst: OWN_V4 },
        IpAddr::V6(src) => v6(src),
    };
    let vlans = [peer.tag.map(|tci| Vlan { tpid: 0x8100, tci }), None];
    Envelope { dst_mac: OWN_MAC, src_mac: peer.mac, vlans, ip, dscp, ecn, ttl: 63, source_port }
}

fn made(envelope: &Envelope, bth: Bth, body: &Body<'_>) -> Vec<u8> {
    frame::encode(envelope, bth, body).unwrap_or_default()
}

/// The queue pair of a connection.
pub(super) fn queue_pair(index: u32) -> u32 {
    QP_BASE + index
}

/// A data packet.
pub(super) fn data(to: &Identity, peer: &Peer, packet: &Packet, marks: Marks) -> Vec<u8> {
    let payload = memory(packet.owner, packet.address, packet.bytes as usize);
    let reth = Reth::default().with_va(packet.address).with_r_key(packet.key).with_dma_length(packet.bytes);
    let immediate = packet.last.then_some(!packet.number);
    let xeth = Xeth::new(marks.stamp, 0, packet.message);
    let body = Body::Data(Data { reth, immediate, xeth, payload: &payload });
    let psn = to.receive_psn.wrapping_add(packet.number) & PSN_MASK;
    let bth = Bth::data(queue_pair(to.index), psn)
        .with_p_key(to.peer_pkey)
        .with_ack_request(marks.request)
        .with_solicited_event(packet.solicited && packet.last);
    let ecn = if marks.ce { Ecn::Ce } else { Ecn::Ect0 };
    made(&envelope(peer, 4, ecn, marks.ev), bth, &body)
}

/// An ACK: all numbers below `below` have arrived, and those of the bitmap after it; `listed` are entropy
/// values and marks.
pub(super) fn ack(
    to: &Identity,
    below: u32,
    bitmap: [u64; 4],
    answers: u32,
    marks: Marks,
    listed: &[(u16, bool)],
) -> Vec<u8> {
    let psn = |number: u32| to.send_psn.wrapping_add(number) & PSN_MASK;
    let cumulative = psn(below).wrapping_sub(1) & PSN_MASK;
    let mut ack = Ack::new(cumulative, psn(answers), marks.ev).with_bitmap(bitmap);
    ack.seth = ack.seth.with_m(u8::from(marks.ce));
    ack.cc_state = ack.cc_state.with_tx_timestamp(marks.stamp);
    if !listed.is_empty() {
        ack = ack.with_list(Evx::new(listed));
    }
    let bth = Bth::acknowledge(queue_pair(to.index), cumulative).with_p_key(to.peer_pkey);
    made(&envelope(&to.peer, 46, Ecn::NotEct, marks.ev), bth, &Body::Ack(ack))
}

/// A NACK for a trimmed packet.
pub(super) fn nack(to: &Identity, number: u32, marks: Marks) -> Vec<u8> {
    refusal(to, number, nack_reason::TRIMMED, marks)
}

/// A NACK that denies a packet for good.
pub(super) fn denial(to: &Identity, number: u32, marks: Marks) -> Vec<u8> {
    refusal(to, number, nack_reason::UNEXP_EVENT, marks)
}

fn refusal(to: &Identity, number: u32, reason: u8, marks: Marks) -> Vec<u8> {
    let psn = to.send_psn.wrapping_add(number) & PSN_MASK;
    let nack = Nack::new(psn, reason, marks.ev, marks.stamp);
    let bth = Bth::acknowledge(queue_pair(to.index), psn).with_p_key(to.peer_pkey);
    made(&envelope(&to.peer, 46, Ecn::NotEct, marks.ev), bth, &Body::Nack(nack))
}

/// A probe.
pub(super) fn probe(to: &Identity, number: u32, marks: Marks) -> Vec<u8> {
    let psn = to.receive_psn.wrapping_add(number) & PSN_MASK;
    let bth = Bth::probe(queue_pair(to.index), psn).with_p_key(to.peer_pkey);
    let ecn = if marks.ce { Ecn::Ce } else { Ecn::NotEct };
    made(&envelope(&to.peer, 46, ecn, marks.ev), bth, &Body::Probe(Peth::new(7, marks.stamp)))
}

/// A frame that is not addressed to the NIC's transport.
pub(super) fn of_others(rng: &mut Rng, bytes: usize) -> Vec<u8> {
    let mut frame = vec![0; bytes.max(15)];
    rng.fill(&mut frame);
    frame[0] &= 0xFE;
    frame[6] = 0x0A;
    let ethertype: u16 = *rng.pick(&[0x0806, 0x88B5, 0x0800, 0x86DD]);
    frame[12..14].copy_from_slice(&ethertype.to_be_bytes());
    // An IP version that does not exist.
    frame[14] = 0x90;
    frame
}

/// A RoCE frame that is not the NIC's: it has another address, or an unknown opcode.
pub(super) fn almost(rng: &mut Rng, to: &Identity, peer: &Peer) -> Vec<u8> {
    let mut envelope = envelope(peer, 0, Ecn::NotEct, 0xC123);
    let qp = queue_pair(to.index);
    if rng.chance(1, 2) {
        let bth = Bth::plain(*rng.pick(&[0x06, 0x0C, 0x04, 0x81]), qp, to.receive_psn);
        return made(&envelope, bth, &Body::Other(&[7; 60]));
    }
    match &mut envelope.ip {
        Addresses::V4 { dst, .. } => *dst = [10, 0, 0, 2].into(),
        Addresses::V6 { dst, .. } => *dst = Ipv6Addr::from(u128::from(OWN_V6) ^ 1 << rng.below(128)),
    }
    made(&envelope, Bth::probe(qp, to.receive_psn), &Body::Probe(Peth::new(1, 2)))
}

/// Corrects the IPv4 header checksum.
pub(super) fn checksum(frame: &mut [u8]) {
    let at = if frame[12..14] == [0x81, 0] { 18 } else { 14 };
    if frame[at - 2..at] != [0x08, 0] {
        return;
    }
    frame[at + 10..at + 12].fill(0);
    let halves = frame[at..at + 20].chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let sum: u32 = halves.sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let sum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    frame[at + 10..at + 12].copy_from_slice(&sum.to_be_bytes());
}
