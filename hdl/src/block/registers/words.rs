//! State of connections in `weft_registers`, as words with named fields; the first field has the lowest bits.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// State of a connection. The first eight bits are those of the register STATE and of `m_axis_event`.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Standing {
    /// The connection is open.
    pub open: Bit,
    /// The host holds the connection's packets back.
    pub held: Bit,
    /// REPS is in freezing mode.
    pub frozen: Bit,
    /// The connection drains and has no outstanding work.
    pub drained: Bit,
    /// The connection gave up: the peer did not answer.
    pub unanswered: Bit,
    /// The peer denied a packet, for its key or address.
    pub denied: Bit,
    /// The peer sent a packet that was not permitted to write to its address.
    pub breach: Bit,
    /// The host could not write.
    pub broken: Bit,
    /// The connection waits in the queue of events.
    pub waiting: Bit,
    /// Freezes since the connection was opened, at most 255.
    pub freezes: Bits<8>,
    /// The causes of the last failure of a connection of this number, as in STATE.
    pub last: Bits<4>,
}
