//! The receiving host's memory: every payload must come to its place, once.

use super::fault::Breach;
use super::nic::{Arrival, Message};
use std::collections::VecDeque;
use weft_random::Rng;

/// What is sent as packet `packet` of message `message`: the same for nothing else.
pub(super) fn payload(
    seed: u64,
    connection: u32,
    opening: u32,
    message: u32,
    packet: u32,
    bytes: u32,
) -> Vec<u8> {
    let mut rng = Rng::new(seed ^ u64::from(connection) << 32 ^ u64::from(opening));
    let mut rng = Rng::new(rng.draw() ^ u64::from(message) << 32 ^ u64::from(packet));
    let mut payload: Vec<u8> = std::iter::repeat_with(|| rng.draw().to_le_bytes())
        .take(bytes.div_ceil(8) as usize)
        .flatten()
        .collect();
    payload.truncate(bytes as usize);
    payload
}

/// Buffers of messages, by connection.
pub(super) struct Memory {
    seed: u64,
    mtu: u32,
    connections: Vec<Buffers>,
    /// Packets written.
    pub(super) packets: u64,
    /// Bytes written.
    pub(super) bytes: u64,
}

#[derive(Clone, Debug, Default)]
struct Buffers {
    opening: u32,
    /// Number of the first message that is kept.
    first: u32,
    messages: VecDeque<Buffer>,
}

#[derive(Clone, Debug)]
struct Buffer {
    last_bytes: u32,
    written: Vec<bool>,
}

impl Memory {
    pub(super) fn new(seed: u64, mtu: u32, connections: u32) -> Self {
        Self { seed, mtu, connections: vec![Buffers::default(); connections as usize], packets: 0, bytes: 0 }
    }

    pub(super) fn open(&mut self, connection: u32, opening: u32) {
        self.connections[connection as usize] = Buffers { opening, ..Buffers::default() };
    }

    /// Makes room for a message.
    pub(super) fn post(&mut self, connection: u32, message: Message) {
        let Message { packets, last_bytes, .. } = message;
        let written = vec![false; packets.into()];
        self.connections[connection as usize].messages.push_back(Buffer { last_bytes, written });
    }

    /// Writes a payload to its address.
    pub(super) fn write(&mut self, connection: u32, came: &Arrival) -> Result<(), Breach> {
        let Arrival { opening, address, ref payload, .. } = *came;
        let (message, offset) = ((address >> 32) as u32, address as u32);
        let packet = offset / self.mtu;
        let buffers = &mut self.connections[connection as usize];
        let index = message.wrapping_sub(buffers.first) as usize;
        let fits = opening == buffers.opening && offset.is_multiple_of(self.mtu);
        let buffer =
            buffers.messages.get_mut(index).filter(|it| fits && (packet as usize) < it.written.len());
        let Some(buffer) = buffer else { return Err(Breach::Misplaced { address, opening }) };
        let (place, at) = (u64::from(message), u64::from(packet));
        if std::mem::replace(&mut buffer.written[packet as usize], true) {
            return Err(Breach::PlacedTwice { message: place, packet: at });
        }
        let last = packet as usize + 1 == buffer.written.len();
        let bytes = if last { buffer.last_bytes } else { self.mtu };
        if *payload != self::payload(self.seed, connection, opening, message, packet, bytes) {
            return Err(Breach::WrongPayload { message: place, packet: at });
        }
        self.packets += 1;
        self.bytes += u64::from(bytes);
        Ok(())
    }

    /// The receiver says that message `message` is complete.
    pub(super) fn completed(&self, connection: u32, message: u64) -> Result<(), Breach> {
        let buffers = &self.connections[connection as usize];
        let buffer =
            message.checked_sub(buffers.first.into()).and_then(|at| buffers.messages.get(at as usize));
        let whole = buffer.is_some_and(|it| it.written.iter().all(|written| *written));
        if whole { Ok(()) } else { Err(Breach::Incomplete { message }) }
    }

    /// The sender has completed its first so many messages: their room is given back.
    pub(super) fn forget(&mut self, connection: u32, completed: u64) {
        let buffers = &mut self.connections[connection as usize];
        while u64::from(buffers.first) < completed && buffers.messages.pop_front().is_some() {
            buffers.first += 1;
        }
    }
}
