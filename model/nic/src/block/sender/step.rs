//! The rules: the conversion of work to messages and packets, the events of the three blocks inside, and the
//! ends of messages.

use super::notes::{Cause, Entry};
use super::state::{Control, ControlKind, SLOTS};
use crate::block::sack_tx::{Event, Kind, LONGEST};
use crate::block::{reps, smartt};
use crate::words::{Acknowledgement, Order, Place, Status, Work};
use weft_params::{SackTxCsr, SenderCsr, SmarttClass};

/// Payload bytes of a full packet, as 14 bits.
pub(super) fn mtu(mtu_shift: u8) -> u16 {
    (1u32 << (mtu_shift & 15) & 0x3FFF) as u16
}

/// Number of packets that may be between their SEND and egress (rule 9): 32 KiB, and at most the number that
/// fills the pipelines at one packet in two clocks.
pub(super) fn ahead(mtu_shift: u8) -> u8 {
    let shift = mtu_shift & 15;
    if shift < 10 { 48 } else { (0x8000 >> shift) as u8 }
}

/// The transport's registers. The MTU follows from the shift.
pub(super) fn transport(csr: &SenderCsr) -> SackTxCsr {
    SackTxCsr { mtu_bytes: mtu(csr.mtu_shift).into(), ..csr.sack }
}

/// The counts that decide whether a connection's request is posted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) posted: u8,
    pub(super) ended: u8,
    pub(super) draining: bool,
}

/// A message to be posted, or a request to be refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) connection: u32,
    pub(super) work: Work,
    /// Number of packets of a message to be posted.
    pub(super) packets: Option<u16>,
    /// The message's slot.
    pub(super) slot: u8,
}

/// Rules 2 and 18: judges a request. Numbers of messages posted and ended are modulo 32.
pub(super) fn judge(connection: u32, work: &Work, counts: &Counts, mtu_shift: u8) -> Judged {
    let Counts { posted, ended, draining } = *counts;
    let full = posted.wrapping_sub(ended) & SLOTS != 0;
    Judged {
        connection,
        work: *work,
        packets: packets(work.length, mtu_shift).filter(|_| !full && !draining),
        slot: posted & (SLOTS - 1),
    }
}

/// A number of messages plus one.
pub(super) fn next(count: u8, more: bool) -> u8 {
    (count + u8::from(more)) & (2 * SLOTS - 1)
}

/// Number of packets of a message, at least one. `None` if there are too many packets (rule 2; rule 4 of the
/// NIC).
fn packets(length: u32, mtu_shift: u8) -> Option<u16> {
    let rounded = (u64::from(length) + u64::from(mtu(mtu_shift))).wrapping_sub(1) & 0x1_FFFF_FFFF;
    u16::try_from(rounded >> mtu_shift).ok().map(|packets| packets.max(1))
}

/// A command for the transport. An OPEN begins with the largest window of its class (rule 13).
pub(super) fn of_command(connection: u32, control: &Control, window: u32) -> Event {
    Event {
        psn: control.psn,
        cwnd_bytes: window,
        tag: u32::from(control.ev) | u32::from(control.class) << 16,
        ..Event::new(if control.kind == ControlKind::Open { Kind::Open } else { Kind::Close }, connection)
    }
}

/// Rule 22: the event of a connection that failed at this end. For the transport the event is a close, with
/// the cause in its tag.
pub(super) fn of_failure(connection: u32, cause: Status) -> Event {
    let broken = u32::from(cause == Status::Broken);
    Event { tag: 1 << 31 | broken << 30, ..Event::new(Kind::Close, connection) }
}

/// The event for REPS, at time 0, of a command that goes directly to REPS.
pub(super) fn paths_command(connection: u32, control: &Control) -> reps::Event {
    let seeds = control.kind == ControlKind::Seed;
    reps::Event {
        kind: if seeds { reps::Kind::Seed } else { reps::Kind::PathOk },
        connection,
        ev: control.seed as u16,
        ecn: false,
        rtt_ticks: (control.seed >> 16) as u16,
        now_ticks: 0,
    }
}

/// The largest window of a class.
pub(super) fn largest(classes: &[SmarttClass], class: u8) -> u32 {
    classes[usize::from(class & 3)].max_cwnd_bytes & 0x3FF_FFFF
}

/// Ticks since the departure of the packet that an acknowledgement answers.
pub(super) fn age(acknowledgement: &Acknowledgement, now: u32) -> u16 {
    (now as u16).wrapping_sub(acknowledgement.stamp)
}

/// Rule 16: the reason of a NACK for a packet that its receiver will never accept.
const UNEXP_EVENT: u8 = 0x19;

/// An acknowledgement for the transport.
pub(super) fn of_acknowledgement(connection: u32, ack: &Acknowledgement, age: u16) -> Event {
    Event {
        psn: ack.expected,
        trigger: ack.trigger,
        denied: ack.nack && ack.reason == UNEXP_EVENT,
        bitmap: ack.bitmap,
        tag: u32::from(ack.ev) | u32::from(age.min(LONGEST)) << 16 | u32::from(ack.ce) << 31,
        ..Event::new(if ack.nack { Kind::Nack } else { Kind::Ack }, connection)
    }
}

/// A window for the transport.
pub(super) fn of_window(window: &Allowance) -> Event {
    Event { cwnd_bytes: window.bytes, ..Event::new(Kind::Window, window.connection) }
}

/// A message for the transport.
pub(super) fn of_post(judged: &Judged) -> Event {
    Event { packets: judged.packets.unwrap_or_default(), ..Event::new(Kind::Post, judged.connection) }
}

/// A congestion window for the transport.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    pub(super) connection: u32,
    pub(super) bytes: u32,
}

/// Whether an answer of SMaRTT, by its `tuser`, is a window. Answers to a CLOSE, and answers for a closed
/// connection, are no windows.
pub(super) fn answers(user: u8) -> bool {
    user & 0x90 == 0x10
}

/// The connection whose CLOSE SMaRTT answers, by the answer's `tuser`.
pub(super) fn answers_close(connection: u32, user: u8) -> Option<u32> {
    (user >> 5 == smartt::Kind::Close as u8).then_some(connection)
}

/// The newest window of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Newest {
    bytes: u32,
    /// Whether the transport has not yet accepted the window.
    waiting: bool,
}

impl Newest {
    /// Accepts a window. Returns whether the connection is to enter the queue. A window that the transport
    /// already has needs no event.
    pub(super) fn learn(&mut self, bytes: u32) -> bool {
        let news = std::mem::replace(&mut self.bytes, bytes) != bytes;
        let enters = news && !self.waiting;
        self.waiting |= news;
        enters
    }

    /// Removes the window at the connection's turn.
    pub(super) fn leave(&mut self) -> u32 {
        self.waiting = false;
        self.bytes
    }
}

/// A packet to be sent, without its entropy value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    pub(super) connection: u32,
    pub(super) local: u64,
    pub(super) psn: u32,
    pub(super) again: bool,
    pub(super) last: bool,
    pub(super) solicited: bool,
    pub(super) remote: u64,
    pub(super) key: u32,
    pub(super) bytes: u16,
    pub(super) immediate: u32,
    pub(super) message: u16,
    /// The detection of the loss, if it was recorded, for a packet that is sent again.
    pub(super) cause: Cause,
}

impl Packet {
    /// The order for egress.
    pub(super) fn order(&self, ev: u16) -> Order {
        Order {
            psn: self.psn,
            ev,
            again: self.again,
            last: self.last,
            solicited: self.solicited,
            request: self.again,
            address: self.remote,
            key: self.key,
            bytes: self.bytes,
            immediate: self.immediate,
            message: self.message,
        }
    }

    /// The place of the packet's DMA read, if the packet has bytes.
    pub(super) fn fetch(&self) -> Place {
        Place { address: self.local, bytes: self.bytes }
    }
}

/// The lowest bit of the number of a cause in a byte.
const CAUSE: u32 = 4;

/// The assignment of a connection's PSNs to messages.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// The slot of each PSN's message, and above it the detection of the packet's loss.
    slots: Box<[u8]>,
    /// First PSN and number of each message.
    starts: [(u32, u16); SLOTS as usize],
}

impl Spans {
    /// Those of a window of `psns`.
    pub(super) fn new(psns: u32) -> Self {
        Self { slots: vec![0; psns as usize].into(), starts: [(0, 0); SLOTS as usize] }
    }

    /// Rules 6 and 7: the packet that leaves.
    pub(super) fn packet(
        &mut self,
        entry: &Entry,
        messages: &[Work; SLOTS as usize],
        mtu_shift: u8,
    ) -> Packet {
        let Entry { connection, psn, again, .. } = *entry;
        let slot = &mut self.slots[psn as usize & (self.slots.len() - 1)];
        if !again {
            *slot = entry.slot;
        }
        let cause = Cause::ALL[usize::from(*slot >> CAUSE & 3)];
        let slot = usize::from(*slot & (SLOTS - 1));
        if entry.first {
            self.starts[slot] = (psn, entry.message);
        }
        let (first, message) = self.starts[slot];
        let offset = u32::from(psn.wrapping_sub(first) as u16) << mtu_shift;
        let of = &messages[slot];
        let left = of.length.wrapping_sub(offset);
        let mtu = mtu(mtu_shift);
        let last = left <= u32::from(mtu);
        Packet {
            connection,
            local: of.local.wrapping_add(offset.into()),
            psn,
            again,
            last,
            solicited: of.with_immediate,
            remote: of.remote.wrapping_add(offset.into()),
            key: of.key,
            bytes: if last { left as u16 } else { mtu },
            immediate: of.immediate,
            message,
            cause,
        }
    }

    /// Records the detection of a packet's loss. Returns the slot of its message.
    pub(super) fn blame(&mut self, psn: u32, cause: Cause) -> usize {
        let slot = &mut self.slots[psn as usize & (self.slots.len() - 1)];
        *slot = *slot & (SLOTS - 1) | (cause as u8) << CAUSE;
        usize::from(*slot & (SLOTS - 1))
    }
}

/// Number of ended messages, modulo 32, plus one.
pub(super) fn after(done: u8) -> u8 {
    (done + 1) & 31
}

/// The id of the message that ends after `done` messages, and the number of ended messages after it.
pub(super) fn completion(messages: &[Work; SLOTS as usize], done: u8) -> (u32, u8) {
    (messages[usize::from(done & 15)].id, after(done))
}
