//! Compares the outputs of a design with those of the model, for NICs with any latency.
//!
//! The bench passes to the scoreboard every input that the design accepts and every output that the design
//! makes. In two choices the model follows the design: which connection sends next, and when a data frame
//! begins, by the time stamp in the frame. The model decides all other results: bytes of frames, entropy
//! values, addresses, completions and their order, events, counters.
//!
//! For some outputs the model has no latency. The design may make such an output at once or later.
//! [`Scoreboard::settle`] reports that the design is quiet; after this call no output may be missing.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use weft_nic::block::registers::Change;
use weft_nic::nic::transaction::{Incoming, Nic, Outgoing};
use weft_nic::words::{Received, Sent, Work};
use weft_params::registers::{counters, counters_of};

/// The longest frame of other software that a NIC sends.
const LONGEST: usize = 16_384;

/// A difference between design and model, in one line.
pub type Difference = String;

/// A data packet that the model sends, until the design does.
#[derive(Debug)]
struct Due {
    order: Outgoing,
    /// Bytes of the packet's fetch; 0: no fetch.
    wanted: usize,
    /// The time at which the packet was chosen.
    at: u64,
    /// The bytes that were read, once the data is there. The inner `None` means that the read failed.
    payload: Option<Option<Vec<u8>>>,
}

impl Due {
    fn connection(&self) -> u32 {
        if let Outgoing::Data(ordered) = &self.order { ordered.connection } else { 0 }
    }
}

/// Changes of a connection's state since the last quiet time of the design. Each word is one of STATE.
#[derive(Debug, Default)]
struct Changes {
    /// The bits that have been 1 at some time, and the bits that have been 0.
    ones: u8,
    zeros: u8,
    /// Maximum number of events for the changes: one event for each change. A slow design reports several
    /// changes in one event.
    events: u32,
    /// The words since the last of these.
    last: Vec<u8>,
    /// Number of events that the design has reported, and the word of the latest event.
    told: u32,
    word: u8,
}

impl Changes {
    fn add(&mut self, change: Change) {
        for word in [change.before, change.after] {
            self.ones |= word;
            self.zeros |= !word;
        }
        if change.is_event {
            self.events += 1;
            self.last.clear();
        }
        self.last.push(change.after);
    }

    /// The event that a quiet design must still report: the present state of the connection.
    fn owed(&self) -> Option<u8> {
        let is_told = self.events == 0 || self.told > 0 && self.last.contains(&self.word);
        if is_told { None } else { self.last.last().copied() }
    }
}

/// The outputs that the model has made and the design has not.
#[derive(Debug, Default)]
pub struct Scoreboard {
    replies: VecDeque<Vec<u8>>,
    data: VecDeque<Due>,
    others: VecDeque<Vec<u8>>,
    bypassed: VecDeque<(Vec<u8>, bool)>,
    writes: VecDeque<(u32, (u64, Vec<u8>))>,
    received: VecDeque<(u32, Received)>,
    sent: VecDeque<(u32, Sent)>,
    /// Changes by connection.
    changes: BTreeMap<u32, Changes>,
    compared: u64,
}

impl Scoreboard {
    /// Makes a scoreboard that expects no output. From now on the model reports the changes of its
    /// connections.
    pub fn new(nic: &mut Nic) -> Self {
        nic.tell_changes();
        Self::default()
    }

    /// Number of outputs that were equal.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// The design accepted a work request.
    pub fn work(&mut self, nic: &mut Nic, connection: u32, work: &Work, now: u64) {
        nic.work(connection, work, now);
        self.hear(nic, now);
    }

    /// The design accepted a frame from the network, without FCS; `bad`: its MAC marked the frame as bad.
    pub fn receive(&mut self, nic: &mut Nic, frame: &[u8], bad: bool, now: u64) {
        match nic.receive(frame, bad, now) {
            Incoming::Foreign => self.bypassed.push_back((frame.to_vec(), bad)),
            Incoming::Taken { connection, write: Some((address, payload)) } if !payload.is_empty() => {
                self.writes.push_back((connection, (address, payload.to_vec())));
            }
            _ => {}
        }
        self.hear(nic, now);
    }

    /// The design accepted a frame of other software, to be sent.
    pub fn bypass(&mut self, nic: &mut Nic, frame: &[u8]) {
        if frame.len() <= LONGEST {
            self.others.push_back(frame.to_vec());
        } else {
            // The model counts it as lost.
            nic.bypass(frame.to_vec());
        }
    }

    /// The outputs that need no answer of the host.
    fn hear(&mut self, nic: &mut Nic, now: u64) {
        nic.expire(now);
        while let Some(reply) = nic.next_reply() {
            self.replies.extend(nic.frame(reply, None, now));
        }
        self.received.extend(std::iter::from_fn(|| nic.received()));
        self.sent.extend(std::iter::from_fn(|| nic.sent()));
        while let Some(change) = nic.change() {
            self.changes.entry(change.connection).or_default().add(change);
        }
    }

    /// The next data packet, of a connection or of any, with windows as old as may be.
    fn next(&mut self, nic: &mut Nic, of: Option<u32>, now: u64) -> Option<Due> {
        self.hear(nic, now);
        loop {
            let next = if let Some(connection) = of { nic.next_of(connection, now) } else { nic.next(now) };
            match next {
                Some(order) => {
                    let fetch = if let Outgoing::Data(ordered) = &order { ordered.fetch } else { None };
                    let wanted = fetch.map_or(0, |place| place.bytes.into());
                    return Some(Due { order, wanted, at: now, payload: None });
                }
                None if nic.window(now) => {}
                None => return None,
            }
        }
    }

    /// The design requested the payload of a packet.
    pub fn fetch(
        &mut self,
        nic: &mut Nic,
        connection: u32,
        address: u64,
        bytes: usize,
        now: u64,
    ) -> Result<(), Difference> {
        let given = format!("fetch of connection {connection}, address {address:#x}, {bytes} bytes");
        loop {
            let Some(due) = self.next(nic, Some(connection), now) else {
                return Err(format!("{given}: the model has nothing to send on this connection"));
            };
            let place = if let Outgoing::Data(ordered) = &due.order { ordered.fetch } else { None };
            self.data.push_back(due);
            if let Some(place) = place {
                let is_same = (place.address, usize::from(place.bytes)) == (address, bytes);
                return self.same(is_same, || {
                    format!("{given}: expected address {:#x}, {} bytes", place.address, place.bytes)
                });
            }
        }
    }

    /// The host answered the oldest fetch; `None`: the read failed.
    pub fn read(&mut self, payload: Option<&[u8]>) -> Result<(), Difference> {
        let waits = |due: &&mut Due| due.wanted > 0 && due.payload.is_none();
        let due = self.data.iter_mut().find(waits).ok_or("read data without a fetch")?;
        due.payload = Some(payload.and_then(|bytes| bytes.get(..due.wanted)).map(<[u8]>::to_vec));
        Ok(())
    }

    /// The design sent a frame, without FCS.
    pub fn frame(&mut self, nic: &mut Nic, frame: &[u8], now: u64) -> Result<(), Difference> {
        self.hear(nic, now);
        if self.others.front().is_some_and(|other| other == frame)
            && let Some(other) = self.others.pop_front()
        {
            // The model counts it as sent.
            nic.frame(Outgoing::Other(other), None, now);
            return self.same(true, String::new);
        }
        match Kind::of(frame) {
            Kind::Reply(to) => {
                let same = |reply: &Vec<u8>| matches!(Kind::of(reply), Kind::Reply(other) if other == to);
                let place = self.replies.iter().position(same);
                let expected = place.and_then(|place| self.replies.remove(place));
                self.same_bytes("ACK or NACK", frame, expected.as_deref())
            }
            Kind::Data(to, stamp) => {
                let expected = self.data(nic, to, stamp, now)?;
                self.same_bytes("data frame", frame, expected.as_deref())
            }
            Kind::Other => {
                let expected = self.others.pop_front();
                self.same_bytes("frame of others", frame, expected.as_deref())
            }
        }
    }

    /// The model's next data frame to this peer. With a stamp, the frame begins at the time of the stamp, if
    /// that time is not before the choice of the packet. A packet without payload had no fetch: the model
    /// chooses the packet now.
    fn data(
        &mut self,
        nic: &mut Nic,
        to: Peer,
        stamp: Option<u16>,
        now: u64,
    ) -> Result<Option<Vec<u8>>, Difference> {
        let connections: Vec<u32> = to.connections(nic).collect();
        loop {
            // A frame to no peer is compared with the next one of any connection.
            let is_next = |due: &Due| connections.is_empty() || connections.contains(&due.connection());
            let place = self.data.iter().position(is_next);
            let due = place.and_then(|place| self.data.remove(place));
            let mut of = connections.iter();
            let Some(due) = due.or_else(|| of.find_map(|&connection| self.next(nic, Some(connection), now)))
            else {
                return Ok(None);
            };
            if due.wanted > 0 && due.payload.is_none() {
                return Err("data frame before its payload was read".into());
            }
            if let Some(frame) = made(nic, due, stamp, now) {
                return Ok(Some(frame));
            }
        }
    }

    /// The design passed on a frame of other software; `bad`: with the MAC's error mark.
    pub fn bypassed(&mut self, frame: &[u8], bad: bool) -> Result<(), Difference> {
        let expected = self.bypassed.pop_front();
        self.same_bytes("bypassed frame", frame, expected.as_ref().map(|(frame, _)| &frame[..]))?;
        let good = expected.is_some_and(|(_, expected)| expected == bad);
        self.same(good, || format!("bypassed frame: its error is {bad}, expected {}", !bad))
    }

    /// The design wrote the payload of a packet.
    pub fn write(&mut self, connection: u32, address: u64, payload: &[u8]) -> Result<(), Difference> {
        let what = format!("write of connection {connection}, address {address:#x}");
        let expected = of(&mut self.writes, connection);
        if let Some((place, _)) = expected.as_ref().filter(|(place, _)| *place != address) {
            return Err(format!("{what}: expected address {place:#x}"));
        }
        self.same_bytes(&what, payload, expected.as_ref().map(|(_, payload)| &payload[..]))
    }

    /// The design completed a received message.
    pub fn received(
        &mut self,
        nic: &mut Nic,
        connection: u32,
        it: Received,
        now: u64,
    ) -> Result<(), Difference> {
        self.hear(nic, now);
        let expected = of(&mut self.received, connection);
        self.same_words("received message", connection, &it, expected.as_ref())
    }

    /// The design completed the work request with this id; `status` is the code of a [`weft_nic::words::Status`].
    pub fn sent(
        &mut self,
        nic: &mut Nic,
        connection: u32,
        id: u32,
        status: u8,
        now: u64,
    ) -> Result<(), Difference> {
        self.hear(nic, now);
        let expected = of(&mut self.sent, connection).map(|it| (it.id, it.status as u8));
        self.same_words("completion (id, status)", connection, &(id, status), expected.as_ref())
    }

    /// The design reported an event of a connection, with this word of STATE.
    pub fn event(&mut self, nic: &mut Nic, connection: u32, word: u8, now: u64) -> Result<(), Difference> {
        self.hear(nic, now);
        let what = format!("event of connection {connection}, state {word:#04x}");
        let Some(changes) = self.changes.get_mut(&connection).filter(|it| it.told < it.events) else {
            return Err(format!("{what}: the model has none"));
        };
        (changes.told, changes.word) = (changes.told + 1, word);
        let is_possible = word & !changes.ones == 0 && !word & !changes.zeros == 0;
        let state = changes.last.last().copied().unwrap_or_default();
        self.same(is_possible, || format!("{what}: expected {state:#04x}"))
    }

    /// The design is quiet, and this counter has this value (modulo 2^32); `place` is that of
    /// [`weft_params::registers::counters`]. Counters of clocks, which a model without clocks lacks, may have any value.
    pub fn counter(&mut self, nic: &mut Nic, place: usize, value: u32, now: u64) -> Result<(), Difference> {
        if counters_of("holds").contains(&place) {
            return Ok(());
        }
        self.hear(nic, now);
        let expected = nic.counters()[place];
        self.same(value == expected, || {
            let name = counters().nth(place).map_or("", |register| &register.name);
            format!("counter {name}: {value}, expected {expected}")
        })
    }

    /// The design is quiet: no output is missing.
    pub fn settle(&mut self, nic: &mut Nic, now: u64) -> Result<(), Difference> {
        // Timers first: a probe lets a packet leave until the window behind it, which is to be among those below.
        self.hear(nic, now);
        // Packets without payload, and packets that need not be sent any more.
        while let Some(due) = self.data.pop_front() {
            if due.wanted > 0 && due.payload.is_none() {
                return Err(format!("the read of {} bytes was not answered", due.wanted));
            }
            if let Some(frame) = made(nic, due, None, now) {
                return Err(format!("a data frame of {} bytes was not sent", frame.len()));
            }
        }
        while nic.window(now) {}
        if let Some(due) = self.next(nic, None, now) {
            return Err(match due.order {
                Outgoing::Data(it) => {
                    format!("connection {} did not send PSN {}", it.connection, it.order.psn)
                }
                _ => "a frame was not sent".into(),
            });
        }
        let owed = [
            ("ACKs and NACKs were not sent", self.replies.len()),
            ("frames of others were not sent", self.others.len()),
            ("frames of others were not passed on", self.bypassed.len()),
            ("packets were not written", self.writes.len()),
            ("received messages were not completed", self.received.len()),
            ("work requests were not completed", self.sent.len()),
        ];
        if let Some((what, count)) = owed.iter().find(|(_, count)| *count > 0) {
            return Err(format!("{count} {what}"));
        }
        for (connection, changes) in std::mem::take(&mut self.changes) {
            if let Some(state) = changes.owed() {
                return Err(format!(
                    "an event of connection {connection}, state {state:#04x}, was not reported"
                ));
            }
        }
        Ok(())
    }

    fn same(&mut self, is_same: bool, difference: impl FnOnce() -> Difference) -> Result<(), Difference> {
        self.compared += u64::from(is_same);
        if is_same { Ok(()) } else { Err(difference()) }
    }

    fn same_words<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        connection: u32,
        given: &T,
        expected: Option<&T>,
    ) -> Result<(), Difference> {
        self.same(expected == Some(given), || match expected {
            Some(expected) => format!("{what} of connection {connection}: {given:?}, expected {expected:?}"),
            None => format!("{what} of connection {connection}: {given:?}, the model has none"),
        })
    }

    fn same_bytes(&mut self, what: &str, given: &[u8], expected: Option<&[u8]>) -> Result<(), Difference> {
        self.same(expected == Some(given), || {
            let Some(expected) = expected else {
                return format!("{what} of {} bytes: the model has none", given.len());
            };
            let place = given.iter().zip(expected).position(|(one, other)| one != other);
            place.map_or_else(
                || format!("{what} of {} bytes: expected {}", given.len(), expected.len()),
                |at| format!("{what}: byte {at} is {:#04x}, expected {:#04x}", given[at], expected[at]),
            )
        })
    }
}

/// The frame of a packet, begun at the time of this stamp, if that time is after the choice of the packet.
/// `None`: the packet is not sent.
fn made(nic: &mut Nic, due: Due, stamp: Option<u16>, now: u64) -> Option<Vec<u8>> {
    let age = stamp.map_or(0, |stamp| (now as u16).wrapping_sub(stamp).into());
    let begun = now.checked_sub(age).filter(|&begun| begun >= due.at).unwrap_or(now);
    nic.frame(due.order, due.payload.unwrap_or(Some(vec![])).as_deref(), begun)
}

/// The first of a connection.
fn of<T>(queue: &mut VecDeque<(u32, T)>, connection: u32) -> Option<T> {
    let place = queue.iter().position(|(other, _)| *other == connection)?;
    queue.remove(place).map(|(_, it)| it)
}

/// The destination of a frame: IP address, IPv6 or IPv4, and queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Peer {
    v6: bool,
    address: u128,
    qp: u32,
}

impl Peer {
    fn connections(self, nic: &Nic) -> impl Iterator<Item = u32> + '_ {
        nic.egress().connections_to(self.v6, self.address, self.qp)
    }
}

/// The fields of a frame that decide which frame of the model it is compared with.
enum Kind {
    /// ACK or NACK.
    Reply(Peer),
    /// Data, with its time stamp.
    Data(Peer, Option<u16>),
    Other,
}

impl Kind {
    fn of(frame: &[u8]) -> Self {
        Self::known(frame).unwrap_or(Self::Other)
    }

    /// The bytes are those of "Wire format", docs/blocks/nic.md.
    fn known(frame: &[u8]) -> Option<Self> {
        let number =
            |at: Range<usize>| Some(frame.get(at)?.iter().fold(0, |sum, &byte| sum << 8 | u128::from(byte)));
        let word = |at: usize| number(at..at + 2).map(|word| word as u16);
        let ip = if word(12)? == 0x8100 { 18 } else { 14 };
        let v6 = match word(ip - 2)? {
            0x0800 => false,
            0x86DD => true,
            _ => return None,
        };
        let (protocol, destination, udp) =
            if v6 { (ip + 6, ip + 24..ip + 40, ip + 40) } else { (ip + 9, ip + 16..ip + 20, ip + 20) };
        if *frame.get(protocol)? != 17 || word(udp + 2)? != 4791 {
            return None;
        }
        let bth = udp + 8;
        let to = Peer { v6, address: number(destination)?, qp: number(bth + 5..bth + 8)? as u32 };
        match *frame.get(bth)? {
            0x11 => Some(Self::Reply(to)),
            0x0A => Some(Self::Data(to, word(bth + 28))),
            0x0B => Some(Self::Data(to, word(bth + 32))),
            0xDE => Some(Self::Data(to, None)),
            _ => None,
        }
    }
}
