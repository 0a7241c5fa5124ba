//! A host with the NIC: the transaction view of `weft_nic`, whose steps are the functions that the proofs
//! use, or another NIC behind [`Queues`]. Only this module depends on the NIC.

mod notes;
mod probing;
mod shared;

pub use shared::Shared;

use super::agenda::Agenda;
use super::cargo::{Answer, Cargo, Data, Hold};
use super::ends::AROUND;
pub use super::ends::{Departure, ReceiverEnd, SenderEnd};
use super::probe::Prober;
use super::queues::Queues;
use super::{Endpoint, NEVER, Signal, Told};
use crate::balance::hash;
use crate::events::What;
use crate::flow::Lane;
use crate::packet::{CONTROL, ECN, LAST_HOP, Packet, TRIMMED, fetch_all};
use crate::tally::Counts;
use notes::Notes;
use std::collections::VecDeque;
use std::sync::Arc;
use weft_nic::block::ingress;
use weft_nic::nic::transaction::{Nic, Outgoing};
use weft_nic::part::ahead::Ask;
use weft_nic::words::{Acknowledgement, ArrivalKind, Place, Status, Work};

/// The state of a connection that sends.
#[derive(Clone, Debug, Default)]
struct Sending {
    /// Number of flows that use the connection.
    flows: u32,
    /// Messages that wait for space: flow, offset, bytes.
    waiting: VecDeque<(u32, u64, u32)>,
    posted: u32,
}

/// The fields of a connection that its packets need.
#[derive(Clone, Copy, Debug)]
struct Way {
    lane: Lane,
    /// The hash of the connection's packets.
    hash: u32,
    /// The flow whose data arrived last.
    flow: u32,
}

impl Way {
    fn new(host: u32, lane: Lane) -> Self {
        Self { lane, hash: hash::of_flow(host, lane.peer), flow: 0 }
    }
}

/// Number of messages that a connection's queue accepts.
const POSTED: u32 = 15;
/// Number of packets of the longest message.
const MESSAGE: u32 = 1 << 15;
/// Memory key of all memory.
const KEY: u32 = 0x77;

/// Prefetches memory.
struct Prefetch;

impl Ask for Prefetch {
    #[inline]
    fn ask<T>(&self, it: &T) {
        fetch_all(it);
    }
}

/// The host: its software, and a NIC behind queues.
pub struct NicHost<N = Nic> {
    number: u32,
    shared: Arc<Shared>,
    nic: N,
    lanes: Vec<Way>,
    sending: Vec<Sending>,
    agenda: Agenda,
    /// Time at which the NIC must act, according to its last answer.
    deadline_ps: u64,
    prober: Option<Prober>,
    /// `None` unless the run requests events.
    notes: Option<Box<Notes>>,
}

impl NicHost {
    /// Makes the host with a number. The host's connections are open.
    pub fn new(number: u32, shared: &Arc<Shared>) -> Self {
        let mut nic = shared.nic.clone();
        nic.seed(shared.nic_seed(number), 0);
        for (at, staged) in (0..).zip(shared.connections(number)) {
            nic.open(at, &staged, 0);
        }
        Self::with(number, shared, nic)
    }
}

impl NicHost {
    /// Opens another connection.
    pub(crate) fn open(&mut self, lane: Lane, now_ps: u64) {
        let at = self.connections();
        self.nic.open(at, &self.shared.staged(self.number, at, lane), self.tick(now_ps));
        self.lanes.push(Way::new(self.number, lane));
        self.sending.push(Sending::default());
    }

    /// Number of open connections.
    pub(crate) fn connections(&self) -> u32 {
        self.lanes.len() as u32
    }
}

impl<N: Queues> NicHost<N> {
    /// The host with another NIC, which opens its connections itself.
    pub fn with(number: u32, shared: &Arc<Shared>, nic: N) -> Self {
        let lanes = shared.table.hosts[number as usize].iter();
        let lanes: Vec<Way> = lanes.map(|lane| Way::new(number, *lane)).collect();
        Self {
            number,
            nic,
            sending: vec![Sending::default(); lanes.len()],
            lanes,
            agenda: Agenda::new(number, &shared.table, shared.signal_ps),
            deadline_ps: NEVER,
            prober: shared.prober(number),
            notes: Notes::new(number, shared),
            shared: Arc::clone(shared),
        }
    }

    /// The NIC.
    pub fn nic(&self) -> &N {
        &self.nic
    }

    /// The NIC, mutable.
    pub fn nic_mut(&mut self) -> &mut N {
        &mut self.nic
    }

    /// Flows of the host.
    pub fn agenda(&self) -> &Agenda {
        &self.agenda
    }

    /// Flows of the host, mutable.
    pub fn agenda_mut(&mut self) -> &mut Agenda {
        &mut self.agenda
    }

    /// The facts of the flows that end here, in the order of their numbers.
    pub fn came(&self) -> &[ReceiverEnd] {
        &self.agenda.came
    }

    /// The facts of the flows that start here, in the order of their numbers.
    pub fn sent(&self) -> &[SenderEnd] {
        &self.agenda.sent
    }

    #[inline]
    fn note(&mut self, now_ps: u64, connection: u32, what: What) {
        if let Some(notes) = &mut self.notes {
            notes.add(now_ps, connection, what);
        }
    }

    fn tick(&self, now_ps: u64) -> u64 {
        now_ps / self.shared.registers.tick_ps
    }

    /// Begins the flows whose start is not after `by_ps`.
    pub fn start(&mut self, by_ps: u64, now_ps: u64) {
        while let Some((flow, _)) = self.agenda.start(by_ps) {
            self.begin(flow, now_ps);
        }
    }

    /// Begins a flow: its messages go to an idle connection of its pair.
    fn begin(&mut self, flow: u32, now_ps: u64) {
        let connection = self.agenda.lane(flow, |lane| self.sending[lane as usize].flows);
        let row = &mut self.sending[connection as usize];
        row.flows += 1;
        let longest = u64::from(MESSAGE) << self.shared.registers.csr.sender.mtu_shift;
        let (all, mut offset) = (self.agenda.flow(flow).bytes, 0);
        let what = What::FlowStarted { flow, bytes: all };
        while offset < all {
            let bytes = (all - offset).min(longest);
            row.waiting.push_back((flow, offset, bytes as u32));
            offset += bytes;
        }
        self.note(now_ps, connection, what);
        self.post(connection, now_ps);
    }

    /// Posts the messages for which a connection has space.
    fn post(&mut self, connection: u32, now_ps: u64) {
        let now = self.tick(now_ps);
        let row = &mut self.sending[connection as usize];
        while row.posted < POSTED
            && let Some((flow, offset, length)) = row.waiting.pop_front()
        {
            row.posted += 1;
            let offset = offset % (AROUND << self.shared.registers.csr.sender.mtu_shift);
            let (local, remote, immediate, id) = (offset, offset, flow, flow);
            let work = Work { local, remote, key: KEY, length, immediate, id, with_immediate: true };
            self.nic.work(connection, &work, now);
        }
    }

    /// Handles the completions of the NIC.
    pub fn complete(&mut self, now_ps: u64) {
        if let Some(notes) = &mut self.notes {
            notes.look(now_ps, &self.nic);
        }
        while let Some((connection, received)) = self.nic.received() {
            let flow = received.immediate;
            let (all, at) = (self.messages(flow), self.agenda.place_came(flow));
            let ends = &mut self.agenda.came[at];
            ends.messages += 1;
            if u64::from(ends.messages) == all {
                self.agenda.received(flow, now_ps);
                self.note(now_ps, connection, What::FlowReceived { flow });
            }
        }
        while let Some((connection, sent)) = self.nic.sent() {
            let flow = sent.id;
            let (all, at) = (self.messages(flow), self.agenda.place_sent(flow));
            self.sending[connection as usize].posted -= 1;
            let ends = &mut self.agenda.sent[at];
            ends.messages += 1;
            ends.errors += u32::from(sent.status != Status::Done);
            if u64::from(ends.messages) == all {
                self.sending[connection as usize].flows -= 1;
                self.agenda.acknowledged(flow, now_ps);
                self.note(now_ps, connection, What::FlowAcknowledged { flow });
            }
            self.post(connection, now_ps);
        }
        self.note_freezes();
    }

    /// Counts freezes that began.
    fn note_freezes(&mut self) {
        while let Some(flow) = self.nic.frozen() {
            let at = self.agenda.place_sent(flow);
            self.agenda.sent[at].freezes += 1;
        }
    }

    /// Number of messages of a flow.
    fn messages(&self, flow: u32) -> u64 {
        let longest = u64::from(MESSAGE) << self.shared.registers.csr.sender.mtu_shift;
        self.agenda.flow(flow).bytes.div_ceil(longest)
    }

    /// Returns the packet for a connection's frame that leaves now. Records the facts about data.
    #[inline]
    pub fn sends(
        &mut self,
        desk: &mut Hold,
        now_ps: u64,
        connection: u32,
        packet: ingress::Packet,
        data: Option<Departure>,
    ) -> Packet {
        if let Some(notes) = &mut self.notes {
            notes.leaves(now_ps, connection, &packet, data.as_ref());
        }
        if let Some(departure) = &data {
            let at = self.agenda.place_sent(departure.flow);
            self.agenda.sent[at].sends(departure);
        }
        let (Way { lane, hash, flow: came }, wire) = (self.lanes[connection as usize], &self.shared.wire);
        let (flags, ev, bytes, word) = match packet {
            ingress::Packet::Arrival(arrival) => {
                let flow = data.map_or(0, |departure| departure.flow);
                let data = Data { arrival, connection: lane.there, flow };
                (0, arrival.ev, arrival.bytes + wire.header_bytes, desk.put(Cargo::Data(data)))
            }
            ingress::Packet::Acknowledgement(acknowledgement) => {
                let answer = Answer { acknowledgement, connection: lane.there, flow: came };
                (CONTROL, acknowledgement.ev, wire.ack_bytes, desk.put(Cargo::Answer(answer)))
            }
        };
        Packet {
            source: self.number,
            destination: lane.peer,
            hash,
            word,
            ev,
            bytes,
            flags,
            ..Packet::default()
        }
    }

    /// Records from an ACK the round-trip time of its packet, and the number of early packets.
    #[inline]
    fn sees(&self, desk: &mut Hold, ack: &Acknowledgement, now_ps: u64) {
        let Some(seen) = desk.seen() else { return };
        let ticks = (self.tick(now_ps) as u16).wrapping_sub(ack.stamp);
        seen.rtt.add(u64::from(ticks) * self.shared.registers.tick_ps);
        seen.early(ack.bitmap.map(u64::count_ones).iter().sum(), now_ps);
    }

    /// Gives a packet to its connection. Returns the packet, with the flow of data. `None` if the packet was
    /// for the software.
    #[inline]
    pub fn takes(&mut self, desk: &mut Hold, packet: &Packet) -> Option<(u32, ingress::Packet, u32)> {
        let taken = match desk.take(packet.word) {
            Cargo::Data(&Data { mut arrival, connection, flow }) => {
                arrival.ce |= packet.flags & ECN != 0;
                self.lanes[connection as usize].flow = flow;
                let at = self.agenda.place_came(flow);
                let ends = &mut self.agenda.came[at];
                if packet.flags & TRIMMED != 0 {
                    arrival.kind = ArrivalKind::Trimmed;
                    arrival.last_hop = packet.flags & LAST_HOP != 0;
                    ends.trims += 1;
                }
                ends.packets += 1;
                ends.marks += u32::from(arrival.ce);
                (connection, ingress::Packet::Arrival(arrival), flow)
            }
            Cargo::Answer(&Answer { acknowledgement, connection, .. }) => {
                if !acknowledgement.nack {
                    self.sees(desk, &acknowledgement, packet.time_ps);
                }
                (connection, ingress::Packet::Acknowledgement(acknowledgement), 0)
            }
            Cargo::Probe(probe) => {
                if let Some(prober) = &mut self.prober {
                    prober.arrive(probe);
                }
                return None;
            }
        };
        if let Some(notes) = &mut self.notes {
            let (connection, body, flow) = &taken;
            notes.comes(packet, *connection, body, *flow);
        }
        Some(taken)
    }

    /// Records that the NIC writes a packet of a flow into memory.
    #[inline]
    pub fn writes(&mut self, flow: u32, place: Place) {
        let at = self.agenda.place_came(flow);
        let ends = &mut self.agenda.came[at];
        ends.bytes += u64::from(place.bytes);
        ends.addresses = ends.addresses.wrapping_add(place.address);
    }
}

impl<N: Queues> From<NicHost<N>> for Told {
    fn from(mut host: NicHost<N>) -> Self {
        host.note_freezes();
        let events = host.notes.map(|notes| notes.events).unwrap_or_default();
        let probes = host.prober.map(|prober| prober.counts).unwrap_or_default();
        let (played, counters) = (host.agenda.played(), host.nic.counts());
        Self { sent: host.agenda.sent, came: host.agenda.came, counters, probes, played, events }
    }
}

impl NicHost {
    /// The packet of a frame of the NIC.
    #[inline]
    fn packet(&mut self, desk: &mut Hold, outgoing: &Outgoing, now_ps: u64) -> Option<Packet> {
        let packet = self.nic.packet_of(outgoing, self.tick(now_ps))?;
        let (connection, data) = match outgoing {
            Outgoing::Data(data) => (data.connection, Some(Departure::of(data))),
            Outgoing::Reply(connection, _) => (*connection, None),
            Outgoing::Other(_) => return None,
        };
        Some(self.sends(desk, now_ps, connection, packet, data))
    }
}

impl Endpoint for NicHost {
    type Desk = Hold;
    type Body = Cargo;

    fn holds_ps(&self) -> [u64; 2] {
        [0; 2]
    }

    #[inline]
    fn due(&self) -> u64 {
        let start = self.agenda.next_ps().saturating_add(self.shared.work_ps);
        // Software whose flows have all ended must not delay the end of a run.
        let probes = self.prober.as_ref().filter(|_| self.finished() < self.expected());
        start.min(self.deadline_ps).min(probes.map_or(NEVER, |prober| prober.due_ps))
    }

    fn wake(&mut self, _: &mut Hold, now_ps: u64) {
        if self.deadline_ps <= now_ps {
            self.deadline_ps = NEVER;
        }
        if self.prober.as_ref().is_some_and(|prober| prober.due_ps <= now_ps) {
            self.run_prober(now_ps);
        }
        if let Some(by_ps) = now_ps.checked_sub(self.shared.work_ps) {
            self.start(by_ps, now_ps);
        }
    }

    #[inline]
    fn fetch(&self, desk: &Hold, packets: &[Packet]) {
        packets.iter().for_each(|packet| desk.fetch(packet.word));
        fetch_all(self);
    }

    #[inline]
    fn fetch_behind(&self, desk: &Hold, packets: &[Packet]) {
        self.agenda.sent.first().into_iter().for_each(fetch_all);
        self.agenda.came.first().into_iter().for_each(fetch_all);
        let mut asked = [None; 2];
        for (is_answer, connection) in packets.iter().filter_map(|packet| desk.connection(packet.word)) {
            // Many packets of the same connection come together.
            if asked[usize::from(is_answer)].replace(connection) != Some(connection) {
                self.lanes.get(connection as usize).into_iter().for_each(fetch_all);
                self.nic.ahead(connection, is_answer, &Prefetch);
            }
        }
    }

    fn arrive(&mut self, desk: &mut Hold, packet: &Packet) {
        let Some((connection, body, flow)) = self.takes(desk, packet) else { return };
        let now = self.tick(packet.time_ps);
        if let Some(place) = self.nic.receive_packet(connection, &body, now) {
            self.writes(flow, place);
        }
        self.complete(packet.time_ps);
    }

    fn poll(&mut self, desk: &mut Hold, now_ps: u64) -> Option<Packet> {
        if let Some(probe) = self.prober.as_mut().and_then(Prober::next) {
            return Some(self.probe(desk, probe));
        }
        let now = self.tick(now_ps);
        let outgoing = self.nic.poll(now);
        // A timer may have ended a connection.
        self.complete(now_ps);
        match &outgoing {
            Some(outgoing) => self.packet(desk, outgoing, now_ps),
            None => {
                let deadline = self.nic.next_deadline(now);
                self.deadline_ps =
                    deadline.map_or(NEVER, |at| (at * self.shared.registers.tick_ps).max(now_ps + 1));
                None
            }
        }
    }

    #[inline]
    fn finished(&self) -> u32 {
        self.agenda.finished
    }

    fn expected(&self) -> u32 {
        self.agenda.expected()
    }

    fn signal(&mut self, signal: Signal) {
        self.agenda.signal(signal);
    }

    fn signals(&mut self) -> &mut Vec<Signal> {
        &mut self.agenda.signals
    }

    fn lose(desk: &mut Hold, packet: &Packet) -> Option<u32> {
        desk.lose(packet.word)
    }

    #[inline]
    fn take(desk: &mut Hold, word: u32) -> Cargo {
        desk.take(word).copied()
    }

    #[inline]
    fn put(desk: &mut Hold, body: Cargo) -> u32 {
        desk.put(body)
    }
}
