//! The input and output words of the NIC.

/// The frame is no RoCE frame for this NIC: it belongs to other software.
pub const WEFT_FOREIGN: u8 = 0;
/// The frame is for this NIC and cannot be used; `cause` is the reason.
pub const WEFT_DROPPED: u8 = 1;
/// The frame was for a connection.
pub const WEFT_TAKEN: u8 = 2;

/// An ACK or NACK is to be sent.
pub const WEFT_REPLY: u8 = 1;
/// The program must send a data packet.
pub const WEFT_DATA: u8 = 2;
/// A frame of other software is to be sent.
pub const WEFT_OTHER: u8 = 3;

/// A connection's peer and its access to memory, as software would stage them in the registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_peer {
    /// The peer's address, in the order of the wire; an IPv4 address in the last four bytes.
    pub address: [u8; 16],
    /// Start of the memory region for the peer's writes.
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
    /// 1: frames have a VLAN tag.
    pub tagged: u8,
    /// Class of the base RTT, 0 to 3.
    pub rtt_class: u8,
}

/// A work request: a write of bytes from this end's memory to the peer's.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_work {
    /// Address of the bytes at this end.
    pub local: u64,
    /// Address at the peer.
    pub remote: u64,
    /// The peer's key.
    pub key: u32,
    /// Number of bytes.
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
    /// Address to which the payload is to be written, if there is any.
    pub address: u64,
    /// The connection.
    pub connection: u32,
    /// Offset of the payload in the frame.
    pub payload_at: u32,
    /// Number of bytes of payload to write; 0: none.
    pub payload_bytes: u32,
    /// `WEFT_FOREIGN`, `WEFT_DROPPED` or `WEFT_TAKEN`.
    pub kind: u8,
    /// Reason of a dropped frame: 0 MAC error, 1 malformed, 2 IPv4 checksum, 3 ICRC, 4 unknown connection, 5
    /// another peer, 6 VLAN, 7 P_Key, 8 no space.
    pub cause: u8,
}

/// The next frame to send.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct weft_outgoing {
    /// Address of the payload in this end's memory.
    pub address: u64,
    /// The connection. The field has no meaning for other frames.
    pub connection: u32,
    /// PSN of a data packet.
    pub psn: u32,
    /// Number of bytes of payload to read; 0: none.
    pub payload_bytes: u32,
    /// Entropy value of a data packet: its UDP source port.
    pub ev: u16,
    /// `WEFT_REPLY`, `WEFT_DATA` or `WEFT_OTHER`.
    pub kind: u8,
    /// 1: a data packet that is sent again.
    pub again: u8,
}

/// A received message with an immediate.
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

/// The end of a work request.
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
