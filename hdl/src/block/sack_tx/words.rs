//! Words inside `weft_sack_tx`, with named fields.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// An event without its connection and bitmap.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Event {
    /// Kind of the event.
    pub kind: Bits<4>,
    /// The block's own event.
    pub own: Bit,
    /// A close of the sweep after reset.
    pub sweep: Bit,
    /// Send: there was a packet when the scheduler chose the connection.
    pub ready: Bit,
    /// Send: the packet was not sent before.
    pub fresh: Bit,
    /// Send: the message was removed from the queue.
    pub taken: Bit,
    /// Send: a second one of the same turn follows.
    pub more: Bit,
    /// Epoch: the EPOCH arrives late in a silence.
    pub silent: Bit,
    /// PSN.
    pub psn: Bits<24>,
    /// ACK: its trigger. NACK: bit 0 says that the peer denied the packet for good. Otherwise the window.
    pub second: Bits<26>,
    /// Packets of a message, or the remaining packets of a message.
    pub packets: Bits<16>,
    /// Tag, which is returned with the outcome.
    pub tag: Bits<32>,
    /// Time in ticks.
    pub now: Bits<24>,
}

/// State of the connection that an event finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Seen<const N: usize> {
    /// The connection is open.
    pub open: Bit,
    /// The connection was opened while it waited to send.
    pub forfeit: Bit,
    /// PSN of slot 0, modulo twice the window.
    pub origin: Bits<N>,
    /// The lowest PSN that is not acknowledged.
    pub una: Bits<24>,
    /// The next PSN to assign.
    pub upcoming: Bits<24>,
    /// Class of the connection, for the CSRs.
    pub class: Bits<2>,
    /// Ticks of an epoch; in a [`Flow`] the peak from which the epoch follows.
    pub epoch: Bits<15>,
    /// Ticks of the two epochs before this one, together.
    pub past: Bits<16>,
}

/// Effects of an event on the PSNs of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Placed<const S: usize, const N: usize> {
    /// Published state after the event.
    pub seen: Seen<N>,
    /// The connection was open, or is opened.
    pub accepted: Bit,
    /// The event opens the connection.
    pub opening: Bit,
    /// The event closes the connection.
    pub closing: Bit,
    /// Slot of the lowest PSN that is not acknowledged.
    pub una: Bits<S>,
    /// PSNs sent from there on, with this event's.
    pub window: Bits<N>,
    /// Slot of the first PSN that an ACK's bitmap may acknowledge.
    pub told_start: Bits<S>,
    /// Number of PSNs that the bitmap may acknowledge.
    pub told_length: Bits<N>,
    /// PSNs from the lowest on that the cumulative PSN covers; an OPEN covers all.
    pub cumulative: Bits<N>,
    /// The bitmap is not older than the window.
    pub current: Bit,
    /// PSNs from the lowest on that the gap judges: those of age 2 and 3 are lost.
    pub judged: Bits<N>,
    /// Old packets become lost.
    pub judges: Bit,
    /// The PSN of the slot is lost.
    pub loses: Bit,
    /// An ACK that counts and answers a PSN of the window.
    pub answers: Bit,
    /// A NACK of a PSN of the window.
    pub nacked: Bit,
    /// An epoch is over.
    pub epoch: Bit,
    /// The receiver will never accept a packet of the window.
    pub denied: Bit,
    /// Slot of the packet to send, or to lose.
    pub slot: Bits<S>,
    /// A packet leaves.
    pub send: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// Reason why the event has no effect.
    pub reason: Bits<2>,
}

/// The fields of [`Placed`] that need the rings' answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Base<const N: usize> {
    /// The lowest PSN that is not acknowledged, as published.
    pub una: Bits<24>,
    /// PSNs sent from there on, with this event's.
    pub window: Bits<N>,
    /// Class of the connection, for the CSRs.
    pub class: Bits<2>,
}

/// The fields of [`Placed`] for the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Aim<const N: usize> {
    /// PSN of slot 0, modulo twice the window.
    pub origin: Bits<N>,
    /// The next PSN to assign, as published, with this event's.
    pub upcoming: Bits<24>,
    /// Class of the connection, for the CSRs.
    pub class: Bits<2>,
    /// Ticks of an epoch.
    pub epoch: Bits<15>,
    /// The connection was open, or the event opens it.
    pub accepted: Bit,
    /// The event opens the connection.
    pub opening: Bit,
    /// The event closes the connection.
    pub closing: Bit,
    /// An ACK that counts and answers a PSN of the window.
    pub answers: Bit,
    /// A NACK of a PSN of the window.
    pub nacked: Bit,
    /// The receiver will never accept a packet of the window.
    pub denied: Bit,
    /// A packet leaves.
    pub send: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// Reason why the event has no effect.
    pub reason: Bits<2>,
}

/// State of one connection besides its rings.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Flow<const N: usize> {
    /// State that the next event finds.
    pub seen: Seen<N>,
    /// Packets not yet sent of the message that is being sent.
    pub left: Bits<16>,
    /// Place of the next message in the queue.
    pub head: Bits<5>,
    /// Place in the queue for the next posted message.
    pub tail: Bits<5>,
    /// Congestion window in bytes.
    pub cwnd: Bits<26>,
    /// Start time of the retransmission timer.
    pub since: Bits<24>,
    /// Timeouts in a row.
    pub retries: Bits<10>,
    /// Probes since the last timeout or acknowledgement, 7 at most.
    pub probes: Bits<3>,
    /// Beginning of the epoch.
    pub begun: Bits<16>,
    /// The largest recent round-trip time.
    pub peak: Bits<15>,
    /// Ticks of the epoch before this one.
    pub former: Bits<15>,
    /// Packets lost by ACKs in this epoch, 2 at most.
    pub verdicts: Bits<2>,
    /// Packets lost by ACKs in the epoch before, 2 at most.
    pub verdicts_before: Bits<2>,
    /// A NACK of the window came in this epoch.
    pub nacked: Bit,
    /// A NACK of the window came in the epoch before.
    pub nacked_before: Bit,
    /// PSN, modulo twice the window, at which the newer moment becomes the older one, once una reaches it.
    pub mark: Bits<N>,
    /// Changes of bit 15 of the time since a moment before which no packet of the window was sent; at most 2.
    pub older: Bits<2>,
    /// Number of changes of that bit since a time before which no packet from the mark on was sent.
    pub newer: Bits<2>,
    /// Bits 23:15 of the time of the last event.
    pub phase: Bits<9>,
}

/// Counts of a connection's packets, which follow from its rings alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Tally<const N: usize> {
    /// Packets sent and not acknowledged.
    pub unacked: Bits<N>,
    /// Packets that are lost.
    pub lost: Bits<N>,
}

/// Inputs for the next packet of a connection, besides its [`Flow`].
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Prospect<const Y: usize> {
    /// A packet may leave at any congestion window: none is in flight, or this is a PROBE.
    pub exempt: Bit,
    /// Bytes in flight plus one packet.
    pub bytes: Bits<Y>,
    /// Bytes in flight plus two packets.
    pub both: Bits<Y>,
    /// The window has room for a PSN.
    pub room: Bit,
    /// The window has room for two PSNs.
    pub room_for_both: Bit,
    /// The lowest lost PSN.
    pub lost_psn: Bits<24>,
    /// Place in the queue of an accepted message.
    pub post_at: Bits<4>,
    /// Packets of that message.
    pub post_packets: Bits<16>,
    /// The event is the last SEND of a turn: the connection has left the queue.
    pub ours: Bit,
    /// The event opens the connection.
    pub opening: Bit,
    /// The event is a close of the sweep.
    pub sweep: Bit,
}

/// Turn of a connection to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Turn {
    /// The connection waits to send, or its packets are on their way.
    pub queued: Bit,
    /// The connection was opened while it waited.
    pub forfeit: Bit,
}

/// State of a connection for the scheduler.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Card {
    /// The connection has a packet to send, and the windows have space for the packet.
    pub ready: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// The next packet was not sent before either, and the windows have space for both packets.
    pub pair: Bit,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Packets left of the message; 0: the next message follows.
    pub left: Bits<16>,
    /// Place of the next message.
    pub head: Bits<4>,
}

/// The timers of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Timer {
    /// The timers run.
    pub armed: Bit,
    /// Beginning of the silence.
    pub since: Bits<24>,
    /// Number of doublings of the RTO.
    pub doublings: Bits<3>,
    /// Probes in a row.
    pub probes: Bits<3>,
    /// Beginning of the epoch.
    pub begun: Bits<16>,
    /// Length of the epoch in ticks.
    pub epoch: Bits<15>,
    /// Class of the connection, for the CSRs.
    pub class: Bits<2>,
}

/// View of a connection for software; 0 if closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct View<const N: usize> {
    /// Congestion window in bytes.
    pub cwnd: Bits<26>,
    /// The lowest PSN that is not acknowledged.
    pub una: Bits<24>,
    /// The next PSN to assign.
    pub upcoming: Bits<24>,
    /// Packets sent that are neither acknowledged nor lost.
    pub in_flight: Bits<N>,
    /// Packets sent and not acknowledged.
    pub unacked: Bits<N>,
    /// Ticks of an epoch.
    pub epoch: Bits<15>,
    /// Timeouts in a row.
    pub retries: Bits<10>,
    /// Class of the connection, for the CSRs.
    pub class: Bits<2>,
}

/// A packet that the scheduler requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Request {
    /// The connection has a packet to send.
    pub ready: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// The message is removed from the queue.
    pub taken: Bit,
    /// A second packet of the same turn follows.
    pub more: Bit,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Packets left of the message, including this one.
    pub packets: Bits<16>,
}

/// Results of an event when its connection's words are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Settled<const N: usize> {
    /// Kind of the event.
    pub kind: Bits<4>,
    /// The connection was open, or the event opens it.
    pub accepted: Bit,
    /// All messages of the connection end.
    pub ends: Bit,
    /// A packet leaves.
    pub send: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// The packet ends its message.
    pub last: Bit,
    /// The connection ran out of retries, or its peer denied a packet.
    pub failed: Bit,
    /// Reason why the event had no effect.
    pub reason: Bits<2>,
    /// The bitmap acknowledged PSNs never sent.
    pub beyond: Bit,
    /// The network is congested.
    pub congested: Bit,
    /// The losses that an ACK found are a failure of a path.
    pub failure: Bit,
    /// The ACK's round-trip time is unsure.
    pub unsure: Bit,
    /// The queue has accepted a message.
    pub posted: Bit,
    /// Packets acknowledged.
    pub acked: Bits<N>,
    /// Packets lost.
    pub lost: Bits<N>,
    /// The PSN to send.
    pub psn: Bits<24>,
    /// Tag, which is returned with the outcome.
    pub tag: Bits<32>,
}

/// The window after an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Left<const N: usize> {
    /// The lowest PSN that is not acknowledged.
    pub una: Bits<24>,
    /// Packets sent and not acknowledged.
    pub unacked: Bits<N>,
    /// Packets that are neither acknowledged nor lost.
    pub in_flight: Bits<N>,
}

/// 32 PSNs in a row, and the ends of messages among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Group<const N: usize> {
    /// The packets that were sent and end a message, by slot.
    pub ends: Bits<32>,
    /// Messages that end before the group's first PSN, modulo twice the window.
    pub number: Bits<N>,
}

/// Ends of the messages of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Ends<const N: usize> {
    /// Messages whose last packet was sent, modulo twice the window.
    pub total: Bits<N>,
    /// The group of the newest packet.
    pub group: Group<N>,
}

/// Messages of a connection since it was opened, modulo 512.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Account<const N: usize> {
    /// Messages posted.
    pub posted: Bits<N>,
    /// Messages completed.
    pub completed: Bits<N>,
}
