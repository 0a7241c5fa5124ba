//! The port that everything must pass: a queue for packets and one, served first, for trimmed headers.

use super::sender::Packet;
use std::collections::VecDeque;
use weft_random::Rng;

/// Bytes of a packet whose payload was cut off.
pub(super) const HEADER_BYTES: u32 = 64;

/// What happened to a packet that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Queued,
    Trimmed,
    Dropped,
}

/// What leaves the port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    pub(super) packet: Packet,
    pub(super) trimmed: bool,
    pub(super) marked: bool,
}

impl Departure {
    /// What it has on the link.
    pub(super) fn bytes(&self) -> u32 {
        if self.trimmed { HEADER_BYTES } else { self.packet.bytes }
    }
}

/// The port. What is being sent is no longer in its queue.
#[derive(Debug)]
pub(super) struct Port {
    capacity_bytes: u64,
    trimming: bool,
    packets: VecDeque<Packet>,
    headers: VecDeque<Packet>,
    queued_bytes: u64,
}

impl Port {
    pub(super) fn new(capacity_bytes: u64, trimming: bool) -> Self {
        Self { capacity_bytes, trimming, packets: VecDeque::new(), headers: VecDeque::new(), queued_bytes: 0 }
    }

    /// Bytes in the queue of packets.
    pub(super) fn queued_bytes(&self) -> u64 {
        self.queued_bytes
    }

    /// Takes a packet in. Only what would be dropped is trimmed (S section 3.3).
    pub(super) fn arrive(&mut self, packet: Packet) -> Fate {
        if self.queued_bytes + u64::from(packet.bytes) <= self.capacity_bytes {
            self.queued_bytes += u64::from(packet.bytes);
            self.packets.push_back(packet);
            Fate::Queued
        } else if self.trimming {
            self.headers.push_back(packet);
            Fate::Trimmed
        } else {
            Fate::Dropped
        }
    }

    /// The next to be sent. It is marked by what it leaves behind (S section 2.1: RED at the dequeue).
    pub(super) fn depart(&mut self, rng: &mut Rng) -> Option<Departure> {
        if let Some(packet) = self.headers.pop_front() {
            return Some(Departure { packet, trimmed: true, marked: false });
        }
        let packet = self.packets.pop_front()?;
        self.queued_bytes -= u64::from(packet.bytes);
        Some(Departure { packet, trimmed: false, marked: self.mark(rng) })
    }

    /// RED between 20 and 80 % of the queue (S section 3.5): so probable as the depth lies between them.
    fn mark(&self, rng: &mut Rng) -> bool {
        let (low, high) = (self.capacity_bytes / 5, self.capacity_bytes * 4 / 5);
        let draw = u64::from(rng.below((high - low) as u32));
        self.queued_bytes > low + draw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(number: u32) -> Packet {
        Packet { flow: 0, number, bytes: 100, attempt: 0, sent_ps: 0 }
    }

    #[test]
    fn a_full_queue_trims_or_drops_and_headers_go_first() {
        let mut rng = Rng::new(1);
        for (trimming, fate) in [(true, Fate::Trimmed), (false, Fate::Dropped)] {
            let mut port = Port::new(1_000, trimming);
            assert!((0..10).all(|number| port.arrive(packet(number)) == Fate::Queued));
            assert_eq!((port.arrive(packet(10)), port.queued_bytes()), (fate, 1_000));
            let order: Vec<u32> = std::iter::from_fn(|| port.depart(&mut rng))
                .map(|departure| departure.packet.number)
                .collect();
            let headers = if trimming { 1 } else { 0 };
            assert_eq!(order, (10..11).take(headers).chain(0..10).collect::<Vec<_>>());
            assert_eq!(port.queued_bytes(), 0);
        }
    }

    #[test]
    fn marks_are_as_probable_as_the_queue_is_deep() {
        let mut rng = Rng::new(1);
        // So many hundreds are left behind, of a thousand: below 20 % never, above 80 % always.
        for (left, probability) in [(2, 0.0), (3, 1.0 / 6.0), (5, 0.5), (7, 5.0 / 6.0), (8, 1.0), (9, 1.0)] {
            let marked = (0..20_000).filter(|_| {
                let mut port = Port::new(1_000, true);
                (0..=left).for_each(|number| assert_eq!(port.arrive(packet(number)), Fate::Queued));
                port.depart(&mut rng).is_some_and(|departure| departure.marked)
            });
            let share = marked.count() as f64 / 20_000.0;
            assert!((share - probability).abs() < 0.015, "{share} at {left}00 bytes");
        }
    }
}
