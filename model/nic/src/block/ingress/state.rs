//! Peers, the possible verdicts on a frame, and the counters.

use crate::words::{Acknowledgement, Arrival, ArrivalKind};
use weft_word::Bits;

/// The bits of a VLAN tag with the number of the VLAN. 0 means no VLAN: the tag has only a priority.
pub const VLAN: u16 = 0xFFF;

/// The peer that may send to a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peer {
    /// Whether the connection is open.
    pub open: bool,
    /// Whether the address is an IPv6 address.
    pub v6: bool,
    /// The address. An IPv4 address is in the low bits, with zeros above.
    pub address: u128,
    /// The VLAN of the peer's frames, 12 bits; 0: none.
    pub vlan: u16,
    /// The P_Key of the peer's frames: partition 14:0, full member 15.
    pub pkey: u16,
}

/// The reason why a RoCE frame is dropped. If several apply, the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The MAC marks the frame as bad.
    Mac,
    /// Lengths or fields of the frame contradict each other.
    Malformed,
    /// The checksum of the IPv4 header is wrong.
    Checksum,
    /// The ICRC is wrong.
    Icrc,
    /// The queue pair is not one of this NIC, or the connection is closed.
    Unknown,
    /// The source is not the connection's peer.
    Stranger,
    /// The frame has another VLAN than the connection.
    Vlan,
    /// The frame has another partition than the connection.
    Partition,
    /// A queue has no space for the packet.
    Overflow,
}

impl Cause {
    /// All causes, in their order.
    pub const ALL: [Self; 9] = [
        Self::Mac,
        Self::Malformed,
        Self::Checksum,
        Self::Icrc,
        Self::Unknown,
        Self::Stranger,
        Self::Vlan,
        Self::Partition,
        Self::Overflow,
    ];

    /// The cause's code. The code 0 means no cause.
    pub const fn code(self) -> u128 {
        self as u128 + 1
    }

    /// The cause with this code.
    pub(super) fn of(code: Bits<4>) -> Option<Self> {
        Self::ALL.get((code.value() as usize).checked_sub(1)?).copied()
    }
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The frame is not ours.
    Foreign = 0,
    /// Data with its payload.
    Data = 1,
    /// Trimmed data.
    Trimmed = 2,
    /// A probe.
    Probe = 3,
    /// An ACK.
    Ack = 4,
    /// A NACK.
    Nack = 5,
}

/// The contents of an accepted frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// A packet for the receiver.
    Arrival(Arrival),
    /// An acknowledgement for the sender.
    Acknowledgement(Acknowledgement),
}

impl Packet {
    /// The kind of the frame that brings the packet.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Arrival(word) => match word.kind {
                ArrivalKind::Data => Kind::Data,
                ArrivalKind::Probe => Kind::Probe,
                ArrivalKind::Trimmed | ArrivalKind::None => Kind::Trimmed,
            },
            Self::Acknowledgement(word) if word.nack => Kind::Nack,
            Self::Acknowledgement(_) => Kind::Ack,
        }
    }
}

/// The verdict on a frame from its own contents alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The frame is not RoCE for this NIC: it goes to the bypass.
    Foreign,
    /// The frame is for this NIC and cannot be used.
    Dropped(Cause),
    /// The frame is for this NIC and valid, if the connection is open and its peer is the source.
    Sound {
        /// The connection, if the queue pair is in range.
        connection: Option<u32>,
        /// The source, in the form of the peer with which it must agree.
        source: Peer,
        /// The contents.
        packet: Packet,
    },
}

/// The counters, modulo 2^32. The `stat_*` ports have the low 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// `stat_data`: data packets accepted.
    pub data: u32,
    /// `stat_trims`: trimmed packets accepted.
    pub trims: u32,
    /// `stat_acks`: ACKs accepted.
    pub acks: u32,
    /// `stat_nacks`: NACKs accepted.
    pub nacks: u32,
    /// `stat_probes`: probes accepted.
    pub probes: u32,
    /// `stat_bypassed`: frames to the bypass.
    pub bypassed: u32,
    /// `stat_mac_errors`: dropped, [`Cause::Mac`].
    pub mac_errors: u32,
    /// `stat_malformed`: dropped, [`Cause::Malformed`].
    pub malformed: u32,
    /// `stat_checksum_errors`: dropped, [`Cause::Checksum`].
    pub checksum_errors: u32,
    /// `stat_icrc_errors`: dropped, [`Cause::Icrc`].
    pub icrc_errors: u32,
    /// `stat_unknown_connections`: dropped, [`Cause::Unknown`].
    pub unknown_connections: u32,
    /// `stat_wrong_peers`: dropped, [`Cause::Stranger`].
    pub wrong_peers: u32,
    /// `stat_wrong_vlans`: dropped, [`Cause::Vlan`].
    pub wrong_vlans: u32,
    /// `stat_wrong_pkeys`: dropped, [`Cause::Partition`].
    pub wrong_pkeys: u32,
    /// `stat_overflows`: dropped, [`Cause::Overflow`].
    pub overflows: u32,
    /// `stat_bypass_overflows`: frames for which the bypass had no space.
    pub bypass_overflows: u32,
}

impl Stats {
    /// The counter of frames dropped with a cause.
    pub(super) fn dropped(&mut self, cause: Cause) -> &mut u32 {
        match cause {
            Cause::Mac => &mut self.mac_errors,
            Cause::Malformed => &mut self.malformed,
            Cause::Checksum => &mut self.checksum_errors,
            Cause::Icrc => &mut self.icrc_errors,
            Cause::Unknown => &mut self.unknown_connections,
            Cause::Stranger => &mut self.wrong_peers,
            Cause::Vlan => &mut self.wrong_vlans,
            Cause::Partition => &mut self.wrong_pkeys,
            Cause::Overflow => &mut self.overflows,
        }
    }

    /// The counter of accepted packets of a kind.
    pub(super) fn accepted(&mut self, packet: &Packet) -> &mut u32 {
        match packet.kind() {
            Kind::Data => &mut self.data,
            Kind::Probe => &mut self.probes,
            Kind::Trimmed | Kind::Foreign => &mut self.trims,
            Kind::Ack => &mut self.acks,
            Kind::Nack => &mut self.nacks,
        }
    }
}
