//! Buffers of the receiving host. Each payload must be written to its place once.

use super::breach::Breach;
use super::message::{Arrival, Message};
use crate::memory::{Arrivals, random_bytes};
use std::collections::VecDeque;
use weft_random::Rng;

/// Payload of packet `packet` of message `message`. Each packet has a different payload.
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
    random_bytes(&mut rng, bytes as usize)
}

/// Buffers of messages, by connection.
pub(super) struct Buffers {
    seed: u64,
    mtu: u32,
    connections: Vec<OfConnection>,
    /// Packets written.
    pub(super) packets: u64,
    /// Bytes written.
    pub(super) bytes: u64,
}

#[derive(Clone, Debug, Default)]
struct OfConnection {
    opening: u32,
    /// Number of the first message whose buffer is kept.
    first: u32,
    messages: VecDeque<Arrivals>,
}

impl Buffers {
    pub(super) fn new(seed: u64, mtu: u32, connections: u32) -> Self {
        Self {
            seed,
            mtu,
            connections: vec![OfConnection::default(); connections as usize],
            packets: 0,
            bytes: 0,
        }
    }

    pub(super) fn open(&mut self, connection: u32, opening: u32) {
        self.connections[connection as usize] = OfConnection { opening, ..OfConnection::default() };
    }

    /// Makes space for a message.
    pub(super) fn post(&mut self, connection: u32, message: Message) {
        let bytes = (u32::from(message.packets) - 1) * self.mtu + message.last_bytes;
        self.connections[connection as usize].messages.push_back(Arrivals::new(bytes, self.mtu));
    }

    /// Writes a payload to its address.
    pub(super) fn write(&mut self, connection: u32, came: &Arrival) -> Result<(), Breach> {
        let Arrival { opening, address, ref payload, .. } = *came;
        let (message, offset) = ((address >> 32) as u32, address as u32);
        let buffers = &mut self.connections[connection as usize];
        let index = message.wrapping_sub(buffers.first) as usize;
        let arrivals = buffers.messages.get_mut(index).filter(|_| opening == buffers.opening);
        let found = arrivals.and_then(|it| Some((it.bytes_at(offset.into())?, it)));
        let Some((bytes, arrivals)) = found else { return Err(Breach::Misplaced { address, opening }) };
        let packet = offset / self.mtu;
        let (place, at) = (u64::from(message), u64::from(packet));
        if !arrivals.write(offset) {
            return Err(Breach::PlacedTwice { message: place, packet: at });
        }
        if *payload != self::payload(self.seed, connection, opening, message, packet, bytes) {
            return Err(Breach::WrongPayload { message: place, packet: at });
        }
        self.packets += 1;
        self.bytes += u64::from(bytes);
        Ok(())
    }

    /// Checks that message `message` has no holes when the receiver reports it as complete.
    pub(super) fn completed(&self, connection: u32, message: u64) -> Result<(), Breach> {
        let buffers = &self.connections[connection as usize];
        let buffer =
            message.checked_sub(buffers.first.into()).and_then(|at| buffers.messages.get(at as usize));
        let whole = buffer.is_some_and(|it| it.hole().is_none());
        if whole { Ok(()) } else { Err(Breach::Incomplete { message }) }
    }

    /// Frees the buffers of the first `completed` messages, which the sender has completed.
    pub(super) fn forget(&mut self, connection: u32, completed: u64) {
        let buffers = &mut self.connections[connection as usize];
        while u64::from(buffers.first) < completed && buffers.messages.pop_front().is_some() {
            buffers.first += 1;
        }
    }
}
