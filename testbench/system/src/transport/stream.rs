//! Streams of a block: events that wait to enter, and events inside that wait for their outcome.

use std::collections::VecDeque;
use weft_random::Rng;

/// Events on their way into a block, and through the block.
pub(super) struct Stream<E> {
    /// Events from the network, and events of the host.
    pub(super) network: VecDeque<E>,
    pub(super) host: VecDeque<E>,
    offered: Option<E>,
    inside: VecDeque<E>,
}

impl<E> Stream<E> {
    pub(super) fn new() -> Self {
        Self { network: VecDeque::new(), host: VecDeque::new(), offered: None, inside: VecDeque::new() }
    }

    /// Event offered in this clock. An offered event stays until the block accepts it.
    pub(super) fn offer(&mut self, rng: &mut Rng, idle: bool) -> Option<&E> {
        if self.offered.is_none() && !idle {
            let host_first = rng.below(2) == 0;
            let (one, other) = match host_first {
                true => (&mut self.host, &mut self.network),
                false => (&mut self.network, &mut self.host),
            };
            self.offered = one.pop_front().or_else(|| other.pop_front());
        }
        self.offered.as_ref()
    }

    /// Notes that the block accepted the offered event.
    pub(super) fn taken(&mut self) {
        self.inside.extend(self.offered.take());
    }

    /// The event to which the next outcome belongs.
    pub(super) fn next(&mut self) -> Option<E> {
        self.inside.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.network.is_empty() && self.host.is_empty() && self.offered.is_none() && self.inside.is_empty()
    }
}

/// Pace of a stream: phases of full speed, of idle clocks and of back-pressure.
pub(super) struct Pace {
    rng: Rng,
    left: u32,
    /// Clocks in 16 without an event, and clocks in 16 without space for an outcome.
    idle: u32,
    stall: u32,
}

/// Clocks of 16 to choose from. Even the slowest phase leaves time for every event.
const IDLE: [u32; 5] = [0, 0, 0, 4, 10];
const STALL: [u32; 5] = [0, 0, 0, 4, 8];

impl Pace {
    pub(super) fn new(rng: Rng) -> Self {
        Self { rng, left: 0, idle: 0, stall: 0 }
    }

    /// Whether the next clock has no event, and whether it has space for an outcome.
    pub(super) fn next(&mut self) -> (bool, bool) {
        if self.left == 0 {
            self.left = 1 + self.rng.below(4_096);
            self.idle = IDLE[self.rng.below(5) as usize];
            self.stall = STALL[self.rng.below(5) as usize];
        }
        self.left -= 1;
        (self.rng.below(16) < self.idle, self.rng.below(16) >= self.stall)
    }

    pub(super) fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }
}
