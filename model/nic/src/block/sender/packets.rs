//! The conversion of a PSN to the part of a message that the packet carries. Messages that end pass to their
//! completions.

use super::notes::Entry;
use super::state::Messages;
use super::step::{Packet, Spans};
use crate::part::line::Line;
use crate::words::Status;

/// Messages that end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) connection: u32,
    pub(super) count: u8,
    /// Number of the first ended message, modulo 32.
    pub(super) done: u8,
    pub(super) status: Status,
    /// Number of packets of all connections before these packets, modulo 256.
    pub(super) after: u8,
    /// Whether the connection closes after these messages.
    pub(super) closes: bool,
}

/// The packets.
#[derive(Clone, Debug)]
pub(super) struct Packets {
    ready: bool,
    /// Number of packets so far, modulo 256.
    count: u8,
    /// Message spans by connection.
    spans: Vec<Spans>,
    packets: Line<Packet, 8>,
    endings: Line<Ending, 2>,
}

impl Packets {
    pub(super) fn new(connections: u32, psns: u32) -> Self {
        Self {
            ready: false,
            count: 0,
            spans: vec![Spans::new(psns); connections as usize],
            packets: Line::default(),
            endings: Line::default(),
        }
    }

    /// Whether entries about messages are accepted.
    pub(super) fn ready(&self) -> bool {
        self.ready
    }

    /// Whether the block must admit no further packet, because too many packets entered after the messages
    /// whose end is reported next. The packets passed on are counted modulo 256.
    pub(super) fn behind(&self, ending: Option<Ending>) -> bool {
        ending.is_some_and(|ending| self.count.wrapping_sub(ending.after) >= 64)
    }

    /// A clock: an entry is accepted, a packet and messages that end leave.
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
        let ending = entry.filter(|entry| entry.count != 0 || entry.closes).map(|entry| Ending {
            connection: entry.connection,
            count: entry.count,
            done: entry.done,
            status: entry.status,
            after: self.count,
            closes: entry.closes,
        });
        self.count = self.count.wrapping_add(packet.is_some().into());
        (self.packets.clock(packet), self.endings.clock(ending))
    }
}
