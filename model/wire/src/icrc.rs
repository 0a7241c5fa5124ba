//! The invariant CRC (ICRC) of RoCEv2.
//!
//! CRC-32 (the Ethernet polynomial, as in zlib) over eight bytes of FF, then everything from the IP
//! header to the last byte before the ICRC. The fields that a router may change count as FF: IPv4
//! TOS, TTL and header checksum (IPv6: traffic class, flow label and hop limit), the UDP checksum,
//! and BTH byte 4 (Resv8a). Stored little endian. The UDP source port is *inside*: a switch that
//! rewrites the EV breaks the ICRC.

pub use crate::datagram::ICRC_LEN;
use crate::datagram::{Addresses, Datagram};
use crate::headers::Bth;
use crate::packet::{self, Body};

/// The ICRC that `frame` should carry. `None` if the frame is not RoCEv2, is cut off, or is too short for a
/// BTH and an ICRC.
pub fn icrc(frame: &[u8]) -> Option<u32> {
    compute(frame, &Datagram::find(frame).ok()?)
}

/// Whether the ICRC in `frame` is right. `None` if the frame has no ICRC to check: it is not RoCEv2, is cut
/// off, or is trimmed (marked by the default DSCPs, see [`packet::parse_with`]).
///
/// ```
/// use weft_wire::{Body, Bth, Envelope, frame, icrc};
/// let envelope = Envelope::v4([10, 0, 0, 1].into(), [10, 0, 0, 2].into(), 0xC001);
/// let mut cnp = frame::encode(&envelope, Bth::cnp(7), &Body::Cnp).unwrap();
/// assert_eq!(icrc::icrc_ok(&cnp), Some(true));
/// cnp[22] -= 1; // a router counts the TTL down: not covered
/// assert_eq!(icrc::icrc_ok(&cnp), Some(true));
/// cnp[35] ^= 1; // the UDP source port is
/// assert_eq!(icrc::icrc_ok(&cnp), Some(false));
/// ```
pub fn icrc_ok(frame: &[u8]) -> Option<bool> {
    if let Ok(packet::Packet { body: Body::Trimmed(_), .. }) = packet::parse(frame) {
        return None;
    }
    let datagram = Datagram::find(frame).ok()?;
    Some(compute(frame, &datagram)? == stored(&datagram)?)
}

/// The ICRC that the datagram carries.
pub(crate) fn stored(datagram: &Datagram<'_>) -> Option<u32> {
    let bytes = datagram.payload.last_chunk::<ICRC_LEN>()?;
    (!datagram.is_cut_off()).then_some(u32::from_le_bytes(*bytes))
}

pub(crate) fn compute(frame: &[u8], datagram: &Datagram<'_>) -> Option<u32> {
    let bth_and_rest = datagram.payload.len().checked_sub(ICRC_LEN)?;
    if datagram.is_cut_off() || bth_and_rest < Bth::LEN {
        return None;
    }
    let Datagram { ip, udp, .. } = *datagram;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&[0xFF; 8]);
    // (offset, length) of the masked fields in the IP header, and where its unmasked part begins.
    let (mut at, ip_masks): (usize, &[(usize, usize)]) = match datagram.envelope.ip {
        Addresses::V4 { .. } => (ip, &[(1, 1), (8, 1), (10, 2)]),
        Addresses::V6 { .. } => {
            hasher.update(&[0x6F, 0xFF, 0xFF, 0xFF]);
            (ip + 4, &[(7, 1)])
        }
    };
    let ip_masks = ip_masks.iter().map(|&(offset, len)| (ip + offset, len));
    for (from, len) in ip_masks.chain([(udp + 6, 2), (udp + 12, 1)]) {
        hasher.update(&frame[at..from]);
        hasher.update(&[0xFF; 2][..len]);
        at = from + len;
    }
    hasher.update(&frame[at..udp + 8 + bth_and_rest]);
    Some(hasher.finalize())
}
