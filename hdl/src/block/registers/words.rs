//! What `weft_registers` keeps of connections, as words with named fields; the first field has the lowest bits.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// What has become of a connection. Its bits but the last are those of the register STATE and of `m_axis_event`, which have a 0 behind `frozen`.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Standing {
    /// It is open.
    pub open: Bit,
    /// The host holds its packets back.
    pub held: Bit,
    /// REPS is in freezing mode.
    pub frozen: Bit,
    /// It drains and has nothing outstanding any more.
    pub drained: Bit,
    /// It gave up: the peer did not answer.
    pub unanswered: Bit,
    /// The peer did not take a packet, for its key or address.
    pub denied: Bit,
    /// The peer sent a packet that had no right to its address.
    pub breach: Bit,
    /// The host could not write.
    pub broken: Bit,
    /// It waits in the queue of events.
    pub waiting: Bit,
}
