//! Queues of packets that came too early: each is held until its load balancer lets it go. They go before data that was in
//! order, the highest first.

use super::Port;
use crate::packet::{Fifo, Packet};

impl Port {
    /// Reorder queues that are held or have packets, and the bytes in them.
    pub(crate) fn early(&self) -> (u32, u32) {
        self.reorder.as_ref().map_or((0, 0), |it| ((it.filled | it.held).count_ones(), it.held()))
    }
}

/// The queues of a port, from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Reorder {
    /// With the bytes that wait in each.
    queues: Vec<(Fifo, u32)>,
    filled: u64,
    held: u64,
}

impl Reorder {
    /// Those that may go: a bit each.
    pub(super) fn ready(&self) -> u64 {
        self.filled & !self.held
    }

    /// Nothing leaves one, or it may go.
    pub(super) fn hold(&mut self, queue: u8, holds: bool) {
        self.held = self.held & !(1 << queue) | u64::from(holds) << queue;
    }

    /// The queue is held.
    pub(super) fn holds(&self, queue: u8) -> bool {
        self.held >> queue & 1 == 1
    }

    /// Bytes that wait in one.
    pub(super) fn bytes(&self, queue: u8) -> u32 {
        self.queues.get(usize::from(queue)).map_or(0, |(_, bytes)| *bytes)
    }

    /// Bytes that wait in all of them.
    pub(super) fn held(&self) -> u32 {
        self.queues.iter().map(|(_, bytes)| bytes).sum()
    }

    /// A packet comes.
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

    /// The next one leaves: its queue, and the bytes behind it there.
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

    /// Packets that wait.
    pub(super) fn len(&self) -> usize {
        self.queues.iter().map(|(fifo, _)| fifo.len()).sum()
    }
}
