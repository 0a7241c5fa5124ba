//! The words that go into the NIC and come out of it.

/// A frame is not this NIC's: it belongs to the host's other traffic.
pub const WEFT_FOREIGN: u8 = 0;
/// A frame is this NIC's and of no use; `cause` says why.
pub const WEFT_DROPPED: u8 = 1;
/// A frame was for a connection.
pub const WEFT_TAKEN: u8 = 2;

/// An ACK or NACK is to be sent.
pub const WEFT_REPLY: u8 = 1;
/// A data packet is to be sent.
pub const WEFT_DATA: u8 = 2;
/// A frame of the host's other traffic is to be sent.
pub const WEFT_OTHER: u8 = 3;

/// A connection's peer, and what it may write, as software would stage it in the registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_peer {
    /// The peer's address, in the order of the wire; an IPv4 address in the last four bytes.
    pub address: [u8; 16],
    /// Where the memory region of the peer's writes begins.
    pub region_base: u64,
    /// Bytes of the region.
    pub region_length: u32,
    /// Key of the region.
    pub region_key: u32,
    /// The peer's queue pair, 24 bits.
    pub qp: u32,
    /// The first PSN sent, 24 bits.
    pub send_psn: u32,
    /// The first PSN expected, 24 bits.
    pub receive_psn: u32,
    /// TCI of the VLAN tag, with `tagged`.
    pub tag: u16,
    /// P_Key; 0xFFFF is the default one.
    pub pkey: u16,
    /// Entropy value of mode FIXED.
    pub ev: u16,
    /// MAC address of the next hop.
    pub mac: [u8; 6],
    /// 1: `address` is an IPv6 address.
    pub v6: u8,
    /// 1: frames are of a VLAN.
    pub tagged: u8,
    /// Class of the base RTT, 0 to 3.
    pub rtt_class: u8,
}

/// A work request: write so many bytes from here to there.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_work {
    /// Where the bytes are at this end.
    pub local: u64,
    /// Where they go at the peer.
    pub remote: u64,
    /// The peer's key.
    pub key: u32,
    /// Bytes.
    pub length: u32,
    /// Immediate of the peer's completion.
    pub immediate: u32,
    /// Number of this end's completion.
    pub id: u32,
    /// 1: the peer gets a completion.
    pub with_immediate: u8,
}

/// The result of a frame from the network.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_incoming {
    /// Where the payload is to be written, if there is any.
    pub address: u64,
    /// The connection.
    pub connection: u32,
    /// Where the payload begins in the frame.
    pub payload_at: u32,
    /// Bytes of payload to be written; 0: none.
    pub payload_bytes: u32,
    /// `WEFT_FOREIGN`, `WEFT_DROPPED` or `WEFT_TAKEN`.
    pub kind: u8,
    /// Dropped: 0 the MAC said so, 1 malformed, 2 IPv4's checksum, 3 ICRC, 4 unknown connection, 5 another peer, 6 VLAN, 7
    /// P_Key, 8 no room.
    pub cause: u8,
}

/// The next thing to send.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_outgoing {
    /// Where the payload is to be read in this end's memory.
    pub address: u64,
    /// The connection; of none for other traffic.
    pub connection: u32,
    /// PSN of a data packet.
    pub psn: u32,
    /// Bytes of payload to be read; 0: none.
    pub payload_bytes: u32,
    /// Entropy value of a data packet: its UDP source port.
    pub ev: u16,
    /// `WEFT_REPLY`, `WEFT_DATA` or `WEFT_OTHER`.
    pub kind: u8,
    /// 1: a data packet that is sent again.
    pub again: u8,
}

/// A message with an immediate has been received.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_received {
    /// The connection.
    pub connection: u32,
    /// The immediate.
    pub immediate: u32,
    /// Number of the message since the open, 24 bits.
    pub message: u32,
}

/// A work request has ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_sent {
    /// The connection.
    pub connection: u32,
    /// The request's `id`.
    pub id: u32,
    /// `WEFT_SENT_*` of `weft_nic.h`: 0 done, 1 closed, 2 refused, 3 unanswered, 4 breach, 5 denied, 6 broken.
    pub status: u8,
}
