//! Frames that a network may deliver: all kinds of the NIC's own frames, damaged frames, and frames of other
//! software.

use weft_nic::block::ingress::Peer;
use weft_params::IngressCsr;
use weft_random::Rng;
use weft_wire::headers::{CcState, Evx, Peth, Reth, Xeth};
use weft_wire::{Ack, Addresses, Body, Bth, Data, Dscp, Ecn, Envelope, Nack, Trimmed, Vlan, frame};

/// A frame and the MAC's verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Bytes from the Ethernet header on, without the checksum at the end.
    pub bytes: Vec<u8>,
    /// The MAC reports the frame as bad.
    pub bad: bool,
}

/// Kinds of frames to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// All kinds, some frames damaged.
    All,
    /// Long data packets, whole.
    Long,
    /// Data packets of two words, whole.
    TwoWords,
    /// Trimmed packets of one word.
    OneWord,
    /// Frames of other software, of one word.
    Others,
    /// ACKs and NACKs, whole, of two or three words.
    Answers,
}

impl Mix {
    /// All mixes.
    pub const ALL: [Self; 6] =
        [Self::All, Self::Long, Self::TwoWords, Self::OneWord, Self::Others, Self::Answers];
}

/// Makes frames to one NIC.
#[derive(Clone, Debug)]
pub struct Frames {
    rng: Rng,
    connections: u32,
    csr: IngressCsr,
    /// The frame is one of all kinds.
    mixed: bool,
}

impl Frames {
    /// Frames to a NIC of `connections` connections.
    pub fn new(seed: u64, connections: u32) -> Self {
        let mut rng = Rng::new(seed);
        let csr = IngressCsr {
            ipv4: rng.draw() as u32,
            ipv6: u128::from(rng.draw()) << 64 | u128::from(rng.draw()),
            qp_base: rng.below(1 << 24) / connections * connections,
            ..IngressCsr::default()
        };
        Self { rng, connections, csr, mixed: false }
    }

    /// Registers that fit the frames.
    pub fn csr(&self) -> IngressCsr {
        self.csr
    }

    /// Peer of a connection: of either family, with or without a VLAN, of several partitions. Every eighth is
    /// closed.
    pub fn peer(&self, connection: u32) -> Peer {
        let v6 = connection % 3 == 1;
        let low = u128::from(connection).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let vlan = [0, 0, 0xFFE, 0x234][connection as usize % 4]
            ^ (u16::from(connection % 4 > 1) * (low as u16 & 0xF));
        let pkey = [0xFFFF, 0xFFFF, 0x8001, 0x7FFF, 0x1234][connection as usize % 5];
        Peer { open: connection % 8 != 7, v6, address: if v6 { low } else { low >> 96 }, vlan, pkey }
    }

    /// A random peer, with any values that software may set.
    pub fn any_peer(&mut self) -> (u32, Peer) {
        let connection = self.rng.below(self.connections);
        let peer = self.peer(connection);
        match self.rng.below(4) {
            0 => (connection, Peer { open: false, ..peer }),
            1 => (connection, Peer { address: peer.address ^ 1, ..peer }),
            2 if self.chance(4) => (connection, Peer { open: true, vlan: 0, pkey: 0xFFFF, ..peer }),
            // A P_Key of no partition.
            2 if self.chance(2) => (connection, Peer { open: true, pkey: 0x8000, ..peer }),
            _ => (connection, Peer { open: true, ..peer }),
        }
    }

    /// One of several values.
    fn one<T: Copy, const N: usize>(&mut self, of: [T; N]) -> T {
        of[self.rng.below(N as u32) as usize]
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.rng.below(one_in) == 0
    }

    /// Number of the mistake of 16 to make, rarely. Frames of all kinds have more mistakes than those in
    /// tests of rates.
    fn mistake(&mut self) -> Option<u32> {
        let often = if self.mixed { 24 } else { 400 };
        self.chance(often).then(|| self.rng.below(16))
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.rng.draw() as u8).collect()
    }

    /// The next frame.
    pub fn frame(&mut self, mix: Mix) -> Frame {
        self.mixed = mix == Mix::All;
        let bytes = match mix {
            Mix::All => return self.any(),
            Mix::Long => {
                let length = 4096 + self.rng.below(4097) as usize;
                self.data(length)
            }
            Mix::TwoWords => {
                let length = self.rng.below(17) as usize;
                self.data(length)
            }
            Mix::OneWord => {
                // The least that may be left of a data packet of IPv4.
                let connection = self.rng.below(self.connections) / 3 * 3;
                let envelope = self.envelope(connection).marked(Dscp::DEFAULT.trimmed, Ecn::Ect0);
                let rest = Trimmed { last_hop: false, reth: None, immediate: None, xeth: None, rest: &[] };
                encode(&envelope, self.bth(connection), &Body::Trimmed(rest))
            }
            Mix::Others => self.other(64),
            Mix::Answers => self.answer(6),
        };
        Frame { bytes, bad: false }
    }

    fn any(&mut self) -> Frame {
        let mut bytes = match self.rng.below(8) {
            0 => self.other(256),
            1 => self.trimmed(),
            2 | 3 => self.answer(8),
            _ => {
                let length = self.payload_length();
                self.data(length)
            }
        };
        if self.chance(2) {
            self.damage(&mut bytes);
        }
        Frame { bytes, bad: self.chance(24) }
    }

    fn payload_length(&mut self) -> usize {
        let longest = self.one([0, 8, 64, 256, 256, 1024, 8192]);
        let length = self.rng.below(longest + 1) as usize;
        if self.chance(32) { self.one([1, 8191, 8192, 8193, 8196]) } else { length }
    }

    fn connection(&mut self) -> u32 {
        // Few are closed, and few out of range.
        let connection = self.rng.below(self.connections);
        if connection % 8 == 7 && !self.chance(3) { connection - 1 } else { connection }
    }

    fn bth(&mut self, connection: u32) -> Bth {
        let out = if self.chance(40) { self.connections } else { 0 };
        let bth = Bth::data((self.csr.qp_base + connection).wrapping_add(out), self.rng.draw() as u32);
        let pkey = self.peer(connection).pkey;
        let pkey = match self.mistake() {
            Some(0..5) => pkey & 0x7FFF,
            Some(5..8) => 0x8000,
            Some(bit) => pkey ^ 1 << bit,
            None => pkey | 0x8000,
        };
        bth.with_p_key(pkey)
            .with_solicited_event(self.chance(2))
            .with_ack_request(self.chance(2))
            .with_retransmission(self.chance(4))
            .with_resv8a(self.one([0, 0, 0xA5]))
            .with_transport_version(if self.chance(40) { 1 } else { 0 })
    }

    /// Envelope from the connection's peer to the NIC.
    fn envelope(&mut self, connection: u32) -> Envelope {
        let mut peer = self.peer(connection);
        match self.rng.below(60) {
            0 => peer.address ^= 1 << self.rng.below(32),
            1 => peer.v6 = !peer.v6,
            _ => (),
        }
        let mut envelope =
            Envelope::v4((peer.address as u32).into(), self.csr.ipv4.into(), self.rng.draw() as u16);
        if peer.v6 {
            let (src, dst) = (peer.address.into(), self.csr.ipv6.into());
            envelope.ip = Addresses::V6 { src, dst, flow_label: self.rng.below(1 << 20) };
        }
        envelope.ttl = self.rng.draw() as u8;
        // Priority and DEI are random, also without a VLAN. Some frames belong to another VLAN, or to none.
        let priority = (self.rng.draw() as u16) << 12;
        let vlan = match self.mistake() {
            Some(bit @ 0..12) => peer.vlan ^ 1 << bit,
            Some(_) => 0,
            None => peer.vlan,
        };
        let tagged = vlan != 0 || self.chance(2);
        envelope.vlans[0] = tagged.then_some(Vlan { tpid: 0x8100, tci: priority | vlan });
        let ecn = self.one([Ecn::NotEct, Ecn::Ect0, Ecn::Ect1, Ecn::Ce]);
        let dscp = self.one([0, 4, 8, 46]);
        envelope.marked(dscp, ecn)
    }

    fn xeth(&mut self) -> Xeth {
        Xeth::new(self.rng.draw() as u16, self.rng.draw() as u16, self.rng.draw() as u16)
    }

    fn data(&mut self, length: usize) -> Vec<u8> {
        let connection = self.connection();
        let (envelope, bth) = (self.envelope(connection), self.bth(connection));
        let lie = self.chance(40);
        let claimed = if lie { self.one([length ^ 1, length + 4, length << 16 | length]) } else { length };
        let reth = Reth::default()
            .with_va(self.rng.draw())
            .with_r_key(self.rng.draw() as u32)
            .with_dma_length(claimed as u32);
        let immediate = self.chance(3).then(|| self.rng.draw() as u32);
        let payload = self.bytes(length);
        encode(&envelope, bth, &Body::Data(Data { reth, immediate, xeth: self.xeth(), payload: &payload }))
    }

    /// A trimmed data packet. Some are trimmed like the NIC's peers trim: only the first bytes remain, with
    /// the old lengths. Others get lengths near those of headers.
    fn trimmed(&mut self) -> Vec<u8> {
        let length = self.payload_length();
        let mut bytes = self.data(length);
        let last_hop = self.chance(2);
        match frame::trim(&bytes, &Dscp::DEFAULT, last_hop) {
            Ok(trimmed) if self.chance(3) => trimmed,
            _ => {
                let ip = ip_of(&bytes);
                let dscp = if last_hop { Dscp::DEFAULT.trimmed_lasthop } else { Dscp::DEFAULT.trimmed };
                if bytes[ip] >> 4 == 6 {
                    bytes[ip] = 0x60 | dscp >> 2;
                    bytes[ip + 1] = dscp << 6 | bytes[ip + 1] & 0x3F;
                } else {
                    bytes[ip + 1] = dscp << 2 | bytes[ip + 1] & 3;
                    seal_header(&mut bytes[ip..]);
                }
                if !self.chance(3) {
                    self.shorten(&mut bytes);
                } else {
                    let kept = 50 + self.rng.below(80) as usize;
                    bytes.truncate(kept);
                }
                bytes
            }
        }
    }

    /// One of the first `kinds` of eight kinds: ACK, NACK, probe, and frames that resemble them but belong to
    /// other software.
    fn answer(&mut self, kinds: u32) -> Vec<u8> {
        let connection = self.connection();
        let (envelope, bth) = (self.envelope(connection), self.bth(connection));
        let (psn, ev, stamp) =
            (self.rng.draw() as u32 & 0xFF_FFFF, self.rng.draw() as u16, self.rng.draw() as u16);
        let mut ack = Ack::new(psn, psn.wrapping_add_signed(self.rng.below(1_400) as i32 - 300), ev);
        ack.cc_state = CcState::default().with_tx_timestamp(stamp);
        ack.seth = ack.seth.with_bitmap(self.rng.draw()).with_m(self.one([0, 1, 2]));
        if self.chance(2) {
            ack = ack.with_bitmap([0; 4].map(|_| self.rng.draw()));
        }
        if self.chance(2) {
            let (there, marked) = (self.rng.draw() as u16, self.rng.draw() as u16);
            let evs = std::array::from_fn(|_| self.rng.draw() as u16);
            ack = ack.with_list(Evx::default().with_there(there).with_marked(marked).with_evs(evs));
        }
        if self.chance(4) {
            // The bitmap of a far PSN ends with that PSN.
            let moved = ack.seth.ack_psn_offset() - 255;
            ack.seth = ack.seth.with_sack_offset(self.one([0, 2, -1, 257, moved, moved, moved + 1]));
        }
        let mut nack = Nack::new(psn, self.one([1, 2, 0x0B]), ev, stamp);
        nack.neth = nack.neth.with_m(self.one([0, 1, 2]));
        let body = match self.rng.below(kinds) {
            0..4 => Body::Ack(ack),
            4 | 5 => Body::Nack(nack),
            6 => Body::Probe(Peth::new(self.rng.draw() as u16, stamp)),
            _ => Body::Cnp,
        };
        encode(&envelope, bth.with_sprayed(false), &body)
    }

    /// A frame that is not the NIC's: noise, or nearly one of the NIC's.
    fn other(&mut self, longest: u32) -> Vec<u8> {
        if longest > 64 && self.chance(2) {
            let connection = self.connection();
            let (mut envelope, bth) = (self.envelope(connection), self.bth(connection));
            let payload = self.bytes(40);
            match self.rng.below(5) {
                0 => envelope.ip = Addresses::V4 { src: [10, 0, 0, 1].into(), dst: [10, 0, 0, 2].into() },
                1 => envelope.vlans = [Some(Vlan { tpid: 0x8100, tci: 1 }); 2],
                2 => envelope.vlans = [Some(Vlan { tpid: 0x88A8, tci: 1 }), None],
                _ => {
                    return encode(&envelope, bth.with_opcode(self.rng.draw() as u8), &Body::Other(&payload));
                }
            }
            return encode(&envelope, bth, &Body::Other(&payload));
        }
        let length = 1 + self.rng.below(longest) as usize;
        let mut bytes = self.bytes(length);
        if let Some(kind) = bytes.get_mut(12..14) {
            kind.copy_from_slice(&self.one([
                [0x08, 0x06],
                [0x08, 0x00],
                [0x86, 0xDD],
                [0x81, 0x00],
                [0x88, 0xCC],
            ]));
        }
        bytes
    }

    /// Damages a frame; the damage may or may not be detected.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let at = self.rng.below(bytes.len() as u32) as usize;
        let near = self.rng.below(bytes.len().min(100) as u32) as usize;
        match self.rng.below(8) {
            0 => bytes[at] ^= 1 << self.rng.below(8),
            1 => bytes[near] ^= 1 << self.rng.below(8),
            2 => bytes[near] = self.rng.draw() as u8,
            3 => bytes.truncate(1 + at),
            4 => {
                let cut = bytes.len() - bytes.len().min(1 + self.rng.below(8) as usize);
                bytes.truncate(cut.max(1));
            }
            5 => {
                let more = 1 + self.rng.below(100) as usize;
                let padding = self.bytes(more);
                bytes.extend(padding);
            }
            _ => self.lie(bytes),
        }
    }

    /// Truncates IP, UDP and the frame, each at the end of a header, one byte before or after it, or not at
    /// all.
    fn shorten(&mut self, bytes: &mut Vec<u8>) {
        let ip = ip_of(bytes);
        let (ip_length, udp_length) = lengths_of(bytes);
        let end =
            |this: &mut Self| this.one([20, 36, 36, 40, 40, 44, 44, 48, 48]) + this.one([0, 0, 1, 2]) - 1;
        let carried = [0_u16, 20][usize::from(bytes[ip] >> 4 == 4)];
        let [by_ip, by_udp, by_frame] = [0; 3].map(|_| self.chance(2).then(|| end(self)));
        for (at, length) in [(ip_length, by_ip.map(|end| end + carried)), (udp_length, by_udp)] {
            if let Some(length) = length {
                bytes[at..at + 2].copy_from_slice(&length.to_be_bytes());
            }
        }
        if bytes[ip] >> 4 == 4 {
            seal_header(&mut bytes[ip..]);
        }
        // The UDP length lies four bytes behind the header's first byte.
        bytes.truncate(by_frame.map_or(bytes.len(), |end| udp_length - 4 + usize::from(end)));
    }

    /// Changes a length in IP or UDP, with a right header checksum.
    fn lie(&mut self, bytes: &mut [u8]) {
        let ip = ip_of(bytes);
        if bytes.len() < ip + 60 {
            return;
        }
        let v6 = bytes[ip] >> 4 == 6;
        let (ip_length, udp_length) = lengths_of(bytes);
        let which = self.rng.below(3);
        let delta = self.one([1, 4, 0xFFFC, 64, 20, 0x8000, 0xFFFF]);
        for at in
            [(ip_length, 1), (udp_length, 2)].iter().filter(|(_, bit)| (which + 1) & bit != 0).map(|at| at.0)
        {
            let length = u16::from_be_bytes([bytes[at], bytes[at + 1]]).wrapping_add(delta);
            bytes[at..at + 2].copy_from_slice(&length.to_be_bytes());
        }
        if !v6 {
            seal_header(&mut bytes[ip..]);
        }
    }
}

fn encode(envelope: &Envelope, bth: Bth, body: &Body<'_>) -> Vec<u8> {
    // No frame of this module is too long.
    frame::encode(envelope, bth, body).unwrap_or_default()
}

/// Offset of the IP header.
fn ip_of(bytes: &[u8]) -> usize {
    if bytes.get(12..14) == Some(&[0x81, 0x00]) { 18 } else { 14 }
}

/// Offsets of the lengths of IP and UDP.
fn lengths_of(bytes: &[u8]) -> (usize, usize) {
    let ip = ip_of(bytes);
    if bytes[ip] >> 4 == 6 { (ip + 4, ip + 44) } else { (ip + 2, ip + 24) }
}

/// Sets the right checksum in an IPv4 header of 20 bytes.
fn seal_header(header: &mut [u8]) {
    header[10..12].fill(0);
    let words = header[..20].chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let sum: u32 = words.sum();
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
}
