//! Words with named fields that travel through `weft_smartt`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// An event; RTT and connection are elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Event {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// Marked.
    pub ecn: Bit,
    /// RTT class.
    pub class: Bits<2>,
    /// Packets acknowledged, minus one.
    pub packets: Bits<4>,
    /// Bytes acknowledged or lost.
    pub bytes: Bits<24>,
    /// Bytes in the network, saturated.
    pub in_flight: Bits<26>,
    /// Time in ticks.
    pub now: Bits<20>,
}

/// The fields of a state that stage 28 has.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Early {
    /// Bytes acknowledged in this period.
    pub acked: Bits<26>,
    /// Bytes to ignore, or else ACKs that wait above their bytes.
    pub shared: Bits<26>,
    /// End of the period.
    pub end: Bits<20>,
}

/// The fields of a state that only stage 48 has.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Late {
    /// Open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A loss causes QuickAdapt to set the window.
    pub trigger: Bit,
    /// Feedback is ignored.
    pub ignoring: Bit,
    /// Window in 2^-11 bytes.
    pub cwnd: Bits<37>,
    /// Bytes in a row without congestion.
    pub calm: Bits<26>,
    /// Average share of marked ACKs in 2^-13.
    pub average: Bits<13>,
}

/// The state of one connection: the words in both RAMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct State {
    /// Open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A loss makes QuickAdapt set the window.
    pub trigger: Bit,
    /// Feedback is ignored.
    pub ignoring: Bit,
    /// Window in 2^-11 bytes.
    pub cwnd: Bits<37>,
    /// Bytes acknowledged in this period.
    pub acked: Bits<26>,
    /// Bytes to ignore, or else ACKs that wait above their bytes.
    pub shared: Bits<26>,
    /// Bytes in a row without congestion.
    pub calm: Bits<26>,
    /// End of the period.
    pub end: Bits<20>,
    /// Average share of marked ACKs in 2^-13.
    pub average: Bits<13>,
}

/// An event with its connection's state, and the results of the first adders.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Counted {
    /// An ACK of an open connection.
    pub ack: Bit,
    /// A loss of an open connection.
    pub loss: Bit,
    /// An ACK or a loss that is ignored.
    pub ignored: Bit,
    /// An ACK or a loss, and all bytes to ignore are used up.
    pub heeded: Bit,
    /// QuickAdapt sets the window if the period is over.
    pub adapts: Bit,
    /// Opens the connection.
    pub opening: Bit,
    /// Closes the connection.
    pub closing: Bit,
    /// The kind of the event.
    pub kind: Bits<3>,
    /// RTT class.
    pub class: Bits<2>,
    /// Bytes in the network.
    pub in_flight: Bits<26>,
    /// Time in ticks.
    pub now: Bits<20>,
    /// The packet is marked, and marks count.
    pub marked: Bit,
    /// RTT above the target.
    pub high: Bit,
    /// Neither marked nor delayed, and FastIncrease is on.
    pub quiet: Bit,
    /// The connection is open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// This loss, or an earlier one, causes QuickAdapt to set the window.
    pub trigger: Bit,
    /// Feedback is ignored after the event.
    pub ignoring: Bit,
    /// Window in 2^-11 bytes.
    pub cwnd: Bits<37>,
    /// Bytes acknowledged in this period, with the event's.
    pub acked: Bits<26>,
    /// Bytes to ignore after the event, or else the bytes that wait.
    pub shared: Bits<26>,
    /// Bytes in a row without congestion.
    pub calm: Bits<26>,
    /// The number of ACKs and bytes, including the event.
    pub count: Bits<26>,
    /// End of the period.
    pub end: Bits<20>,
    /// Ticks to the end of the period, minus one.
    pub ahead: Bits<20>,
    /// Average share of marked ACKs before the event.
    pub average: Bits<13>,
    /// Window less the event's bytes, whole bytes.
    pub lessened: Bits<26>,
    /// The window has fewer bytes than the event.
    pub emptied: Bit,
    /// Bytes that wait, with the event's.
    pub sum: Bits<19>,
    /// ACKs that wait, including this one.
    pub acks: Bits<6>,
    /// The bytes are enough to react.
    pub enough: Bit,
    /// Multiplicative increase is at its limit.
    pub full: Bit,
}

/// The plan of an event, except its products and its division.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Planned {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// RTT class.
    pub class: Bits<2>,
    /// The connection was open, or need not be.
    pub accepted: Bit,
    /// The case of the event, unless it is held or FastIncrease follows QuickAdapt.
    pub case_code: Bits<4>,
    /// The window is bounded.
    pub bounded: Bit,
    /// The quotient is added to the window.
    pub add: Bit,
    /// The quotient is subtracted from the window, if a decrease is allowed.
    pub sub: Bit,
    /// Multiplicative increase is at its limit.
    pub limited: Bit,
    /// Bytes that the reaction counts.
    pub bytes: Bits<19>,
    /// An ACK that is not ignored.
    pub heard: Bit,
    /// QuickAdapt sets the window.
    pub adapted: Bit,
    /// FastIncrease without QuickAdapt.
    pub fast: Bit,
    /// FastIncrease if QuickAdapt leaves a window below `calm`.
    pub eager: Bit,
    /// Window before the reaction, without QuickAdapt and FastIncrease.
    pub base: Bits<37>,
    /// State after the event: open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A loss makes QuickAdapt set the window.
    pub trigger: Bit,
    /// Feedback is ignored.
    pub ignoring: Bit,
    /// Bytes in a row without congestion and since the last FastIncrease.
    pub calm: Bits<26>,
    /// Average share of marked ACKs without this event.
    pub average: Bits<13>,
}

/// All effects of an event, except the result of its division.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Decided {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// RTT class.
    pub class: Bits<2>,
    /// The connection was open, or need not be.
    pub accepted: Bit,
    /// The case of the event.
    pub case_code: Bits<4>,
    /// The window is bounded.
    pub bounded: Bit,
    /// The quotient is added to the window.
    pub add: Bit,
    /// The quotient is subtracted from the window.
    pub sub: Bit,
    /// Multiplicative increase is at its limit.
    pub limited: Bit,
    /// Bytes that the reaction counts.
    pub bytes: Bits<19>,
    /// Window before the reaction, in 2^-11 bytes.
    pub base: Bits<39>,
    /// State after the event: open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A loss makes QuickAdapt set the window.
    pub trigger: Bit,
    /// Feedback is ignored.
    pub ignoring: Bit,
    /// Bytes in a row without congestion.
    pub calm: Bits<26>,
    /// Average share of marked ACKs.
    pub average: Bits<13>,
}
