//! The port that all packets share: a queue for packets, and one for trimmed headers, which is served first.

use super::sender::Packet;
use crate::network::queue::{Fate, Item, Queue, Red};
use weft_random::Rng;

/// Bytes of a packet whose payload was cut off.
const HEADER_BYTES: u32 = 64;

/// A packet in the queue, whole or trimmed. Headers occupy no space.
#[derive(Clone, Copy, Debug)]
struct Queued {
    packet: Packet,
    trimmed: bool,
}

impl Item for Queued {
    fn bytes(&self) -> u64 {
        if self.trimmed { 0 } else { self.packet.bytes.into() }
    }

    fn is_urgent(&self) -> bool {
        self.trimmed
    }
}

/// A packet that leaves the port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    pub(super) packet: Packet,
    pub(super) trimmed: bool,
    pub(super) marked: bool,
}

impl Departure {
    /// Bytes of the packet on the link.
    pub(super) fn bytes(&self) -> u32 {
        if self.trimmed { HEADER_BYTES } else { self.packet.bytes }
    }
}

/// The port. A packet whose transmission has begun is no longer in the queue.
#[derive(Debug)]
pub(super) struct Port {
    queue: Queue<Queued>,
    red: Red,
    trimming: bool,
}

impl Port {
    /// RED between 20 and 80 % of the queue (S section 3.5). The probability grows linearly with the depth
    /// between these limits.
    pub(super) fn new(capacity_bytes: u64, trimming: bool) -> Self {
        let red = Red { from_bytes: capacity_bytes / 5, all_bytes: capacity_bytes * 4 / 5 };
        Self { queue: Queue::new(capacity_bytes, 0), red, trimming }
    }

    /// Bytes in the queue of packets.
    pub(super) fn queued_bytes(&self) -> u64 {
        self.queue.data_bytes()
    }

    /// Accepts a packet. The port trims only packets that it would otherwise drop (S section 3.3).
    pub(super) fn arrive(&mut self, packet: Packet) -> Fate {
        let trimming = self.trimming;
        let whole = Queued { packet, trimmed: false };
        self.queue.push(whole, |whole| trimming.then_some(Queued { trimmed: true, ..whole }))
    }

    /// Next packet to send. The depth of the queue behind the packet decides on its mark (S section 2.1: RED
    /// at the dequeue).
    pub(super) fn depart(&mut self, rng: &mut Rng) -> Option<Departure> {
        let Queued { packet, trimmed } = self.queue.pop()?;
        let marked = !trimmed && {
            // Each packet uses one draw at any depth.
            let draw = rng.below(self.red.span());
            self.red.marks(self.queue.data_bytes(), |_| draw)
        };
        Some(Departure { packet, trimmed, marked })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEUED: Fate = Fate { trimmed: false, dropped: false };

    fn packet(number: u32) -> Packet {
        Packet { flow: 0, number, bytes: 100, attempt: 0, sent_ps: 0 }
    }

    #[test]
    fn a_full_queue_trims_or_drops_and_headers_go_first() {
        let mut rng = Rng::new(1);
        for trimming in [true, false] {
            let fate = Fate { trimmed: trimming, dropped: !trimming };
            let mut port = Port::new(1_000, trimming);
            assert!((0..10).all(|number| port.arrive(packet(number)) == QUEUED));
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
        // The number of hundreds of bytes left behind, out of a thousand: below 20 % a packet is never
        // marked, above 80 % always.
        for (left, probability) in [(2, 0.0), (3, 1.0 / 6.0), (5, 0.5), (7, 5.0 / 6.0), (8, 1.0), (9, 1.0)] {
            let marked = (0..20_000).filter(|_| {
                let mut port = Port::new(1_000, true);
                (0..=left).for_each(|number| assert_eq!(port.arrive(packet(number)), QUEUED));
                port.depart(&mut rng).is_some_and(|departure| departure.marked)
            });
            let share = marked.count() as f64 / 20_000.0;
            assert!((share - probability).abs() < 0.015, "{share} at {left}00 bytes");
        }
    }
}
