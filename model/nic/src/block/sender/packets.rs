//! From a PSN to the part of a message that it carries; messages that end go on to their completions.

use super::dispatch::Entry;
use super::line::Line;
use super::{Messages, SLOTS};
use crate::words::{Order, Place, Status, Work};

/// PSNs of a window.
const WINDOW: usize = 256;

/// Messages that end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) connection: u32,
    pub(super) count: u8,
    /// The first of them, modulo 32.
    pub(super) done: u8,
    pub(super) status: Status,
    /// Packets of all connections before them, modulo 256.
    pub(super) after: u8,
}

/// A packet to be sent, but its entropy value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    pub(super) connection: u32,
    pub(super) local: u64,
    pub(super) psn: u32,
    pub(super) again: bool,
    pub(super) last: bool,
    pub(super) solicited: bool,
    pub(super) remote: u64,
    pub(super) key: u32,
    pub(super) bytes: u16,
    pub(super) immediate: u32,
    pub(super) message: u16,
}

impl Packet {
    /// What egress is told.
    pub(super) fn order(&self, ev: u16) -> Order {
        Order {
            psn: self.psn,
            ev,
            again: self.again,
            last: self.last,
            solicited: self.solicited,
            request: self.again,
            address: self.remote,
            key: self.key,
            bytes: self.bytes,
            immediate: self.immediate,
            message: self.message,
        }
    }

    /// What is to be read for it, if it has bytes.
    pub(super) fn fetch(&self) -> Place {
        Place { address: self.local, bytes: self.bytes }
    }
}

/// Which PSNs of a connection belong to which message.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// The slot of each PSN's message.
    slots: [u8; WINDOW],
    /// First PSN and number of each message.
    starts: [(u32, u16); SLOTS as usize],
}

impl Spans {
    pub(super) fn new() -> Self {
        Self { slots: [0; WINDOW], starts: [(0, 0); SLOTS as usize] }
    }

    /// Rules 6 and 7: the packet that leaves.
    pub(super) fn packet(
        &mut self,
        entry: &Entry,
        messages: &[Work; SLOTS as usize],
        mtu_shift: u8,
    ) -> Packet {
        let Entry { connection, psn, again, .. } = *entry;
        let slot = &mut self.slots[psn as usize % WINDOW];
        if !again {
            *slot = entry.slot;
        }
        let slot = usize::from(*slot);
        if entry.first {
            self.starts[slot] = (psn, entry.message);
        }
        let (first, message) = self.starts[slot];
        let offset = u32::from(psn.wrapping_sub(first) as u16) << mtu_shift;
        let of = &messages[slot];
        let left = of.length.wrapping_sub(offset);
        let mtu = super::mtu(mtu_shift);
        let last = left <= u32::from(mtu);
        Packet {
            connection,
            local: of.local.wrapping_add(offset.into()),
            psn,
            again,
            last,
            solicited: of.with_immediate,
            remote: of.remote.wrapping_add(offset.into()),
            key: of.key,
            bytes: if last { left as u16 } else { mtu },
            immediate: of.immediate,
            message,
        }
    }
}

/// The packets.
#[derive(Clone, Debug)]
pub(super) struct Packets {
    ready: bool,
    /// Packets so far, modulo 256.
    count: u8,
    /// By connection.
    spans: Vec<Spans>,
    packets: Line<Packet, 8>,
    endings: Line<Ending, 2>,
}

impl Packets {
    pub(super) fn new(connections: u32) -> Self {
        Self {
            ready: false,
            count: 0,
            spans: vec![Spans::new(); connections as usize],
            packets: Line::default(),
            endings: Line::default(),
        }
    }

    /// It takes news of messages.
    pub(super) fn ready(&self) -> bool {
        self.ready
    }

    /// A clock: news are taken, a packet and messages that end leave.
    pub(super) fn clock(
        &mut self,
        entry: Option<Entry>,
        messages: &Messages,
        mtu_shift: u8,
        room: bool,
    ) -> (Option<Packet>, Option<Ending>) {
        self.ready = room;
        let packet = entry.filter(|entry| entry.send).map(|entry| {
            let index = entry.connection as usize;
            self.spans[index].packet(&entry, &messages[index], mtu_shift)
        });
        let ending = entry.filter(|entry| entry.count != 0).map(|entry| Ending {
            connection: entry.connection,
            count: entry.count,
            done: entry.done,
            status: entry.status,
            after: self.count,
        });
        self.count = self.count.wrapping_add(packet.is_some().into());
        (self.packets.clock(packet), self.endings.clock(ending))
    }
}
