//! The contents of a frame of ours: its words for the receiver and for the sender, field by field.

use super::headers::{Class, Csr, Headers, carried, dscp, field};
use crate::part::ring::far;
use crate::words::ArrivalKind;
use crate::words::over::{Acknowledgement, Arrival};
use weft_word::{Bit, Domain, Word};

/// The 8 bytes that begin in the middle of word `at`.
fn across<D: Domain>(words: &[D::Word<64>], at: usize) -> D::Word<64> {
    words[at].slice::<0, 32>().cat::<32, 64>(words[at + 1].slice::<32, 32>())
}

/// `word` if `condition` holds, else 0.
fn only<D: Domain, const W: usize>(condition: Bit<D>, word: D::Word<W>) -> D::Word<W> {
    word.when(condition, D::lit(0))
}

/// The packet for the receiver. Frame, IP and UDP may each end anywhere in a trimmed packet: an incomplete
/// header is read as 0 (rule 6).
pub fn arrival<D: Domain>(csr: &Csr<D>, headers: &Headers<D>, class: &Class<D>) -> Arrival<D> {
    let Headers { ip, udp, .. } = headers;
    let claimed = field!(udp, 4, 2).widen::<17>();
    let carried = carried(headers);
    let by_ip = only::<D, 17>(!carried.slice::<16, 1>(), carried);
    let is_there = |end: u128| {
        let end = D::lit(end);
        end.at_most(claimed) & end.at_most(by_ip) & end.at_most(headers.bytes)
    };
    let ecn = field!(ip, 1, 1).slice::<4, 2>().when(headers.v6, field!(ip, 1, 1).slice::<0, 2>());
    let dscp = dscp(headers);
    let late = class.data & class.immediate;
    let early = class.data & !class.immediate;
    let (reth, value) = (class.data & is_there(36), late & is_there(40));
    let (xeth, last_xeth) = (early & is_there(44), late & is_there(48));
    let data = D::lit(ArrivalKind::Trimmed as u128).when(class.trimmed, D::lit(ArrivalKind::Data as u128));
    Arrival {
        kind: data.when(class.data, D::lit(ArrivalKind::Probe as u128)),
        psn: field!(udp, 17, 3),
        ce: ecn.equals(D::lit(3)),
        request: field!(udp, 16, 1).slice::<7, 1>(),
        last: late,
        solicited: field!(udp, 9, 1).slice::<7, 1>(),
        last_hop: class.trimmed & dscp.equals(csr.dscp_trimmed_last_hop),
        ev: field!(udp, 0, 2),
        stamp: field!(udp, 36, 2)
            .when(xeth, field!(udp, 40, 2).when(last_xeth, only::<D, 16>(!class.data, field!(udp, 32, 2)))),
        address: only::<D, 64>(reth, across::<D>(udp, 2)),
        key: only::<D, 32>(reth, field!(udp, 28, 4)),
        bytes: only::<D, 14>(class.data & !class.trimmed, field!(udp, 32, 4).slice::<0, 14>()),
        immediate: only::<D, 32>(value, field!(udp, 36, 4)),
        message: field!(udp, 42, 2).when(xeth, only::<D, 16>(last_xeth, field!(udp, 46, 2))),
    }
}

/// The ACK or NACK for the sender, with a window of `psns`.
pub fn acknowledgement<D: Domain>(headers: &Headers<D>, class: &Class<D>, psns: u32) -> Acknowledgement<D> {
    let Headers { udp, .. } = headers;
    let psn = field!(udp, 37, 3);
    let claimed = field!(udp, 4, 2);
    let is_long = |bytes| claimed.equals(D::lit(bytes));
    let ack = !class.nack;
    let offset = field!(udp, 26, 2);
    let sign = D::lit::<8>(0xFF).when(offset.slice::<15, 1>(), D::lit(0));
    let lists = ack & is_long(124);
    let (expected, trigger) = (psn + D::lit(1), psn + sign.cat::<16, 24>(offset));
    // Rule 9.
    let first = D::lit(1) + far::<D>(trigger, expected, psns).offset;
    let narrow = ack & field!(udp, 42, 2).equals(first.slice::<0, 16>());
    let wide = narrow & !is_long(64);
    let list = |at: usize| udp[11 + at / 4].shr(48 - 16 * (at % 4)).slice::<0, 16>();
    Acknowledgement {
        nack: class.nack,
        expected: expected.when(ack, psn),
        trigger: trigger.when(ack, psn),
        bitmap: [
            only::<D, 64>(narrow, across::<D>(udp, 5)),
            only::<D, 64>(wide, across::<D>(udp, 7)),
            only::<D, 64>(wide, across::<D>(udp, 8)),
            only::<D, 64>(wide, across::<D>(udp, 9)),
        ],
        ce: !field!(udp, 25, 1).slice::<5, 2>().is_zero(),
        ev: field!(udp, 30, 2),
        stamp: field!(udp, 52, 2).when(ack, field!(udp, 42, 2)),
        reason: only::<D, 8>(class.nack, field!(udp, 26, 1)),
        there: only::<D, 16>(lists, field!(udp, 84, 2)),
        marked: only::<D, 16>(lists, field!(udp, 86, 2)),
        evs: std::array::from_fn(|at| only::<D, 16>(lists, list(at))),
    }
}
