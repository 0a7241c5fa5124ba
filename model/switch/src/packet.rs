//! A packet inside a switch: parser and deparser on the wire format.
//!
//! A packet is stored as the host sent it. The parser removes a ConWeave header and the deparser inserts one.
//! Hence a program, the trimmer of the traffic manager and the last hop always process the frame whose ICRC
//! the host computed.

use crate::kit::{Field, Phv, intrinsic::*};
use serde::{Deserialize, Serialize};
use weft_wire::{Dscp, ROCE_PORT, frame};

/// The form of the ConWeave header on the wire, between switches. A packet has such a header if Resv8a of its
/// BTH, the path, is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CwForm {
    /// The paper's form (ConWeave section 3.4): Resv8a is the path, Resv7 has opcode 3, epoch 2, REROUTED 1,
    /// TAIL 1. The 4 bytes after the BTH are TX_TSTAMP and TAIL_TX_TSTAMP. The original Resv7 is lost, hence
    /// only packets with Resv7 = 0 may have this header.
    Paper,
    /// The paper's form, and 4 more bytes that keep the original Resv7: for packets of any transport.
    #[default]
    Restoring,
}

impl CwForm {
    /// Number of bytes after the BTH.
    pub fn bytes(self) -> usize {
        match self {
            Self::Paper => 4,
            Self::Restoring => 8,
        }
    }
}

/// Offsets of the headers in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    ip: usize,
    is_v6: bool,
    udp: Option<usize>,
    bth: Option<usize>,
}

/// Number of bytes of a BTH.
const BTH: usize = 12;

/// A packet inside a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The frame without a ConWeave header.
    pub frame: Vec<u8>,
    /// The header vector.
    pub phv: Phv,
    layout: Option<Layout>,
    form: CwForm,
    /// Port by which the packet entered the switch. The traffic manager's accounts of ports use this number.
    pub came_by: u16,
    /// Whether this switch or an earlier one trimmed the packet.
    pub trimmed: bool,
}

/// A big-endian number in a frame.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn word(frame: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([frame[at], frame[at + 1]])
}

impl Layout {
    /// Finds IP, UDP and BTH behind up to two VLAN tags. Fragments, other protocols and ports have no UDP or
    /// BTH. A frame shorter than its headers has none of these headers.
    fn of(frame: &[u8]) -> Option<Self> {
        let tag = |at: usize| matches!(frame.get(at..at + 2), Some([0x81, 0x00] | [0x88, 0xA8]));
        let ip = [12, 16, 20].into_iter().find(|at| !tag(*at))? + 2;
        let header = frame.get(ip..)?;
        let (is_v6, length, protocol) = match (header.first()? >> 4, frame.get(ip - 2..ip)?) {
            (4, [0x08, 0x00]) => {
                header.get(..20)?;
                let is_fragment = word(header, 6) & 0x3FFF != 0;
                (false, usize::from(header[0] & 0xF) * 4, if is_fragment { 0 } else { header[9] })
            }
            (6, [0x86, 0xDD]) => (true, 40, *header.get(..40)?.get(6)?),
            _ => return None,
        };
        header.get(..length)?;
        let udp = Some(ip + length).filter(|at| protocol == 17 && frame.len() >= at + 8);
        let bth = udp.map(|at| at + 8).filter(|at| {
            frame.len() >= at + BTH
                && word(frame, at - 6) == ROCE_PORT
                && usize::from(word(frame, at - 4)) >= 8 + BTH
        });
        Some(Self { ip, is_v6, udp, bth })
    }

    /// Adds to the lengths of IP and UDP. A correct IPv4 checksum stays correct, and a wrong one stays wrong.
    fn grow(self, frame: &mut [u8], by: i32) {
        let at = if self.is_v6 { self.ip + 4 } else { self.ip + 2 };
        let add = |value: u16| (i32::from(value) + by) as u16;
        self.set(frame, at, add(word(frame, at)));
        if let Some(udp) = self.udp {
            let length = add(word(frame, udp + 4));
            frame[udp + 4..udp + 6].copy_from_slice(&length.to_be_bytes());
        }
    }

    /// Sets a 16-bit word of the IP header, and updates the IPv4 checksum (RFC 1624: -0 stays -0).
    fn set(self, frame: &mut [u8], at: usize, value: u16) {
        let old = word(frame, at);
        if old == value {
            return;
        }
        frame[at..at + 2].copy_from_slice(&value.to_be_bytes());
        if !self.is_v6 {
            let sum = u32::from(!word(frame, self.ip + 10)) + u32::from(!old) + u32::from(value);
            let sum = (sum & 0xFFFF) + (sum >> 16);
            let sum = (sum & 0xFFFF) + (sum >> 16);
            frame[self.ip + 10..self.ip + 12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
        }
    }

    fn tos(self, frame: &[u8]) -> u8 {
        match self.is_v6 {
            true => frame[self.ip] << 4 | frame[self.ip + 1] >> 4,
            false => frame[self.ip + 1],
        }
    }

    fn set_tos(self, frame: &mut [u8], tos: u8) {
        let value = match self.is_v6 {
            true => word(frame, self.ip) & 0xF00F | u16::from(tos) << 4,
            false => word(frame, self.ip) & 0xFF00 | u16::from(tos),
        };
        self.set(frame, self.ip, value);
    }

    /// Offsets of source and destination address, and the number of bytes of each.
    fn addresses(self) -> (usize, usize, usize) {
        match self.is_v6 {
            true => (self.ip + 8, self.ip + 24, 16),
            false => (self.ip + 12, self.ip + 16, 4),
        }
    }
}

impl Packet {
    /// The parser: accepts a frame that arrived by a port. `phv` is all 0. `from_switch` is set if the port
    /// leads to a switch, from which a packet may have a ConWeave header.
    pub fn parse(mut frame: Vec<u8>, mut phv: Phv, port: u16, from_switch: Option<CwForm>) -> Self {
        let layout = Layout::of(&frame);
        phv[LENGTH] = frame.len() as u64;
        let form = from_switch.unwrap_or_default();
        if let Some(layout) = layout {
            let bth = layout.bth.filter(|bth| {
                from_switch.is_some() && frame[bth + 4] != 0 && frame.len() >= bth + BTH + form.bytes()
            });
            if let Some(bth) = bth {
                let flags = u64::from(frame[bth + 8] & 0x7F);
                phv[CW_VALID] = 1;
                phv[CW_PATH] = frame[bth + 4].into();
                phv[CW_OPCODE] = flags >> 4;
                phv[CW_EPOCH] = flags >> 2 & 3;
                phv[CW_REROUTED] = flags >> 1 & 1;
                phv[CW_TAIL] = flags & 1;
                let header = &frame[bth + BTH..bth + BTH + form.bytes()];
                (phv[CW_TX], phv[CW_TAIL_TX]) = (word(header, 0).into(), word(header, 2).into());
                let was = header.get(4).map_or(0, |saved| saved & 0x7F);
                frame[bth + 4] = 0;
                frame[bth + 8] = frame[bth + 8] & 0x80 | was;
                frame.drain(bth + BTH..bth + BTH + form.bytes());
                layout.grow(&mut frame, -(form.bytes() as i32));
            }
        }
        let mut packet = Self { frame, phv, layout, form, came_by: port, trimmed: false };
        packet.phv[PORT_IN] = port.into();
        packet.read_headers();
        packet
    }

    /// Sets the header fields from the frame, except those of ConWeave.
    fn read_headers(&mut self) {
        let Self { frame, phv, layout: Some(layout), .. } = self else { return };
        phv[IS_IP] = 1;
        phv[IS_V6] = layout.is_v6.into();
        let (src, dst, bytes) = layout.addresses();
        for (at, high, low) in [(src, SRC_HIGH, SRC), (dst, DST_HIGH, DST)] {
            phv[high] = number(&frame[at..at + bytes - bytes.min(8)]);
            phv[low] = number(&frame[at + bytes - bytes.min(8)..at + bytes]);
        }
        let tos = layout.tos(frame);
        (phv[DSCP], phv[ECN]) = ((tos >> 2).into(), (tos & 3).into());
        if let Some(udp) = layout.udp {
            (phv[SPORT], phv[DPORT]) = (word(frame, udp).into(), word(frame, udp + 2).into());
        }
        if let Some(bth) = layout.bth {
            phv[IS_ROCE] = 1;
            phv[OPCODE] = frame[bth].into();
            phv[RESV8] = frame[bth + 4].into();
            phv[DEST_QP] = number(&frame[bth + 5..bth + 8]);
            phv[RESV7] = (frame[bth + 8] & 0x7F).into();
            phv[PSN] = number(&frame[bth + 9..bth + 12]);
        }
    }

    /// Writes the header fields into the frame, except those of ConWeave.
    fn write_headers(&mut self) {
        let Self { frame, phv, layout: Some(layout), .. } = self else { return };
        let (src, dst, bytes) = layout.addresses();
        for (at, high, low) in [(src, SRC_HIGH, SRC), (dst, DST_HIGH, DST)] {
            let whole = [phv[high].to_be_bytes(), phv[low].to_be_bytes()].concat();
            for (pair, at) in whole[16 - bytes..].chunks_exact(2).zip((at..).step_by(2)) {
                layout.set(frame, at, u16::from_be_bytes([pair[0], pair[1]]));
            }
        }
        layout.set_tos(frame, (phv[DSCP] << 2 | phv[ECN]) as u8);
        if let Some(udp) = layout.udp {
            frame[udp..udp + 2].copy_from_slice(&(phv[SPORT] as u16).to_be_bytes());
            frame[udp + 2..udp + 4].copy_from_slice(&(phv[DPORT] as u16).to_be_bytes());
        }
        if let Some(bth) = layout.bth {
            frame[bth] = phv[OPCODE] as u8;
            let qp = (phv[RESV8] << 24 | phv[DEST_QP]) as u32;
            frame[bth + 4..bth + 8].copy_from_slice(&qp.to_be_bytes());
            let top = u64::from(frame[bth + 8] & 0x80);
            let psn = ((top | phv[RESV7]) << 24 | phv[PSN]) as u32;
            frame[bth + 8..bth + 12].copy_from_slice(&psn.to_be_bytes());
        }
    }

    /// Bytes of the packet on the wire, without FCS.
    pub fn bytes(&self) -> usize {
        let has_header = self.phv[CW_VALID] == 1 && self.bth().is_some();
        self.frame.len() + if has_header { self.form.bytes() } else { 0 }
    }

    fn bth(&self) -> Option<usize> {
        self.layout.and_then(|layout| layout.bth)
    }

    /// Sets the form of a ConWeave header that the deparser inserts.
    pub fn set_form(&mut self, form: CwForm) {
        self.form = form;
    }

    /// The deparser: the frame on the wire.
    pub fn deparse(mut self) -> Vec<u8> {
        self.write_headers();
        let Self { mut frame, phv, layout, form, .. } = self;
        let Some((layout, bth)) = layout.and_then(|layout| Some((layout, layout.bth?))) else { return frame };
        if phv[CW_VALID] == 1 {
            let was = frame[bth + 8] & 0x7F;
            let flags = phv[CW_OPCODE] << 4 | phv[CW_EPOCH] << 2 | phv[CW_REROUTED] << 1 | phv[CW_TAIL];
            frame[bth + 4] = phv[CW_PATH] as u8;
            frame[bth + 8] = frame[bth + 8] & 0x80 | flags as u8;
            let stamps = (phv[CW_TX] << 16 | phv[CW_TAIL_TX]) as u32;
            let header = [stamps.to_be_bytes(), [was, 0, 0, 0]].concat();
            frame.splice(bth + BTH..bth + BTH, header[..form.bytes()].iter().copied());
            layout.grow(&mut frame, form.bytes() as i32);
        }
        frame
    }

    /// Truncates the UDP payload to `payload` bytes and sets the lengths. The ICRC is lost with the rest.
    pub fn truncate(&mut self, payload: usize) {
        if let Some(layout) = self.layout
            && let Some(udp) = layout.udp
            && self.frame.len() > udp + 8 + payload
        {
            let cut = self.frame.len() - (udp + 8 + payload);
            self.frame.truncate(udp + 8 + payload);
            layout.grow(&mut self.frame, -(cut as i32));
            self.phv[LENGTH] = self.frame.len() as u64;
        }
    }

    /// Trims the packet, as [`frame::trim`] does. Returns `false`, and leaves the packet unchanged, if it
    /// cannot be trimmed.
    pub fn trim(&mut self, dscp: &Dscp, last_hop: bool) -> bool {
        self.write_headers();
        let Ok(rest) = frame::trim(&self.frame, dscp, last_hop) else { return false };
        self.frame = rest;
        self.phv[LENGTH] = self.frame.len() as u64;
        self.trimmed = true;
        self.read_headers();
        true
    }

    /// Marks the packet CE if it is ECN-capable. Returns whether it did.
    pub fn mark(&mut self) -> bool {
        let capable = matches!(self.phv[ECN], 1 | 2);
        if capable {
            self.phv[ECN] = 3;
        }
        capable
    }

    /// The value of a field.
    pub fn get(&self, field: Field) -> u64 {
        self.phv[field]
    }
}
