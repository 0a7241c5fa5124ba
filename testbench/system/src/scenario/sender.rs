//! Sending side of one connection.

use std::collections::VecDeque;
use weft_wire::headers::PSN_MASK;

/// PSNs that a receiver's bitmap spans.
const SPAN: u32 = 256;

/// A packet in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFlight {
    pub(super) psn: u32,
    pub(super) sent_ns: u64,
    pub(super) again: bool,
}

/// Packets in flight of a connection.
#[derive(Debug)]
pub(super) struct Sender {
    first_psn: u32,
    next_psn: u32,
    window: usize,
    rto_ns: u64,
    /// Packets in flight, in the order of their last transmission.
    in_flight: VecDeque<InFlight>,
}

impl Sender {
    pub(super) fn new(first_psn: u32, window: usize, rto_ns: u64) -> Self {
        Self { first_psn, next_psn: first_psn, window, rto_ns, in_flight: VecDeque::new() }
    }

    /// Whether no packet has been sent.
    pub(super) fn is_new(&self) -> bool {
        self.next_psn == self.first_psn && self.in_flight.is_empty()
    }

    /// Whether the window and the receiver's bitmap have space for a new packet.
    fn has_room(&self) -> bool {
        let span = |packet: &InFlight| self.next_psn.wrapping_sub(packet.psn) & PSN_MASK;
        self.in_flight.len() < self.window && self.in_flight.iter().all(|packet| span(packet) < SPAN)
    }

    /// Earliest time from `now_ns` on at which a packet can be sent. New packets may leave until `end_ns`.
    pub(super) fn ready_ns(&self, now_ns: u64, end_ns: u64) -> Option<u64> {
        if now_ns < end_ns && self.has_room() {
            return Some(now_ns);
        }
        self.in_flight.front().map(|oldest| now_ns.max(oldest.sent_ns + self.rto_ns))
    }

    /// Removes the packet to send: a packet whose timer has expired, else a new one.
    pub(super) fn take(&mut self, now_ns: u64) -> InFlight {
        let expired = self.in_flight.front().filter(|oldest| oldest.sent_ns + self.rto_ns <= now_ns).copied();
        let packet = match expired {
            Some(oldest) => {
                self.in_flight.pop_front();
                InFlight { sent_ns: now_ns, again: true, ..oldest }
            }
            None => {
                let psn = self.next_psn;
                self.next_psn = (psn + 1) & PSN_MASK;
                InFlight { psn, sent_ns: now_ns, again: false }
            }
        };
        self.in_flight.push_back(packet);
        packet
    }

    /// Notes the arrival of the packet with this PSN. `None` if the sender had already noted this arrival.
    pub(super) fn acknowledge(&mut self, psn: u32) -> Option<InFlight> {
        let at = self.in_flight.iter().position(|packet| packet.psn == psn)?;
        self.in_flight.remove(at)
    }
}
