//! Words with named fields that travel through `weft_sender`. A connection's number has space for every shape; a number
//! of packets of a window has `N` bits, `C` = `N + 1`.

#![allow(missing_docs, reason = "the derive adds methods without documentation")]

use crate::prelude::*;

/// Fields of a message that are stored until it ends, without its id.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Message {
    /// Address at the sender.
    pub local: Bits<64>,
    /// Address at the receiver.
    pub remote: Bits<64>,
    /// Remote key.
    pub key: Bits<32>,
    /// Bytes.
    pub length: Bits<32>,
    /// Immediate for the receiver's completion.
    pub immediate: Bits<32>,
    /// The receiver gets a completion.
    pub with_immediate: Bit,
}

/// A message to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Post {
    /// Connection.
    pub connection: Bits<14>,
    /// Packets of the message.
    pub packets: Bits<16>,
}

/// A work request that is not begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Refusal {
    /// Connection.
    pub connection: Bits<14>,
    /// Id of the request.
    pub id: Bits<32>,
}

/// A connection's newest congestion window.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Newest {
    /// The connection is in the queue: the transport does not have its window yet.
    pub waiting: Bit,
    /// Bytes.
    pub bytes: Bits<26>,
}

/// A congestion window for the transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Allowance {
    /// Connection.
    pub connection: Bits<14>,
    /// Bytes.
    pub bytes: Bits<26>,
    /// The entry is not a window: the connection closes, behind all earlier windows.
    pub closes: Bit,
}

/// State of a connection that the meaning of outcomes depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Notes {
    /// Class of round-trip time.
    pub class: Bits<2>,
    /// Messages that ended, modulo 32; their low bits are the slot of the next one to end.
    pub done: Bits<5>,
    /// Slot of the message that the next new packet belongs to.
    pub cursor: Bits<4>,
    /// Number of that message since the connection was opened.
    pub message: Bits<16>,
    /// The first packet of that message was sent.
    pub middle: Bit,
    /// The lowest PSN that is not acknowledged.
    pub una: Bits<24>,
    /// Time of the last sent packet, or of the open.
    pub active: Bits<32>,
    /// The connection has made no progress since a timeout found packets lost.
    pub suspect: Bit,
    /// Time of that timeout, modulo 2^20 ticks.
    pub expired: Bits<20>,
    /// Packets acknowledged, at most 255, minus the entries of lists that were reported.
    pub untold: Bits<8>,
}

/// Counts of an ACK's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Listing {
    /// Packets in the list.
    pub listed: Bits<5>,
    /// Packets in the list with a mark.
    pub marked: Bits<5>,
}

/// An entry of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Value {
    /// Entropy value of the packet.
    pub ev: Bits<16>,
    /// The packet was ECN-marked.
    pub ce: Bit,
}

/// Packets of an ACK that count as unmarked and as marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Bill<const N: usize> {
    /// Packets that count as unmarked.
    pub unmarked: Bits<N>,
    /// Packets that count as marked.
    pub marked: Bits<N>,
}

/// Meaning of an outcome, as far as the outcome's bits determine it.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Gist<const N: usize, const C: usize> {
    /// A packet leaves.
    pub send: Bit,
    /// The packet was not sent before.
    pub fresh: Bit,
    /// The packet is new and ends its message.
    pub finish: Bit,
    /// The lowest PSN that is not acknowledged is reported.
    pub told: Bit,
    /// The connection was opened.
    pub opening: Bit,
    /// All posted messages have ended, because the connection was opened or closed or has failed.
    pub ended: Bit,
    /// The connection gave up: the peer did not answer.
    pub unanswered: Bit,
    /// The connection gave up: its peer denied a packet.
    pub denied: Bit,
    /// A command closed the connection.
    pub closes: Bit,
    /// The connection failed at this end.
    pub here: Bit,
    /// The connection's buffer failed.
    pub broken: Bit,
    /// The transport refused a message.
    pub refused: Bit,
    /// An ACK with a valid entropy value.
    pub answer: Bit,
    /// A timer expired, packets are lost, and the connection survives.
    pub expired: Bit,
    /// The outcome is that of a NACK.
    pub nacked: Bit,
    /// Packets were acknowledged.
    pub acks: Bit,
    /// Packets were lost.
    pub loses: Bit,
    /// The outcome is that of a probe.
    pub probed: Bit,
    /// The losses do not show congestion.
    pub silent: Bit,
    /// The losses mean that a path failed.
    pub fails: Bit,
    /// The outcome is that of a SEND, with or without effect.
    pub turn: Bit,
    /// Messages that end.
    pub count: Bits<5>,
    /// PSN.
    pub psn: Bits<24>,
    /// Packets acknowledged.
    pub acked: Bits<N>,
    /// Packets that an ACK lists.
    pub listed: Bits<5>,
    /// Packets acknowledged less those that an ACK lists and that may be reported; two's complement.
    pub rest: Bits<C>,
    /// Packets lost.
    pub lost: Bits<N>,
    /// Packets in the network.
    pub in_flight: Bits<N>,
    /// Packets in the network, with the packets that are reported as lost.
    pub before: Bits<N>,
    /// Entropy value, of an ACK or OPEN.
    pub ev: Bits<16>,
    /// Round-trip time of an ACK.
    pub rtt: Bits<15>,
    /// ECN mark of an ACK.
    pub ce: Bit,
}

/// An outcome while its connection's notes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Outcome<const N: usize, const C: usize> {
    /// Meaning of the outcome.
    pub gist: Gist<N, C>,
    /// Connection.
    pub connection: Bits<14>,
    /// Time of the outcome, in ticks.
    pub now: Bits<32>,
}

/// An entry about messages: a packet of a message leaves, or messages end.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Entry {
    /// Connection.
    pub connection: Bits<14>,
    /// A packet leaves.
    pub send: Bit,
    /// The packet was sent before.
    pub again: Bit,
    /// The packet is the first of its message, and is sent for the first time.
    pub first: Bit,
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Slot of the packet's message, if the packet was not sent before.
    pub slot: Bits<4>,
    /// Number of that message.
    pub message: Bits<16>,
    /// Messages that end.
    pub count: Bits<5>,
    /// Number of the first of these messages, modulo 32.
    pub done: Bits<5>,
    /// Status of these messages.
    pub status: Bits<3>,
    /// After these packets, a command closed the connection.
    pub closes: Bit,
}

/// Messages that end.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Ending {
    /// Connection.
    pub connection: Bits<14>,
    /// The number of messages.
    pub count: Bits<5>,
    /// Number of the first of these messages, modulo 32.
    pub done: Bits<5>,
    /// Status of these messages.
    pub status: Bits<3>,
    /// Packets of all connections before these packets, modulo 256.
    pub after: Bits<8>,
    /// After these packets, a command closed the connection.
    pub closes: Bit,
}

/// News for the choice of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct News {
    /// Connection.
    pub connection: Bits<14>,
    /// The connection was idle before.
    pub idle: Bit,
    /// The ACK also reports a failure of a path.
    pub fails: Bit,
    /// The ACK acknowledges packets never sent: REPS gets no event.
    pub silent: Bit,
    /// Entries that the ACK lists.
    pub listed: Bits<5>,
    /// Number of these entries that are reported.
    pub told: Bits<5>,
    /// Kind of the event.
    pub kind: Bits<3>,
    /// Entropy value.
    pub ev: Bits<16>,
    /// Round-trip time.
    pub rtt: Bits<15>,
    /// ECN mark.
    pub ce: Bit,
}

/// News for the congestion window: an ACK of packets without a mark, one of packets with a mark, then a third part.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Feedback<const N: usize> {
    /// Connection.
    pub connection: Bits<14>,
    /// The feedback has a third part.
    pub other: Bit,
    /// Kind of the third part.
    pub kind: Bits<3>,
    /// ECN mark.
    pub ce: Bit,
    /// Class of round-trip time.
    pub class: Bits<2>,
    /// Round-trip time.
    pub rtt: Bits<15>,
    /// Packets acknowledged that count as unmarked.
    pub unmarked: Bits<N>,
    /// Packets acknowledged that count as marked.
    pub marked: Bits<N>,
    /// Packets lost.
    pub lost: Bits<N>,
    /// Packets in the network.
    pub in_flight: Bits<N>,
    /// Packets in the network before the packets that are reported as lost.
    pub before: Bits<N>,
}

/// First packet of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Start {
    /// PSN of the packet.
    pub psn: Bits<24>,
    /// Number of the message.
    pub message: Bits<16>,
}

/// A packet to be sent, without its entropy value.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Packet {
    /// Connection.
    pub connection: Bits<14>,
    /// Address at the sender.
    pub local: Bits<64>,
    /// PSN.
    pub psn: Bits<24>,
    /// The packet was sent before.
    pub again: Bit,
    /// Last packet of its message.
    pub last: Bit,
    /// The receiver gets a completion.
    pub solicited: Bit,
    /// Address at the receiver.
    pub remote: Bits<64>,
    /// Remote key.
    pub key: Bits<32>,
    /// Bytes of payload.
    pub bytes: Bits<14>,
    /// Immediate for the receiver's completion.
    pub immediate: Bits<32>,
    /// Number of the message.
    pub message: Bits<16>,
}

/// The facts of an outcome of the transport for the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicWord)]
pub struct Facts<const N: usize> {
    /// A NACK found packets lost.
    pub by_nack: Bit,
    /// An ACK of packets sent later found packets lost.
    pub by_verdict: Bit,
    /// A probe found packets lost.
    pub by_probe: Bit,
    /// A timeout found packets lost.
    pub by_timeout: Bit,
    /// The number of lost packets.
    pub lost: Bits<N>,
    /// A packet that the last timeout found lost had left and arrived.
    pub spurious: Bit,
    /// A connection gave up: the peer did not answer.
    pub unanswered: Bit,
    /// A connection gave up: its peer denied a packet.
    pub denied: Bit,
    /// An ACK that counts.
    pub answer: Bit,
    /// Round-trip time of the ACK.
    pub rtt: Bits<15>,
    /// ECN mark of the ACK.
    pub ce: Bit,
}

/// Counters: losses and their outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Recovery {
    /// Packets passed to egress that were sent before.
    pub again: Bits<16>,
    /// Packets found lost by NACKs.
    pub lost_by_nack: Bits<24>,
    /// Packets found lost by ACKs of packets sent later.
    pub lost_by_verdict: Bits<24>,
    /// Packets found lost by timeouts.
    pub lost_by_timeout: Bits<24>,
    /// Timeouts that found packets lost.
    pub timeouts: Bits<16>,
    /// Timeouts that found a packet lost which had arrived.
    pub spurious_timeouts: Bits<16>,
    /// Connections whose peer did not answer.
    pub unanswered: Bits<16>,
    /// Connections whose peer denied a packet.
    pub denied: Bits<16>,
}

/// Counters: entropy values.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Paths {
    /// Packets with an entropy value that was drawn, or new.
    pub explored: Bits<16>,
    /// Packets with a cached entropy value, used for the first time since.
    pub recycled: Bits<16>,
    /// Packets with a cached entropy value that was used before.
    pub reused: Bits<16>,
    /// Freezes begun.
    pub freezes: Bits<16>,
    /// Freezes ended.
    pub thaws: Bits<16>,
}

/// Counters: congestion windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Window {
    /// ACKs that echo a CE mark.
    pub marks: Bits<16>,
    /// Feedback events that left a window of one packet.
    pub floors: Bits<16>,
}

/// Counters: ACKs by round-trip time in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Rtts {
    /// 0 ticks.
    pub of_0: Bits<16>,
    /// 1 tick.
    pub of_1: Bits<16>,
    /// 2 to 3.
    pub of_2: Bits<16>,
    /// 4 to 7.
    pub of_4: Bits<16>,
    /// 8 to 15.
    pub of_8: Bits<16>,
    /// 16 to 31.
    pub of_16: Bits<16>,
    /// 32 to 63.
    pub of_32: Bits<16>,
    /// 64 to 127.
    pub of_64: Bits<16>,
    /// 128 to 255.
    pub of_128: Bits<16>,
    /// 256 to 511.
    pub of_256: Bits<16>,
    /// 512 to 1,023.
    pub of_512: Bits<16>,
    /// 1,024 to 2,047.
    pub of_1024: Bits<16>,
    /// 2,048 to 4,095.
    pub of_2048: Bits<16>,
    /// 4,096 to 8,191.
    pub of_4096: Bits<16>,
    /// 8,192 to 16,383.
    pub of_8192: Bits<16>,
    /// 16,384 ticks and more.
    pub of_16384: Bits<16>,
}
