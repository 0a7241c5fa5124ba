//! A queue in front of a wire: it marks, trims and drops. Control packets and what was trimmed go first.

use super::super::frames::mark;
use super::super::pace::{Pacer, Rate, on_wire};
use super::{Counts, Queue};
use std::collections::VecDeque;
use weft_random::Rng;
use weft_wire::{Dscp, frame};

/// A frame in the fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) bytes: Vec<u8>,
    /// The host that it goes to, and its leaf.
    pub(super) to: u32,
    pub(super) to_leaf: u32,
    pub(super) path: u32,
    /// Trimmed or control.
    pub(super) urgent: bool,
}

/// The queue and its wire.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pacer: Pacer,
    rate: Rate,
    queue: Queue,
    data: Line,
    urgent: Line,
}

#[derive(Clone, Debug, Default)]
struct Line {
    packets: VecDeque<Packet>,
    bytes: usize,
}

impl Line {
    fn push(&mut self, packet: Packet) {
        self.bytes += packet.bytes.len();
        self.packets.push_back(packet);
    }

    fn pop(&mut self) -> Option<Packet> {
        let packet = self.packets.pop_front()?;
        self.bytes -= packet.bytes.len();
        Some(packet)
    }
}

impl Port {
    pub(super) fn new(rate: Rate, queue: Queue) -> Self {
        Self { pacer: Pacer::new(rate), rate, queue, data: Line::default(), urgent: Line::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.data.packets.is_empty() && self.urgent.packets.is_empty()
    }

    /// Clocks that a packet takes on the wire.
    pub(super) fn clocks_of(&self, packet: &Packet) -> u64 {
        self.rate.clocks_of(on_wire(packet.bytes.len()))
    }

    /// A packet arrives. What is no data, or no room even for what is left of it, is dropped.
    pub(super) fn enqueue(&mut self, mut packet: Packet, last_hop: bool, counts: &mut Counts) {
        let room = self.queue.bytes as usize;
        if !packet.urgent {
            if self.data.bytes + packet.bytes.len() <= room {
                return self.data.push(packet);
            }
            let rest = if self.queue.trims {
                frame::trim(&packet.bytes, &Dscp::DEFAULT, last_hop).ok()
            } else {
                None
            };
            let Some(rest) = rest else {
                counts.drops += 1;
                return;
            };
            counts.trims += 1;
            packet = Packet { bytes: rest, urgent: true, ..packet };
        }
        match self.urgent.bytes + packet.bytes.len() <= room {
            true => self.urgent.push(packet),
            false => counts.drops += 1,
        }
    }

    /// A clock passes; the packet whose first byte goes out in it, and whether it was marked.
    pub(super) fn clock(&mut self, rng: &mut Rng) -> Option<(Packet, bool)> {
        self.pacer.clock();
        if self.is_empty() || !self.pacer.is_free() {
            return None;
        }
        let waiting = self.data.bytes as u32;
        let mut packet = self.urgent.pop().or_else(|| self.data.pop())?;
        let marked = !packet.urgent && self.marks(waiting, rng) && mark(&mut packet.bytes);
        self.pacer.spend(on_wire(packet.bytes.len()));
        Some((packet, marked))
    }

    /// Decides on a mark from the bytes that wait as a packet leaves, itself included.
    fn marks(&self, waiting: u32, rng: &mut Rng) -> bool {
        let Queue { mark_from, mark_all, .. } = self.queue;
        waiting > mark_from && (waiting >= mark_all || rng.below(mark_all - mark_from) < waiting - mark_from)
    }
}
