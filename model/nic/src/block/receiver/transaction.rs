//! The transaction view: the effect of an event, independent of clocks. The rules are the same texts as in the
//! clocked view.

use super::state::{Bar, Control, Stats};
use super::step::{self, Region, Slots, Treatment, Waiting, Waits};
use crate::block::sack_rx::{self, Event, Kind, Outcome, SackRx, Verdict};
use crate::part::ahead::Ask;
use crate::part::deadlines::Deadlines;
use crate::part::table::Table;
use crate::words::{Arrival, ArrivalKind, Place, Received, Reply};
use std::collections::VecDeque;
use weft_params::{ReceiverCsr, SackParams};

/// The result of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Address to which the payload must be written. `None`: no payload, or it is discarded.
    pub write: Option<Place>,
    /// The ACK or NACK to be sent.
    pub reply: Option<Reply>,
    /// The answer to the peer says that its packet was not permitted to write to its address. Its connection
    /// was not failed before.
    pub breach: bool,
}

/// The stored fields of a connection besides the state of [`SackRx`].
#[derive(Clone, Debug, Default)]
struct Connection {
    region: Region,
    bar: Bar,
    slots: Slots,
    waits: Waits,
    oldest: Option<Waiting>,
}

/// All connections of a receiver. Connections must be below the number in `params`; the memory depends on the
/// highest connection that was used. Times are ticks, and never decrease.
#[derive(Clone, Debug)]
pub struct Receiver {
    csr: ReceiverCsr,
    sack: sack_rx::Shaped,
    /// PSNs of a window.
    psns: u32,
    connections: Table<Connection>,
    timers: Deadlines,
    received: VecDeque<(u32, Received)>,
    stats: Stats,
}

/// Time at which the timer of a connection expires, as seen at `now`.
fn due(connections: &Table<Connection>, csr: &ReceiverCsr, connection: u32, now: u64) -> Option<u64> {
    let waiting = connections.get(connection).oldest.filter(|_| csr.ack_timeout_ticks > 0)?;
    let left = u32::from(csr.ack_timeout_ticks).saturating_sub(waiting.age(now as u32));
    Some(now + u64::from(left))
}

impl Receiver {
    /// A receiver after reset. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: ReceiverCsr) -> Self {
        Self::with_psns(params, SackParams::WINDOW, csr)
    }

    /// A receiver after reset, with a window of `psns`.
    pub fn with_psns(params: SackParams, psns: u32, csr: ReceiverCsr) -> Self {
        Self {
            csr,
            sack: sack_rx::Shaped::new(params, psns, csr.sack),
            psns,
            connections: Table::new(Connection::default()),
            timers: Deadlines::new(),
            received: VecDeque::new(),
            stats: Stats::default(),
        }
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: ReceiverCsr, now: u64) {
        self.csr = csr;
        self.sack.set_csr(csr.sack);
        for connection in 0..self.connections.rows() as u32 {
            self.timers.set(connection, due(&self.connections, &self.csr, connection, now));
        }
    }

    /// The transport's state, which must have the usual window.
    pub fn sack(&self) -> &SackRx {
        self.sack.usual()
    }

    /// The counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Requests the memory of a connection.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        self.sack.ahead(connection, memory);
        memory.ask(self.connections.get(connection));
    }

    /// Opens or closes a connection.
    pub fn control(&mut self, connection: u32, control: &Control, now: u64) {
        if control.open {
            self.connections.row(connection).region = Region::of(control);
        }
        let kind = if control.open { Kind::Open } else { Kind::Close };
        let event = Event::new(kind, connection, control.psn);
        self.transport(&event, now);
    }

    /// The packets of a connection are treated so from now on.
    pub fn bar(&mut self, connection: u32, bar: Bar) {
        self.connections.row(connection).bar = bar;
    }

    /// A packet has arrived, together with its payload.
    pub fn arrival(&mut self, connection: u32, arrival: &Arrival, now: u64) -> Taken {
        let marked = arrival.ce && arrival.kind == ArrivalKind::Data;
        self.stats.marks = self.stats.marks.wrapping_add(marked.into());
        let row = self.connections.get(connection);
        let treatment = row.region.treats(arrival, row.bar);
        let event = treatment.event(connection, arrival);
        let (outcome, reply) = match event.kind {
            // The constant kind lets the compiler drop the other cases.
            Kind::Data => self.step(&Event { kind: Kind::Data, ..event }, arrival, &treatment, now),
            _ => self.other(&event, arrival, &treatment, now),
        };
        let payload = arrival.kind == ArrivalKind::Data && arrival.bytes > 0;
        let place = Place { address: arrival.address, bytes: arrival.bytes };
        let write = (payload && outcome.verdict == Verdict::Placed).then_some(place);
        let breach = step::breach(&outcome, &treatment);
        Taken { write, reply, breach }
    }

    /// The next ACK that a timer requests by now.
    pub fn expire(&mut self, now: u64) -> Option<(u32, Reply)> {
        while let Some(connection) = self.timers.by(now, |it| due(&self.connections, &self.csr, it, now)) {
            let waiting = self.connections.row(connection).oldest?;
            let event = waiting.flush(waiting.age(now as u32));
            if let Some(reply) = self.transport(&event, now) {
                return Some((connection, reply));
            }
        }
        None
    }

    /// Time at which the next timer requests an ACK.
    pub fn next_deadline(&mut self, now: u64) -> Option<u64> {
        self.timers.next(|it| due(&self.connections, &self.csr, it, now)).map(|(time, _)| time)
    }

    /// The next message that is complete. The receiver reports the message after all payload that was to be
    /// written before.
    pub fn received(&mut self) -> Option<(u32, Received)> {
        self.received.pop_front()
    }

    /// An event of no packet.
    fn transport(&mut self, event: &Event, now: u64) -> Option<Reply> {
        self.other(event, &Arrival::default(), &Treatment::default(), now).1
    }

    /// An event that is not of the most frequent kind.
    #[inline(never)]
    fn other(
        &mut self,
        event: &Event,
        arrival: &Arrival,
        treatment: &Treatment,
        now: u64,
    ) -> (Outcome, Option<Reply>) {
        self.step(event, arrival, treatment, now)
    }

    #[inline(always)]
    fn step(
        &mut self,
        event: &Event,
        arrival: &Arrival,
        treatment: &Treatment,
        now: u64,
    ) -> (Outcome, Option<Reply>) {
        let outcome = self.sack.step(event);
        let row = self.connections.row(outcome.connection);
        step::mark(&outcome, self.psns).apply(&mut row.oldest, now as u32);
        if outcome.kind == Kind::Open {
            row.slots = Slots::default();
        } else if outcome.verdict == Verdict::Placed && arrival.last {
            row.slots.keep(arrival);
        }
        let first = step::first_completed(&outcome);
        let before = self.received.len();
        for at in 0..u32::from(outcome.completed) {
            let report = row.slots.completion((first + at) & 0xFF_FFFF);
            self.received.extend(report.map(|it| (outcome.connection, it)));
        }
        let reports = (self.received.len() - before) as u32;

        let listed = row.waits.take(&outcome, treatment, self.psns);
        let reply = step::reply(&outcome, treatment, arrival.last_hop, listed);
        let count = |counter: &mut u32, by: u32| *counter = counter.wrapping_add(by);
        let stats = &mut self.stats;
        count(&mut stats.not_open_events, u32::from(!outcome.accepted));
        count(&mut stats.duplicates, u32::from(outcome.verdict == Verdict::Duplicate));
        count(&mut stats.outside, u32::from(outcome.verdict == Verdict::Outside));
        count(&mut stats.access_errors, u32::from(outcome.accepted && treatment.denied));
        count(&mut stats.held, u32::from(outcome.accepted && treatment.held));
        let placed = outcome.verdict == Verdict::Placed;
        count(&mut stats.placed, u32::from(placed));
        count(&mut stats.bytes, if placed { arrival.bytes.into() } else { 0 });
        count(&mut stats.acks, u32::from(reply.is_some_and(|reply| !reply.nack)));
        count(&mut stats.nacks, u32::from(reply.is_some_and(|reply| reply.nack)));
        count(&mut stats.received, reports);
        self.timers.set(outcome.connection, due(&self.connections, &self.csr, outcome.connection, now));
        (outcome, reply)
    }
}
