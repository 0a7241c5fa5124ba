//! Headers of packets, and the list of headers of each packet.
//!
//! BTH, RETH, AETH and ImmDt are headers of InfiniBand. XETH, SETH, CC_STATE, NETH and PETH have the fields
//! of OCP MRC 1.0 (its TSETH and METH are the XETH here). SACKX and the bits marked *weft* belong to weft.

/// Passes every header to a macro.
///
/// A header has a name, its bytes and its fields. A field is `name, name of the setter: type = byte
/// [high:low]`. Bits count in the big-endian word that starts at this byte of the header. The word has 32
/// bits, or 64 where `high` reaches 63. Bit 31 is the first on the wire.
#[macro_export]
macro_rules! headers {
    ($with:ident) => {
        $with! {
                /// Base transport header, 12 bytes, first of every packet.
                Bth, 12 {
                    /// The kind of the packet: see [`opcode`].
                    opcode, with_opcode: u8 = 0 [31:24];
                    /// Solicited event.
                    solicited_event, with_solicited_event: bool = 0 [23:23];
                    /// Migration request; 1 in weft packets.
                    migration_request, with_migration_request: bool = 0 [22:22];
                    /// Bytes of padding before the ICRC, so that the payload ends on a 4-byte boundary.
                    pad_count, with_pad_count: u8 = 0 [21:20];
                    /// Transport version, 0.
                    transport_version, with_transport_version: u8 = 0 [19:16];
                    /// Partition key; FFFF in weft packets.
                    p_key, with_p_key: u16 = 0 [15:0];
                    /// FECN, BECN and Resv6 together: the one BTH byte outside the ICRC. 0 at a host; ConWeave
                    /// puts its PathID here inside the fabric.
                    resv8a, with_resv8a: u8 = 4 [31:24];
                    /// Forward congestion notification.
                    fecn, with_fecn: bool = 4 [31:31];
                    /// Backward congestion notification; set in a CNP.
                    becn, with_becn: bool = 4 [30:30];
                    /// Destination queue pair.
                    dest_qp, with_dest_qp: u32 = 4 [23:0];
                    /// A (AR): the sender requests an acknowledgement.
                    ack_request, with_ack_request: bool = 8 [31:31];
                    /// Resv7, inside the ICRC; holds [`Bth::retransmission`] and [`Bth::sprayed`], and ConWeave's
                    /// bits inside the fabric.
                    resv7, with_resv7: u8 = 8 [30:24];
                    /// RTX: the packet is a retransmission (*weft*, as MRC).
                    retransmission, with_retransmission: bool = 8 [29:29];
                    /// TS: an XETH follows, the packet is sprayed (*weft*, as MRC).
                    sprayed, with_sprayed: bool = 8 [28:28];
                    /// Packet sequence number.
                    psn, with_psn: u32 = 8 [23:0];
                }

                /// RDMA extended transport header, 16 bytes: in every weft data packet; in plain RC only in WRITE
                /// First and Only and in READ Request.
                Reth, 16 {
                    /// Virtual address. In weft's format that of *this* packet.
                    va, with_va: u64 = 0 [63:0];
                    /// Remote key.
                    r_key, with_r_key: u32 = 8 [31:0];
                    /// DMA length in bytes. In weft's format that of *this* packet.
                    dma_length, with_dma_length: u32 = 12 [31:0];
                }

                /// ACK extended transport header, 4 bytes.
                Aeth, 4 {
                    /// Bit 7 is 0; 6:5 are 00 ACK, 01 RNR NAK, 11 NAK; 4:0 credits, timer or NAK code (0 PSN
                    /// sequence error, 1 invalid request, 2 remote access, 3 remote operation, 4 invalid RD
                    /// request).
                    syndrome, with_syndrome: u8 = 0 [31:24];
                    /// Message sequence number.
                    msn, with_msn: u32 = 0 [23:0];
                }

                /// Immediate data, 4 bytes, after the RETH when the opcode says so.
                ImmDt, 4 {
                    /// The immediate value.
                    data, with_data: u32 = 0 [31:0];
                }

                /// Spray extended header, 8 bytes, after the RETH (and ImmDt) of a data packet. The words are
                /// those of TSETH and METH in MRC. MRC puts these headers before the RETH, weft after the
                /// RETH, so that stock tools still find the RETH.
                Xeth, 8 {
                    /// Time of transmission in units of 32 ns; wraps after 2.1 ms.
                    tx_timestamp, with_tx_timestamp: u16 = 0 [31:16];
                    /// Time-stamp resolution: 1 = 32 ns.
                    tsr, with_tsr: bool = 0 [15:15];
                    /// Format, 1.
                    ftype, with_ftype: u8 = 0 [3:0];
                    /// Receive-queue message sequence number.
                    rqmsn, with_rqmsn: u16 = 4 [31:16];
                    /// Message sequence number.
                    msn, with_msn: u16 = 4 [15:0];
                }

                /// Selective-acknowledgement header, 28 bytes, after the AETH of an ACK.
                Seth, 28 {
                    /// Type, 0.
                    kind, with_kind: u8 = 0 [31:28];
                    /// Next header, 0.
                    next, with_next: u8 = 0 [27:23];
                    /// M, the ECN echo: see [`echo`].
                    m, with_m: u8 = 0 [22:21];
                    /// PR: the ACK answers a probe.
                    probe_reply, with_probe_reply: bool = 0 [17:17];
                    /// PSN that triggered the ACK, minus `cack_psn`.
                    ack_psn_offset, with_ack_psn_offset: i16 = 0 [15:0];
                    /// EV of the packet that triggered the ACK: bits 15:0 its UDP source port, 31:16 zero or the
                    /// low half of the IPv6 flow label.
                    echoed_ev, with_echoed_ev: u32 = 4 [31:0];
                    /// Source PDC, 0.
                    spdcid, with_spdcid: u16 = 8 [31:16];
                    /// Destination PDC, 0.
                    dpdcid, with_dpdcid: u16 = 8 [15:0];
                    /// Cumulative ACK: the highest PSN with no gap below it.
                    cack_psn, with_cack_psn: u32 = 12 [23:0];
                    /// Congestion-control type of CC_STATE, 2.
                    cc_type, with_cc_type: u8 = 16 [31:28];
                    /// XEV (*weft*): an EVX follows the SACKX.
                    xev, with_xev: bool = 16 [25:25];
                    /// X256 (*weft*): a SACKX follows CC_STATE.
                    x256, with_x256: bool = 16 [24:24];
                    /// Maximum PSN range in units of 128 PSNs.
                    mpr, with_mpr: u8 = 16 [23:16];
                    /// PSN of bitmap bit 0, minus `cack_psn`: 1, or more in windows above 256 PSNs.
                    sack_offset, with_sack_offset: i16 = 16 [15:0];
                    /// SACK bitmap 63..0: bit i is PSN base + i, set = received; a clear bit has no meaning.
                    bitmap, with_bitmap: u64 = 20 [63:0];
                }

                /// Congestion-control state, 8 bytes, after the SETH.
                CcState, 8 {
                    /// The data packet's `tx_timestamp`, returned.
                    tx_timestamp, with_tx_timestamp: u16 = 0 [31:16];
                    /// Packets received out of order.
                    ooo_count, with_ooo_count: u16 = 0 [14:0];
                    /// Restore the saved congestion window.
                    rc, with_rc: bool = 4 [31:31];
                    /// Penalty on the congestion window, in 1/128 of the bytes acknowledged.
                    rcv_cwnd_pend, with_rcv_cwnd_pend: u8 = 4 [30:24];
                    /// Bytes received on the connection in units of 256, rounded up; wraps.
                    rcvd_bytes, with_rcvd_bytes: u32 = 4 [23:0];
                }

                /// Wide SACK bitmap (*weft*), 24 bytes, after CC_STATE: bits 255..64.
                Sackx, 24 {
                    /// Bitmap bits 127..64.
                    bitmap1, with_bitmap1: u64 = 0 [63:0];
                    /// Bitmap bits 191..128.
                    bitmap2, with_bitmap2: u64 = 8 [63:0];
                    /// Bitmap bits 255..192.
                    bitmap3, with_bitmap3: u64 = 16 [63:0];
                }

                /// Entropy values of the packets that an ACK answers besides the one in its SETH (*weft*), 36
                /// bytes, after the SACKX: 16 entries, the oldest packet first. An entry that is not there is
                /// 0.
                Evx, 36 {
                    /// Bit i: entry i is there.
                    there, with_there: u16 = 0 [31:16];
                    /// Bit i: the packet of entry i arrived with CE.
                    marked, with_marked: u16 = 0 [15:0];
                    /// Entries 0 to 3, 16 bits each, entry 0 first on the wire: UDP source ports.
                    evs0, with_evs0: u64 = 4 [63:0];
                    /// Entries 4 to 7.
                    evs1, with_evs1: u64 = 12 [63:0];
                    /// Entries 8 to 11.
                    evs2, with_evs2: u64 = 20 [63:0];
                    /// Entries 12 to 15.
                    evs3, with_evs3: u64 = 28 [63:0];
                }

                /// Negative-acknowledgement header, 20 bytes, after the AETH of a NACK.
                Neth, 20 {
                    /// M (*weft*; reserved in MRC): the ECN echo of the packet refused, see [`echo`].
                    m, with_m: u8 = 0 [22:21];
                    /// Why the packet was refused: see [`nack_reason`].
                    reason, with_reason: u8 = 0 [15:8];
                    /// Vendor code, 0.
                    vendor, with_vendor: u8 = 0 [7:0];
                    /// EV of the packet refused: bits 15:0 its UDP source port, 31:16 zero or the low half of the
                    /// IPv6 flow label.
                    echoed_ev, with_echoed_ev: u32 = 4 [31:0];
                    /// Source PDC, 0.
                    spdcid, with_spdcid: u16 = 8 [31:16];
                    /// Destination PDC, 0.
                    dpdcid, with_dpdcid: u16 = 8 [15:0];
                    /// PSN refused.
                    nack_psn, with_nack_psn: u32 = 12 [23:0];
                    /// Congestion-control type, 2.
                    cc_type, with_cc_type: u8 = 16 [31:28];
                    /// The data packet's `tx_timestamp`, returned.
                    tx_timestamp, with_tx_timestamp: u16 = 16 [15:0];
                }

                /// Probe header (MRC), 16 bytes, after the BTH of a probe.
                Peth, 16 {
                    /// Vendor code, 0.
                    vendor, with_vendor: u8 = 0 [7:0];
                    /// Identifies the probe.
                    probe_id, with_probe_id: u16 = 4 [31:16];
                    /// Source PDC, 0.
                    spdcid, with_spdcid: u16 = 8 [31:16];
                    /// Destination PDC, 0.
                    dpdcid, with_dpdcid: u16 = 8 [15:0];
                    /// Time of transmission in units of 32 ns.
                    tx_timestamp, with_tx_timestamp: u16 = 12 [31:16];
                    /// Time-stamp resolution: 1 = 32 ns.
                    tsr, with_tsr: bool = 12 [15:15];
                    /// Format, 1.
                    ftype, with_ftype: u8 = 12 [3:0];
                }
        }
    };
}

/// A field of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderField {
    /// Name of the field.
    pub name: &'static str,
    /// Byte of the header at which the word of the field starts.
    pub byte: u32,
    /// First bit on the wire.
    pub high: u32,
    /// Last bit on the wire.
    pub low: u32,
}

impl HeaderField {
    /// Bytes of the big-endian word of the field.
    pub const fn word_bytes(&self) -> u32 {
        if self.high < 32 { 4 } else { 8 }
    }
}

/// A header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the header.
    pub name: &'static str,
    /// Length in bytes.
    pub bytes: u32,
    /// Fields of the header.
    pub fields: &'static [HeaderField],
}

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])* $name:ident, $bytes:literal {
            $($(#[doc = $about:literal])*
            $get:ident, $with:ident: $type:ty = $byte:literal [$high:literal : $low:literal];)*
        }
    )*) => {
        /// The headers behind UDP.
        pub const HEADERS: &[Header] = &[$(Header {
            name: stringify!($name),
            bytes: $bytes,
            fields: &[
                $(HeaderField { name: stringify!($get), byte: $byte, high: $high, low: $low }),*
            ],
        }),*];
    };
}

headers!(table);

const fn udp(name: &'static str, byte: u32, high: u32) -> HeaderField {
    HeaderField { name, byte, high, low: high - 15 }
}

/// The header of UDP, which precedes the others.
pub const UDP: Header = Header {
    name: "Udp",
    bytes: 8,
    fields: &[
        udp("source_port", 0, 31),
        udp("destination_port", 0, 15),
        udp("length", 4, 31),
        udp("checksum", 4, 15),
    ],
};

/// The headers of each packet behind the UDP header, in order.
pub const PACKETS: &[(&str, &[&str])] = &[
    ("Data", &["Bth", "Reth", "Xeth"]),
    ("Last", &["Bth", "Reth", "ImmDt", "Xeth"]),
    ("Ack", &["Bth", "Aeth", "Seth", "CcState", "Sackx", "Evx"]),
    ("Nack", &["Bth", "Aeth", "Neth"]),
    ("Probe", &["Bth", "Peth"]),
];

/// The header with a name.
pub fn header(name: &str) -> Option<&'static Header> {
    [&UDP].into_iter().chain(HEADERS).find(|header| header.name == name)
}

/// A header in a packet, and the byte where the header begins, counted from the first byte of the UDP header.
pub fn place(packet: &str, name: &str) -> Option<(&'static Header, u32)> {
    let (_, headers) = PACKETS.iter().find(|(one, _)| *one == packet)?;
    let mut at = 0;
    for one in [&UDP.name].into_iter().chain(*headers) {
        let header = header(one)?;
        if header.name == name {
            return Some((header, at));
        }
        at += header.bytes;
    }
    None
}
