//! Messages and their arrival.

/// A message to send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// Number of the message in this opening of the connection.
    pub(super) number: u32,
    /// Packets of the message.
    pub(super) packets: u16,
    /// Bytes of the last packet; all other packets have an MTU each.
    pub(super) last_bytes: u32,
}

/// Fields of a packet that has entered the receiver.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrival {
    /// Opening in which the packet was sent.
    pub(super) opening: u32,
    pub(super) address: u64,
    pub(super) payload: Vec<u8>,
    /// Entropy value of the packet.
    pub(super) path: u16,
    pub(super) timestamp: u16,
    pub(super) probe: bool,
}
