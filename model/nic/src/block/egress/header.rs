//! The bytes of a frame before its payload, or of an ACK or NACK before its ICRC, over words of any kind
//! (`wire.md` 7).

use crate::part::ring::far;
use crate::words::over::{EgressPeer, Order, Reply};
use weft_params::EgressCsr;
use weft_word::{Bits, Concrete, Domain, Word};

/// UDP destination port of RoCEv2.
const PORT: u128 = 4791;
/// PSNs that the maximum PSN range counts by.
const MPR: u32 = 128;

/// The `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// Own MAC address, the first byte on the wire highest.
    pub mac: D::Word<48>,
    /// Own IPv4 address.
    pub ipv4: D::Word<32>,
    /// Own IPv6 address.
    pub ipv6: D::Word<128>,
    /// Time to live, hop limit.
    pub hop_limit: D::Word<8>,
    /// DSCP of data.
    pub dscp_data: D::Word<6>,
    /// DSCP of data that is sent again.
    pub dscp_again: D::Word<6>,
    /// DSCP of ACKs and NACKs.
    pub dscp_control: D::Word<6>,
}

impl From<&EgressCsr> for Csr<Concrete> {
    fn from(csr: &EgressCsr) -> Self {
        Self {
            mac: Bits::truncated(csr.mac.into()),
            ipv4: Bits::truncated(csr.ipv4.into()),
            ipv6: Bits::truncated(csr.ipv6),
            hop_limit: Bits::truncated(csr.hop_limit.into()),
            dscp_data: Bits::truncated(csr.dscp_data.into()),
            dscp_again: Bits::truncated(csr.dscp_again.into()),
            dscp_control: Bits::truncated(csr.dscp_control.into()),
        }
    }
}

/// Headers, two bytes a word, the first byte on the wire highest.
#[derive(Clone, Debug)]
pub struct Header<D: Domain>(Vec<D::Word<16>>);

impl<D: Domain> Header<D> {
    /// The most words: a VLAN tag, IPv6, and an ACK with a list.
    pub const MOST: usize = 89;

    /// The words.
    pub fn words(&self) -> &[D::Word<16>] {
        &self.0
    }

    fn put<const W: usize>(&mut self, field: D::Word<W>) {
        self.0.extend((0..W / 16).rev().map(|at| field.shr(16 * at).slice::<0, 16>()));
    }

    fn lit<const W: usize>(&mut self, field: u128) {
        self.put::<W>(D::lit(field));
    }
}

impl Header<Concrete> {
    /// The bytes.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().flat_map(|word| (word.value() as u16).to_be_bytes())
    }
}

/// Length of the UDP datagram of a data packet with its ICRC, in units of four bytes (rule 9).
pub fn quads_of_data<D: Domain>(order: &Order<D>) -> D::Word<12> {
    let payload = (order.bytes + D::lit(3)).slice::<2, 12>();
    payload + D::lit(13).when(order.last, D::lit(12))
}

/// Length of the UDP datagram of an ACK or NACK with its ICRC, in units of four bytes.
pub fn quads_of_reply<D: Domain>(reply: &Reply<D>) -> D::Word<12> {
    let ack = D::lit(22).when(reply.there.is_zero(), D::lit(31));
    D::lit(12).when(reply.nack, ack)
}

/// The headers of a data packet (rule 8); the time stamp is `stamp`.
pub fn data<D: Domain>(
    csr: &Csr<D>,
    peer: &EgressPeer<D>,
    order: &Order<D>,
    stamp: D::Word<16>,
) -> Header<D> {
    let dscp = csr.dscp_again.when(order.again, csr.dscp_data);
    let mut header = outer(csr, peer, dscp.cat::<2, 8>(D::lit(2)), order.ev, quads_of_data(order));
    let pad = D::lit::<2>(0) - order.bytes.slice::<0, 2>();
    let opcode = D::lit::<7>(5).cat::<1, 8>(order.last);
    let first = order.solicited.cat::<1, 2>(D::lit(1)).cat::<2, 4>(pad).cat::<4, 8>(D::lit(0));
    let flags = order.request.cat::<1, 2>(D::lit(0)).cat::<1, 3>(order.again).cat::<5, 8>(D::lit(0x10));
    bth(&mut header, peer, opcode.cat::<8, 16>(first), flags, order.psn);
    header.put(order.address);
    header.put(order.key);
    header.put(order.bytes.widen::<32>());
    if order.last.decide() {
        header.put(order.immediate);
    }
    header.put(stamp.cat::<16, 32>(D::lit(0x8001)));
    header.put(order.message.widen::<32>());
    header
}

/// All of an ACK or NACK (rules 8 and 13), with a window of `psns`.
pub fn reply<D: Domain>(csr: &Csr<D>, peer: &EgressPeer<D>, reply: &Reply<D>, psns: u32) -> Header<D> {
    let tos = csr.dscp_control.cat::<2, 8>(D::lit(0));
    let mut header = outer(csr, peer, tos, reply.ev, quads_of_reply(reply));
    let nack = reply.nack.decide();
    let psn = if nack { reply.psn } else { reply.cumulative };
    bth(&mut header, peer, D::lit(0x1140), D::lit(0), psn);
    let syndrome = D::lit::<8>(if nack { 0x60 } else { 0x1F });
    header.put(syndrome.cat::<24, 32>(reply.messages));
    let echo = reply.ce.widen::<32>().shl(21);
    if nack {
        header.put(echo | reply.reason.widen().shl(8));
        header.put(reply.ev.widen::<32>());
        header.lit::<32>(0);
        header.put(reply.psn.widen::<32>());
        header.put(D::lit::<16>(0x2000).cat::<16, 32>(reply.stamp));
        return header;
    }
    let offset = (reply.psn - reply.cumulative).slice::<0, 16>();
    header.put(echo | reply.probe.widen().shl(17) | offset.widen());
    header.put(reply.ev.widen::<32>());
    header.lit::<32>(0);
    header.put(reply.cumulative.widen::<32>());
    let lists = !reply.there.is_zero();
    let first = D::lit(1) + far::<D>(reply.psn, reply.cumulative + D::lit(1), psns).offset;
    let range = D::lit::<32>(0x2100_0000 | u128::from(psns / MPR) << 16);
    header.put(range | lists.widen().shl(25) | first.slice::<0, 16>().widen());
    let [low, wide @ ..] = reply.bitmap;
    header.put(low);
    header.put(reply.stamp);
    header.put(reply.out_of_order.widen::<16>());
    header.put(reply.received.widen::<32>());
    wide.into_iter().for_each(|bits| header.put(bits));
    if lists.decide() {
        header.put(reply.there.cat::<16, 32>(D::lit(0)));
        reply.evs.into_iter().for_each(|ev| header.put(ev));
    }
    header
}

/// Ethernet, IP and UDP headers of a datagram (rule 7).
fn outer<D: Domain>(
    csr: &Csr<D>,
    peer: &EgressPeer<D>,
    tos: D::Word<8>,
    source_port: D::Word<16>,
    udp_quads: D::Word<12>,
) -> Header<D> {
    let mut header = Header(Vec::with_capacity(Header::<D>::MOST));
    header.put(peer.mac);
    header.put(csr.mac);
    if peer.tagged.decide() {
        header.lit::<16>(0x8100);
        header.put(peer.tag);
    }
    let length = |quads: D::Word<12>| quads.widen::<16>().shl(2);
    if peer.v6.decide() {
        header.lit::<16>(0x86DD);
        header.put(D::lit::<4>(6).cat::<8, 12>(tos).cat::<20, 32>(D::lit(0)));
        header.put(length(udp_quads));
        header.put(D::lit::<8>(17).cat::<8, 16>(csr.hop_limit));
        header.put(csr.ipv6);
        header.put(peer.address);
    } else {
        header.lit::<16>(0x0800);
        let (first, total) = (D::lit::<8>(0x45).cat::<8, 16>(tos), length(udp_quads + D::lit(5)));
        let lives = csr.hop_limit.cat::<8, 16>(D::lit(17));
        let address = peer.address.slice::<0, 32>();
        for word in [first, total, D::lit(0), D::lit(0x4000), lives] {
            header.put(word);
        }
        header.put(checksum::<D>([first, total, lives], csr.ipv4, address));
        header.put(csr.ipv4);
        header.put(address);
    }
    header.put(source_port);
    header.lit::<16>(PORT);
    header.put(length(udp_quads));
    header.lit::<16>(0);
    header
}

/// The BTH: opcode and the next byte, the byte before the PSN, and the PSN.
fn bth<D: Domain>(
    header: &mut Header<D>,
    peer: &EgressPeer<D>,
    first: D::Word<16>,
    flags: D::Word<8>,
    psn: D::Word<24>,
) {
    header.put(first);
    header.put(peer.pkey);
    header.put(peer.qp.widen::<32>());
    header.put(flags.cat::<24, 32>(psn));
}

/// The checksum of our IPv4 header: DF, the words that are not always the same, and the addresses.
fn checksum<D: Domain>(
    [first, total, lives]: [D::Word<16>; 3],
    from: D::Word<32>,
    to: D::Word<32>,
) -> D::Word<16> {
    let two = |one: D::Word<16>, other: D::Word<16>| one.widen::<19>() + other.widen();
    let halves = |address: D::Word<32>| two(address.slice::<0, 16>(), address.slice::<16, 16>());
    let fixed = two(first + D::lit(0x4000), lives) + total.widen();
    let sum = halves(from) + halves(to) + fixed;
    let folded = sum.slice::<0, 16>().widen::<17>() + sum.slice::<16, 3>().widen();
    !(folded.slice::<0, 16>() + folded.slice::<16, 1>().widen())
}
