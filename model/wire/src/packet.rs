//! A frame as a typed packet, plain RoCEv2 RC or weft's own format.
//!
//! The kind of a packet follows from the BTH opcode, the TS bit, the UDP length and the DSCP:
//!
//! | opcode | and | is |
//! |---|---|---|
//! | 0A, 0B | TS = 1 | [`Body::Data`]; with a trimmed DSCP [`Body::Trimmed`] |
//! | 11 | UDP length 64, 88 or 124 | [`Body::Ack`] with 64 or 256 bits of SACK; the last with a list of entropy values |
//! | 11 | UDP length 48 | [`Body::Nack`] |
//! | 81 | | [`Body::Cnp`] |
//! | DE | | [`Body::Probe`] |
//! | 00..1F | otherwise | [`Body::Plain`], RoCEv2 RC |
//! | others | | [`Body::Other`] |
//! | any | the capture cut its headers off | [`Body::Cut`] |

mod reader;

use reader::Reader;
use std::net::IpAddr;

use crate::datagram::{Datagram, Dscp, Ecn, Envelope, ICRC_LEN, ROCE_PORT};
pub use crate::error::ParseError;
use crate::headers::*;

/// A RoCEv2 packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Ethernet, IP and UDP.
    pub envelope: Envelope,
    /// Base transport header.
    pub bth: Bth,
    /// The headers behind the BTH.
    pub body: Body<'a>,
    /// Payload bytes that the packet's lengths claim, without padding. The payload slice is shorter if
    /// [`Packet::cut_off`].
    pub payload_len: usize,
    /// Whether the capture has fewer bytes of the packet than its lengths claim.
    pub cut_off: bool,
}

/// The headers and payload behind the BTH.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Body<'a> {
    /// Sprayed data.
    Data(Data<'a>),
    /// Acknowledgement with SACK.
    Ack(Ack),
    /// Negative acknowledgement.
    Nack(Nack),
    /// Reliability probe.
    Probe(Peth),
    /// Congestion notification (plain RoCEv2).
    Cnp,
    /// The rest of a data packet that a switch trimmed.
    Trimmed(Trimmed<'a>),
    /// Plain RC.
    Plain(Plain<'a>),
    /// Another opcode (UC, UD, MRC, ...): the bytes between BTH and ICRC.
    Other(&'a [u8]),
    /// Any opcode with incomplete headers in the capture: the bytes after the BTH.
    Cut(&'a [u8]),
}

/// Sprayed data: BTH, RETH, \[ImmDt,\] XETH, payload, padding, ICRC.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Data<'a> {
    /// Header with the place of this packet's payload.
    pub reth: Reth,
    /// Immediate value, present in the last packet of a message (opcode 0B).
    pub immediate: Option<u32>,
    /// Time stamp and message numbers.
    pub xeth: Xeth,
    /// The captured part of the payload.
    pub payload: &'a [u8],
}

/// Acknowledgement: BTH, AETH, SETH, CC_STATE, \[SACKX, \[EVX,\]\] ICRC. With SACKX the UDP payload has 80
/// bytes and the bitmap 256 bits (ACK-256). Without SACKX the payload has 56 bytes and the bitmap 64 bits
/// (ACK-64). With EVX the payload has 116 bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ack {
    /// Syndrome and MSN.
    pub aeth: Aeth,
    /// Cumulative PSN, echoes, bitmap bits 63..0.
    pub seth: Seth,
    /// Congestion-control state.
    pub cc_state: CcState,
    /// Bitmap bits 255..64.
    pub sackx: Option<Sackx>,
    /// Entropy values of the other packets that the ACK answers. The list is only present with SACKX.
    pub evx: Option<Evx>,
}

/// `to - from`, in the coding of the wire. PSNs wrap at 2^24.
fn psn_offset(from: u32, to: u32) -> i16 {
    to.wrapping_sub(from) as i16
}

fn psn_add(psn: u32, offset: i16) -> u32 {
    psn.wrapping_add_signed(offset.into()) & PSN_MASK
}

impl Ack {
    /// An ACK-64 with an empty bitmap that begins at `cack_psn + 1`, for windows of 256 PSNs. The PSN that
    /// triggered it must be within ±2^15 of `cack_psn`. The PSN of the BTH must be `cack_psn`.
    pub fn new(cack_psn: u32, trigger_psn: u32, echoed_ev: u16) -> Self {
        Self {
            aeth: Aeth::default().with_syndrome(syndrome::ACK),
            seth: Seth::default()
                .with_cack_psn(cack_psn)
                .with_ack_psn_offset(psn_offset(cack_psn, trigger_psn))
                .with_echoed_ev(echoed_ev.into())
                .with_cc_type(2)
                .with_mpr(2)
                .with_sack_offset(1),
            cc_state: CcState::default(),
            sackx: None,
            evx: None,
        }
    }

    /// The ACK with a bitmap of 256 bits, bits 63..0 first: an ACK-256.
    #[must_use]
    pub fn with_bitmap(mut self, bitmap: [u64; 4]) -> Self {
        self.seth = self.seth.with_bitmap(bitmap[0]).with_x256(true);
        self.sackx =
            Some(Sackx::default().with_bitmap1(bitmap[1]).with_bitmap2(bitmap[2]).with_bitmap3(bitmap[3]));
        self
    }

    /// The ACK for windows of `psns`, whose bitmap begins at the PSN `base`. That must be within ±2^15 of `cack_psn`.
    #[must_use]
    pub fn with_window(mut self, psns: u32, base: u32) -> Self {
        let offset = psn_offset(self.seth.cack_psn(), base);
        self.seth = self.seth.with_mpr((psns / 128) as u8).with_sack_offset(offset);
        self
    }

    /// The ACK with a list of entropy values. An ACK-64 becomes an ACK-256.
    #[must_use]
    pub fn with_list(mut self, evx: Evx) -> Self {
        self.seth = self.seth.with_x256(true).with_xev(true);
        self.sackx = Some(self.sackx.unwrap_or_default());
        self.evx = Some(evx);
        self
    }

    /// PSN of the packet that triggered the ACK.
    pub fn trigger_psn(&self) -> u32 {
        psn_add(self.seth.cack_psn(), self.seth.ack_psn_offset())
    }

    /// PSN of bitmap bit 0.
    pub fn sack_base(&self) -> u32 {
        psn_add(self.seth.cack_psn(), self.seth.sack_offset())
    }

    /// The bitmap, bits 63..0 first. For an ACK-64 the upper 192 bits are clear.
    pub fn bitmap(&self) -> [u64; 4] {
        let wide = self.sackx.unwrap_or_default();
        [self.seth.bitmap(), wide.bitmap1(), wide.bitmap2(), wide.bitmap3()]
    }
}

/// Negative acknowledgement: BTH, AETH, NETH, ICRC; 40 bytes of UDP payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nack {
    /// Syndrome and MSN.
    pub aeth: Aeth,
    /// PSN refused, reason, echoes.
    pub neth: Neth,
}

impl Nack {
    /// A NACK with the constants set. The PSN of the BTH must be `nack_psn`.
    pub fn new(nack_psn: u32, reason: u8, echoed_ev: u16, tx_timestamp: u16) -> Self {
        Self {
            aeth: Aeth::default().with_syndrome(syndrome::NAK_PSN_SEQUENCE),
            neth: Neth::default()
                .with_nack_psn(nack_psn)
                .with_reason(reason)
                .with_echoed_ev(echoed_ev.into())
                .with_cc_type(2)
                .with_tx_timestamp(tx_timestamp),
        }
    }
}

/// The rest of a data packet that a switch trimmed: the complete headers, then other bytes. Only the DSCP
/// marks such a packet, because trimmers need not rewrite lengths. The packet has no ICRC.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trimmed<'a> {
    /// Whether the packet was trimmed at the last hop.
    pub last_hop: bool,
    /// RETH, if the trimmed packet has it.
    pub reth: Option<Reth>,
    /// Immediate value, if the packet had one and the trimmer kept it.
    pub immediate: Option<u32>,
    /// XETH, if the trimmed packet has it.
    pub xeth: Option<Xeth>,
    /// The bytes after the last whole header.
    pub rest: &'a [u8],
}

/// Plain RC: BTH, then by opcode RETH, AETH, ImmDt, then payload, padding, ICRC. The headers of
/// atomics and of SEND with invalidate are left at the front of the payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plain<'a> {
    /// WRITE First and Only, READ Request.
    pub reth: Option<Reth>,
    /// Acknowledge, READ Response First, Last and Only.
    pub aeth: Option<Aeth>,
    /// Opcodes with immediate.
    pub immediate: Option<u32>,
    /// The captured part of the payload.
    pub payload: &'a [u8],
}

/// Kind of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AckKind {
    /// Positive.
    Ack,
    /// Negative.
    Nak,
    /// Receiver not ready.
    RnrNak,
}

/// Content of an ACK or NAK, the same for plain RC and weft's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Positive or negative.
    pub kind: AckKind,
    /// The PSN up to which all packets have arrived, inclusive. A plain NAK contains the PSN that the
    /// receiver expects, hence the PSN before that one is acknowledged. A weft NACK acknowledges no packet.
    pub cumulative_psn: Option<u32>,
    /// The PSN of the packet that caused the answer (weft only).
    pub trigger_psn: Option<u32>,
    /// The EV of the packet with that PSN (weft only).
    pub echoed_ev: Option<u16>,
    /// Whether the packet with that PSN arrived with CE (weft only; plain RoCEv2 sends a CNP instead).
    pub ecn_echo: Option<bool>,
}

/// The 4-tuple that ECMP hashes. Spraying changes the source port from packet to packet. A connection is
/// identified by the addresses and the destination QP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flow {
    /// Source address.
    pub src: IpAddr,
    /// Destination address.
    pub dst: IpAddr,
    /// UDP source port (EV).
    pub source_port: u16,
    /// UDP destination port.
    pub dest_port: u16,
}

impl Packet<'_> {
    /// The flow that ECMP sees.
    pub fn flow(&self) -> Flow {
        Flow {
            src: self.envelope.ip.src(),
            dst: self.envelope.ip.dst(),
            source_port: self.envelope.source_port,
            dest_port: ROCE_PORT,
        }
    }

    /// PSN of the BTH.
    pub fn psn(&self) -> u32 {
        self.bth.psn()
    }

    /// Destination QP of the BTH.
    pub fn dest_qp(&self) -> u32 {
        self.bth.dest_qp()
    }

    /// ECN bits of the IP header.
    pub fn ecn(&self) -> Ecn {
        self.envelope.ecn
    }

    /// Whether the packet is a request that uses a PSN: sprayed data, or plain RC SEND, WRITE, READ Request,
    /// atomic or FLUSH. Trimmed data is not a request, because it has lost its payload.
    pub fn is_request(&self) -> bool {
        use opcode::*;
        match self.body {
            Body::Data(_) => true,
            Body::Plain(_) | Body::Cut(_) => matches!(
                self.bth.opcode(),
                SEND_FIRST
                    ..=READ_REQUEST
                        | COMPARE_SWAP
                        | FETCH_ADD
                        | SEND_LAST_INVALIDATE
                        | SEND_ONLY_INVALIDATE
                        | FLUSH
                        | ATOMIC_WRITE
            ),
            _ => false,
        }
    }

    /// Whether the packet answers a READ request.
    pub fn is_read_response(&self) -> bool {
        use opcode::*;
        let is_plain = matches!(self.body, Body::Plain(_) | Body::Cut(_));
        is_plain && matches!(self.bth.opcode(), READ_RESPONSE_FIRST..=READ_RESPONSE_ONLY)
    }

    /// The acknowledgement, if the packet is an ACK or NAK.
    pub fn acknowledgement(&self) -> Option<Acknowledgement> {
        match &self.body {
            Body::Ack(ack) => Some(Acknowledgement {
                kind: AckKind::Ack,
                cumulative_psn: Some(ack.seth.cack_psn()),
                trigger_psn: Some(ack.trigger_psn()),
                echoed_ev: Some(ack.seth.echoed_ev() as u16),
                ecn_echo: Some(ack.seth.m() == echo::CE),
            }),
            Body::Nack(nack) => Some(Acknowledgement {
                kind: AckKind::Nak,
                cumulative_psn: None,
                trigger_psn: Some(nack.neth.nack_psn()),
                echoed_ev: Some(nack.neth.echoed_ev() as u16),
                ecn_echo: Some(nack.neth.m() == echo::CE),
            }),
            Body::Plain(Plain { aeth: Some(aeth), .. })
                if matches!(self.bth.opcode(), opcode::ACKNOWLEDGE | opcode::ATOMIC_ACKNOWLEDGE) =>
            {
                let kind = match aeth.syndrome() >> 5 {
                    0b000 => AckKind::Ack,
                    0b001 => AckKind::RnrNak,
                    _ => AckKind::Nak,
                };
                let cumulative = if kind == AckKind::Ack { self.psn() } else { psn_add(self.psn(), -1) };
                Some(Acknowledgement {
                    kind,
                    cumulative_psn: Some(cumulative),
                    trigger_psn: None,
                    echoed_ev: None,
                    ecn_echo: None,
                })
            }
            // The BTH of an ACK in weft's format has the cumulative PSN, and that of a NACK the PSN refused.
            Body::Cut(_) if self.bth.opcode() == opcode::ACKNOWLEDGE => {
                let said = Acknowledgement {
                    kind: AckKind::Ack,
                    cumulative_psn: Some(self.psn()),
                    trigger_psn: None,
                    echoed_ev: None,
                    ecn_echo: None,
                };
                match self.payload_len + Bth::LEN + ICRC_LEN + 8 {
                    64 | 88 | 124 => Some(said),
                    48 => Some(Acknowledgement {
                        kind: AckKind::Nak,
                        cumulative_psn: None,
                        trigger_psn: Some(self.psn()),
                        ..said
                    }),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Parses an Ethernet frame. Trimmed packets have the default DSCPs.
pub fn parse(frame: &[u8]) -> Result<Packet<'_>, ParseError> {
    parse_with(frame, &Dscp::DEFAULT)
}

/// Parses an Ethernet frame. `dscp` identifies trimmed packets.
pub fn parse_with<'a>(frame: &'a [u8], dscp: &Dscp) -> Result<Packet<'a>, ParseError> {
    let datagram = Datagram::find(frame)?;
    let Datagram { envelope, payload, payload_len, .. } = datagram;
    let mut reader = Reader { captured: payload, claimed: payload_len, at: 0 };
    let bth: Bth = reader.take("BTH")?;
    let opcode = bth.opcode();
    let has_immediate = opcode == opcode::WRITE_ONLY_IMMEDIATE;
    let sprayed = bth.sprayed() && matches!(opcode, opcode::WRITE_ONLY | opcode::WRITE_ONLY_IMMEDIATE);
    let cut_off = datagram.is_cut_off();
    let behind_bth = payload.get(Bth::LEN..).unwrap_or_default();

    let last_hop = envelope.dscp == dscp.trimmed_lasthop;
    if sprayed && (last_hop || envelope.dscp == dscp.trimmed) {
        let reth = reader.take_if_whole();
        let immediate: Option<ImmDt> =
            (reth.is_some() && has_immediate).then(|| reader.take_if_whole()).flatten();
        let xeth = (reth.is_some() && immediate.is_some() == has_immediate)
            .then(|| reader.take_if_whole())
            .flatten();
        let (rest, _) = reader.rest(0)?;
        let immediate = immediate.map(|immediate| immediate.data());
        let body = Body::Trimmed(Trimmed { last_hop, reth, immediate, xeth, rest });
        return Ok(Packet { envelope, bth, body, payload_len: 0, cut_off });
    }

    reader.claimed = payload_len
        .checked_sub(ICRC_LEN)
        .filter(|&len| len >= Bth::LEN)
        .ok_or(ParseError::Malformed { header: "ICRC", need: Bth::LEN + ICRC_LEN, have: payload_len })?;
    // The bytes behind the headers, according to the lengths.
    let rest_len = reader.claimed - Bth::LEN;
    let (body, payload_len) = match body(reader, bth, payload_len, sprayed) {
        Err(ParseError::CutOff { .. }) => (Body::Cut(behind_bth), rest_len),
        other => other?,
    };
    Ok(Packet { envelope, bth, body, payload_len, cut_off })
}

/// The body and the length of its payload, as claimed by the packet's lengths.
fn body<'a>(
    mut reader: Reader<'a>,
    bth: Bth,
    payload_len: usize,
    sprayed: bool,
) -> Result<(Body<'a>, usize), ParseError> {
    let opcode = bth.opcode();
    let has_immediate = opcode == opcode::WRITE_ONLY_IMMEDIATE;
    let mut data_len = 0;
    // The UDP length of an acknowledgement determines its type.
    let body = match (opcode, payload_len + 8) {
        _ if sprayed => {
            let reth = reader.take("RETH")?;
            let immediate: Option<ImmDt> = has_immediate.then(|| reader.take("ImmDt")).transpose()?;
            let xeth = reader.take("XETH")?;
            let (payload, len) = reader.rest(bth.pad_count())?;
            data_len = len;
            Body::Data(Data { reth, immediate: immediate.map(|immediate| immediate.data()), xeth, payload })
        }
        (opcode::ACKNOWLEDGE, udp_len @ (64 | 88 | 124)) => Body::Ack(Ack {
            aeth: reader.take("AETH")?,
            seth: reader.take("SETH")?,
            cc_state: reader.take("CC_STATE")?,
            sackx: (udp_len != 64).then(|| reader.take("SACKX")).transpose()?,
            evx: (udp_len == 124).then(|| reader.take("EVX")).transpose()?,
        }),
        (opcode::ACKNOWLEDGE, 48) => {
            Body::Nack(Nack { aeth: reader.take("AETH")?, neth: reader.take("NETH")? })
        }
        (opcode::CNP, _) => {
            reader.take::<[u8; 16]>("CNP")?;
            Body::Cnp
        }
        (opcode::PROBE, _) => Body::Probe(reader.take("PETH")?),
        (0x00..=0x1F, _) => {
            use opcode::*;
            let reth = matches!(opcode, WRITE_FIRST | WRITE_ONLY | WRITE_ONLY_IMMEDIATE | READ_REQUEST)
                .then(|| reader.take("RETH"))
                .transpose()?;
            let aeth = matches!(
                opcode,
                READ_RESPONSE_FIRST
                    | READ_RESPONSE_LAST
                    | READ_RESPONSE_ONLY
                    | ACKNOWLEDGE
                    | ATOMIC_ACKNOWLEDGE
            )
            .then(|| reader.take("AETH"))
            .transpose()?;
            let immediate: Option<ImmDt> = matches!(
                opcode,
                SEND_LAST_IMMEDIATE | SEND_ONLY_IMMEDIATE | WRITE_LAST_IMMEDIATE | WRITE_ONLY_IMMEDIATE
            )
            .then(|| reader.take("ImmDt"))
            .transpose()?;
            let (payload, len) = reader.rest(bth.pad_count())?;
            data_len = len;
            Body::Plain(Plain { reth, aeth, immediate: immediate.map(|immediate| immediate.data()), payload })
        }
        _ => {
            let (payload, len) = reader.rest(0)?;
            data_len = len;
            Body::Other(payload)
        }
    };
    Ok((body, data_len))
}
