//! The rules: the bytes of our frames, from the Ethernet header to the ICRC.

use super::header::{self, Header};
use super::state::Peer;
use crate::part::icrc;
use crate::words::{Order, Reply};
use weft_params::EgressCsr;
use weft_word::{Bits, Concrete};

/// Bytes of the ICRC.
const ICRC: usize = 4;

/// A data packet; its payload has the length in the order (rules 7 to 9).
pub fn data(csr: &EgressCsr, peer: &Peer, order: &Order, stamp: u16, payload: &[u8]) -> Vec<u8> {
    let header = header::data(&csr.into(), &peer.into(), &order.into(), Bits::truncated(stamp.into()));
    seal(peer, header, payload)
}

/// An ACK or NACK (rules 7 to 9), with a window of `psns`.
pub fn reply(csr: &EgressCsr, peer: &Peer, reply: &Reply, psns: u32) -> Vec<u8> {
    seal(peer, header::reply(&csr.into(), &peer.into(), &reply.into(), psns), &[])
}

/// A frame with zeros and the ICRC behind the payload (rule 9).
fn seal(peer: &Peer, header: Header<Concrete>, payload: &[u8]) -> Vec<u8> {
    let pad = payload.len().wrapping_neg() % 4;
    let mut frame = Vec::with_capacity(2 * header.words().len() + payload.len() + pad + ICRC);
    frame.extend(header.bytes());
    frame.extend(payload);
    frame.resize(frame.len() + pad, 0);
    let ip = if peer.tagged { 18 } else { 14 };
    let icrc = icrc::of_datagram(&frame[ip..], peer.v6);
    frame.extend(icrc.to_le_bytes());
    frame
}
