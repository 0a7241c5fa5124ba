//! Messages, and what comes of them.

/// A message to send.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// Its number, of this opening of the connection.
    pub(super) number: u32,
    /// Its packets.
    pub(super) packets: u16,
    /// Bytes of the last one; the others have an MTU each.
    pub(super) last_bytes: u32,
}

/// What came with a packet that is in the receiver.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrival {
    /// The opening that it was sent in.
    pub(super) opening: u32,
    pub(super) address: u64,
    pub(super) payload: Vec<u8>,
    /// Its entropy value.
    pub(super) path: u16,
    pub(super) timestamp: u16,
    pub(super) probe: bool,
}
