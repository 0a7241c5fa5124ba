//! A queue in front of a wire: urgent packets leave before data. The queue reports packets without space and
//! packets to mark.

use std::collections::VecDeque;

/// A packet that can wait in a queue.
pub(crate) trait Item {
    /// Bytes that the packet occupies in the queue.
    fn bytes(&self) -> u64;

    /// Whether the packet is trimmed or control, and so leaves first.
    fn is_urgent(&self) -> bool;
}

/// Outcome for an arriving packet. A trimmed packet may be dropped as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    pub(crate) trimmed: bool,
    pub(crate) dropped: bool,
}

#[derive(Clone, Debug)]
struct Line<P> {
    room: u64,
    bytes: u64,
    items: VecDeque<P>,
}

impl<P: Item> Line<P> {
    fn new(room: u64) -> Self {
        Self { room, bytes: 0, items: VecDeque::new() }
    }

    fn push(&mut self, item: P) -> Result<(), P> {
        let bytes = self.bytes + item.bytes();
        if bytes > self.room {
            return Err(item);
        }
        self.bytes = bytes;
        self.items.push_back(item);
        Ok(())
    }

    fn pop(&mut self) -> Option<P> {
        let item = self.items.pop_front()?;
        self.bytes -= item.bytes();
        Some(item)
    }
}

/// A queue with two priorities.
#[derive(Clone, Debug)]
pub(crate) struct Queue<P> {
    data: Line<P>,
    urgent: Line<P>,
}

impl<P: Item> Queue<P> {
    /// Space for `data_bytes` bytes of data and `urgent_bytes` of urgent packets.
    pub(crate) fn new(data_bytes: u64, urgent_bytes: u64) -> Self {
        Self { data: Line::new(data_bytes), urgent: Line::new(urgent_bytes) }
    }

    /// Bytes of waiting data.
    pub(crate) fn data_bytes(&self) -> u64 {
        self.data.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.data.items.is_empty() && self.urgent.items.is_empty()
    }

    /// Accepts a packet. Data without space is passed to `trim`, which returns the trimmed packet, if any.
    /// Other packets are dropped.
    pub(crate) fn push(&mut self, item: P, trim: impl FnOnce(P) -> Option<P>) -> Fate {
        let mut fate = Fate::default();
        let rest = if item.is_urgent() {
            Some(item)
        } else {
            let Err(item) = self.data.push(item) else { return fate };
            trim(item).inspect(|_| fate.trimmed = true)
        };
        fate.dropped = rest.is_none_or(|rest| self.urgent.push(rest).is_err());
        fate
    }

    /// The next packet to send.
    pub(crate) fn pop(&mut self) -> Option<P> {
        self.urgent.pop().or_else(|| self.data.pop())
    }
}

/// Marking by the depth of a queue: no packets up to one depth, all packets from another depth on, and
/// between them a probability that grows linearly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Red {
    pub(crate) from_bytes: u64,
    pub(crate) all_bytes: u64,
}

impl Red {
    /// Bytes between the two depths.
    pub(crate) fn span(&self) -> u32 {
        (self.all_bytes - self.from_bytes) as u32
    }

    /// Whether a packet that leaves at this depth is marked. `draw` returns a random number below the span
    /// and is called only between the two depths.
    pub(crate) fn marks(&self, depth_bytes: u64, draw: impl FnOnce(u32) -> u32) -> bool {
        depth_bytes > self.from_bytes
            && (depth_bytes >= self.all_bytes || depth_bytes > self.from_bytes + u64::from(draw(self.span())))
    }
}
