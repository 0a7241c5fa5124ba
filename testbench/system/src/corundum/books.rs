//! Record of both hosts: messages in progress, and contents of memory. Sent bytes are computed from their
//! address, so each message differs in every byte from any other at the same place.

use crate::memory::Arrivals;
use std::collections::VecDeque;
use weft_random::Rng;

/// Maximum number of unfinished messages of a connection (page of the NIC, rule 4).
const UNFINISHED: usize = 16;
/// Bytes of the longest message.
const LONGEST: u32 = 1 << 16;
/// Bytes of a region: twice as many bytes as all unfinished messages can have.
const REGION: u32 = 4 << 20;
/// Beginning of a region in the 4 GiB of its connection. Sources have the upper half of all addresses.
const REGION_AT: u64 = 0x10_0040;
const SOURCES: u64 = 1 << 63;
/// Entries of a ring. The ring's address is in the 4 GiB before the memory of the first connection.
pub(super) const ENTRIES: u16 = 64;
pub(super) const RING: u64 = 0x7_1000;
/// Bytes of an entry.
const ENTRY: usize = 16;
/// Bits of STATE: the connection is open; REPS is in freezing mode. All other bits are failures in this test.
const OPEN: u32 = 1;
const FROZEN: u32 = 4;

/// A message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) connection: u32,
    pub(super) source: u64,
    pub(super) target: u64,
    pub(super) bytes: u32,
    pub(super) id: u32,
    /// Immediate, if the receiver gets a completion.
    pub(super) immediate: Option<u32>,
}

/// A message in progress.
struct State {
    message: Message,
    arrivals: Arrivals,
    /// The sender has the message's completion; the receiver has its completion.
    sent: bool,
    received: bool,
}

/// Messages of a connection from one host, without those at the front that have ended.
#[derive(Default)]
struct Lane {
    first: u32,
    messages: VecDeque<State>,
    /// Lowest addresses of the next message's source and of its place in the region.
    source: u64,
    place: u32,
}

/// State of a host.
struct Host {
    rng: Rng,
    lanes: Vec<Lane>,
    /// Bytes that the host has not yet sent.
    left: u64,
    /// Entries written to the host's ring, and entries that the host has released.
    entries: u16,
    done: u16,
}

/// The books of both hosts.
pub(super) struct Books {
    hosts: [Host; 2],
    mtu: u32,
    /// Bytes of payload written, and messages ended.
    pub(super) bytes: u64,
    pub(super) messages: u64,
    /// Pieces of reads for messages whose completion the sender already had.
    pub(super) late_reads: u64,
    /// Connections that began to freeze.
    pub(super) freezes: u64,
}

/// Key of the region of a connection at a host.
pub(super) fn key(card: usize, connection: u32) -> u32 {
    Rng::of(&[card as u64, connection.into(), 7]).draw() as u32
}

/// Beginning of that region, and its bytes.
pub(super) fn region(connection: u32) -> (u64, u32) {
    ((u64::from(connection) + 1) << 32 | REGION_AT, REGION)
}

/// Fills in the source bytes at an address of a host.
fn source(card: usize, address: u64, bytes: &mut [u8]) {
    let mut word = [0; 8];
    for (at, byte) in (address..).zip(bytes) {
        if word == [0; 8] || at.is_multiple_of(8) {
            word = Rng::of(&[card as u64, at / 8]).draw().to_le_bytes();
        }
        *byte = word[(at % 8) as usize];
    }
}

impl Books {
    /// Books for hosts that send `bytes` bytes each.
    pub(super) fn new(connections: u32, mtu: u32, bytes: u64, seed: u64) -> Self {
        let lane = |connection| Lane { source: SOURCES | (connection + 1) << 40, ..Lane::default() };
        let host = |card| Host {
            rng: Rng::of(&[seed, card, 1]),
            lanes: (0..u64::from(connections)).map(lane).collect(),
            left: bytes,
            entries: 0,
            done: 0,
        };
        Self { hosts: [host(0), host(1)], mtu, bytes: 0, messages: 0, late_reads: 0, freezes: 0 }
    }

    /// Next message to post, if one can be posted. The message's addresses are random.
    pub(super) fn post(&mut self, card: usize) -> Option<Message> {
        let Host { rng, lanes, left, .. } = &mut self.hosts[card];
        let connection = rng.index(lanes.len());
        let lane = &mut lanes[connection];
        if *left == 0 || lane.messages.len() >= UNFINISHED {
            return None;
        }
        let longest = *rng.pick(&[64, 4096, LONGEST, LONGEST]);
        let bytes = 1 + rng.below(longest).min((*left - 1).min(u64::from(LONGEST)) as u32);
        *left -= u64::from(bytes);
        lane.place += rng.below(200);
        if lane.place + bytes > REGION {
            lane.place = rng.below(200);
        }
        lane.source += u64::from(rng.below(200));
        let connection = connection as u32;
        let message = Message {
            connection,
            source: lane.source,
            target: region(connection).0 + u64::from(lane.place),
            bytes,
            id: rng.draw() as u32,
            immediate: rng.chance(3, 4).then(|| rng.draw() as u32),
        };
        (lane.source, lane.place) = (lane.source + u64::from(bytes), lane.place + bytes);
        let arrivals = Arrivals::new(bytes, self.mtu);
        lane.messages.push_back(State { message, arrivals, sent: false, received: false });
        Some(message)
    }

    /// Whether all bytes have been posted and all messages have ended.
    pub(super) fn is_done(&self) -> bool {
        self.hosts.iter().all(|host| host.left == 0 && host.lanes.iter().all(|lane| lane.messages.is_empty()))
    }

    /// Handles a read of the engine at a host.
    pub(super) fn read(&mut self, card: usize, address: u64, bytes: &mut [u8]) -> Result<(), String> {
        let lanes = &self.hosts[card].lanes;
        let connection = (address & !SOURCES) >> 40;
        let lane = connection.checked_sub(1).and_then(|connection| lanes.get(connection as usize));
        let lane = lane.filter(|_| address & SOURCES != 0);
        let end = address + bytes.len() as u64;
        let holds = |State { message: Message { source, bytes, .. }, sent, .. }: &State| {
            (*source <= address && end <= source + u64::from(*bytes)).then_some(*sent)
        };
        let found =
            lane.map(|lane| (lane.messages.iter().find_map(holds), lane.messages.front(), lane.source));
        let is_late = match found {
            Some((Some(sent), ..)) => sent,
            // The read is for a message that has ended at both ends.
            Some((None, front, next)) if end <= front.map_or(next, |front| front.message.source) => true,
            _ => return Err(format!("{} bytes are read at {address:#x}, no part of a message", bytes.len())),
        };
        source(card, address, bytes);
        if is_late {
            // The host had the completion and has overwritten the bytes.
            bytes.iter_mut().for_each(|byte| *byte = !*byte);
            self.late_reads += 1;
        }
        Ok(())
    }

    /// Handles a write of the engine at a host.
    pub(super) fn written(&mut self, card: usize, address: u64, bytes: &[u8]) -> Result<(), String> {
        match (address >> 32).checked_sub(1) {
            None => self.entry(card, address, bytes),
            Some(connection) => self.payload(card, connection, address, bytes),
        }
    }

    fn payload(&mut self, card: usize, connection: u64, address: u64, bytes: &[u8]) -> Result<(), String> {
        let stray = || format!("{} bytes are written to {address:#x}, no packet of a message", bytes.len());
        let other = 1 - card;
        let lane = self.hosts[other].lanes.get_mut(connection as usize).ok_or_else(stray)?;
        let packet = |state: &&mut State| {
            let offset = address.checked_sub(state.message.target);
            offset.is_some_and(|at| state.arrivals.bytes_at(at) == Some(bytes.len() as u32))
        };
        let state =
            lane.messages.iter_mut().filter(|state| !state.received).find(packet).ok_or_else(stray)?;
        let offset = address - state.message.target;
        let mut due = vec![0; bytes.len()];
        source(other, state.message.source + offset, &mut due);
        if due != bytes {
            let same = due.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            return Err(format!("wrong bytes at {:#x}, from {same} of {} on", address, bytes.len()));
        }
        if !state.arrivals.write(offset as u32) {
            return Err(format!("the packet at {address:#x} is written twice"));
        }
        self.bytes += bytes.len() as u64;
        self.retire(other, connection as usize);
        Ok(())
    }

    /// Checks an entry of the ring: its place, its round, and its contents.
    fn entry(&mut self, card: usize, address: u64, bytes: &[u8]) -> Result<(), String> {
        let host = &mut self.hosts[card];
        let place = RING + u64::from(host.entries % ENTRIES) * ENTRY as u64;
        let Ok(entry) = <[u8; ENTRY]>::try_from(bytes) else {
            return Err(format!("{} bytes are written to {address:#x}", bytes.len()));
        };
        if address != place || host.entries.wrapping_sub(host.done) >= ENTRIES {
            return Err(format!("an entry at {address:#x}, not {place:#x} where the ring has room"));
        }
        let word = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let (first, second, who, last) = (word(0), word(4), word(8), word(12));
        if last != u32::from((host.entries / ENTRIES).is_multiple_of(2)) << 31 {
            return Err(format!("the last word of entry {} is {last:#x}", host.entries));
        }
        host.entries = host.entries.wrapping_add(1);
        let connection = who as usize & 0xFFFF;
        match who >> 16 {
            1 => self.received(1 - card, connection, first, second),
            2 => self.sent(card, connection, first, second),
            3 if first & !FROZEN == OPEN && second == 0 && connection < host.lanes.len() => {
                self.freezes += u64::from(first & FROZEN != 0);
                Ok(())
            }
            kind => Err(format!("an entry of kind {kind} for connection {connection}: {first:#x}")),
        }
    }

    /// Checks the receiver's completion of a message of this sender: all its bytes and all messages before
    /// are in memory.
    fn received(
        &mut self,
        sender: usize,
        connection: usize,
        immediate: u32,
        number: u32,
    ) -> Result<(), String> {
        let lane = self.hosts[sender].lanes.get_mut(connection).ok_or("a connection that is not open")?;
        let tells = |state: &State| !state.received && state.message.immediate.is_some();
        let index = lane.messages.iter().position(tells).ok_or("a message has come that was not sent")?;
        let due = (lane.messages[index].message.immediate, (lane.first + index as u32) & 0xFF_FFFF);
        if due != (Some(immediate), number) {
            return Err(format!("message {number} with {immediate:#x} has come, due is {due:x?}"));
        }
        for state in lane.messages.iter_mut().take(index + 1) {
            if let Some(hole) = state.arrivals.hole() {
                return Err(format!(
                    "a completion ahead of its data: {:?} from byte {hole} on",
                    state.message
                ));
            }
            state.received = true;
        }
        self.retire(sender, connection);
        Ok(())
    }

    /// Checks the sender's completion of a message.
    fn sent(&mut self, card: usize, connection: usize, id: u32, status: u32) -> Result<(), String> {
        let lane = self.hosts[card].lanes.get_mut(connection).ok_or("a connection that is not open")?;
        let state =
            lane.messages.iter_mut().find(|state| !state.sent).ok_or("what was not posted has ended")?;
        if (state.message.id, 0) != (id, status) {
            return Err(format!("work {id:#x} ends with {status}, due is {:#x}", state.message.id));
        }
        state.sent = true;
        self.retire(card, connection);
        Ok(())
    }

    /// Removes messages that have ended at both ends.
    fn retire(&mut self, sender: usize, connection: usize) {
        let lane = &mut self.hosts[sender].lanes[connection];
        let ended = |state: &State| {
            state.sent
                && state.arrivals.hole().is_none()
                && (state.received || state.message.immediate.is_none())
        };
        while lane.messages.front().is_some_and(ended) {
            lane.messages.pop_front();
            lane.first += 1;
            self.messages += 1;
        }
    }

    /// Number of entries so far, if the ring has new ones for the host.
    pub(super) fn new_entries(&self, card: usize) -> Option<u16> {
        let Host { entries, done, .. } = self.hosts[card];
        (entries != done).then_some(entries)
    }

    /// The host releases the entries.
    pub(super) fn done(&mut self, card: usize, entries: u16) {
        self.hosts[card].done = entries;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u16, kind: u32, connection: u32, first: u32, second: u32) -> (u64, Vec<u8>) {
        let phase = u32::from((number / ENTRIES).is_multiple_of(2)) << 31;
        let words = [first, second, kind << 16 | connection, phase];
        (RING + u64::from(number % ENTRIES) * 16, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Books with one message of several packets from host 0, and its packets as address and bytes.
    fn one() -> (Books, Message, Vec<(u64, Vec<u8>)>) {
        let mut books = Books::new(1, 1024, 1 << 20, 5);
        let message = loop {
            let message = books.post(0).expect("a message");
            if message.bytes > 2048 && message.immediate.is_some() {
                break message;
            }
            books = Books::new(1, 1024, 1 << 20, books.hosts[0].rng.draw());
        };
        let mut bytes = vec![0; message.bytes as usize];
        books.read(0, message.source, &mut bytes).expect("its bytes");
        let packets = bytes.chunks(1024).enumerate();
        let packets =
            packets.map(|(at, bytes)| (message.target + 1024 * at as u64, bytes.to_vec())).collect();
        (books, message, packets)
    }

    #[test]
    fn a_message_ends_when_all_is_written_and_both_are_told() {
        let (mut books, message, packets) = one();
        for (address, bytes) in packets.iter().rev() {
            books.written(1, *address, bytes).expect("a packet");
        }
        let (address, bytes) = entry(0, 1, 0, message.immediate.expect("one"), 0);
        books.written(1, address, &bytes).expect("it has come");
        assert_eq!((books.messages, books.new_entries(1), books.new_entries(0)), (0, Some(1), None));
        let (address, bytes) = entry(0, 2, 0, message.id, 0);
        books.written(0, address, &bytes).expect("it has ended");
        assert_eq!((books.messages, books.bytes), (1, message.bytes.into()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        let told = |result: Result<(), String>, what: &str| {
            let error = result.expect_err(what);
            assert!(error.contains(what), "{error}");
        };
        let (mut books, message, packets) = one();
        let (first, mut bytes) = packets[0].clone();
        told(books.written(1, first + 1, &bytes), "no packet of a message");
        told(books.written(1, first + (1 << 32), &bytes), "no packet of a message");
        told(books.written(1, first, &bytes[1..]), "no packet of a message");
        bytes[700] ^= 1;
        told(books.written(1, first, &bytes), "from 700 of 1024 on");
        books.written(1, first, &packets[0].1).expect("the packet");
        told(books.written(1, first, &packets[0].1), "written twice");
        let immediate = message.immediate.expect("one");
        let (address, bytes) = entry(0, 1, 0, immediate, 0);
        told(books.written(1, address + 16, &bytes), "where the ring has room");
        told(books.written(1, address, &bytes[1..]), "15 bytes");
        told(books.written(1, address, &bytes), "a completion ahead of its data");
        let (address, bytes) = entry(1, 1, 0, immediate, 1);
        told(books.written(1, address, &bytes), "due is");
        let (address, bytes) = entry(0, 2, 0, message.id, 3);
        told(books.written(0, address, &bytes), "ends with 3");
        let (address, bytes) = entry(ENTRIES, 2, 0, message.id, 0);
        told(books.written(0, address + 16, &bytes), "the last word of entry 1");
        told(books.read(0, message.source - 1, &mut [0; 2]), "no part of a message");
        told(books.read(0, message.source + u64::from(message.bytes), &mut [0]), "no part of a message");
    }
}
