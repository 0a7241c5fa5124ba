//! Verdict on a frame from the MAC by the rules of `docs/blocks/ingress.md`. The bytes are read here and not
//! by the codec.

use super::world::{CONNECTIONS, OWN_V4, OWN_V6, QP_BASE};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use weft_wire::icrc;

/// Kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Data,
    Trimmed,
    Probe,
    Ack,
    Nack,
}

/// Reason for dropping a frame of the NIC before its connection is known: the name of the counter.
pub(super) type Cause = &'static str;

/// A frame from the NIC. The check of such a frame needs no state of connections; it found no fault in this
/// frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ours {
    pub(super) kind: Kind,
    /// `None` if no connection has the queue pair.
    pub(super) index: Option<u32>,
    pub(super) source: IpAddr,
    /// VLAN, or 0 for none.
    pub(super) vlan: u16,
    pub(super) pkey: u16,
    pub(super) psn: u32,
    pub(super) ev: u16,
    pub(super) ce: bool,
    pub(super) request: bool,
    pub(super) last: bool,
    pub(super) solicited: bool,
    pub(super) last_hop: bool,
    pub(super) stamp: u16,
    pub(super) address: u64,
    pub(super) key: u32,
    pub(super) immediate: u32,
    pub(super) message: u16,
    pub(super) payload: Vec<u8>,
    /// Cumulative PSN of an ACK, and the bitmap behind it; PSN of a NACK.
    pub(super) cumulative: u32,
    pub(super) bitmap: [u64; 4],
    /// The ACK echoes a mark; the NACK denies its packet for good.
    pub(super) echoes: bool,
    pub(super) denies: bool,
}

/// Verdict on a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Bypass,
    Drop(Cause),
    Ours(Box<Ours>),
}

/// Bytes of a frame. Reads beyond the end return zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn number(&self, at: usize, bytes: usize) -> u64 {
        (at..at + bytes).fold(0, |number, at| number << 8 | u64::from(self.0.get(at).copied().unwrap_or(0)))
    }

    fn byte(&self, at: usize) -> u8 {
        self.number(at, 1) as u8
    }

    fn half(&self, at: usize) -> usize {
        self.number(at, 2) as usize
    }

    fn word(&self, at: usize) -> u32 {
        self.number(at, 4) as u32
    }
}

/// Reads the IP header: offset of UDP, traffic class, source, bytes that IP claims for UDP, whether the
/// checksum is wrong.
fn network(frame: &Bytes<'_>) -> Option<(usize, u8, IpAddr, usize, bool)> {
    let at = if frame.half(12) == 0x8100 { 18 } else { 14 };
    match frame.half(at - 2) {
        0x0800 => {
            let fragment = frame.half(at + 6) & 0x3FFF != 0;
            let ours = frame.word(at + 16) == u32::from(OWN_V4);
            if frame.byte(at) != 0x45 || fragment || !ours || frame.byte(at + 9) != 17 {
                return None;
            }
            let mut sum: usize = (0..10).map(|half| frame.half(at + 2 * half)).sum();
            while sum > 0xFFFF {
                sum = (sum & 0xFFFF) + (sum >> 16);
            }
            let source = Ipv4Addr::from(frame.word(at + 12));
            let claimed = frame.half(at + 2).wrapping_sub(20);
            Some((at + 20, frame.byte(at + 1), source.into(), claimed, sum != 0xFFFF))
        }
        0x86DD => {
            let wide = |at| u128::from(frame.number(at, 8)) << 64 | u128::from(frame.number(at + 8, 8));
            if frame.byte(at) >> 4 != 6 || frame.byte(at + 6) != 17 || wide(at + 24) != u128::from(OWN_V6) {
                return None;
            }
            let class = (frame.half(at) >> 4) as u8;
            Some((at + 40, class, Ipv6Addr::from(wide(at + 8)).into(), frame.half(at + 4), false))
        }
        _ => None,
    }
}

/// Judges a frame. `bad`: the MAC reported an error.
pub(super) fn judge(bytes: &[u8], bad: bool) -> Verdict {
    let frame = Bytes(bytes);
    let Some((udp, class, source, claimed, wrong_sum)) = network(&frame) else { return Verdict::Bypass };
    let (length, bth) = (frame.half(udp + 4), udp + 8);
    let (opcode, flags) = (frame.byte(bth), frame.byte(bth + 8));
    let data = matches!(opcode, 0x0A | 0x0B) && flags & 0x10 != 0;
    let reply = opcode == 0x11 && [48, 64, 88, 124].contains(&length);
    let known = data || reply || opcode == 0xDE;
    if frame.half(udp + 2) != 4791 || bytes.len() < bth + 12 || !known {
        return Verdict::Bypass;
    }
    let trimmed = data && [12, 16].contains(&(class >> 2));
    let whole = bytes.len() >= udp + length;
    let pad = usize::from(frame.byte(bth + 1) >> 4 & 3);
    let immediate = if opcode == 0x0B { 4 } else { 0 };
    let dma = frame.word(bth + 24) as usize;
    let malformed = frame.byte(bth + 1) & 0xF != 0
        || match (trimmed, opcode) {
            (true, _) => claimed < 20 || length < 20,
            (_, 0xDE) => claimed != length || !whole || length != 40,
            (_, 0x11) => claimed != length || !whole,
            _ => {
                let fits =
                    (dma + pad).is_multiple_of(4) && length == 8 + 12 + 16 + immediate + 8 + dma + pad + 4;
                claimed != length || !whole || dma > 8192 || !fits
            }
        };
    if bad {
        return Verdict::Drop("ingress_mac_errors");
    }
    if malformed {
        return Verdict::Drop("ingress_malformed");
    }
    if wrong_sum {
        return Verdict::Drop("ingress_checksum_errors");
    }
    if !trimmed && icrc::icrc_ok(&bytes[..udp + length]) == Some(false) {
        return Verdict::Drop("ingress_icrc_errors");
    }
    let kind = match opcode {
        0xDE => Kind::Probe,
        0x11 if length == 48 => Kind::Nack,
        0x11 => Kind::Ack,
        _ if trimmed => Kind::Trimmed,
        _ => Kind::Data,
    };
    let index = frame.word(bth + 4) & 0xFF_FFFF;
    let xeth = bth + 28 + immediate;
    let payload = if kind == Kind::Data { bytes[xeth + 8..xeth + 8 + dma].to_vec() } else { Vec::new() };
    // A header of a trimmed packet that is only partly inside frame, IP and UDP reads as 0 (page of ingress,
    // rule 6).
    let end = bytes.len().min(udp + length.min(claimed));
    let cut = [xeth + 8, xeth, bth + 28].into_iter().find(|at| *at <= end).unwrap_or(bth + 12);
    let headers = Bytes(if kind == Kind::Trimmed { &bytes[..cut] } else { bytes });
    let wide = kind == Kind::Ack && length >= 88;
    let based = kind == Kind::Ack && frame.half(bth + 34) == 1;
    let bits = |at: usize, there: bool| if based && there { frame.number(bth + at, 8) } else { 0 };
    Verdict::Ours(Box::new(Ours {
        kind,
        index: index.checked_sub(QP_BASE).filter(|index| *index < CONNECTIONS),
        source,
        vlan: if frame.half(12) == 0x8100 { (frame.half(14) & 0xFFF) as u16 } else { 0 },
        pkey: frame.half(bth + 2) as u16,
        psn: frame.word(bth + 8) & 0xFF_FFFF,
        ev: frame.half(udp) as u16,
        ce: class & 3 == 3,
        request: flags & 0x80 != 0,
        last: opcode == 0x0B,
        solicited: frame.byte(bth + 1) & 0x80 != 0,
        last_hop: class >> 2 == 16,
        stamp: if kind == Kind::Probe { frame.half(bth + 24) } else { headers.half(xeth) } as u16,
        address: headers.number(bth + 12, 8),
        key: headers.word(bth + 20),
        immediate: if opcode == 0x0B { headers.word(bth + 28) } else { 0 },
        message: headers.half(xeth + 6) as u16,
        payload,
        cumulative: frame.word(bth + 28) & 0xFF_FFFF,
        bitmap: [bits(36, true), bits(52, wide), bits(60, wide), bits(68, wide)],
        echoes: kind == Kind::Ack && frame.byte(bth + 17) >> 5 & 3 != 0,
        denies: kind == Kind::Nack && frame.byte(bth + 18) == 0x19,
    }))
}
