//! Words with named fields that travel through `weft_nscc`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// An event; RTT and connection are elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Event {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// The ACK echoes a mark.
    pub ecn: Bit,
    /// RTT class.
    pub class: Bits<2>,
    /// Packets acknowledged, minus one.
    pub packets: Bits<4>,
    /// Bytes acknowledged or lost.
    pub bytes: Bits<24>,
    /// Bytes in the network, saturated.
    pub in_flight: Bits<23>,
    /// Time in ticks.
    pub now: Bits<12>,
}

/// Comparisons of an event's delay.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Marks {
    /// The event has a delay.
    pub valid: Bit,
    /// The delay has reached the target.
    pub high: Bit,
    /// The delay counts as no delay.
    pub quiet: Bit,
    /// The delay causes QuickAdapt to set the window.
    pub late: Bit,
}

/// The state of one connection: the word in the RAM.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct State {
    /// Open.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A trimmed packet causes QuickAdapt to set the window.
    pub trigger: Bit,
    /// Window in 2^-5 bytes.
    pub cwnd: Bits<28>,
    /// Bytes to ignore.
    pub ignore: Bits<23>,
    /// Bytes acknowledged in this period.
    pub achieved: Bits<20>,
    /// Bytes acknowledged since the last adjustment.
    pub received: Bits<17>,
    /// Bytes acknowledged without delay.
    pub calm: Bits<23>,
    /// The increase that waits, in 2^8 square bytes.
    pub increase: Bits<29>,
    /// End of the period.
    pub end: Bits<12>,
    /// Time of the last decrease of the window.
    pub decreased: Bits<11>,
    /// Beginning of the period of adjustments.
    pub adjusted: Bits<11>,
    /// Average delay in 2^-11 ticks.
    pub average: Bits<23>,
}

/// An event with its connection's state, and the results of the first adders.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Counted {
    /// An ACK of an open connection.
    pub ack: Bit,
    /// A trimmed packet of an open connection.
    pub trim: Bit,
    /// A timeout of an open connection.
    pub timeout: Bit,
    /// Opens the connection.
    pub opening: Bit,
    /// Closes the connection.
    pub closing: Bit,
    /// An ACK with a delay, or a trimmed packet, of an open connection.
    pub heeded: Bit,
    /// The kind of the event.
    pub kind: Bits<3>,
    /// RTT class.
    pub class: Bits<2>,
    /// Marked, as trimmed packets are.
    pub marked: Bit,
    /// The delay has reached the target.
    pub high: Bit,
    /// The delay counts as none.
    pub quiet: Bit,
    /// The delay, or a trimmed packet, causes QuickAdapt to set the window.
    pub asks: Bit,
    /// Bytes in the network.
    pub in_flight: Bits<23>,
    /// Time in ticks.
    pub now: Bits<12>,
    /// Ticks to the end of the period, minus one.
    pub ahead: Bits<12>,
    /// Ticks since the last decrease.
    pub since_decreased: Bits<11>,
    /// Ticks since the period of adjustments began.
    pub since_adjusted: Bits<11>,
    /// Window less the event's bytes, whole bytes.
    pub lessened: Bits<23>,
    /// The window has fewer bytes than the event.
    pub emptied: Bit,
    /// Bytes without delay, with the event's.
    pub count: Bits<23>,
    /// The increase that waits, with the event's.
    pub sum: Bits<29>,
    /// The window after a fast increase, without its bound.
    pub faster: Bits<29>,
}

/// Results of the comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Found {
    /// An event that is ignored.
    pub ignored: Bit,
    /// The period is over.
    pub passed: Bit,
    /// Less than an eighth of the largest window was achieved.
    pub slow: Bit,
    /// More than a window was acknowledged without delay.
    pub fast: Bit,
    /// A base RTT has passed since the last decrease.
    pub rested: Bit,
    /// A period of adjustments has passed.
    pub elapsed: Bit,
    /// Enough bytes for an adjustment were acknowledged.
    pub enough: Bit,
    /// The window after a fast increase is above the largest.
    pub above: Bit,
    /// Fewer bytes than an MTU were achieved.
    pub little: Bit,
}

/// Effects of the event.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Chosen {
    /// The event is ignored.
    pub ignored: Bit,
    /// A period begins.
    pub over: Bit,
    /// QuickAdapt sets the window.
    pub adapted: Bit,
    /// The window shrinks by the bytes of a loss.
    pub lost: Bit,
    /// One of the four cases.
    pub reacts: Bit,
    /// Fair increase.
    pub fair: Bit,
    /// Proportional or fast increase.
    pub up: Bit,
    /// Fast increase.
    pub fast: Bit,
    /// A marked ACK with a high delay.
    pub down: Bit,
    /// A base RTT has passed since the last decrease.
    pub rested: Bit,
    /// A period of adjustments has passed.
    pub elapsed: Bit,
    /// The increase is divided by the window.
    pub adjusts: Bit,
}

/// The effects of an event, except the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Decided {
    /// The kind of the event.
    pub kind: Bits<3>,
    /// RTT class.
    pub class: Bits<2>,
    /// The connection was open, or the event does not need an open one.
    pub accepted: Bit,
    /// The case of the event.
    pub case_code: Bits<4>,
    /// The window is bounded.
    pub bounded: Bit,
    /// The quotient is added to the window.
    pub reacts: Bit,
    /// The connection is open after the event.
    pub open: Bit,
    /// No QuickAdapt period has begun.
    pub fresh: Bit,
    /// A trimmed packet makes QuickAdapt set the window.
    pub trigger: Bit,
    /// Bytes to ignore.
    pub ignore: Bits<23>,
    /// Bytes acknowledged in this period.
    pub achieved: Bits<20>,
    /// Bytes acknowledged since the last adjustment.
    pub received: Bits<17>,
    /// Bytes acknowledged without delay.
    pub calm: Bits<23>,
    /// The increase that waits.
    pub increase: Bits<29>,
    /// End of the period.
    pub end: Bits<12>,
    /// Time of the last decrease of the window.
    pub decreased: Bits<11>,
    /// Beginning of the period of adjustments.
    pub adjusted: Bits<11>,
    /// Average delay.
    pub average: Bits<23>,
}

/// The window before an adjustment.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Base {
    /// Multiplicative decrease.
    pub due: Bit,
    /// Smallest window, bytes.
    pub floor: Bits<14>,
    /// The window without a decrease, in 2^-5 bytes.
    pub cwnd: Bits<29>,
}

/// Addition of an adjustment.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Added {
    /// Increase to divide by the window, in 2^8 square bytes.
    pub increase: Bits<29>,
    /// Addition of a period to the window, in 2^-5 bytes.
    pub eta: Bits<25>,
}
