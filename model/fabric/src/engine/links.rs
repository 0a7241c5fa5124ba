//! Packets on links: a ring of buffers for every link, by the window in which they arrive. The node in front fills the
//! windows to come, the node behind empties the present one; so a barrier between windows is all that threads need.

use super::Losses;
use crate::packet::Packet;
use crate::port::{Cause, Sink};
use std::hint::black_box;
use std::ops::Range;

/// A window of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) number: u64,
    pub(super) length_ps: u64,
}

impl Window {
    pub(super) fn start_ps(&self) -> u64 {
        self.number * self.length_ps
    }

    pub(super) fn end_ps(&self) -> u64 {
        self.start_ps() + self.length_ps
    }
}

/// The links that lead to the nodes of a thread, and what goes to others.
pub(super) struct Links {
    /// Buffers of a link, a power of two.
    slots: usize,
    boxes: Vec<Vec<Packet>>,
    /// Empty buffers; the one used last is the next to be used, as it is still in the cache.
    pool: Vec<Vec<Packet>>,
    /// The thread of the node that a link leads to, and the own one.
    owners: Vec<u8>,
    own: u8,
    /// Packets for other threads, with their links.
    pub(super) away: Vec<(u32, Packet)>,
    /// Packets that ended.
    pub(super) lost: Vec<Packet>,
    pub(super) losses: Losses,
    /// Packets in the boxes.
    pub(super) held: u64,
}

/// Packets for which a new buffer has room.
const ROOM: usize = 32;

impl Links {
    /// `longest_ps`: from the start at a queue to the next one.
    pub(super) fn new(owners: Vec<u8>, own: u8, longest_ps: u64, window_ps: u64) -> Self {
        // A packet starts in its window, at the latest at its end; and packets of other threads come a window early.
        let slots = (longest_ps / window_ps + 3).next_power_of_two() as usize;
        Self {
            slots,
            boxes: vec![Vec::new(); owners.len() * slots],
            pool: Vec::new(),
            owners,
            own,
            away: Vec::new(),
            lost: Vec::new(),
            losses: Losses::default(),
            held: 0,
        }
    }

    /// Looks at the boxes in front of links for the next window, as [`crate::port::Port::warm`] does at ports.
    #[inline]
    pub(super) fn warm(&self, links: Range<u32>, window: Window) {
        let next = (window.number as usize + 1) & (self.slots - 1);
        let boxes = links.map(|link| self.boxes[link as usize * self.slots + next].capacity());
        black_box(boxes.fold(0, usize::wrapping_add));
    }

    /// What comes by a link in a window.
    #[inline]
    pub(super) fn take(&mut self, link: u32, window: Window) -> Vec<Packet> {
        let at = link as usize * self.slots + (window.number as usize & (self.slots - 1));
        std::mem::take(&mut self.boxes[at])
    }

    /// The buffer is empty again.
    #[inline]
    pub(super) fn recycle(&mut self, mut buffer: Vec<Packet>) {
        if buffer.capacity() > 0 {
            self.held -= buffer.len() as u64;
            buffer.clear();
            self.pool.push(buffer);
        }
    }

    /// The near end of a link.
    #[inline]
    pub(super) fn feed(&mut self, link: u32, window: Window) -> Feed<'_> {
        Feed { links: self, link, window, end_ps: window.end_ps() }
    }

    /// Puts a packet, which comes later than `window`, on its link.
    #[inline]
    pub(super) fn put(&mut self, link: u32, window: Window, end_ps: u64, packet: Packet) {
        let (mut ahead, mut end) = (1, end_ps + window.length_ps);
        while packet.time_ps >= end {
            (ahead, end) = (ahead + 1, end + window.length_ps);
        }
        assert!(ahead < self.slots && packet.time_ps >= end_ps, "a packet outruns its window");
        let at = link as usize * self.slots + ((window.number as usize + ahead) & (self.slots - 1));
        let buffer = &mut self.boxes[at];
        if buffer.capacity() == 0 {
            *buffer = self.pool.pop().unwrap_or_else(|| Vec::with_capacity(ROOM));
        }
        buffer.push(packet);
        self.held += 1;
    }
}

/// The near end of a link.
pub(super) struct Feed<'a> {
    links: &'a mut Links,
    link: u32,
    window: Window,
    end_ps: u64,
}

impl Sink for Feed<'_> {
    #[inline]
    fn send(&mut self, packet: Packet) {
        if self.links.owners[self.link as usize] == self.links.own {
            self.links.put(self.link, self.window, self.end_ps, packet);
        } else {
            self.links.away.push((self.link, packet));
        }
    }

    #[cold]
    fn lose(&mut self, packet: Packet, cause: Cause) {
        self.links.losses.count(cause);
        self.links.lost.push(packet);
    }
}
