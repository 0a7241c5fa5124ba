//! The packets of a capture: whose they are, and what they mean to their connection.

use std::net::IpAddr;

/// A host and one of its peers' QPs: whom a packet comes from and whom it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Host {
    /// Source address.
    pub src: IpAddr,
    /// Destination address.
    pub dst: IpAddr,
    /// Destination QP.
    pub qp: u32,
}

/// A packet of a connection, before it is known what it means to the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// Data, or another request that uses up a PSN.
    Request {
        /// Its PSN.
        psn: u32,
        /// Its UDP source port.
        ev: u16,
        /// It says that it is a retransmission (weft only).
        rtx: bool,
    },
    /// An acknowledgement.
    Ack {
        /// The PSN whose arrival made the receiver answer; plain: the highest one acknowledged.
        psn: u32,
        /// The EV that came back.
        ev: u16,
        /// The EV is an echo, not just the port of the ACK (weft only).
        echo: bool,
        /// Congestion was experienced.
        marked: bool,
    },
    /// A negative acknowledgement: it asks for a retransmission.
    Nak {
        /// The PSN asked for.
        psn: u32,
        /// And for all that follow it (plain: go-back-N).
        onwards: bool,
    },
}

/// What a packet means to its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A data packet leaves.
    Send {
        /// Its PSN.
        psn: u32,
        /// Its UDP source port.
        ev: u16,
        /// The first of the connection.
        first: bool,
        /// Its PSN was sent before.
        retransmission: bool,
        /// And not acknowledged in time.
        timeout: bool,
        /// The connection was idle before.
        idle: bool,
    },
    /// An acknowledgement arrives.
    Ack {
        /// The PSN acknowledged.
        psn: u32,
        /// The EV that came back.
        ev: u16,
        /// Congestion was experienced.
        marked: bool,
        /// Round-trip time in nanoseconds, when it is known.
        rtt_ns: Option<u64>,
        /// The step that sent the packet last.
        sent: Option<u32>,
    },
}

/// A packet of the capture that means something to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of its frame, from 0.
    pub frame: u32,
    /// Nanoseconds since the first frame. They never decrease: a frame with an earlier time than one
    /// before it is taken to have come with that one.
    pub time_ns: u64,
    /// Number of the connection, by first data packet.
    pub connection: u32,
    /// What it means.
    pub what: What,
}

/// A packet and where it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) frame: u32,
    pub(super) time_ns: u64,
    pub(super) host: Host,
    pub(super) packet: Packet,
}
