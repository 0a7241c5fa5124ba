//! The rules of a whole frame: its kind, whether it is whole, its fields.

use super::state::{Cause, Packet, Peer, VLAN, Verdict};
use crate::part::icrc::{self, RESIDUE};
use crate::words::{Acknowledgement, Arrival, ArrivalKind};
use std::ops::Range;
use weft_params::IngressCsr;

/// UDP destination port of RoCEv2.
const PORT: u64 = 4791;
/// Bytes of UDP header and BTH.
const BASE: usize = 20;
/// The longest payload of a packet.
const LONGEST: usize = 8192;

/// The kind of a frame for this NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Data,
    Trimmed,
    Ack,
    Nack,
    Probe,
}

/// A frame for this NIC, by rule 1.
#[derive(Clone, Copy, Debug)]
struct Ours<'a> {
    frame: &'a [u8],
    v6: bool,
    /// Offset of the IP header.
    ip: usize,
    /// Offset of the UDP header.
    udp: usize,
    kind: Kind,
    last_hop: bool,
}

/// The bytes at `at` as a number, the first one highest; 0 if they are not all there.
fn number(frame: &[u8], at: usize, bytes: usize) -> u64 {
    let bytes = frame.get(at..at + bytes).unwrap_or_default();
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn address(frame: &[u8], at: usize) -> u128 {
    u128::from(number(frame, at, 8)) << 64 | u128::from(number(frame, at + 8, 8))
}

impl<'a> Ours<'a> {
    /// Rule 1.
    fn find(csr: &IngressCsr, frame: &'a [u8]) -> Option<Self> {
        let vlan = number(frame, 12, 2) == 0x8100;
        let ip = if vlan { 18 } else { 14 };
        let v6 = match number(frame, ip - 2, 2) {
            0x0800 => false,
            0x86DD => true,
            _ => return None,
        };
        let udp = ip + if v6 { 40 } else { 20 };
        if frame.len() < udp + BASE {
            return None;
        }
        let field = |at, bytes| number(frame, ip + at, bytes);
        let (here, traffic_class) = if v6 {
            (
                field(0, 1) >> 4 == 6 && field(6, 1) == 17 && address(frame, ip + 24) == csr.ipv6,
                field(0, 2) >> 4,
            )
        } else {
            let simple = field(0, 1) == 0x45 && field(6, 2) & 0x3FFF == 0 && field(9, 1) == 17;
            (simple && field(16, 4) == u64::from(csr.ipv4), field(1, 1))
        };
        if !here || number(frame, udp + 2, 2) != PORT {
            return None;
        }
        let dscp = (traffic_class >> 2 & 0x3F) as u8;
        let last_hop = dscp == csr.dscp_trimmed_last_hop;
        let kind = match (number(frame, udp + 8, 1), number(frame, udp + 4, 2)) {
            (0x0A | 0x0B, _) if number(frame, udp + 16, 1) & 0x10 == 0 => return None,
            (0x0A | 0x0B, _) if last_hop || dscp == csr.dscp_trimmed => Kind::Trimmed,
            (0x0A | 0x0B, _) => Kind::Data,
            (0x11, 64 | 88 | 124) => Kind::Ack,
            (0x11, 48) => Kind::Nack,
            (0xDE, _) => Kind::Probe,
            _ => return None,
        };
        Some(Self { frame, v6, ip, udp, kind, last_hop: last_hop && kind == Kind::Trimmed })
    }

    /// A field behind the UDP header's first byte.
    fn field(&self, at: usize, bytes: usize) -> u64 {
        number(self.frame, self.udp + at, bytes)
    }

    /// Bytes behind the IP header, by IP; `None` if the header itself is longer.
    fn carried(&self) -> Option<usize> {
        if self.v6 {
            return Some(number(self.frame, self.ip + 4, 2) as usize);
        }
        (number(self.frame, self.ip + 2, 2) as usize).checked_sub(20)
    }

    /// Bytes from the UDP header on, by UDP.
    fn claimed(&self) -> usize {
        self.field(4, 2) as usize
    }

    /// Bytes of the headers before the payload, and of the payload, of a data packet.
    fn lengths(&self) -> (usize, usize) {
        (if self.immediate() { 48 } else { 44 }, self.field(32, 4) as usize)
    }

    fn immediate(&self) -> bool {
        self.field(8, 1) == 0x0B
    }

    /// Rule 4; of trimmed data rule 6.
    fn malformed(&self) -> bool {
        let claimed = self.claimed();
        if self.field(9, 1) & 0xF != 0 {
            return true;
        }
        if self.kind == Kind::Trimmed {
            return self.carried().is_none_or(|carried| carried < BASE) || claimed < BASE;
        }
        let agree = match self.kind {
            Kind::Data => {
                let (header, payload) = self.lengths();
                let pad = (self.field(9, 1) >> 4 & 3) as usize;
                payload <= LONGEST
                    && (payload + pad).is_multiple_of(4)
                    && claimed == header + payload + pad + 4
            }
            Kind::Probe => claimed == 40,
            _ => true,
        };
        !agree || self.carried() != Some(claimed) || self.frame.len() < self.udp + claimed
    }

    /// The header checksum of IPv4, one of the causes of rule 3.
    fn checksum_wrong(&self) -> bool {
        let sum: u64 = (0..10).map(|i| number(self.frame, self.ip + 2 * i, 2)).sum();
        !self.v6 && !sum.is_multiple_of(0xFFFF)
    }

    /// Rule 5, of a frame that is not malformed.
    fn icrc_right(&self) -> bool {
        icrc::of_datagram(&self.frame[self.ip..self.udp + self.claimed()], self.v6) == RESIDUE
    }

    fn source(&self) -> Peer {
        let address = if self.v6 {
            address(self.frame, self.ip + 8)
        } else {
            number(self.frame, self.ip + 12, 4).into()
        };
        let vlan = if self.ip == 18 { number(self.frame, 14, 2) as u16 & VLAN } else { 0 };
        Peer { open: true, v6: self.v6, address, vlan, pkey: self.field(10, 2) as u16 }
    }

    fn congested(&self) -> bool {
        let byte = if self.v6 {
            number(self.frame, self.ip + 1, 1) >> 4
        } else {
            number(self.frame, self.ip + 1, 1)
        };
        byte & 3 == 3
    }

    /// The contents of the frame, for the receiver or for the sender.
    fn packet(&self) -> Packet {
        match self.kind {
            Kind::Ack | Kind::Nack => Packet::Acknowledgement(self.acknowledgement()),
            Kind::Data | Kind::Trimmed | Kind::Probe => Packet::Arrival(self.arrival()),
        }
    }

    fn arrival(&self) -> Arrival {
        let mut arrival = Arrival {
            kind: ArrivalKind::Probe,
            psn: self.field(17, 3) as u32,
            ce: self.congested(),
            request: self.field(16, 1) & 0x80 != 0,
            solicited: self.field(9, 1) & 0x80 != 0,
            ev: self.field(0, 2) as u16,
            ..Arrival::default()
        };
        if self.kind == Kind::Probe {
            arrival.stamp = self.field(32, 2) as u16;
            return arrival;
        }
        // Frame, IP and UDP may each end anywhere in a trimmed packet: a header that is not there as a whole is 0
        // (rule 6).
        let there = self.claimed().min(self.carried().unwrap_or(0)).min(self.frame.len() - self.udp);
        let field = |end: usize, at, bytes| if end <= there { self.field(at, bytes) } else { 0 };
        let (end, payload) = self.lengths();
        arrival.kind = ArrivalKind::Trimmed;
        arrival.last = self.immediate();
        arrival.last_hop = self.last_hop;
        arrival.address = field(36, 20, 8);
        arrival.key = field(36, 28, 4) as u32;
        arrival.stamp = field(end, end - 8, 2) as u16;
        arrival.message = field(end, end - 2, 2) as u16;
        if self.immediate() {
            arrival.immediate = field(40, 36, 4) as u32;
        }
        if self.kind == Kind::Data {
            arrival.kind = ArrivalKind::Data;
            arrival.bytes = payload as u16;
        }
        arrival
    }

    fn acknowledgement(&self) -> Acknowledgement {
        let psn = self.field(37, 3) as u32;
        let common = Acknowledgement {
            expected: psn,
            trigger: psn,
            ce: self.field(25, 1) & 0x60 != 0,
            ev: self.field(30, 2) as u16,
            ..Acknowledgement::default()
        };
        if self.kind == Kind::Nack {
            let (reason, stamp) = (self.field(26, 1) as u8, self.field(42, 2) as u16);
            return Acknowledgement { nack: true, reason, stamp, ..common };
        }
        let offset = i32::from(self.field(26, 2) as u16 as i16);
        // Rule 9.
        let mut bitmap = [0; 4];
        if self.field(42, 2) == 1 {
            bitmap[0] = self.field(44, 8);
            if self.claimed() != 64 {
                bitmap[1..].copy_from_slice(&[60, 68, 76].map(|at| self.field(at, 8)));
            }
        }
        let mut ack = Acknowledgement {
            expected: (psn + 1) & 0xFF_FFFF,
            trigger: psn.wrapping_add_signed(offset) & 0xFF_FFFF,
            bitmap,
            stamp: self.field(52, 2) as u16,
            ..common
        };
        if self.claimed() == 124 {
            ack.there = self.field(84, 2) as u16;
            ack.marked = self.field(86, 2) as u16;
            ack.evs = std::array::from_fn(|at| self.field(88 + 2 * at, 2) as u16);
        }
        ack
    }
}

/// The verdict on a frame; `bad`: the MAC marks it as bad. Frames of other software are foreign (rule 2). The
/// first cause to drop a frame for this NIC applies (rule 3).
pub fn judge(csr: &IngressCsr, connections: u32, frame: &[u8], bad: bool) -> Verdict {
    let Some(ours) = Ours::find(csr, frame) else {
        return Verdict::Foreign;
    };
    if bad {
        Verdict::Dropped(Cause::Mac)
    } else if ours.malformed() {
        Verdict::Dropped(Cause::Malformed)
    } else if ours.checksum_wrong() {
        Verdict::Dropped(Cause::Checksum)
    } else if ours.kind != Kind::Trimmed && !ours.icrc_right() {
        Verdict::Dropped(Cause::Icrc)
    } else {
        let apart = ours.field(13, 3) as u32 ^ csr.qp_base;
        let connection = (apart / connections == 0).then_some(ours.field(13, 3) as u32 % connections);
        Verdict::Sound { connection, source: ours.source(), packet: ours.packet() }
    }
}

/// Rule 15: two P_Keys are of one partition, and at least one of both members is a full one. A key of zeros is of
/// none.
fn partners(one: u16, other: u16) -> bool {
    (one ^ other) & 0x7FFF == 0 && one & 0x7FFF != 0 && (one | other) & 0x8000 != 0
}

/// Rules 7 and 14 to 16: the verdict on a frame of any kind whose connection has this peer.
pub fn meet(verdict: Verdict, peer: impl Fn(u32) -> Peer) -> Verdict {
    let Verdict::Sound { connection, source, .. } = verdict else { return verdict };
    match connection.map(peer).filter(|peer| peer.open) {
        None => Verdict::Dropped(Cause::Unknown),
        Some(peer) if (peer.v6, peer.address) != (source.v6, source.address) => {
            Verdict::Dropped(Cause::Stranger)
        }
        Some(peer) if peer.vlan != source.vlan => Verdict::Dropped(Cause::Vlan),
        Some(peer) if !partners(peer.pkey, source.pkey) => Verdict::Dropped(Cause::Partition),
        Some(_) => verdict,
    }
}

/// The range of a data packet's payload in its frame, as far as the frame has come.
pub(super) fn payload(csr: &IngressCsr, frame: &[u8]) -> Option<Range<usize>> {
    let ours = Ours::find(csr, frame).filter(|ours| ours.kind == Kind::Data)?;
    let (header, payload) = ours.lengths();
    (payload <= LONGEST).then_some(ours.udp + header..ours.udp + header + payload)
}
