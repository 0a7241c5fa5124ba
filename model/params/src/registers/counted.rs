//! The counters: the events that the blocks count, and the place of each.

use super::description::*;

/// A counter of a block: of events with [`EVENT_BITS`], or of amounts with [`AMOUNT_BITS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    name: &'static str,
    bits: u32,
    doc: &'static str,
}

/// Width of a block's counter of events. `weft_registers` reads each counter at least every 1,536 clocks.
const EVENT_BITS: u32 = 16;
/// Width of a block's counter of bytes or packets, which can grow by many at once.
const AMOUNT_BITS: u32 = 24;

/// Counters of a block.
type Counters = &'static [Counted];

const fn events(name: &'static str, doc: &'static str) -> Counted {
    Counted { name, bits: EVENT_BITS, doc }
}

const fn amount(name: &'static str, doc: &'static str) -> Counted {
    Counted { name, bits: AMOUNT_BITS, doc }
}

const INGRESS: Counters = &[
    events("data", "data packets accepted"),
    events("trims", "trimmed packets accepted"),
    events("acks", "ACKs accepted"),
    events("nacks", "NACKs accepted"),
    events("probes", "probes accepted"),
    events("bypassed", "frames of other software"),
    events("wrong_vlans", "dropped: not of the connection's VLAN"),
    events("wrong_pkeys", "dropped: not of the connection's partition"),
];

const DROPS: Counters = &[
    events("mac_errors", "dropped: the MAC marked the frame as bad"),
    events("malformed", "dropped: wrong version or lengths"),
    events("checksum_errors", "dropped: wrong IPv4 header checksum"),
    events("icrc_errors", "dropped: wrong ICRC"),
    events("unknown_connections", "dropped: there is no such queue pair, or its connection is closed"),
    events("wrong_peers", "dropped: not from the connection's peer"),
    events("overflows", "dropped: no space"),
    events("bypass_overflows", "frames of other software dropped: no space"),
];

const EGRESS: Counters = &[
    events("data_frames", "data packets sent"),
    events("ack_frames", "ACKs sent"),
    events("nack_frames", "NACKs sent"),
    events("bypass_frames", "frames of other software sent"),
    events("read_errors", "data packets not sent: DMA error"),
    events("bypass_overflows", "frames of other software not sent: longer than 16 KiB"),
    amount("data_bytes", "bytes of payload sent"),
];

const RECEIVER: Counters = &[
    events(
        "access_errors",
        "packets denied: outside of the region, with a wrong key, or on a failed connection",
    ),
    events("placed", "packets placed"),
    events("acks", "ACKs passed to egress"),
    events("nacks", "NACKs passed to egress"),
    events("received", "completions of received messages"),
    events("marks", "data packets received with a CE mark"),
    amount("bytes", "bytes of payload placed"),
    events("held", "packets held back: the peer sends them again later"),
];

const SACK_RX: Counters = &[
    events("not_open_events", "events of connections that were not open"),
    events("duplicates", "packets received before"),
    events("outside", "packets beyond the window"),
];

const SENDER: Counters = &[
    events("posted", "work requests accepted"),
    events("refused", "work requests refused"),
    events("orders", "packets passed to egress"),
    events("probes", "packets found lost by probes"),
];

const SACK_TX: Counters = &[
    events("not_open_events", "events of connections that were not open"),
    events("never_sent", "ACKs of packets that were never sent"),
    events("stale", "ACKs without new information"),
    events("refused", "messages refused"),
];

const NOT_OPEN: Counters = &[events("not_open_events", "events of connections that were not open")];

/// Counters that are side by side in one port of the sender, with their widths in the port.
const RECOVERY: Counters = &[
    events("again", "packets passed to egress that were sent before"),
    amount("lost_by_nack", "packets found lost by NACKs: trimmed or refused"),
    amount("lost_by_verdict", "packets found lost by verdicts: ACKs of packets sent later"),
    amount("lost_by_timeout", "packets found lost by timeouts"),
    events("timeouts", "timeouts that found packets lost"),
    events("spurious_timeouts", "timeouts that found a packet lost that had arrived or was still on its way"),
    events("unanswered", "connections that failed: the peer did not answer"),
    events("denied", "connections that failed: the peer denied a packet"),
];

const PATHS: Counters = &[
    events("explored", "packets on an entropy value that was drawn, or new in mode 3"),
    events("recycled", "packets on a cached entropy value, used for the first time since it was cached"),
    events("reused", "packets on a cached entropy value that was used before: while frozen"),
    events("freezes", "freezes begun"),
    events("thaws", "freezes ended, by an ACK or PATH_OK"),
];

const WINDOW: Counters = &[
    events("marks", "ACKs that echo a CE mark"),
    events("floors", "feedback events that left a window of one packet"),
];

/// Counters of delays. In every clock one of *wire*, *reads*, *acks*, *work* counts, or a word of a frame
/// leaves.
const HOLDS: Counters = &[
    events("wire", "clocks in which the MAC did not accept a frame's word: the wire is full"),
    events(
        "reads",
        "clocks in which no frame left while DMA reads were outstanding: the NIC waits for the host's data",
    ),
    events("writes", "clocks in which the host did not accept DMA write data"),
    events("completions", "clocks in which the host did not accept a completion"),
    events(
        "acks",
        "clocks without a frame to the wire, while work was unfinished and all DMA reads had finished: windows are full",
    ),
    events("work", "clocks in which no frame left because all work was done"),
];

const RTT: Counters = &[
    events("0", "ACKs with a round-trip time of 0 ticks"),
    events("1", "ACKs with a round-trip time of 1 tick"),
    events("2", "ACKs with a round-trip time of 2 or 3 ticks"),
    events("4", "ACKs with a round-trip time of 4 to 7 ticks"),
    events("8", "ACKs with a round-trip time of 8 to 15 ticks"),
    events("16", "ACKs with a round-trip time of 16 to 31 ticks"),
    events("32", "ACKs with a round-trip time of 32 to 63 ticks"),
    events("64", "ACKs with a round-trip time of 64 to 127 ticks"),
    events("128", "ACKs with a round-trip time of 128 to 255 ticks"),
    events("256", "ACKs with a round-trip time of 256 to 511 ticks"),
    events("512", "ACKs with a round-trip time of 512 to 1,023 ticks"),
    events("1024", "ACKs with a round-trip time of 1,024 to 2,047 ticks"),
    events("2048", "ACKs with a round-trip time of 2,048 to 4,095 ticks"),
    events("4096", "ACKs with a round-trip time of 4,096 to 8,191 ticks"),
    events("8192", "ACKs with a round-trip time of 8,192 to 16,383 ticks"),
    events("16384", "ACKs with a round-trip time of 16,384 ticks and more"),
];

/// A group of counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    offset: u16,
    pub(super) block: &'static str,
    /// Whether the counters share one port.
    shared: bool,
    pub(super) counters: Counters,
}

const fn group(offset: u16, block: &'static str, counters: Counters) -> Group {
    Group { offset, block, shared: false, counters }
}

const fn shared(offset: u16, block: &'static str, counters: Counters) -> Group {
    Group { offset, block, shared: true, counters }
}

const GROUPS: usize = 14;

/// The counters of each block, by their offsets.
pub(super) const COUNTER_BLOCKS: [Group; GROUPS] = [
    group(0x1000, "ingress", INGRESS),
    group(0x1040, "ingress", DROPS),
    group(0x1080, "egress", EGRESS),
    group(0x10C0, "receiver", RECEIVER),
    group(0x1100, "sack_rx", SACK_RX),
    group(0x1140, "sender", SENDER),
    group(0x1180, "sack_tx", SACK_TX),
    group(0x11A0, "reps", NOT_OPEN),
    group(0x11B0, "smartt", NOT_OPEN),
    shared(0x11C0, "recovery", RECOVERY),
    shared(0x1200, "paths", PATHS),
    shared(0x1240, "window", WINDOW),
    shared(0x1250, "holds", HOLDS),
    shared(0x1280, "rtt", RTT),
];

impl Group {
    /// The registers.
    fn registers(self) -> impl Iterator<Item = Register> {
        let width: u32 = self.counters.iter().map(|counted| counted.bits).sum();
        let mut lsb = 0;
        self.counters.iter().zip((self.offset..).step_by(COUNTER.into())).map(move |(counted, offset)| {
            let Counted { name, bits, doc } = *counted;
            let port = if self.shared {
                Port { name: format!("stat_{}", self.block), lsb, bits, width }
            } else {
                port("stat", self.block, name, 0, bits)
            };
            lsb += bits;
            Register {
                offset,
                name: format!("{}_{name}", self.block),
                bits: COUNTER_BITS,
                access: Access::ReadOnly,
                reset: 0,
                fields: &[],
                port: Some(port),
                doc: doc.to_owned(),
                csr: None,
            }
        })
    }
}

/// All counters.
pub(super) fn registers() -> impl Iterator<Item = Register> {
    COUNTER_BLOCKS.into_iter().flat_map(Group::registers)
}

/// Number of counters.
pub(super) const COUNTERS: usize = {
    let (mut sum, mut block) = (0, 0);
    while block < GROUPS {
        sum += COUNTER_BLOCKS[block].counters.len();
        block += 1;
    }
    sum
};
