//! Packets on links: a ring of buffers for every link, by the window in which they arrive. The node at the
//! sending end fills buffers of later windows, the node at the receiving end empties the buffer of the present
//! window. So threads need only a barrier between windows.

use super::Losses;
use crate::packet::Packet;
use crate::port::{Cause, Come, Sink};
use crate::tally::Tally;
use prefetch_index::prefetch_index;
use std::ops::Range;

/// A window of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) number: u64,
    pub(super) length_ps: u64,
    /// The limit of the run: nothing happens then or later.
    pub(super) until_ps: u64,
}

impl Window {
    pub(super) fn start_ps(&self) -> u64 {
        self.number * self.length_ps
    }

    pub(super) fn end_ps(&self) -> u64 {
        self.start_ps() + self.length_ps
    }

    /// The last time of the window that is before the limit of the run.
    pub(super) fn last_ps(&self) -> u64 {
        self.end_ps().min(self.until_ps) - 1
    }
}

/// The links that lead to the nodes of a thread, and the packets to nodes of other threads.
pub(super) struct Links {
    /// Buffers of a link: two to the power of this.
    shift: u32,
    boxes: Vec<Vec<Packet>>,
    /// Empty buffers. The buffer used last is used next, because it is still in the cache.
    pool: Vec<Vec<Packet>>,
    /// Ends by their numbers.
    ends: Vec<End>,
    /// Number of this thread.
    own: u16,
    /// Packets that arrive later than the windows of the present buffers, in the order of their links: first
    /// those of the previous window, some of which are already put, then those of this window.
    late: Late,
    done: usize,
    later: Late,
    /// Number of packets that arrive in the last window, at the limit of the run or later.
    beyond: u64,
    /// Packets for each of the threads, with their links.
    pub(super) away: Vec<Vec<(u32, Packet)>>,
    /// Packets that were lost.
    pub(super) lost: Vec<Packet>,
    pub(super) losses: Losses,
    /// The counts of ports.
    pub(super) tally: Tally,
}

/// The far end of a link.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The thread of the node at the far end.
    owner: u16,
    /// Windows that the link's delay lasts. A packet that leaves in a window arrives this number of windows
    /// later, or still later. Boxes are filled only for that window; so each box is filled within a single
    /// window, while it is in the cache.
    reach: u8,
}

/// Packets with their links.
#[derive(Debug, Default)]
struct Late {
    links: Vec<u32>,
    packets: Vec<Packet>,
}

impl Late {
    #[inline]
    fn push(&mut self, link: u32, packet: &Packet, come: Come) {
        self.links.push(link);
        push(&mut self.packets, packet, come);
    }
}

/// Writes a packet's bytes to memory first and then the fields of `Come`: a load that spans recent stores
/// would wait for them.
#[inline]
fn push(packets: &mut Vec<Packet>, packet: &Packet, Come { time_ps, ingress }: Come) {
    packets.push(*packet);
    if let Some(packet) = packets.last_mut() {
        (packet.time_ps, packet.ingress) = (time_ps, ingress);
    }
}

/// Packets in a cache line.
const LINE: usize = 2;

/// Packets for which a new buffer has space.
const ROOM: usize = 32;

impl Links {
    /// The links with their threads and delays. `longest_ps` is the longest time from the start at one queue
    /// to the start at the next.
    pub(super) fn new(
        ends: impl Iterator<Item = (u16, u64)>,
        own: u16,
        longest_ps: u64,
        window_ps: u64,
    ) -> Self {
        let reach = |delay_ps: u64| (delay_ps / window_ps).clamp(1, u8::MAX.into()) as u8;
        let ends: Vec<_> = ends.map(|(owner, delay_ps)| End { owner, reach: reach(delay_ps) }).collect();
        let threads = ends.iter().map(|end| usize::from(end.owner) + 1).max().unwrap_or(1);
        // A packet starts in its window, at the latest at its end; and packets of other threads come a window early.
        let slots = (longest_ps / window_ps + 3).next_power_of_two() as usize;
        Self {
            shift: slots.ilog2(),
            boxes: vec![Vec::new(); ends.len() * slots],
            pool: Vec::new(),
            ends,
            own,
            late: Late::default(),
            done: 0,
            later: Late::default(),
            beyond: 0,
            away: vec![Vec::new(); threads],
            lost: Vec::new(),
            losses: Losses::default(),
            tally: Tally::default(),
        }
    }

    /// The box of a link for the window that follows `window` after `ahead` windows.
    #[inline]
    fn place(&self, link: u32, window: Window, ahead: usize) -> usize {
        ((link as usize) << self.shift) + ((window.number as usize + ahead) & ((1 << self.shift) - 1))
    }

    /// Prefetches the box that a link delivers in a window.
    #[inline]
    pub(super) fn fetch_box(&self, link: u32, window: Window) {
        prefetch_index(&self.boxes, self.place(link, window, 0));
    }

    /// Prefetches the packets that a link delivers in a window.
    #[inline]
    pub(super) fn fetch_packets(&self, link: u32, window: Window) {
        let packets = &self.boxes[self.place(link, window, 0)];
        (0..packets.len()).step_by(LINE).for_each(|at| prefetch_index(packets, at));
    }

    /// The packets that arrive on a link in a window.
    #[inline]
    pub(super) fn packets(&self, link: u32, window: Window) -> &[Packet] {
        &self.boxes[self.place(link, window, 0)]
    }

    /// Prefetches the boxes of links that are filled next.
    #[inline]
    pub(super) fn fetch_next(&self, links: Range<u32>, window: Window) {
        for link in links {
            let reach = self.ends[link as usize].reach;
            prefetch_index(&self.boxes, self.place(link, window, reach.into()));
        }
    }

    /// Removes and returns the packets that arrive on a link in a window.
    #[inline]
    pub(super) fn take(&mut self, link: u32, window: Window) -> Vec<Packet> {
        let at = self.place(link, window, 0);
        let mut packets = std::mem::take(&mut self.boxes[at]);
        if window.until_ps < window.end_ps() {
            let all = packets.len();
            packets.retain(|packet| packet.time_ps < window.until_ps);
            self.beyond += (all - packets.len()) as u64;
        }
        packets
    }

    /// Returns an emptied buffer to the pool.
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
        let (End { owner, reach }, end_ps) = (self.ends[link as usize], window.end_ps());
        let (is_away, reach_ps) = (owner != self.own, end_ps + u64::from(reach) * window.length_ps);
        Feed { links: self, link, window, end_ps, reach_ps, is_away, owner }
    }

    /// Puts a packet that arrives after the end of `window` on its link.
    #[inline(always)]
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
        push(buffer, packet, come);
    }

    /// Puts the packets of the previous window into the boxes of these links: packets that left a node too
    /// late for that window's boxes. The caller must do so for all nodes in their order, before the nodes
    /// send.
    #[inline]
    pub(super) fn resume(&mut self, links: Range<u32>, window: Window) {
        while let Some(link) = self.late.links.get(self.done).copied().filter(|link| *link < links.end) {
            let packet = self.late.packets[self.done];
            self.done += 1;
            let come = Come { time_ps: packet.time_ps, ingress: packet.ingress };
            self.feed(link, window).send(&packet, come);
        }
    }

    /// Records a lost packet.
    #[cold]
    pub(super) fn lose(&mut self, packet: Packet, cause: Cause) {
        self.losses.count(cause, &packet);
        self.lost.push(packet);
    }

    /// Ends the window, after all nodes have run it.
    pub(super) fn turn(&mut self) {
        debug_assert_eq!(self.done, self.late.links.len());
        self.done = 0;
        self.late.links.clear();
        self.late.packets.clear();
        std::mem::swap(&mut self.late, &mut self.later);
    }

    /// Packets on the links.
    pub(super) fn held(&self) -> u64 {
        let boxes = self.boxes.iter().chain([&self.late.packets, &self.later.packets]);
        boxes.map(|packets| packets.len() as u64).sum::<u64>() + self.beyond
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
    /// Packets that arrive at this time are too late for the boxes that are filled now.
    reach_ps: u64,
    is_away: bool,
    owner: u16,
}

impl Sink for Feed<'_> {
    #[inline]
    fn send(&mut self, packet: &Packet, come: Come) {
        if self.is_away {
            let Come { time_ps, ingress } = come;
            let packet = Packet { time_ps, ingress, ..*packet };
            self.links.away[usize::from(self.owner)].push((self.link, packet));
        } else if come.time_ps >= self.reach_ps {
            self.links.later.push(self.link, packet, come);
        } else {
            self.links.put(self.link, (self.window, self.end_ps), packet, come);
        }
    }

    #[cold]
    fn lose(&mut self, packet: Packet, cause: Cause) {
        self.links.lose(packet, cause);
    }

    #[inline]
    fn tally(&mut self) -> &mut Tally {
        &mut self.links.tally
    }
}
