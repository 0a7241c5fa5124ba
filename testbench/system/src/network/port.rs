//! A port of a switch: a queue and the wire behind it. The port marks, trims and drops packets.

use super::counts::Counts;
use super::header::mark;
use super::pace::{Pacer, Rate, on_wire};
use super::queue::{Item, Queue, Red};
use weft_random::Rng;
use weft_wire::{Dscp, frame};

/// A frame in the fabric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) bytes: Vec<u8>,
    /// The host to which the packet goes, and that host's leaf.
    pub(super) to: u32,
    pub(super) to_leaf: u32,
    pub(super) path: u32,
    /// Trimmed or control.
    pub(super) urgent: bool,
}

impl Item for Packet {
    fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn is_urgent(&self) -> bool {
        self.urgent
    }
}

/// The port.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pacer: Pacer,
    queue: Queue<Packet>,
    red: Red,
    trims: bool,
}

impl Port {
    /// Makes a port on a wire of this rate, with space for `bytes` bytes of data and the same space for
    /// control packets.
    pub(super) fn new(rate: Rate, bytes: u32, red: Red, trims: bool) -> Self {
        Self { pacer: Pacer::new(rate), queue: Queue::new(bytes.into(), bytes.into()), red, trims }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Clocks that a packet takes on the wire.
    pub(super) fn clocks_of(&self, packet: &Packet) -> u64 {
        self.pacer.rate().clocks_of(on_wire(packet.bytes.len()))
    }

    /// Accepts a packet. Without space, data is trimmed; other packets, and trimmed packets without space,
    /// are dropped.
    pub(super) fn enqueue(&mut self, packet: Packet, last_hop: bool, counts: &mut Counts) {
        let trims = self.trims;
        let fate = self.queue.push(packet, |packet| {
            let rest = trims.then(|| frame::trim(&packet.bytes, &Dscp::DEFAULT, last_hop));
            Some(Packet { bytes: rest?.ok()?, urgent: true, ..packet })
        });
        counts.trims += u64::from(fate.trimmed);
        counts.drops += u64::from(fate.dropped);
    }

    /// Runs a clock. Returns the packet whose first byte leaves, and whether it was marked, which depends on
    /// the bytes that wait when it leaves, with the packet itself.
    pub(super) fn clock(&mut self, rng: &mut Rng) -> Option<(Packet, bool)> {
        self.pacer.clock();
        if !self.pacer.is_free() {
            return None;
        }
        let waiting = self.queue.data_bytes();
        let mut packet = self.queue.pop()?;
        let marked =
            !packet.urgent && self.red.marks(waiting, |span| rng.below(span)) && mark(&mut packet.bytes);
        self.pacer.spend(on_wire(packet.bytes.len()) as i64);
        Some((packet, marked))
    }
}
