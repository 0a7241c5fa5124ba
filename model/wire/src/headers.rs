//! Transport headers, field by field.
//!
//! Every header is a byte array with typed accessors. A position such as `byte 8, bits 23:0` names
//! the big-endian 32-bit word (64-bit where the bits reach 63) that starts at that byte *of the
//! header*; bit 31 is the first on the wire. `with_` setters keep the low bits of their argument,
//! so a PSN or a QP wraps as its register does. The same positions are data in `LAYOUT`.
//!
//! BTH, RETH, AETH and ImmDt are InfiniBand's. XETH, SETH, CC_STATE, NETH and PETH carry the fields
//! of OCP MRC 1.0 (their TSETH and METH are our XETH); SACKX and the bits marked *weft* are ours.

mod codes;

pub use codes::{Code, echo, nack_reason, opcode, syndrome};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// PSNs are 24 bits and compared modulo 2^24.
pub const PSN_MASK: u32 = 0x00FF_FFFF;

/// Where a header field lies: one row of a header's `LAYOUT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the accessor.
    pub name: &'static str,
    /// Byte of the header at which the field's word starts.
    pub byte: usize,
    /// First bit on the wire.
    pub high: u32,
    /// Last bit on the wire.
    pub low: u32,
    /// The field is a number in two's complement.
    pub signed: bool,
    /// The description, as Rust documentation.
    pub doc: &'static str,
}

impl Field {
    /// Bits of the big-endian word in which `high` and `low` count: 32 or 64.
    pub const fn word_bits(&self) -> u32 {
        8 * word_bytes(self.high) as u32
    }
}

/// A header: its meaning, its length, and its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name of the type.
    pub name: &'static str,
    /// The description, as Rust documentation.
    pub doc: &'static str,
    /// Size on the wire in bytes.
    pub bytes: usize,
    /// Every field and where it lies.
    pub layout: &'static [Field],
}

/// The types that a field can be read as.
trait Bits {
    const SIGNED: bool;
    fn from_bits(bits: u64) -> Self;
    fn into_bits(self) -> u64;
}

macro_rules! integer_bits {
    ($($integer:ty),*) => { $(impl Bits for $integer {
        #[allow(unused_comparisons, reason = "an unsigned integer's MIN is 0")]
        const SIGNED: bool = <$integer>::MIN < 0;
        fn from_bits(bits: u64) -> Self {
            bits as $integer
        }
        fn into_bits(self) -> u64 {
            self as u64
        }
    })* };
}

integer_bits!(u8, u16, i16, u32, u64);

impl Bits for bool {
    const SIGNED: bool = false;
    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
    fn into_bits(self) -> u64 {
        self.into()
    }
}

fn mask(high: u32, low: u32) -> u64 {
    (u64::MAX >> (63 - (high - low))) << low
}

/// Bytes of the word that holds bits up to `high`.
const fn word_bytes(high: u32) -> usize {
    if high < 32 { 4 } else { 8 }
}

/// The word of `header` that starts at byte `at` and holds bits up to `high`.
fn word(header: &[u8], at: usize, high: u32) -> u64 {
    header[at..at + word_bytes(high)].iter().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

fn read(header: &[u8], at: usize, high: u32, low: u32) -> u64 {
    (word(header, at, high) & mask(high, low)) >> low
}

fn write(header: &mut [u8], at: usize, high: u32, low: u32, bits: u64) {
    let size = word_bytes(high);
    let new = (word(header, at, high) & !mask(high, low)) | ((bits << low) & mask(high, low));
    header[at..at + size].copy_from_slice(&new.to_be_bytes()[8 - size..]);
}

/// Declares a header: its size and its fields, each `getter, setter: type = byte [high:low]`.
macro_rules! header {
    ($(#[doc = $doc:literal])* $name:ident, $bytes:literal {
        $($(#[doc = $field_doc:literal])*
        $get:ident, $with:ident: $type:ty = $at:literal [$high:literal : $low:literal];)*
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
        #[repr(transparent)]
        pub struct $name([u8; $bytes]);

        const _: () = assert!(size_of::<$name>() == $bytes);

        impl Default for $name {
            fn default() -> Self {
                Self([0; $bytes])
            }
        }

        $(const _: () = assert!(
            $at % 4 == 0 && $high >= $low && $high < 64 && $at + ($high / 32 + 1) * 4 <= $bytes
        );)*

        impl $name {
            /// Size on the wire in bytes.
            pub const LEN: usize = $bytes;

            /// Every field and where it lies.
            pub const LAYOUT: &[Field] = &[
                $(Field {
                    name: stringify!($get), byte: $at, high: $high, low: $low,
                    signed: <$type as Bits>::SIGNED, doc: concat!($($field_doc),*)
                }),*
            ];

            /// The header as data.
            pub const HEADER: Header = Header {
                name: stringify!($name), doc: concat!($($doc),*), bytes: $bytes, layout: Self::LAYOUT
            };

            $(
                $(#[doc = $field_doc])*
                #[doc = concat!("\n\nByte ", $at, ", bits ", $high, ":", $low, ".")]
                pub fn $get(&self) -> $type {
                    Bits::from_bits(read(&self.0, $at, $high, $low))
                }

                #[doc = concat!("Sets `", stringify!($get), "`: byte ", $at, ", bits ", $high, ":", $low, ".")]
                #[must_use]
                pub fn $with(mut self, value: $type) -> Self {
                    write(&mut self.0, $at, $high, $low, Bits::into_bits(value));
                    self
                }
            )*
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))$(.field(stringify!($get), &self.$get()))*.finish()
            }
        }
    };
}

/// All headers, in the order in which packets have them.
pub const ALL: [Header; 11] = [
    Bth::HEADER,
    Reth::HEADER,
    ImmDt::HEADER,
    Xeth::HEADER,
    Aeth::HEADER,
    Seth::HEADER,
    CcState::HEADER,
    Sackx::HEADER,
    Evx::HEADER,
    Neth::HEADER,
    Peth::HEADER,
];

header! {
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
        /// A (AR): the sender asks for an acknowledgement.
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
}

impl Bth {
    fn new(opcode: u8, dest_qp: u32, psn: u32) -> Self {
        Self::default()
            .with_opcode(opcode)
            .with_migration_request(true)
            .with_p_key(0xFFFF)
            .with_dest_qp(dest_qp)
            .with_psn(psn)
    }

    /// The BTH of a sprayed data packet: WRITE Only with TS set.
    pub fn data(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::WRITE_ONLY, dest_qp, psn).with_sprayed(true)
    }

    /// The BTH of an ACK (`psn`: the cumulative PSN) or NACK (`psn`: the PSN refused).
    pub fn acknowledge(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::ACKNOWLEDGE, dest_qp, psn)
    }

    /// The BTH of a probe. A probe consumes no PSN.
    pub fn probe(dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode::PROBE, dest_qp, psn)
    }

    /// The BTH of a congestion notification packet.
    pub fn cnp(dest_qp: u32) -> Self {
        Self::new(opcode::CNP, dest_qp, 0).with_migration_request(false).with_becn(true)
    }

    /// The BTH of a plain RC packet.
    pub fn plain(opcode: u8, dest_qp: u32, psn: u32) -> Self {
        Self::new(opcode, dest_qp, psn)
    }
}

header! {
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
}

header! {
    /// ACK extended transport header, 4 bytes.
    Aeth, 4 {
        /// Bit 7 is 0; 6:5 are 00 ACK, 01 RNR NAK, 11 NAK; 4:0 credits, timer or NAK code (0 PSN
        /// sequence error, 1 invalid request, 2 remote access, 3 remote operation, 4 invalid RD
        /// request).
        syndrome, with_syndrome: u8 = 0 [31:24];
        /// Message sequence number.
        msn, with_msn: u32 = 0 [23:0];
    }
}

header! {
    /// Immediate data, 4 bytes, after the RETH when the opcode says so.
    ImmDt, 4 {
        /// The immediate value.
        data, with_data: u32 = 0 [31:0];
    }
}

header! {
    /// Spray extended header, 8 bytes, after the RETH (and ImmDt) of a data packet. Its words are MRC's
    /// TSETH and METH; MRC puts them before the RETH, weft after it so that stock tools still see the
    /// RETH.
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
}

impl Xeth {
    /// An XETH with the constants set (tsr 1, ftype 1).
    pub fn new(tx_timestamp: u16, rqmsn: u16, msn: u16) -> Self {
        Self::default()
            .with_tx_timestamp(tx_timestamp)
            .with_tsr(true)
            .with_ftype(1)
            .with_rqmsn(rqmsn)
            .with_msn(msn)
    }
}

header! {
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
        /// PSN of bitmap bit 0, minus `cack_psn`; normally 1.
        sack_offset, with_sack_offset: i16 = 16 [15:0];
        /// SACK bitmap 63..0: bit i is PSN base + i, set = received; a clear bit says nothing.
        bitmap, with_bitmap: u64 = 20 [63:0];
    }
}

header! {
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
}

header! {
    /// Wide SACK bitmap (*weft*), 24 bytes, after CC_STATE: bits 255..64.
    Sackx, 24 {
        /// Bitmap bits 127..64.
        bitmap1, with_bitmap1: u64 = 0 [63:0];
        /// Bitmap bits 191..128.
        bitmap2, with_bitmap2: u64 = 8 [63:0];
        /// Bitmap bits 255..192.
        bitmap3, with_bitmap3: u64 = 16 [63:0];
    }
}

header! {
    /// Entropy values of the packets that an ACK answers beside the one in its SETH (*weft*), 36 bytes, after the
    /// SACKX: 16 entries, the oldest packet first. An entry that is not there is 0.
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
}

header! {
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
}

header! {
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

impl Peth {
    /// A PETH with the constants set (tsr 1, ftype 1).
    pub fn new(probe_id: u16, tx_timestamp: u16) -> Self {
        Self::default().with_probe_id(probe_id).with_tx_timestamp(tx_timestamp).with_tsr(true).with_ftype(1)
    }
}
