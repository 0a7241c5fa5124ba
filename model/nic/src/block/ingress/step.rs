//! The rules of a whole frame: its kind, its integrity, whether its connection accepts it, and its outputs.
//! Each is written over words of any kind; [`judge`] and [`meet`] are the rules of a frame of bytes.

use super::headers::{Class, Csr, Headers, Party, carried, dscp, field, places};
use super::packet::{acknowledgement, arrival};
use super::state::{Cause, Kind, Packet, Peer, Verdict};
use crate::part::icrc::{self, RESIDUE};
use std::ops::Range;
use weft_params::{IngressCsr, SackParams};
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// UDP destination port of RoCEv2.
const PORT: u128 = 4791;
/// Bytes of UDP header and BTH.
const BASE: u128 = 20;
/// The longest payload of a packet.
const LONGEST: u128 = 8192;

/// The sum of the ten halves of an IPv4 header, with carries added again, is not all ones.
fn checksum_wrong<D: Domain>(headers: &Headers<D>) -> Bit<D> {
    let Headers { ip, .. } = headers;
    let two = |one: D::Word<16>, other: D::Word<16>| one.widen::<20>() + other.widen();
    let first = two(field!(ip, 0, 2), field!(ip, 2, 2)) + two(field!(ip, 4, 2), field!(ip, 6, 2));
    let second = two(field!(ip, 8, 2), field!(ip, 10, 2)) + two(field!(ip, 12, 2), field!(ip, 14, 2));
    let sum = first + second + two(field!(ip, 16, 2), field!(ip, 18, 2));
    let folded = sum.slice::<0, 16>().widen::<17>() + sum.slice::<16, 4>().widen();
    !headers.v6 & !folded.equals(D::lit(0xFFFF))
}

/// Rules 1, 4 and 6.
pub fn classify<D: Domain>(csr: &Csr<D>, headers: &Headers<D>) -> Class<D> {
    let Headers { ip, udp, .. } = headers;
    let to_v4 = field!(ip, 0, 1).equals(D::lit(0x45))
        & field!(ip, 6, 2).slice::<0, 14>().is_zero()
        & field!(ip, 9, 1).equals(D::lit(17))
        & field!(ip, 16, 4).equals(csr.ipv4);
    let to_v6 = ip[0].slice::<60, 4>().equals(D::lit(6))
        & field!(ip, 6, 1).equals(D::lit(17))
        & ip[3].cat::<64, 128>(ip[4]).equals(csr.ipv6);
    let here = (headers.v4 & to_v4) | (headers.v6 & to_v6);

    let (opcode, flags) = (field!(udp, 8, 1), field!(udp, 9, 1));
    let claimed = field!(udp, 4, 2);
    let is_long = |bytes| claimed.equals(D::lit(bytes));
    let data = opcode.slice::<1, 7>().equals(D::lit(5)) & field!(udp, 16, 1).slice::<4, 1>();
    let ack = opcode.equals(D::lit(0x11)) & (is_long(48) | is_long(64) | is_long(88) | is_long(124));
    let probe = opcode.equals(D::lit(0xDE));
    let whole = D::lit(BASE).at_most(headers.bytes);
    let to_us = here & field!(udp, 2, 2).equals(D::lit(PORT)) & whole;

    let dscp = dscp(headers);
    let marked = dscp.equals(csr.dscp_trimmed) | dscp.equals(csr.dscp_trimmed_last_hop);
    let (trimmed, immediate) = (data & marked, opcode.slice::<0, 1>());
    let carried = carried(headers);
    let short = carried.slice::<16, 1>() | carried.less(D::lit(BASE)) | claimed.less(D::lit(BASE));
    let (pad, length) = (flags.slice::<4, 2>(), field!(udp, 32, 4));
    let covered = length.slice::<0, 16>() + pad.widen();
    let header = D::lit(52).when(immediate, D::lit(48));
    let adds_up = length.at_most(D::lit(LONGEST))
        & covered.slice::<0, 2>().is_zero()
        & claimed.equals(header + covered);
    let apart = !carried.equals(claimed.widen()) | headers.bytes.less(claimed.widen());
    let contradicts = apart | (data & !adds_up) | (probe & !is_long(40));
    Class {
        ours: to_us & (data | ack | probe),
        data,
        trimmed,
        immediate,
        probe,
        ack,
        nack: ack & is_long(48),
        malformed: !flags.slice::<0, 4>().is_zero() | short.when(trimmed, contradicts),
        checksum_wrong: checksum_wrong(headers),
    }
}

impl<D: Domain> Class<D> {
    /// The code of the frame's [`Kind`].
    pub fn kind(&self) -> D::Word<3> {
        let is = |kind: Kind| D::lit::<3>(kind as u128);
        let data = is(Kind::Trimmed).when(self.trimmed, is(Kind::Data));
        let ack = is(Kind::Nack).when(self.nack, is(Kind::Ack));
        let kind = data.when(self.data, ack.when(self.ack, is(Kind::Probe)));
        kind.when(self.ours, is(Kind::Foreign))
    }
}

/// The code of the first cause that applies, 0 if there is none.
fn first<D: Domain>(causes: &[(Bit<D>, Cause)]) -> D::Word<4> {
    causes.iter().rev().fold(D::lit(0), |later, (holds, cause)| D::lit(cause.code()).when(*holds, later))
}

/// Rule 3, as far as the frame alone decides it: the code of the first [`Cause`] for dropping a frame of
/// ours.
pub fn unsound<D: Domain>(class: &Class<D>, bad: Bit<D>, icrc_right: Bit<D>) -> D::Word<4> {
    first::<D>(&[
        (bad, Cause::Mac),
        (class.malformed, Cause::Malformed),
        (class.checksum_wrong, Cause::Checksum),
        (!class.trimmed & !icrc_right, Cause::Icrc),
    ])
}

/// Rule 7: whether the queue pair belongs to a connection, with connection numbers of this many bits.
pub fn in_range<D: Domain>(csr: &Csr<D>, headers: &Headers<D>, bits: usize) -> Bit<D> {
    (field!(headers.udp, 13, 3) ^ csr.qp_base).shr(bits).is_zero()
}

/// The sender of a frame.
pub fn source<D: Domain>(headers: &Headers<D>) -> Party<D> {
    let Headers { ip, .. } = headers;
    let v4 = field!(ip, 12, 4).widen::<128>();
    Party {
        open: D::lit(1),
        v6: headers.v6,
        address: ip[1].cat::<64, 128>(ip[2]).when(headers.v6, v4),
        vlan: headers.vlan,
        pkey: field!(headers.udp, 10, 2),
    }
}

/// Rule 15: two P_Keys are of the same partition, and at least one of the two members is a full member. A key
/// of zeros belongs to no partition.
fn partners<D: Domain>(one: D::Word<16>, other: D::Word<16>) -> Bit<D> {
    let (partition, full) = (one.slice::<0, 15>(), (one | other).slice::<15, 1>());
    partition.equals(other.slice::<0, 15>()) & !partition.is_zero() & full
}

/// Rules 7 and 14 to 16: the code of the first [`Cause`] for dropping a sound frame from `source`; `peer` is
/// the peer of the connection, which exists if the queue pair is `in_range`.
pub fn unwelcome<D: Domain>(in_range: Bit<D>, peer: &Party<D>, source: &Party<D>) -> D::Word<4> {
    let same = peer.v6.equals(source.v6) & peer.address.equals(source.address);
    first::<D>(&[
        (!in_range | !peer.open, Cause::Unknown),
        (!same, Cause::Stranger),
        (!peer.vlan.equals(source.vlan), Cause::Vlan),
        (!partners::<D>(peer.pkey, source.pkey), Cause::Partition),
    ])
}

/// The room in the queues when a frame ends.
#[derive(Clone, Copy, Debug)]
pub struct Room<D: Domain> {
    /// The bits for an arrival.
    pub arrival: Bit<D>,
    /// Whether all words of the frame's payload enter.
    pub payload: Bit<D>,
    /// The bits for an acknowledgement.
    pub acknowledgement: Bit<D>,
}

/// The words that enter the queues at the end of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Entry<D: Domain> {
    /// The code of the [`Cause`] that drops the frame, 0 without one.
    pub cause: D::Word<4>,
    /// Whether an arrival enters.
    pub arrival: Bit<D>,
    /// Whether the arrival's words of payload enter.
    pub payload: Bit<D>,
    /// Whether an acknowledgement enters.
    pub acknowledgement: Bit<D>,
}

/// Rule 8: whether a frame of the [`Kind`] with this code enters the queues: `cause` must be 0, and there
/// must be space.
pub fn admit<D: Domain>(kind: D::Word<3>, cause: D::Word<4>, room: &Room<D>) -> Entry<D> {
    let is = |one: Kind| kind.equals(D::lit(one as u128));
    let (data, short) = (is(Kind::Data), is(Kind::Trimmed) | is(Kind::Probe));
    let ack = is(Kind::Ack) | is(Kind::Nack);
    let fits = (data & room.arrival & room.payload) | (short & room.arrival) | (ack & room.acknowledgement);
    let overflow = D::lit(Cause::Overflow.code()).when(!fits & (data | short | ack), D::lit(0));
    let cause = overflow.when(cause.is_zero(), cause);
    let enters = cause.is_zero();
    Entry { cause, arrival: enters & (data | short), payload: enters & data, acknowledgement: enters & ack }
}

/// The verdict on a frame; `bad`: the MAC marked the frame as bad. Frames of other software are foreign (rule
/// 2). The first cause for dropping a frame of the NIC counts (rule 3).
pub fn judge(csr: &IngressCsr, connections: u32, frame: &[u8], bad: bool) -> Verdict {
    judge_in(csr, connections, SackParams::WINDOW, frame, bad)
}

/// [`judge`], with a window of `psns`.
pub fn judge_in(csr: &IngressCsr, connections: u32, psns: u32, frame: &[u8], bad: bool) -> Verdict {
    let (csr, headers) = (Csr::from(csr), Headers::of(frame));
    let class = classify(&csr, &headers);
    if !class.ours.decide() {
        return Verdict::Foreign;
    }
    // Rule 5, of a frame that is whole.
    let has_icrc = !(class.malformed | class.trimmed).decide();
    let icrc_right = has_icrc && {
        let (ip, udp) = places(frame);
        let end = udp + field!(headers.udp, 4, 2).value() as usize;
        icrc::of_datagram(&frame[ip..end], headers.v6.decide()) == RESIDUE
    };
    let bit = |bit: bool| Bits::truncated(bit.into());
    if let Some(cause) = Cause::of(unsound(&class, bit(bad), bit(icrc_right))) {
        return Verdict::Dropped(cause);
    }
    let in_range = in_range(&csr, &headers, connections.trailing_zeros() as usize).decide();
    let connection = field!(headers.udp, 13, 3).value() as u32 % connections;
    let packet = if class.ack.decide() {
        Packet::Acknowledgement((&acknowledgement(&headers, &class, psns)).into())
    } else {
        Packet::Arrival((&arrival(&csr, &headers, &class)).into())
    };
    Verdict::Sound { connection: in_range.then_some(connection), source: (&source(&headers)).into(), packet }
}

/// Rules 7 and 14 to 16: the verdict on a frame of any kind whose connection has this peer.
pub fn meet(verdict: Verdict, peer: impl Fn(u32) -> Peer) -> Verdict {
    let Verdict::Sound { connection, source, .. } = verdict else { return verdict };
    let (is_known, peer) = (connection.is_some(), connection.map(peer).unwrap_or_default());
    let code = unwelcome::<Concrete>(Bits::truncated(is_known.into()), &(&peer).into(), &(&source).into());
    Cause::of(code).map_or(verdict, Verdict::Dropped)
}

/// The range of a data packet's payload in its frame, up to the bytes that have arrived.
pub(super) fn payload(csr: &IngressCsr, frame: &[u8]) -> Option<Range<usize>> {
    let headers = Headers::of(frame);
    let class = classify(&csr.into(), &headers);
    let length = field!(headers.udp, 32, 4).value();
    let is_data = (class.ours & class.data & !class.trimmed).decide();
    let start = places(frame).1 + if class.immediate.decide() { 48 } else { 44 };
    (is_data && length <= LONGEST).then_some(start..start + length as usize)
}
