//! Packets on links: a ring of buffers for every link, by the window in which they arrive. The node in front fills the
//! windows to come, the node behind empties the present one; so a barrier between windows is all that threads need.

use super::Losses;
use crate::packet::Packet;
use crate::port::{Cause, Come, Sink};
use prefetch_index::prefetch_index;
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
    /// Buffers of a link: two to the power of this.
    shift: u32,
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
}

/// Packets in a cache line.
const LINE: usize = 2;

/// Packets for which a new buffer has room.
const ROOM: usize = 32;

impl Links {
    /// `longest_ps`: from the start at a queue to the next one.
    pub(super) fn new(owners: Vec<u8>, own: u8, longest_ps: u64, window_ps: u64) -> Self {
        // A packet starts in its window, at the latest at its end; and packets of other threads come a window early.
        let slots = (longest_ps / window_ps + 3).next_power_of_two() as usize;
        Self {
            shift: slots.ilog2(),
            boxes: vec![Vec::new(); owners.len() * slots],
            pool: Vec::new(),
            owners,
            own,
            away: Vec::new(),
            lost: Vec::new(),
            losses: Losses::default(),
        }
    }

    /// The box of a link for a window so far ahead.
    #[inline]
    fn place(&self, link: u32, window: Window, ahead: usize) -> usize {
        ((link as usize) << self.shift) + ((window.number as usize + ahead) & ((1 << self.shift) - 1))
    }

    /// Asks for the memory of the box that a link brings in a window.
    #[inline]
    pub(super) fn fetch_box(&self, link: u32, window: Window) {
        prefetch_index(&self.boxes, self.place(link, window, 0));
    }

    /// Asks for the memory of what comes by a link in a window.
    #[inline]
    pub(super) fn fetch_packets(&self, link: u32, window: Window) {
        let packets = &self.boxes[self.place(link, window, 0)];
        (0..packets.len()).step_by(LINE).for_each(|at| prefetch_index(packets, at));
    }

    /// What comes by a link in a window.
    #[inline]
    pub(super) fn packets(&self, link: u32, window: Window) -> &[Packet] {
        &self.boxes[self.place(link, window, 0)]
    }

    /// Asks for the memory of the boxes in front of links that are filled next.
    #[inline]
    pub(super) fn fetch_next(&self, links: Range<u32>, window: Window) {
        for link in links {
            prefetch_index(&self.boxes, self.place(link, window, 1));
            prefetch_index(&self.boxes, self.place(link, window, 2));
        }
    }

    /// Asks for the memory that the next packet on a link is written to.
    #[inline]
    pub(super) fn fetch_room(&self, link: u32, window: Window) {
        let packets = &self.boxes[self.place(link, window, 1)];
        prefetch_index(packets, packets.len());
    }

    /// What comes by a link in a window.
    #[inline]
    pub(super) fn take(&mut self, link: u32, window: Window) -> Vec<Packet> {
        let at = self.place(link, window, 0);
        std::mem::take(&mut self.boxes[at])
    }

    /// The buffer is empty again.
    #[inline]
    pub(super) fn recycle(&mut self, mut buffer: Vec<Packet>) {
        if buffer.capacity() > 0 {
            buffer.clear();
            self.pool.push(buffer);
        }
    }

    /// The near end of a link.
    #[inline]
    pub(super) fn feed(&mut self, link: u32, window: Window) -> Feed<'_> {
        let is_away = self.owners[link as usize] != self.own;
        Feed { links: self, link, window, end_ps: window.end_ps(), is_away }
    }

    /// Puts a packet, which comes after the end of `window`, on its link.
    #[inline]
    pub(super) fn put(&mut self, link: u32, (window, end_ps): (Window, u64), packet: &Packet, come: Come) {
        let (mut ahead, mut end) = (1, end_ps + window.length_ps);
        while come.time_ps >= end {
            (ahead, end) = (ahead + 1, end + window.length_ps);
        }
        assert!(ahead < 1 << self.shift && come.time_ps >= end_ps, "a packet outruns its window");
        let at = self.place(link, window, ahead);
        let buffer = &mut self.boxes[at];
        if buffer.capacity() == 0 {
            *buffer = self.pool.pop().unwrap_or_else(room);
        }
        buffer.push(*packet);
        if let Some(packet) = buffer.last_mut() {
            (packet.time_ps, packet.ingress) = (come.time_ps, come.ingress);
        }
    }

    /// Packets in the boxes.
    pub(super) fn held(&self) -> u64 {
        self.boxes.iter().map(|packets| packets.len() as u64).sum()
    }
}

#[cold]
fn room() -> Vec<Packet> {
    Vec::with_capacity(ROOM)
}

/// The near end of a link.
pub(super) struct Feed<'a> {
    links: &'a mut Links,
    link: u32,
    window: Window,
    end_ps: u64,
    is_away: bool,
}

impl Sink for Feed<'_> {
    #[inline]
    fn send(&mut self, packet: &Packet, come: Come) {
        if !self.is_away {
            self.links.put(self.link, (self.window, self.end_ps), packet, come);
        } else {
            let Come { time_ps, ingress } = come;
            self.links.away.push((self.link, Packet { time_ps, ingress, ..*packet }));
        }
    }

    #[cold]
    fn lose(&mut self, packet: Packet, cause: Cause) {
        self.links.losses.count(cause);
        self.links.lost.push(packet);
    }
}
