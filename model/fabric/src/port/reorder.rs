//! Queues of packets that arrived too early. The load balancer holds each queue and releases it. Packets of
//! released queues leave before data that was in order; the highest queue is first.

use super::Port;
use crate::packet::{Fifo, Packet};

impl Port {
    /// Number of reorder queues that are held or have packets, and number of bytes in them.
    pub(crate) fn early(&self) -> (u32, u32) {
        self.reorder.as_ref().map_or((0, 0), |it| ((it.filled | it.held).count_ones(), it.held()))
    }
}

/// The reorder queues of a port, numbered from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Reorder {
    /// The queues, each with its number of bytes.
    queues: Vec<(Fifo, u32)>,
    filled: u64,
    held: u64,
}

impl Reorder {
    /// The queues that may continue, as one bit each.
    pub(super) fn ready(&self) -> u64 {
        self.filled & !self.held
    }

    /// Holds a queue, or releases it.
    pub(super) fn hold(&mut self, queue: u8, holds: bool) {
        self.held = self.held & !(1 << queue) | u64::from(holds) << queue;
    }

    /// Whether a queue is held.
    pub(super) fn holds(&self, queue: u8) -> bool {
        self.held >> queue & 1 == 1
    }

    /// Bytes in a queue.
    pub(super) fn bytes(&self, queue: u8) -> u32 {
        self.queues.get(usize::from(queue)).map_or(0, |(_, bytes)| *bytes)
    }

    /// Bytes in all queues.
    pub(super) fn held(&self) -> u32 {
        self.queues.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Adds a packet.
    pub(super) fn push(&mut self, queue: u8, packet: Packet) {
        let at = usize::from(queue);
        if self.queues.len() <= at {
            self.queues.resize_with(at + 1, Default::default);
        }
        let (fifo, bytes) = &mut self.queues[at];
        *bytes += u32::from(packet.bytes);
        fifo.push(packet);
        self.filled |= 1 << queue;
    }

    /// Removes the next packet. Returns its queue, and the bytes that wait after the packet in that queue.
    pub(super) fn pop(&mut self) -> Option<(u8, Packet, u32)> {
        let queue = self.ready().checked_ilog2()? as u8;
        let (fifo, bytes) = &mut self.queues[usize::from(queue)];
        let packet = fifo.pop()?;
        *bytes -= u32::from(packet.bytes);
        if fifo.len() == 0 {
            self.filled &= !(1 << queue);
        }
        Some((queue, packet, *bytes))
    }

    /// Number of packets that wait.
    pub(super) fn len(&self) -> usize {
        self.queues.iter().map(|(fifo, _)| fifo.len()).sum()
    }
}
