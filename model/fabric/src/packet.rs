//! A packet in transit: the fields that switches read, by value. The fields that only hosts read are
//! elsewhere, under its word.

use prefetch_index::prefetch_index;

/// Prefetches the cache line of the first bytes of a value.
#[inline]
pub(crate) fn fetch<T>(it: &T) {
    prefetch_index(std::slice::from_ref(it), 0);
}

/// Prefetches all cache lines of a value.
#[inline]
pub(crate) fn fetch_all<T>(it: &T) {
    // An index of bytes without bounds reaches any address; nothing is read.
    let none: &[u8] = &[];
    let first = std::ptr::from_ref(it).addr();
    let lines = (first & !63..first + size_of::<T>()).step_by(64);
    lines.for_each(|line| prefetch_index(none, line.wrapping_sub(none.as_ptr().addr())));
}

/// A packet, 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Packet {
    /// Time of arrival at the next queue, or at the host.
    pub time_ps: u64,
    /// The host that sends the packet.
    pub source: u32,
    /// The host to which the packet goes.
    pub destination: u32,
    /// The flow's part of the hash ([`crate::balance::hash`]); of a packet with a header of ConWeave, its time stamps.
    pub hash: u32,
    /// The contents for hosts; switches pass the word on.
    pub word: u32,
    /// Entropy value: the UDP source port.
    pub ev: u16,
    /// Bytes on the wire, without the gap.
    pub bytes: u16,
    /// [`ECN`], [`TRIMMED`], [`LAST_HOP`], [`CONTROL`], [`PROBE`], [`PAUSE`], [`MADE`], [`MARKER`].
    pub flags: u8,
    /// The port by which the packet enters the next node.
    pub ingress: u8,
    /// The header of edge switches, in bits of the load balancer's choice; 0: none. On the wire the header
    /// has [`HEADER_BYTES`] bytes, which `bytes` includes.
    pub header: u16,
}

/// Bytes on the wire of the header between edge switches (`weft_switch::packet::CwForm`).
pub const HEADER_BYTES: u16 = 8;

/// The packet is ECN-marked.
pub const ECN: u8 = 1;
/// A switch trimmed the packet to its headers.
pub const TRIMMED: u8 = 2;
/// The last switch of the path trimmed the packet.
pub const LAST_HOP: u8 = 4;
/// An ACK or NACK.
pub const CONTROL: u8 = 8;
/// A probe of a host's software, or its answer; with [`CONTROL`].
pub const PROBE: u8 = 16;
/// A PFC frame: the word is 1 if the peer's data must stop, else 0. The word of such a packet refers to no
/// host's contents.
pub const PAUSE: u8 = 32;
/// A packet that a switch made for switches. The word of such a packet refers to no host's contents.
pub const MADE: u8 = 64;
/// The packet ends as it leaves its queue; with [`MADE`].
pub const MARKER: u8 = 128;

impl Packet {
    /// Whether the packet's word refers to contents of hosts.
    #[inline]
    pub fn is_of_hosts(&self) -> bool {
        self.flags & (PAUSE | MADE) == 0
    }

    /// Whether the packet carries data of a flow, or carried them before a switch trimmed the packet.
    #[inline]
    pub fn is_data(&self) -> bool {
        self.flags & (CONTROL | PAUSE | MADE) == 0
    }

    /// Whether the packet waits in the control queue, as ACKs, NACKs and trimmed packets do.
    #[inline]
    pub fn is_control(&self) -> bool {
        self.flags & (CONTROL | TRIMMED) != 0
    }
}

const _: () = assert!(size_of::<Packet>() == 32);

/// A queue of packets by value that stays in place in memory: a vector with a head. When half of the vector
/// has left, the rest moves to its beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fifo {
    packets: Vec<Packet>,
    head: usize,
}

/// Packets that may have left before the queue is closed up.
const SLACK: usize = 16;

impl Fifo {
    /// Prefetches the memory of the packet that leaves next, and of the place for the packet that arrives
    /// next.
    #[inline]
    pub(crate) fn fetch(&self) {
        prefetch_index(&self.packets, self.head);
        prefetch_index(&self.packets, self.packets.len());
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.packets.len() - self.head
    }

    #[inline]
    pub(crate) fn push(&mut self, packet: Packet) {
        self.packets.push(packet);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Packet> {
        let packet = *self.packets.get(self.head)?;
        self.head += 1;
        if self.head == self.packets.len() {
            self.packets.clear();
            self.head = 0;
        } else if self.head >= SLACK && 2 * self.head >= self.packets.len() {
            self.packets.drain(..self.head);
            self.head = 0;
        }
        Some(packet)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Packet> {
        self.packets[self.head..].iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use weft_random::Rng;

    #[test]
    fn a_fifo_gives_what_came_in_in_its_order() {
        let (mut fifo, mut oracle) = (Fifo::default(), VecDeque::new());
        let mut rng = Rng::new(1);
        for round in 0..10_000u32 {
            // The queue grows and shrinks in turn.
            if rng.chance(if round / 500 % 2 == 0 { 6 } else { 4 }, 10) {
                fifo.push(Packet { word: round, ..Packet::default() });
                oracle.push_back(round);
            } else {
                assert_eq!(fifo.pop().map(|packet| packet.word), oracle.pop_front());
            }
            assert_eq!(fifo.len(), oracle.len());
        }
        assert!(fifo.iter().map(|packet| packet.word).eq(oracle));
    }
}
