//! The headers of a frame as words, and the registers that they are compared with.

use super::state::{Peer, VLAN};
use weft_params::IngressCsr;
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// The `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Own IPv4 address.
    pub ipv4: D::Word<32>,
    /// Own IPv6 address.
    pub ipv6: D::Word<128>,
    /// Queue pair of connection 0.
    pub qp_base: D::Word<24>,
    /// DSCP of trimmed packets.
    pub dscp_trimmed: D::Word<6>,
    /// DSCP of packets that were trimmed at the last hop.
    pub dscp_trimmed_last_hop: D::Word<6>,
}

impl From<&IngressCsr> for Csr<Concrete> {
    fn from(csr: &IngressCsr) -> Self {
        Self {
            ipv4: Bits::truncated(csr.ipv4.into()),
            ipv6: Bits::truncated(csr.ipv6),
            qp_base: Bits::truncated(csr.qp_base.into()),
            dscp_trimmed: Bits::truncated(csr.dscp_trimmed.into()),
            dscp_trimmed_last_hop: Bits::truncated(csr.dscp_trimmed_last_hop.into()),
        }
    }
}

/// The headers of a frame. In a word of 8 bytes the first byte is the highest, as in a number of the network.
#[derive(Clone, Copy, Debug)]
pub struct Headers<D: Domain> {
    /// EtherType of IPv4, after a VLAN tag if there is one.
    pub v4: Bit<D>,
    /// EtherType of IPv6.
    pub v6: Bit<D>,
    /// The frame's VLAN; 0 without a VLAN tag.
    pub vlan: D::Word<12>,
    /// 40 bytes from the IP header on.
    pub ip: [D::Word<64>; 5],
    /// 120 bytes from the UDP header on.
    pub udp: [D::Word<64>; 15],
    /// Bytes of the frame from the UDP header on, at most 2^17 - 1.
    pub bytes: D::Word<17>,
}

/// A field of a header: a number of bytes from byte `at` on, within one word.
macro_rules! field {
    ($words:expr, $at:literal, $bytes:literal) => {
        $words[$at / 8].slice::<{ 64 - 8 * ($at % 8 + $bytes) }, { 8 * $bytes }>()
    };
}
pub(super) use field;

/// The kind of a frame by its headers.
#[derive(Clone, Copy, Debug)]
pub struct Class<D: Domain> {
    /// The frame is ours, by rule 1. All other bits count only for frames of ours.
    pub ours: Bit<D>,
    /// Data, also trimmed.
    pub data: Bit<D>,
    /// Trimmed data.
    pub trimmed: Bit<D>,
    /// Data with immediate data.
    pub immediate: Bit<D>,
    /// A probe.
    pub probe: Bit<D>,
    /// ACK or NACK.
    pub ack: Bit<D>,
    /// NACK.
    pub nack: Bit<D>,
    /// Lengths or fields contradict each other: rule 4, of trimmed data rule 6.
    pub malformed: Bit<D>,
    /// The header checksum of IPv4 is wrong, one of the causes of rule 3.
    pub checksum_wrong: Bit<D>,
}

/// Bytes after the IP header, by IP; the highest bit is set if the header itself is longer.
pub(super) fn carried<D: Domain>(headers: &Headers<D>) -> D::Word<17> {
    let total = field!(headers.ip, 2, 2).widen::<17>();
    field!(headers.ip, 4, 2).widen::<17>().when(headers.v6, total - D::lit(20))
}

/// The DSCP of the IP header.
pub(super) fn dscp<D: Domain>(headers: &Headers<D>) -> D::Word<6> {
    headers.ip[0].slice::<54, 6>().when(headers.v6, headers.ip[0].slice::<50, 6>())
}

/// The 8 bytes at `at` as a number, the first byte highest; a missing byte counts as 0.
fn number(frame: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    let there = frame.get(at..frame.len().min(at + 8)).unwrap_or_default();
    bytes[..there.len()].copy_from_slice(there);
    u64::from_be_bytes(bytes)
}

/// The beginning of the IP header of a frame, after at most one VLAN tag, and its EtherType.
fn network(frame: &[u8]) -> (usize, u64) {
    let short = |at| number(frame, at) >> 48;
    let ip = if short(12) == 0x8100 { 18 } else { 14 };
    (ip, short(ip - 2))
}

/// The beginnings of the IP header and of the UDP header of a frame.
pub(super) fn places(frame: &[u8]) -> (usize, usize) {
    let (ip, kind) = network(frame);
    (ip, ip + if kind == 0x86DD { 40 } else { 20 })
}

impl Headers<Concrete> {
    /// The headers of a frame.
    pub fn of(frame: &[u8]) -> Self {
        let ((ip, kind), (_, udp)) = (network(frame), places(frame));
        let word = |at| Bits::truncated(number(frame, at).into());
        let vlan = if ip == 18 { (number(frame, 14) >> 48) as u16 & VLAN } else { 0 };
        Self {
            v4: Bits::truncated((kind == 0x0800).into()),
            v6: Bits::truncated((kind == 0x86DD).into()),
            vlan: Bits::truncated(vlan.into()),
            ip: std::array::from_fn(|i| word(ip + 8 * i)),
            udp: std::array::from_fn(|i| word(udp + 8 * i)),
            bytes: Bits::truncated(frame.len().saturating_sub(udp).min(0x1_FFFF) as u128),
        }
    }
}

/// The host that sends to a connection, or that may send to it.
#[derive(Clone, Copy, Debug)]
pub struct Party<D: Domain> {
    /// The connection is open; for a frame the bit has no meaning.
    pub open: Bit<D>,
    /// The address is of IPv6.
    pub v6: Bit<D>,
    /// The address; of IPv4 in the low bits, zeros above.
    pub address: D::Word<128>,
    /// The VLAN of the frames, 0: none.
    pub vlan: D::Word<12>,
    /// P_Key of the frames: partition 14:0, full member 15.
    pub pkey: D::Word<16>,
}

impl From<&Peer> for Party<Concrete> {
    fn from(peer: &Peer) -> Self {
        Self {
            open: Bits::truncated(peer.open.into()),
            v6: Bits::truncated(peer.v6.into()),
            address: Bits::truncated(peer.address),
            vlan: Bits::truncated(peer.vlan.into()),
            pkey: Bits::truncated(peer.pkey.into()),
        }
    }
}

impl From<&Party<Concrete>> for Peer {
    fn from(party: &Party<Concrete>) -> Self {
        Self {
            open: party.open.value() == 1,
            v6: party.v6.value() == 1,
            address: party.address.value(),
            vlan: party.vlan.value() as u16,
            pkey: party.pkey.value() as u16,
        }
    }
}
