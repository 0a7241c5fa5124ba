//! Opcodes of the ConWeave header.

/// Data.
pub const DATA: u64 = 1;
/// Data that requests an RTT_REPLY: the first packet of an epoch.
pub const RTT_REQUEST: u64 = 2;
/// Answer to a request.
pub const RTT_REPLY: u64 = 3;
/// All OLD packets of the epoch have arrived.
pub const CLEAR: u64 = 4;
/// The path is congested.
pub const NOTIFY: u64 = 5;

/// Whether the packet is made by switches and travels against the connection's direction.
pub fn is_of_switches(opcode: u64) -> bool {
    matches!(opcode, RTT_REPLY..=NOTIFY)
}
