//! The map: every register with its offset. Offsets never change; new registers go into gaps.

use super::counted;
use super::csr::{NicCsr, Number, Place, lane, place};
use super::description::*;
use crate::nscc::WindowAlgorithm;
use crate::sack::SackParams;
use crate::smartt::SmarttParams;

/// The register ID: "WEFT" in the order of the bytes' addresses.
pub const ID: u32 = u32::from_le_bytes(*b"WEFT");
/// The register VERSION: major in the high half, minor in the low one.
pub const VERSION: u32 = 1 << 16 | 2;

/// The register SHAPE of the usual NIC: 512 bits, one of them in `tuser`, SMaRTT, a window of 256 PSNs.
pub const SHAPE: u32 = shape(512, 1, WindowAlgorithm::Smartt, SackParams::WINDOW);
const BYPASS_USER_LSB: u32 = 16;
const WINDOW_LSB: u32 = 24;
const PSNS_LSB: u32 = 28;

/// The register SHAPE of a NIC with streams of so many bits, so many bits of `tuser`, this algorithm of its windows, and so many PSNs in a window; its
/// large memories are block RAM.
pub const fn shape(width: u32, bypass_user: u32, window: WindowAlgorithm, psns: u32) -> u32 {
    (psns / SackParams::WINDOW).ilog2() << PSNS_LSB
        | (window as u32) << WINDOW_LSB
        | bypass_user << BYPASS_USER_LSB
        | width
}

/// The pages, by their offsets.
pub(super) const PAGES: &[Page] = &[
    page(0x000, "identity", Kind::Shown, "Identity of the NIC"),
    page(0x040, "control", Kind::Stored, "Control"),
    page(0x080, "staging", Kind::Staged, "Staging: what a command takes along"),
    page(0x0C0, "command", Kind::Command, "Command"),
    page(0x100, "ingress", Kind::Stored, "Ingress"),
    page(0x140, "egress", Kind::Stored, "Egress"),
    page(0x180, "receiver", Kind::Stored, "Receiver"),
    page(0x1C0, "sender", Kind::Stored, "Sender"),
    page(0x200, "reps", Kind::Stored, "REPS: entropy values"),
    page(0x240, "smartt", Kind::Stored, "SMaRTT: congestion window, all classes"),
    page(0x280, "class01", Kind::Stored, "SMaRTT: classes 0 and 1"),
    page(0x2C0, "class23", Kind::Stored, "SMaRTT: classes 2 and 3"),
    page(0x300, "transport", Kind::Stored, "SACK sender: classes 0 to 3"),
    page(0x400, "partition", Kind::Staged, "Staging: the partition of the next command"),
    page(0x800, "gauges", Kind::Shown, "Gauges: values that go up and down"),
    page(
        0x1000,
        "packets_in",
        Kind::Counted,
        "Counters of ingress: frames accepted, and frames of the wrong VLAN or partition",
    ),
    page(0x1040, "drops_in", Kind::Counted, "Counters of ingress: frames dropped"),
    page(0x1080, "frames_out", Kind::Counted, "Counters of egress"),
    page(0x10C0, "placement", Kind::Counted, "Counters of the receiver"),
    page(0x1100, "transport_in", Kind::Counted, "Counters of the receiver's transport"),
    page(0x1140, "work", Kind::Counted, "Counters of the sender"),
    page(0x1180, "transport_out", Kind::Counted, "Counters of the sender's transport"),
    page(0x11C0, "recovery", Kind::Counted, "Counters of the sender: losses and recovery"),
    page(0x1200, "paths", Kind::Counted, "Counters of the sender: entropy values"),
    page(
        0x1240,
        "windows",
        Kind::Counted,
        "Counters of the sender: congestion windows; clocks in which something delays the NIC",
    ),
    page(
        0x1280,
        "rtt_short",
        Kind::Counted,
        "Counters of the sender: ACKs by round-trip time, below 128 ticks",
    ),
    page(
        0x12C0,
        "rtt_long",
        Kind::Counted,
        "Counters of the sender: ACKs by round-trip time, from 128 ticks on",
    ),
];

const fn page(offset: u16, name: &'static str, kind: Kind, doc: &'static str) -> Page {
    Page { offset, name, kind, doc }
}

const fn field(name: &'static str, lsb: u32, width: u32, doc: &'static str) -> Field {
    Field { name, lsb, width, doc }
}

/// Registers that are not a port each.
struct Own {
    offset: u16,
    name: &'static str,
    bits: u32,
    access: Access,
    reset: u128,
    fields: &'static [Field],
    doc: &'static str,
}

const OWN: &[Own] = &[
    Own {
        offset: 0x000,
        name: "id",
        bits: 32,
        access: Access::ReadOnly,
        reset: ID as u128,
        fields: &[],
        doc: "\"WEFT\" in the order of the bytes",
    },
    Own {
        offset: 0x004,
        name: "version",
        bits: 32,
        access: Access::ReadOnly,
        reset: VERSION as u128,
        fields: &[
            field("minor", 0, 16, "changes when registers are added"),
            field("major", 16, 16, "changes when old drivers no longer work"),
        ],
        doc: "version of this map",
    },
    Own {
        offset: 0x008,
        name: "connections",
        bits: 32,
        access: Access::ReadOnly,
        reset: 256,
        fields: &[],
        doc: "number of connections of this NIC: 256 by default",
    },
    Own {
        offset: 0x00C,
        name: "now",
        bits: 32,
        access: Access::ReadOnly,
        reset: 0,
        fields: &[],
        doc: "the time in ticks, counted since reset modulo 2^32; the low 16 bits are the wire's time stamps",
    },
    Own {
        offset: 0x010,
        name: "state",
        bits: 8,
        access: Access::ReadOnly,
        reset: 0,
        fields: &[
            field("open", 0, 1, "the connection is open"),
            field("held", 1, 1, "the host holds the connection's packets back"),
            field("frozen", 2, 1, "REPS is in freezing mode"),
            field("drained", 3, 1, "the connection drains and has no outstanding work"),
            field("unanswered", 4, 1, "failed: the peer did not answer"),
            field("denied", 5, 1, "failed: the peer denied a packet because of its key or address"),
            field(
                "breach",
                6,
                1,
                "failed: the peer sent a packet to an address outside of its region, or with a wrong key",
            ),
            field("broken", 7, 1, "failed: the host could not write"),
        ],
        doc: "the state of the connection that QUERY names; the words of the event stream have the same bits",
    },
    Own {
        offset: 0x014,
        name: "shape",
        bits: 32,
        access: Access::ReadOnly,
        reset: SHAPE as u128,
        fields: &[
            field("width", 0, 10, "bits of the streams of bytes: 128, 256 or 512"),
            field("bypass_user", BYPASS_USER_LSB, 8, "bits of tuser of the network and the bypass, 1 to 128"),
            field("window", WINDOW_LSB, 4, "algorithm of the congestion windows: 0 SMaRTT, 1 NSCC"),
            field("psns", PSNS_LSB, 2, "PSNs of a window: 0 256, 1 512, 2 1,024"),
            field(
                "ultra_ram",
                31,
                1,
                "the large memories are UltraRAM: the parameter LARGE_RAM of the Verilog",
            ),
        ],
        doc: "the shape with which the Verilog of this NIC was emitted",
    },
    Own {
        offset: 0x02C,
        name: "query_history",
        bits: 12,
        access: Access::ReadOnly,
        reset: 0,
        fields: &[
            field("freezes", 0, 8, "freezes of REPS since the connection was opened; 255: 255 or more"),
            field(
                "causes",
                8,
                4,
                "causes of the last failure of a connection with this number, as in STATE 7:4; 0: no failure since reset",
            ),
        ],
        doc: "the history of the connection in QUERY",
    },
    Own {
        offset: 0x048,
        name: "query",
        bits: 16,
        access: Access::ReadWrite,
        reset: 0,
        fields: &[],
        doc: "the connection whose STATE and QUERY registers are read",
    },
    Own {
        offset: 0x044,
        name: "scratch",
        bits: 32,
        access: Access::ReadWrite,
        reset: 0,
        fields: &[],
        doc: "has no effect; for tests of the bus",
    },
    Own {
        offset: 0x04C,
        name: "counters",
        bits: 1,
        access: Access::ReadWrite,
        reset: 0,
        fields: &[field("clear", 0, 1, "1: a read of a counter's low word also clears the counter")],
        doc: "how counters are read",
    },
    staged(0x080, "peer_address", 128, &[], "the peer's address: IPv6, or IPv4 in the first word"),
    staged(
        0x090,
        "peer_mac",
        48,
        &[],
        "MAC address of the next hop, the first byte on the wire in bits 47:40",
    ),
    staged(0x098, "peer_qp", 24, &[], "the peer's queue pair"),
    staged(
        0x09C,
        "peer_link",
        18,
        &[
            field("tag", 0, 16, "VLAN tag (TCI): bits 11:0 the VLAN, 15:13 the priority of sent frames"),
            field(
                "tagged",
                TAGGED_LSB,
                1,
                "1: sent and received frames have the tag of that VLAN; 0: they have no tag",
            ),
            field("v6", V6_LSB, 1, "the address is IPv6"),
        ],
        "how the peer is reached",
    ),
    staged(0x0A0, "send_psn", 24, &[], "the first PSN sent"),
    staged(0x0A4, "receive_psn", 24, &[], "the first PSN expected"),
    staged(0x0A8, "region_base", 64, &[], "first address of the memory region that the peer may write"),
    staged(0x0B0, "region_length", 32, &[], "length of that region in bytes"),
    staged(0x0B4, "region_key", 32, &[], "key of that region"),
    staged(
        0x0B8,
        "send_path",
        18,
        &[
            field("ev", 0, 16, "entropy value of cfg_reps_mode 2"),
            field("class", CLASS_LSB, 2, "class of the base RTT: number of the SMaRTT class"),
        ],
        "the sender's paths",
    ),
    staged(0x0BC, "seed", 32, &[], "seed of the generator of entropy values, for the command 2 (seed)"),
    Own {
        offset: 0x0C0,
        name: "command",
        bits: 32,
        access: Access::ReadWrite,
        reset: 0,
        fields: &[
            field("connection", 0, 16, "the connection; beyond the last one: SLVERR"),
            field("op", OP_LSB, 3, "0 close, 1 open, 2 seed, 3 path_ok, 4 peer, 5 drain; others: SLVERR"),
            field("busy", 31, 1, "read-only: a command is under way, or the sweep after reset"),
        ],
        doc: "a write of all four bytes starts a command; while busy it answers SLVERR, as do writes to the staging",
    },
    Own {
        offset: 0x400,
        name: "peer_pkey",
        bits: 16,
        access: Access::ReadWrite,
        reset: DEFAULT_PKEY as u128,
        fields: &[
            field("key", 0, 15, "the partition"),
            field(
                "full",
                15,
                1,
                "1 full member, 0 limited member: two limited members cannot reach each other",
            ),
        ],
        doc: "P_Key of the connection's packets, both ways",
    },
];

const fn staged(
    offset: u16,
    name: &'static str,
    bits: u32,
    fields: &'static [Field],
    doc: &'static str,
) -> Own {
    Own { offset, name, bits, access: Access::ReadWrite, reset: 0, fields, doc }
}

/// The words that COMMAND sends to the blocks.
pub(super) const CONTROLS: [Control; 4] = [
    Control {
        name: "ingress_peer",
        block: "ingress",
        ops: &[Op::Open, Op::Close],
        parts: &[
            Part::Open,
            Part::Field("peer_link", "v6"),
            Part::Value("peer_address"),
            Part::Field("peer_link", "tagged"),
            Part::Field("peer_link", "tag"),
            Part::Value("peer_pkey"),
        ],
    },
    Control {
        name: "egress_peer",
        block: "egress",
        ops: &[Op::Open, Op::Close, Op::Peer],
        parts: &[
            Part::Field("peer_link", "v6"),
            Part::Value("peer_address"),
            Part::Value("peer_mac"),
            Part::Field("peer_link", "tagged"),
            Part::Field("peer_link", "tag"),
            Part::Value("peer_qp"),
            Part::Value("peer_pkey"),
        ],
    },
    Control {
        name: "receiver_control",
        block: "receiver",
        ops: &[Op::Open, Op::Close],
        parts: &[
            Part::Open,
            Part::Value("receive_psn"),
            Part::Value("region_base"),
            Part::Value("region_length"),
            Part::Value("region_key"),
        ],
    },
    Control {
        name: "sender_control",
        block: "sender",
        ops: &[Op::Close, Op::Open, Op::Seed, Op::PathOk, Op::Drain],
        parts: &[
            Part::Op,
            Part::Value("send_psn"),
            Part::Field("send_path", "class"),
            Part::Field("send_path", "ev"),
            Part::Value("seed"),
        ],
    },
];

/// A register whose value is a port, or a part of a port.
struct Setting {
    offset: u16,
    block: &'static str,
    name: &'static str,
    bits: u32,
    place: Place,
    doc: &'static str,
}

const fn set(
    offset: u16,
    block: &'static str,
    name: &'static str,
    bits: u32,
    place: Place,
    doc: &'static str,
) -> Setting {
    Setting { offset, block, name, bits, place, doc }
}

#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
    set(0x100, "ingress", "ipv6", 128, place!(ingress.ipv6), "own IPv6 address: frames to other addresses go to the bypass"),
    set(0x110, "ingress", "ipv4", 32, place!(ingress.ipv4), "own IPv4 address: frames to other addresses go to the bypass"),
    set(0x114, "ingress", "qp_base", 24, place!(ingress.qp_base), "queue pair of connection 0; a multiple of the number of connections"),
    set(0x118, "ingress", "dscp_trimmed", 6, place!(ingress.dscp_trimmed), "DSCP of packets that a switch trimmed"),
    set(0x11C, "ingress", "dscp_trimmed_last_hop", 6, place!(ingress.dscp_trimmed_last_hop), "DSCP of packets that the last switch trimmed"),
    set(0x140, "egress", "ipv6", 128, place!(egress.ipv6), "own IPv6 address, the source of frames"),
    set(0x150, "egress", "ipv4", 32, place!(egress.ipv4), "own IPv4 address, the source of frames"),
    set(0x154, "egress", "hop_limit", 8, place!(egress.hop_limit), "time to live, hop limit"),
    set(0x158, "egress", "mac", 48, place!(egress.mac), "own MAC address, the first byte on the wire in bits 47:40"),
    set(0x160, "egress", "dscp_data", 6, place!(egress.dscp_data), "DSCP of data"),
    set(0x164, "egress", "dscp_again", 6, place!(egress.dscp_again), "DSCP of data that is sent again"),
    set(0x168, "egress", "dscp_control", 6, place!(egress.dscp_control), "DSCP of ACKs and NACKs"),
    set(0x180, "receiver", "ack_timeout", 16, place!(receiver.ack_timeout_ticks), "ticks after which the receiver sends an ACK for a packet that waits for one; 0: never"),
    set(0x184, "sack_rx", "ack_packets", 8, place!(receiver.sack.ack_packets), "number of new packets after which the receiver sends an ACK; 0 counts as 1"),
    set(0x188, "sack_rx", "ack_bytes", 16, place!(receiver.sack.ack_bytes), "bytes of new packets after which the receiver sends an ACK; 0: never"),
    set(0x1C0, "sender", "mtu_shift", 4, place!(sender.mtu_shift), "payload bytes of a full packet are 2 to the power of this: 8 to 13"),
    set(0x1C4, "sender", "idle", 32, place!(sender.idle_ticks), "ticks without a packet after which a connection explores paths again; 0: never"),
    set(0x200, "reps", "mode", 2, place!(sender.reps.mode), "0 REPS, 1 OPS, 2 fixed, 3 the 2024 variant"),
    set(0x204, "reps", "ev_base", 16, place!(sender.reps.ev_base), "wire value of entropy value 0"),
    set(0x208, "reps", "evs_size", 17, place!(sender.reps.evs_size), "number of entropy values to explore, 1 to 65,536"),
    set(0x20C, "reps", "freeze_timeout", 32, place!(sender.reps.freeze_timeout_ticks), "ticks of a freeze, below 2^31"),
    set(0x210, "reps", "bdp_packets", 16, place!(sender.reps.bdp_packets), "packets of one BDP; a value above 255 counts as 255"),
    set(0x214, "reps", "trimming", 1, place!(sender.reps.trimming), "the fabric trims: every timeout is a failure"),
    set(0x218, "reps", "thaw_reset", 1, place!(sender.reps.thaw_reset), "ending a freeze empties the buffer"),
    set(0x21C, "reps", "rtt_high", 16, place!(sender.reps.rtt_high_ticks), "lowest round-trip time that is high, in ticks"),
    set(0x220, "reps", "rtt_window", 32, place!(sender.reps.rtt_window_ticks), "ticks during which a high round-trip time counts, and after which a TIMEOUT ends a freeze; below 2^31"),
    set(0x240, "smartt", "multiplicative_decrease", 8, place!(sender.smartt.multiplicative_decrease), "multiplicative decrease (md), 2^-4"),
    set(0x244, "smartt", "qa_scaling", 24, place!(sender.smartt.qa_scaling), "QuickAdapt scaling, 2^-23"),
    set(0x248, "smartt", "wtd_alpha", 8, place!(sender.smartt.wtd_alpha), "Wait-to-Decrease: weight of the newest packet, 2^-8"),
    set(0x24C, "smartt", "wtd_threshold", 8, place!(sender.smartt.wtd_threshold), "Wait-to-Decrease: share of marked ACKs from which on the window decreases, 2^-8"),
    set(0x250, "smartt", "granularity", 6, place!(sender.smartt.granularity), "ACKs per reaction, 1 to 50; 0 counts as 1"),
    set(0x254, "smartt", "fast_mtus", 4, place!(sender.smartt.fast_mtus), "MTUs that FastIncrease adds per ACK"),
    set(0x258, "smartt", "signals", 2, place!(sender.smartt.signals), "0 ECN and delay (SMaRTT), 1 ECN only, 2 delay only; 3 counts as 0"),
    set(0x25C, "smartt", "late_losses", 1, place!(sender.smartt.late_losses), "1: a loss decreases the window also while feedback is ignored, as in Algorithm 1 of the paper"),
    set(0x260, "smartt", "wtd_alphas", 120, place!(sender.smartt.wtd_alphas), "Wait-to-Decrease: weights of the newest 2 to 16 packets, 8 bits each, 2^-8"),
];

/// Offset of class 0 of the transport.
const TRANSPORT: u16 = 0x300;
/// Bytes of a class of the transport.
const TRANSPORT_CLASS: u16 = 0x10;

/// Offset of the retries of class 0: in the sender's page, because the transport's is full.
const RETRIES: u16 = 0x1D0;
/// Bytes of a class of retries.
const RETRIES_CLASS: u16 = 0x08;

/// The settings of a class of the transport, side by side like those of the window.
#[rustfmt::skip]
fn transport_class(number: usize) -> [Setting; 6] {
    let at = TRANSPORT + TRANSPORT_CLASS * number as u16;
    let retries = RETRIES + RETRIES_CLASS * number as u16;
    [
        set(retries, "sack_tx", "backoff_limit", 3, lane!(number, sack, backoff_limit), "maximum number of doublings of the RTO; each timeout in a row doubles it once"),
        set(retries + 0x04, "sack_tx", "retry_limit", 10, lane!(number, sack, retry_limit), "timeouts in a row that a connection survives"),
        set(at, "sack_tx", "gap", 8, lane!(number, sack, gap), "SACK gap in PSNs; 0: never"),
        set(at + 0x04, "sack_tx", "rto", 16, lane!(number, sack, rto_ticks), "RTO in ticks"),
        set(at + 0x08, "sack_tx", "epoch", 15, lane!(number, sack, epoch_ticks), "shortest epoch in ticks, at most 24,575"),
        set(at + 0x0C, "sack_tx", "high", 15, lane!(number, sack, high_ticks), "lowest round-trip time of a congested network, in ticks"),
    ]
}

/// Offset of class 0.
const CLASSES: u16 = 0x280;
/// Bytes of a class.
const CLASS: u16 = 0x20;

/// The constants of a class; in the ports the classes are side by side, class 0 lowest.
#[rustfmt::skip]
fn class(number: usize) -> [Setting; 8] {
    let at = CLASSES + CLASS * number as u16;
    [
        set(at, "smartt", "mtu", 14, lane!(number, smartt, mtu_bytes), "full packet and smallest window, bytes"),
        set(at + 0x04, "smartt", "max_cwnd", 26, lane!(number, smartt, max_cwnd_bytes), "largest window, bytes"),
        set(at + 0x08, "smartt", "fair_decrease", 26, lane!(number, smartt, fair_decrease_bytes), "BDP / fd, bytes"),
        set(at + 0x0C, "smartt", "base_rtt", 16, lane!(number, smartt, base_rtt_ticks), "base RTT, ticks"),
        set(at + 0x10, "smartt", "target_rtt", 16, lane!(number, smartt, target_rtt_ticks), "target RTT, ticks"),
        set(at + 0x14, "smartt", "fast_rtt", 16, lane!(number, smartt, fast_rtt_ticks), "largest RTT that FastIncrease treats as the base RTT, ticks"),
        set(at + 0x18, "smartt", "multiplicative_increase", 32, lane!(number, smartt, multiplicative_increase), "MTU x mi, 2^-8 bytes"),
        set(at + 0x1C, "smartt", "fair_increase", 30, lane!(number, smartt, fair_increase), "MTU x fi, 2^-10 bytes"),
    ]
}

/// Bits of the port `window_view` with a window of 256 PSNs. With more there are [`VIEW_MORE_BITS`] above, which continue
/// QUERY_PACKETS.
pub const VIEW_BITS: u32 = 119;
/// Bits that a window above 256 PSNs adds to the port `window_view`.
pub const VIEW_MORE_BITS: u32 = 4;

/// The sender's view of the connection in QUERY: offset, name, lowest bit in its port, bits, fields, meaning.
struct Viewed(u16, &'static str, u32, u32, &'static [Field], &'static str);

#[rustfmt::skip]
const VIEW: [Viewed; 5] = [
    Viewed(0x018, "query_cwnd", 0, 26, &[], "congestion window of the connection in QUERY, bytes"),
    Viewed(0x01C, "query_packets", 74, 18, &[
        field("in_flight", 0, 9, "packets that are not lost; each counts as an MTU in the congestion window"),
        field("unacked", 9, 9, "these packets, and the lost packets that wait to be sent again"),
        field("in_flight_high", 18, 2, "bits 10:9 of in_flight, for windows above 256 PSNs"),
        field("unacked_high", 20, 2, "bits 10:9 of unacked, for windows above 256 PSNs"),
    ], "packets of that connection that were sent and are not acknowledged"),
    Viewed(0x020, "query_una", 26, 24, &[], "lowest PSN of that connection that is not acknowledged"),
    Viewed(0x024, "query_next", 50, 24, &[], "PSN of that connection's next new packet"),
    Viewed(0x028, "query_timer", 92, 27, &[
        field("epoch", 0, 15, "ticks of an epoch"),
        field("timeouts", 15, 10, "timeouts in a row; each doubles the RTO, up to the limit"),
        field("class", 25, 2, "class of the base RTT, which also selects the RTO"),
    ], "timers of that connection"),
];

impl Viewed {
    fn register(&self) -> Register {
        let Self(offset, name, lsb, bits, fields, doc) = *self;
        let described = fields.iter().map(|field| field.lsb + field.width).max();
        Register {
            offset,
            name: name.to_owned(),
            bits: described.unwrap_or(bits),
            access: Access::ReadOnly,
            reset: 0,
            fields,
            port: Some(Port { name: "window_view".to_owned(), lsb, bits, width: VIEW_BITS }),
            doc: doc.to_owned(),
            csr: None,
        }
    }
}

/// All registers, by their offsets.
pub(super) fn registers() -> Vec<Register> {
    let csr = NicCsr::default();
    let own = OWN.iter().map(|own| Register {
        offset: own.offset,
        name: own.name.to_owned(),
        bits: own.bits,
        access: own.access,
        reset: own.reset,
        fields: own.fields,
        port: None,
        doc: own.doc.to_owned(),
        csr: None,
    });
    let tick_shift = {
        let place = place!(tick_shift);
        Register {
            offset: 0x040,
            name: "tick_shift".to_owned(),
            bits: 4,
            access: Access::ReadWrite,
            reset: place.get(&csr),
            fields: &[],
            port: None,
            doc: "a tick has 2 to the power of this clocks".to_owned(),
            csr: Some(place),
        }
    };
    let settings = SETTINGS.iter().map(|setting| {
        let port = port("cfg", setting.block, setting.name, 0, setting.bits);
        setting.register(&csr, format!("{}_{}", setting.block, setting.name), port)
    });
    let classes = (0..SmarttParams::CLASSES).flat_map(|number| {
        class(number).into_iter().chain(transport_class(number)).map(move |setting| (number, setting))
    });
    let classes = classes.map(|(number, setting)| {
        let lanes = setting.bits * SmarttParams::CLASSES as u32;
        let port = port("cfg", setting.block, setting.name, setting.bits * number as u32, setting.bits);
        let port = Port { width: lanes, ..port };
        setting.register(&csr, format!("{}_class{number}_{}", setting.block, setting.name), port)
    });
    let gauge = |offset, name, doc: &str| Register {
        offset,
        name: format!("rtt_{name}"),
        bits: 16,
        access: Access::ReadOnly,
        reset: 0xFFFF,
        fields: &[],
        port: Some(port("stat", "rtt", name, 0, 16)),
        doc: format!("{doc} in ticks, at most 32,767; 65,535: not measured yet"),
        csr: None,
    };
    let gauges = [
        gauge(0x800, "latest", "the round-trip time of the last ACK"),
        gauge(0x804, "smallest", "the smallest round-trip time since reset"),
    ];
    let mut registers: Vec<_> = own
        .chain([tick_shift])
        .chain(gauges)
        .chain(VIEW.iter().map(Viewed::register))
        .chain(settings)
        .chain(classes)
        .chain(counted::registers())
        .collect();
    registers.sort_by_key(|register| register.offset);
    registers
}

impl Setting {
    fn register(&self, csr: &NicCsr, name: String, port: Port) -> Register {
        Register {
            offset: self.offset,
            name,
            bits: self.bits,
            access: Access::ReadWrite,
            reset: self.place.get(csr),
            fields: &[],
            port: Some(port),
            doc: self.doc.to_owned(),
            csr: Some(self.place),
        }
    }
}
