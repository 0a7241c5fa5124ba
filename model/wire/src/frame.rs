//! Frames made: encoding, trimming, rewriting the EV.

use zerocopy::IntoBytes;

use crate::datagram::{Addresses, Datagram, Dscp, Envelope, set_ipv4_checksum};
use crate::error::ParseError;
use crate::headers::*;
use crate::icrc::{self, ICRC_LEN};
use crate::packet::{Body, Packet, parse_with};

/// Longest frame that is encoded: a jumbo frame with space to spare, so that no length field of IP or
/// UDP can overflow.
pub const MAX_ENCODED_LEN: usize = 16 * 1024;

/// UDP payload bytes that a trimmer keeps; with 20 bytes of IPv4 and 8 of UDP the first 68 bytes of
/// the IP datagram.
pub const TRIMMED_PAYLOAD_LEN: usize = 40;

/// The reason why a frame could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The payload is too long for one packet.
    #[error("a frame of {len} bytes exceeds {MAX_ENCODED_LEN}; split the message into packets of one MTU")]
    TooLong {
        /// Length the frame would have.
        len: usize,
    },
    /// The frame to be trimmed or rewritten does not parse.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// Only sprayed data can be trimmed.
    #[error("opcode {opcode:#04x} cannot be trimmed; only weft data packets (0x0a and 0x0b with TS) can")]
    NotTrimmable {
        /// Opcode of the frame.
        opcode: u8,
    },
}

/// The frame of a packet, with lengths, IPv4 header checksum, padding and ICRC.
///
/// The body determines some fields in place of `bth`: the opcode of weft's packets, TS, the pad count of
/// data, X256 of an ACK. [`Body::Trimmed`] gets no ICRC.
///
/// ```
/// use weft_wire::{Ack, Body, Bth, Ecn, Envelope, frame, headers::CcState, packet};
/// let mut ack = Ack::new(100, 105, 0xC123).with_bitmap([0b1_0000, 0, 0, 0]);
/// ack.cc_state = CcState::default().with_tx_timestamp(77).with_ooo_count(1);
/// let envelope = Envelope::v4([10, 0, 0, 2].into(), [10, 0, 0, 1].into(), 0xC123).marked(46, Ecn::NotEct);
/// let frame = frame::encode(&envelope, Bth::acknowledge(0x46, 100), &Body::Ack(ack)).unwrap();
/// assert_eq!(frame.len(), 122);
/// let said = packet::parse(&frame).unwrap().acknowledgement().unwrap();
/// assert_eq!((said.cumulative_psn, said.trigger_psn, said.echoed_ev), (Some(100), Some(105), Some(0xC123)));
/// ```
pub fn encode(envelope: &Envelope, bth: Bth, body: &Body<'_>) -> Result<Vec<u8>, FrameError> {
    let immediate = |value: Option<u32>| value.map(|value| ImmDt::default().with_data(value));
    let pad_of = |payload: &[u8]| (payload.len().wrapping_neg() % 4) as u8;
    let mut bth = bth;
    let mut rest: Vec<u8> = Vec::new();
    match body {
        Body::Data(data) => {
            let code = match data.immediate {
                Some(_) => opcode::WRITE_ONLY_IMMEDIATE,
                None => opcode::WRITE_ONLY,
            };
            bth = bth.with_opcode(code).with_sprayed(true).with_pad_count(pad_of(data.payload));
            rest.extend(data.reth.as_bytes());
            rest.extend(immediate(data.immediate).iter().flat_map(|header| header.as_bytes()));
            rest.extend(data.xeth.as_bytes());
            rest.extend(data.payload);
        }
        Body::Ack(ack) => {
            bth = bth.with_opcode(opcode::ACKNOWLEDGE);
            rest.extend(ack.aeth.as_bytes());
            let (wide, lists) = (ack.sackx.is_some(), ack.sackx.is_some() && ack.evx.is_some());
            rest.extend(ack.seth.with_x256(wide).with_xev(lists).as_bytes());
            rest.extend(ack.cc_state.as_bytes());
            rest.extend(ack.sackx.iter().flat_map(|header| header.as_bytes()));
            rest.extend(ack.evx.iter().filter(|_| lists).flat_map(|header| header.as_bytes()));
        }
        Body::Nack(nack) => {
            bth = bth.with_opcode(opcode::ACKNOWLEDGE);
            rest.extend(nack.aeth.as_bytes());
            rest.extend(nack.neth.as_bytes());
        }
        Body::Probe(peth) => {
            bth = bth.with_opcode(opcode::PROBE);
            rest.extend(peth.as_bytes());
        }
        Body::Cnp => {
            bth = bth.with_opcode(opcode::CNP);
            rest.extend([0; 16]);
        }
        Body::Trimmed(trimmed) => {
            rest.extend(trimmed.reth.iter().flat_map(|header| header.as_bytes()));
            rest.extend(immediate(trimmed.immediate).iter().flat_map(|header| header.as_bytes()));
            rest.extend(trimmed.xeth.iter().flat_map(|header| header.as_bytes()));
            rest.extend(trimmed.rest);
        }
        Body::Plain(plain) => {
            bth = bth.with_pad_count(pad_of(plain.payload));
            rest.extend(plain.reth.iter().flat_map(|header| header.as_bytes()));
            rest.extend(plain.aeth.iter().flat_map(|header| header.as_bytes()));
            rest.extend(immediate(plain.immediate).iter().flat_map(|header| header.as_bytes()));
            rest.extend(plain.payload);
        }
        Body::Other(bytes) | Body::Cut(bytes) => rest.extend(*bytes),
    }
    if matches!(body, Body::Data(_) | Body::Plain(_)) {
        rest.resize(rest.len() + usize::from(bth.pad_count()), 0);
    }
    let sealed = !matches!(body, Body::Trimmed(_));
    let payload_len = Bth::LEN + rest.len() + if sealed { ICRC_LEN } else { 0 };
    if payload_len > MAX_ENCODED_LEN - 70 {
        return Err(FrameError::TooLong { len: payload_len + 70 });
    }

    let mut frame = envelope.encode(payload_len);
    frame.extend(bth.as_bytes());
    frame.extend(rest);
    if sealed {
        frame.extend([0; ICRC_LEN]);
        seal(&mut frame)?;
    }
    Ok(frame)
}

/// Puts the right ICRC at the end of the frame's datagram.
fn seal(frame: &mut [u8]) -> Result<(), ParseError> {
    let datagram = Datagram::find(frame)?;
    let end = datagram.udp + 8 + datagram.payload.len();
    if let Some(icrc) = icrc::compute(frame, &datagram) {
        frame[end - ICRC_LEN..end].copy_from_slice(&icrc.to_le_bytes());
    }
    Ok(())
}

/// Trims a data frame as a switch does: keeps the first [`TRIMMED_PAYLOAD_LEN`] bytes of UDP payload and
/// removes the ICRC. Sets the DSCP to [`Dscp::trimmed`] (or [`Dscp::trimmed_lasthop`]) and keeps ECN. Adapts
/// the IP and UDP lengths and the IPv4 checksum, and sets the UDP checksum to 0.
pub fn trim(frame: &[u8], dscp: &Dscp, last_hop: bool) -> Result<Vec<u8>, FrameError> {
    let packet = parse_with(frame, dscp)?;
    if !matches!(packet.body, Body::Data(_)) {
        return Err(FrameError::NotTrimmable { opcode: packet.bth.opcode() });
    }
    let Datagram { ip, udp, payload, payload_len, .. } = Datagram::find(frame)?;
    if packet.cut_off {
        let (need, have) = (payload_len, payload.len());
        return Err(ParseError::CutOff { header: "payload", need, have }.into());
    }
    let mut trimmed = frame[..udp + 8 + payload.len().min(TRIMMED_PAYLOAD_LEN)].to_vec();
    let code = if last_hop { dscp.trimmed_lasthop } else { dscp.trimmed };
    let tos = (code << 2) | packet.envelope.ecn as u8;
    let udp_len = (trimmed.len() - udp) as u16;
    match packet.envelope.ip {
        Addresses::V4 { .. } => {
            let total_len = (trimmed.len() - ip) as u16;
            trimmed[ip + 1] = tos;
            trimmed[ip + 2..ip + 4].copy_from_slice(&total_len.to_be_bytes());
            set_ipv4_checksum(&mut trimmed[ip..]);
        }
        Addresses::V6 { .. } => {
            let payload_len = (trimmed.len() - ip - 40) as u16;
            trimmed[ip] = 0x60 | (tos >> 4);
            trimmed[ip + 1] = (tos << 4) | (trimmed[ip + 1] & 0xF);
            trimmed[ip + 4..ip + 6].copy_from_slice(&payload_len.to_be_bytes());
        }
    }
    trimmed[udp + 4..udp + 6].copy_from_slice(&udp_len.to_be_bytes());
    trimmed[udp + 6..udp + 8].fill(0);
    Ok(trimmed)
}

/// The effect on the ICRC when the source port is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcrcRewrite {
    /// The ICRC was right before the change and is right after it.
    Repaired,
    /// The ICRC was wrong and is still wrong, so that damage is not hidden.
    WasWrong,
    /// The capture cut off the ICRC: the frame cannot be sealed again.
    NotCaptured,
    /// The frame is a trimmed packet, which has no ICRC.
    Absent,
}

/// The effect of [`set_source_port`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortRewrite {
    /// The port before.
    pub old_port: u16,
    /// The effect on the ICRC.
    pub icrc: IcrcRewrite,
    /// The frame has a UDP checksum, which was updated.
    pub udp_checksum_updated: bool,
}

/// Rewrites the UDP source port (EV) of a RoCEv2 frame in place and carries the change into the ICRC
/// and, unless it is zero, into the UDP checksum. The default DSCPs mark trimmed packets.
pub fn set_source_port(frame: &mut [u8], port: u16) -> Result<PortRewrite, ParseError> {
    let Packet { envelope, body, .. } = parse_with(frame, &Dscp::DEFAULT)?;
    let old_port = envelope.source_port;
    let trimmed = matches!(body, Body::Trimmed(_));
    let datagram = Datagram::find(frame)?;
    let (udp, end) = (datagram.udp, datagram.udp + 8 + datagram.payload.len());
    let before = (icrc::stored(&datagram), icrc::compute(frame, &datagram));
    let mut checksum = UdpChecksum::of(frame, udp);

    checksum.replace(frame, udp, &port.to_be_bytes());
    let icrc = match before {
        _ if trimmed => IcrcRewrite::Absent,
        (Some(stored), Some(expected)) => {
            let now = icrc::icrc(frame).unwrap_or(expected);
            // Keeps the difference between stored and right: a right ICRC stays right, damage stays damage.
            let sealed = stored ^ expected ^ now;
            checksum.replace(frame, end - ICRC_LEN, &sealed.to_le_bytes());
            if stored == expected { IcrcRewrite::Repaired } else { IcrcRewrite::WasWrong }
        }
        _ => IcrcRewrite::NotCaptured,
    };
    let udp_checksum_updated = checksum.store(frame);
    Ok(PortRewrite { old_port, icrc, udp_checksum_updated })
}

/// A UDP checksum updated as the bytes it covers change (RFC 1624).
struct UdpChecksum {
    udp: usize,
    old: u16,
    sum: u32,
}

impl UdpChecksum {
    fn of(frame: &[u8], udp: usize) -> Self {
        let old = u16::from_be_bytes([frame[udp + 6], frame[udp + 7]]);
        Self { udp, old, sum: u32::from(!old) }
    }

    /// Replaces `new.len()` bytes at `at` in the frame.
    fn replace(&mut self, frame: &mut [u8], at: usize, new: &[u8]) {
        for (at, &new) in (at..).zip(new) {
            // The UDP header starts an even word, at any offset in the frame.
            let shift = if (at - self.udp).is_multiple_of(2) { 8 } else { 0 };
            let old = std::mem::replace(&mut frame[at], new);
            self.sum += 0xFFFF - (u32::from(old) << shift) + (u32::from(new) << shift);
        }
    }

    /// Writes the checksum back; zero means that the sender did not use a checksum.
    fn store(self, frame: &mut [u8]) -> bool {
        if self.old == 0 {
            return false;
        }
        let mut sum = self.sum;
        while sum > 0xFFFF {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        let checksum = match !(sum as u16) {
            0 => 0xFFFF,
            other => other,
        };
        frame[self.udp + 6..self.udp + 8].copy_from_slice(&checksum.to_be_bytes());
        true
    }
}
