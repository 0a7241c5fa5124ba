//! What the ends of a flow know of it.

use serde::Serialize;

/// What became of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FlowEnds {
    /// When it was to start.
    pub start_ps: Option<u64>,
    /// When its receiver had all.
    pub received_ps: Option<u64>,
    /// When its sender knew.
    pub acknowledged_ps: Option<u64>,
    /// Bytes that came, each once.
    pub bytes: u64,
    /// Packets sent, first time and again.
    pub packets: u32,
    /// Of these sent again.
    pub again: u32,
    /// Packets that came trimmed.
    pub trims: u32,
    /// Packets that came marked.
    pub marks: u32,
    /// Work requests that ended badly.
    pub errors: u32,
    /// Sum of the addresses that were written.
    pub(super) addresses: u64,
    /// Messages that the receiver was told of, and the sender.
    pub(super) messages: [u32; 2],
}

impl FlowEnds {
    /// What one end knows, and the other.
    pub(crate) fn join(&self, sender: &Self) -> Self {
        Self {
            start_ps: sender.start_ps,
            acknowledged_ps: sender.acknowledged_ps,
            packets: sender.packets,
            again: sender.again,
            errors: sender.errors,
            messages: [self.messages[0], sender.messages[1]],
            ..*self
        }
    }

    /// Each byte of a flow of so many has come once: as many as there are, and the addresses of full packets.
    pub fn is_whole(&self, bytes: u64, mtu: u32) -> bool {
        let packets = bytes.div_ceil(mtu.into());
        let sum = (packets * packets.saturating_sub(1) / 2).wrapping_mul(mtu.into());
        self.bytes == bytes && self.addresses == sum
    }
}
