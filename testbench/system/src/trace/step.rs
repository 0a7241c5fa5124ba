//! Packets of a capture, with their connections and their meaning for these.

use std::net::IpAddr;

/// Source and destination of packets: a host and one QP of its peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    /// Source address.
    pub src: IpAddr,
    /// Destination address.
    pub dst: IpAddr,
    /// Destination QP.
    pub qp: u32,
}

/// A packet of a connection, before its meaning is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// Data, or another request that uses up a PSN.
    Request {
        /// PSN of the packet.
        psn: u32,
        /// UDP source port of the packet.
        ev: u16,
        /// The packet is marked as a retransmission (weft only).
        rtx: bool,
    },
    /// An acknowledgement.
    Ack {
        /// PSN whose arrival made the receiver answer. In plain RoCE: the highest PSN acknowledged.
        psn: u32,
        /// Entropy value that returned.
        ev: u16,
        /// The entropy value is an echo and not only the port of the ACK (weft only).
        echo: bool,
        /// The ACK reports congestion.
        marked: bool,
    },
    /// A negative acknowledgement, which requests a retransmission.
    Nak {
        /// PSN to send again.
        psn: u32,
        /// All PSNs after it must be sent again too (plain: go-back-N).
        onwards: bool,
    },
}

/// Meaning of a packet for its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A data packet leaves.
    Send {
        /// PSN of the packet.
        psn: u32,
        /// UDP source port of the packet.
        ev: u16,
        /// The packet is the connection's first.
        first: bool,
        /// The PSN was sent before.
        retransmission: bool,
        /// The PSN was sent before and not acknowledged in time.
        timeout: bool,
        /// The connection was idle before.
        idle: bool,
    },
    /// An acknowledgement arrives.
    Ack {
        /// PSN acknowledged.
        psn: u32,
        /// Entropy value that returned.
        ev: u16,
        /// The ACK reports congestion.
        marked: bool,
        /// Round-trip time in nanoseconds, when it is known.
        rtt_ns: Option<u64>,
        /// Step that sent the packet last.
        sent: Option<u32>,
    },
}

/// A packet of the capture with a meaning for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the packet's frame, from 0.
    pub frame: u32,
    /// Nanoseconds since the first frame. Times never decrease: a frame with an earlier time than a previous
    /// frame gets the time of that frame.
    pub time_ns: u64,
    /// Number of the connection, by first data packet.
    pub connection: u32,
    /// Meaning of the packet.
    pub what: What,
}

/// A packet and its origin in the capture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) frame: u32,
    pub(super) time_ns: u64,
    pub(super) host: Host,
    pub(super) packet: Packet,
}
