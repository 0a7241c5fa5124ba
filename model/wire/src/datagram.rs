//! Ethernet, VLAN, IP and UDP: the headers before the BTH.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etherparse::{LaxLinkExtSlice, LaxNetSlice, LaxSlicedPacket, TransportSlice};

use crate::error::ParseError;

/// Size of the ICRC in bytes.
pub const ICRC_LEN: usize = 4;

/// UDP destination port of RoCEv2.
pub const ROCE_PORT: u16 = 4791;

/// The entropy values weft uses as UDP source ports: 14 bits, a range in which no stock dissector
/// claims the packet for another protocol.
pub const EV_PORTS: std::ops::RangeInclusive<u16> = 0xC000..=0xFFFF;

/// The two ECN bits of the IP header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ecn {
    /// 00: not ECN capable; acknowledgements and other control packets.
    #[default]
    NotEct = 0,
    /// 01: ECN capable, the other code point.
    Ect1 = 1,
    /// 10: ECN capable; data packets.
    Ect0 = 2,
    /// 11: congestion experienced.
    Ce = 3,
}

impl Ecn {
    /// The codepoint in the low two bits of the IPv4 TOS or the IPv6 traffic class.
    pub fn from_tos(tos: u8) -> Self {
        match tos & 3 {
            0 => Ecn::NotEct,
            1 => Ecn::Ect1,
            2 => Ecn::Ect0,
            _ => Ecn::Ce,
        }
    }
}

/// DSCP code points. No specification fixes the code points: the operator configures the same ones in
/// switches and hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dscp {
    /// Data that a switch may trim.
    pub trimmable: u8,
    /// Retransmitted data that a switch may trim.
    pub trimmable_retransmission: u8,
    /// Trimmed data.
    pub trimmed: u8,
    /// Data trimmed at the last hop.
    pub trimmed_lasthop: u8,
    /// ACK, NACK, probe.
    pub control: u8,
    /// Data that a switch must not trim.
    pub no_trim: u8,
}

impl Dscp {
    /// The defaults of MRC emulators: 4, 8, 12, 16, 46, 0.
    pub const DEFAULT: Self = Self {
        trimmable: 4,
        trimmable_retransmission: 8,
        trimmed: 12,
        trimmed_lasthop: 16,
        control: 46,
        no_trim: 0,
    };
}

impl Default for Dscp {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// One VLAN tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vlan {
    /// EtherType that announces the tag: 8100, 88A8 or 9100.
    pub tpid: u16,
    /// Priority (15:13), drop eligible (12), VLAN number (11:0).
    pub tci: u16,
}

/// Source and destination address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Addresses {
    /// IPv4.
    V4 {
        /// Source.
        src: Ipv4Addr,
        /// Destination.
        dst: Ipv4Addr,
    },
    /// IPv6.
    V6 {
        /// Source.
        src: Ipv6Addr,
        /// Destination.
        dst: Ipv6Addr,
        /// Flow label, 20 bits.
        flow_label: u32,
    },
}

impl Addresses {
    /// Source address.
    pub fn src(&self) -> IpAddr {
        match *self {
            Addresses::V4 { src, .. } => src.into(),
            Addresses::V6 { src, .. } => src.into(),
        }
    }

    /// Destination address.
    pub fn dst(&self) -> IpAddr {
        match *self {
            Addresses::V4 { dst, .. } => dst.into(),
            Addresses::V6 { dst, .. } => dst.into(),
        }
    }
}

/// Ethernet, IP and UDP fields of a RoCEv2 frame.
///
/// Encoding one writes IPv4 without options with DF set and identification 0, a hop limit of
/// `ttl`, UDP destination port 4791 and UDP checksum 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Destination MAC address, bytes 0..6 of the frame.
    pub dst_mac: [u8; 6],
    /// Source MAC address, bytes 6..12.
    pub src_mac: [u8; 6],
    /// VLAN tags, the outer one first.
    pub vlans: [Option<Vlan>; 2],
    /// IP addresses.
    pub ip: Addresses,
    /// DSCP: the high six bits of the TOS or traffic class.
    pub dscp: u8,
    /// ECN: the low two bits.
    pub ecn: Ecn,
    /// TTL or hop limit.
    pub ttl: u8,
    /// UDP source port: the entropy value (EV) that selects the path.
    pub source_port: u16,
}

impl Envelope {
    /// IPv4 between two hosts: not ECN capable, DSCP 0, TTL 64, untagged. The MAC addresses are made from the
    /// IP addresses (02:00 and the four bytes).
    pub fn v4(src: Ipv4Addr, dst: Ipv4Addr, source_port: u16) -> Self {
        let mac = |ip: Ipv4Addr| {
            let [a, b, c, d] = ip.octets();
            [2, 0, a, b, c, d]
        };
        Self {
            dst_mac: mac(dst),
            src_mac: mac(src),
            vlans: [None; 2],
            ip: Addresses::V4 { src, dst },
            dscp: 0,
            ecn: Ecn::NotEct,
            ttl: 64,
            source_port,
        }
    }

    /// The envelope with another DSCP and ECN.
    #[must_use]
    pub fn marked(self, dscp: u8, ecn: Ecn) -> Self {
        Self { dscp, ecn, ..self }
    }

    /// Ethernet, IP and UDP headers for `payload_len` bytes of UDP payload.
    pub(crate) fn encode(&self, payload_len: usize) -> Vec<u8> {
        // Every MTU bounds frames far below 64 KiB; `frame::encode` checks the bound.
        let udp_len = (payload_len + 8) as u16;
        let tos = (self.dscp << 2) | self.ecn as u8;
        let mut frame = Vec::with_capacity(62 + payload_len);
        frame.extend(self.dst_mac);
        frame.extend(self.src_mac);
        for vlan in self.vlans.iter().flatten() {
            frame.extend(vlan.tpid.to_be_bytes());
            frame.extend(vlan.tci.to_be_bytes());
        }
        match self.ip {
            Addresses::V4 { src, dst } => {
                let total_len = udp_len + 20;
                frame.extend([0x08, 0x00, 0x45, tos]);
                frame.extend(total_len.to_be_bytes());
                frame.extend([0, 0, 0x40, 0, self.ttl, 17, 0, 0]);
                frame.extend(src.octets());
                frame.extend(dst.octets());
                let ip = frame.len() - 20;
                set_ipv4_checksum(&mut frame[ip..]);
            }
            Addresses::V6 { src, dst, flow_label } => {
                let word = (6 << 28) | (u32::from(tos) << 20) | (flow_label & 0xF_FFFF);
                frame.extend([0x86, 0xDD]);
                frame.extend(word.to_be_bytes());
                frame.extend(udp_len.to_be_bytes());
                frame.extend([17, self.ttl]);
                frame.extend(src.octets());
                frame.extend(dst.octets());
            }
        }
        frame.extend(self.source_port.to_be_bytes());
        frame.extend(ROCE_PORT.to_be_bytes());
        frame.extend(udp_len.to_be_bytes());
        frame.extend([0, 0]);
        frame
    }
}

/// Writes the header checksum of the IPv4 header at the start of `ip`.
pub(crate) fn set_ipv4_checksum(ip: &mut [u8]) {
    let header_len = usize::from(ip[0] & 0xF) * 4;
    ip[10..12].fill(0);
    let mut sum: u32 =
        ip[..header_len].chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    ip[10..12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
}

/// A UDP datagram to port 4791 inside a frame.
pub(crate) struct Datagram<'a> {
    pub(crate) envelope: Envelope,
    /// Offset of the IP header in the frame.
    pub(crate) ip: usize,
    /// Offset of the UDP header in the frame.
    pub(crate) udp: usize,
    /// UDP payload as far as captured.
    pub(crate) payload: &'a [u8],
    /// UDP payload bytes that the UDP length claims.
    pub(crate) payload_len: usize,
}

impl<'a> Datagram<'a> {
    /// Finds the datagram. A frame is "not RoCEv2" if port 4791 is invisible for any reason.
    pub(crate) fn find(frame: &'a [u8]) -> Result<Self, ParseError> {
        let sliced = LaxSlicedPacket::from_ethernet(frame)
            .map_err(|_| ParseError::NotRoce("shorter than an Ethernet header"))?;
        let tags = sliced.link_exts.len();
        if tags > 2 || sliced.link_exts.iter().any(|tag| !matches!(tag, LaxLinkExtSlice::Vlan(_))) {
            return Err(ParseError::NotRoce("more than two VLAN tags, or MACsec"));
        }
        let net = sliced.net.as_ref().ok_or(ParseError::NotRoce("no IP header"))?;
        let Some(TransportSlice::Udp(udp)) = &sliced.transport else {
            return Err(ParseError::NotRoce("no UDP header, or a fragment"));
        };
        if udp.destination_port() != ROCE_PORT {
            return Err(ParseError::NotRoce("UDP destination port is not 4791"));
        }

        let ip_offset = 14 + 4 * tags;
        let udp_offset = udp.slice().as_ptr() as usize - frame.as_ptr() as usize;
        let (addresses, tos, ttl) = match net {
            LaxNetSlice::Ipv4(ip) => {
                let ip = ip.header();
                let addresses = Addresses::V4 { src: ip.source_addr(), dst: ip.destination_addr() };
                (addresses, frame[ip_offset + 1], ip.ttl())
            }
            LaxNetSlice::Ipv6(ip) => {
                let ip = ip.header();
                let addresses = Addresses::V6 {
                    src: ip.source_addr(),
                    dst: ip.destination_addr(),
                    flow_label: ip.flow_label().value(),
                };
                (addresses, ip.traffic_class(), ip.hop_limit())
            }
            LaxNetSlice::Arp(_) => return Err(ParseError::NotRoce("no IP header")),
        };
        let payload_len = usize::from(udp.length()).checked_sub(8).ok_or(ParseError::Malformed {
            header: "UDP header",
            need: 8,
            have: udp.length().into(),
        })?;
        let bytes = |at: usize| u16::from_be_bytes([frame[at], frame[at + 1]]);
        let vlan = |i: usize| (i < tags).then(|| Vlan { tpid: bytes(12 + 4 * i), tci: bytes(14 + 4 * i) });
        let mac = |at: usize| std::array::from_fn(|i| frame[at + i]);
        Ok(Self {
            envelope: Envelope {
                dst_mac: mac(0),
                src_mac: mac(6),
                vlans: [vlan(0), vlan(1)],
                ip: addresses,
                dscp: tos >> 2,
                ecn: Ecn::from_tos(tos),
                ttl,
                source_port: udp.source_port(),
            },
            ip: ip_offset,
            udp: udp_offset,
            payload: udp.payload(),
            payload_len,
        })
    }

    /// Fewer bytes were captured than the UDP length claims.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.payload.len() < self.payload_len
    }
}
