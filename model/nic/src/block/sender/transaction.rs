//! The transaction view: the effect of an event, independent of clocks. The functions of the rules are the
//! same as in the clocked view.
//!
//! Windows reach the transport before the next event from outside, as in rule 4. A packet that leaves before
//! a call of [`Sender::windows`] does not use the new windows yet. The clocked sender behaves in the same way
//! while SMaRTT computes.

use super::notes::{Cause, Feedback, Heard, Notes};
use super::state::{Control, ControlKind, Counters, Listing, SLOTS, listed};
use super::step::{self, Allowance, Newest, Spans, answers, transport};
use crate::block::reps::{self, Reps};
use crate::block::sack_tx::{self, Event, Found, Kind, SackTx};
use crate::block::smartt::{self, Smartt};
use crate::block::window::Windows;
use crate::part::ahead::Ask;
use crate::part::deadlines::Deadlines;
use crate::part::table::Table;
use crate::words::{Acknowledgement, Listed, Order, Passed, Place, Sent, Status, Work};
use std::collections::VecDeque;
use std::sync::Arc;
use weft_params::{RepsParams, SackParams, SenderCsr, SenderParams};

/// A packet to be transmitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ordered {
    /// The connection.
    pub connection: u32,
    /// The order for egress.
    pub order: Order,
    /// The place of the packet's payload, if it has any.
    pub fetch: Option<Place>,
    /// Origin of the packet's entropy value: drawn by REPS (1), from its cache (2), used again (3); 0: none
    /// of these.
    pub choice: u8,
    /// The detection of the packet's loss, if it is sent again.
    pub cause: Cause,
}

/// The stored fields of a connection besides the states of the three blocks inside.
#[derive(Clone, Debug)]
struct Connection {
    /// Numbers of messages posted and ended, modulo 32.
    posted: u8,
    ended: u8,
    /// Whether the connection accepts no more work.
    draining: bool,
    notes: Notes,
    /// Packets that no longer need to be sent.
    passed: Passed,
    messages: [Work; SLOTS as usize],
    spans: Spans,
    window: Newest,
}

/// All connections of a sender. Connections must be below the number in `params`. The memory depends on the
/// highest connection that was used. Times are ticks, and never decrease.
#[derive(Clone, Debug)]
pub struct Sender {
    csr: Arc<SenderCsr>,
    /// PSNs of a window.
    psns: u32,
    sack_tx: sack_tx::Shaped,
    congestion: Windows,
    reps: Reps,
    connections: Table<Connection>,
    timers: Deadlines,
    /// Windows that the transport does not have yet.
    windows: VecDeque<Allowance>,
    sent: VecDeque<(u32, Sent)>,
    /// Freezes that began (`true`) or ended.
    freezes: VecDeque<(u32, bool)>,
    /// Work requests whose lost packets led to freezes, if they are recorded.
    frozen: Option<VecDeque<u32>>,
    /// The slot of the message that contains the packet found lost last. If several packets were found lost,
    /// the slot of the oldest.
    culprit: usize,
    /// Connections that drain and have no more outstanding work.
    drained: VecDeque<u32>,
    /// Connections that failed by an answer of their peer, or without an answer.
    failed: VecDeque<(u32, Status)>,
    counters: Counters,
}

fn count(counter: &mut u32, one: bool) {
    *counter = counter.wrapping_add(one.into());
}

/// The time of the transport.
fn short(now: u64) -> u32 {
    now as u32 & 0xFF_FFFF
}

impl Sender {
    /// A sender after reset. `params` and `csr` must have passed their checks.
    pub fn new(params: SackParams, csr: SenderCsr) -> Self {
        Self::of_shape(params.into(), csr)
    }

    /// A sender after reset, of a shape.
    pub fn of_shape(shape: SenderParams, csr: SenderCsr) -> Self {
        let SenderParams { connections, window: algorithm, psns } = shape;
        Self {
            csr: Arc::new(csr),
            psns,
            sack_tx: sack_tx::Shaped::new(shape.blocks(), psns, transport(&csr)),
            congestion: Windows::new(algorithm, connections, csr.smartt),
            reps: Reps::new(RepsParams { connections, depth: 8, ev_width: 16 }, csr.reps),
            connections: Table::new(Connection {
                posted: 0,
                ended: 0,
                draining: false,
                notes: Notes::default(),
                passed: Passed::default(),
                messages: [Work::default(); SLOTS as usize],
                spans: Spans::new(psns),
                window: Newest::default(),
            }),
            timers: Deadlines::new(),
            windows: VecDeque::new(),
            sent: VecDeque::new(),
            freezes: VecDeque::new(),
            frozen: None,
            culprit: 0,
            drained: VecDeque::new(),
            failed: VecDeque::new(),
            counters: Counters::default(),
        }
    }

    /// Sets the CSRs from the next event on.
    pub fn set_csr(&mut self, csr: SenderCsr, now: u64) {
        self.csr = Arc::new(csr);
        self.sack_tx.set_csr(transport(&csr));
        self.congestion.set_csr(csr.smartt);
        self.reps.set_csr(csr.reps);
        for connection in 0..self.connections.rows() as u32 {
            self.timers.set(connection, self.deadline(connection, now));
        }
    }

    /// The transport in the sender.
    pub fn sack(&self) -> &sack_tx::Shaped {
        &self.sack_tx
    }

    /// The transport in the sender, which must have the usual window.
    pub fn sack_tx(&self) -> &SackTx {
        self.sack_tx.usual()
    }

    /// The congestion windows in the sender, which must be those of SMaRTT.
    pub fn smartt(&self) -> &Smartt {
        match &self.congestion {
            Windows::Smartt(smartt) => smartt,
            Windows::Nscc(_) => panic!("this sender was made with NSCC"),
        }
    }

    /// The choice of paths in the sender.
    pub fn reps(&self) -> &Reps {
        &self.reps
    }

    /// The counters.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Prefetches the memory of a connection, without its work requests.
    #[inline]
    pub(crate) fn ahead(&self, connection: u32, memory: &impl Ask) {
        self.sack_tx.ahead(connection, memory);
        self.congestion.ahead(connection, memory);
        self.reps.ahead(connection, memory);
        let Connection { notes, spans, window, .. } = self.connections.get(connection);
        memory.ask(notes);
        memory.ask(spans);
        memory.ask(window);
    }

    /// Carries out a command.
    pub fn control(&mut self, connection: u32, control: &Control, now: u64) {
        self.windows(now);
        match control.kind {
            ControlKind::Seed | ControlKind::PathOk => {
                self.tell_paths(step::paths_command(connection, control), now);
            }
            ControlKind::Drain => {
                let row = self.connections.row(connection);
                row.draining = true;
                if row.posted == row.ended {
                    self.drained.push_back(connection);
                }
            }
            ControlKind::Open | ControlKind::Close => {
                self.connections.row(connection).draining = false;
                let window = step::largest(&self.csr.smartt.classes, control.class);
                self.transport(step::of_command(connection, control, window), now);
            }
        }
    }

    /// Ends a connection that has failed at this end, by `cause`: `Breach` or `Broken`.
    pub fn fail(&mut self, connection: u32, cause: Status, now: u64) {
        self.transport(step::of_failure(connection, cause), now);
    }

    /// The next connection that gave up, or whose peer denied a packet.
    pub fn failed(&mut self) -> Option<(u32, Status)> {
        self.failed.pop_front()
    }

    /// Accepts a work request.
    pub fn work(&mut self, connection: u32, work: &Work, now: u64) {
        self.windows(now);
        let row = self.connections.row(connection);
        let counts = step::Counts { posted: row.posted, ended: row.ended, draining: row.draining };
        let judged = step::judge(connection, work, &counts, self.csr.mtu_shift & 15);
        if judged.packets.is_none() {
            count(&mut self.counters.refused, true);
            self.sent.push_back((connection, Sent { id: work.id, status: Status::Refused }));
            return;
        }
        row.posted = step::next(row.posted, true);
        row.messages[usize::from(judged.slot)] = *work;
        count(&mut self.counters.posted, true);
        self.transport(step::of_post(&judged), now);
    }

    /// Accepts an ACK or NACK.
    pub fn acknowledgement(&mut self, connection: u32, acknowledgement: &Acknowledgement, now: u64) {
        self.windows(now);
        let age = step::age(acknowledgement, now as u32);
        let event = step::of_acknowledgement(connection, acknowledgement, age);
        match event.kind {
            Kind::Ack => self.ack(event, &listed(acknowledgement), now),
            _ => self.transport(event, now),
        }
    }

    /// Handles the timers that have expired by now: epochs, probes, retransmission timeouts.
    pub fn expire(&mut self, now: u64) {
        while let Some(connection) = self.timers.by(now, |it| deadline(&self.sack_tx, it, now)) {
            self.windows(now);
            let Some(kind) = self.sack_tx.due(connection, short(now)) else { continue };
            let outcome = self.sack_tx.timer(connection, kind, short(now));
            self.settle(&outcome, &Listed::default(), now);
        }
    }

    /// Time at which the next timer expires.
    pub fn next_deadline(&mut self, now: u64) -> Option<u64> {
        self.timers.next(|it| deadline(&self.sack_tx, it, now)).map(|(time, _)| time)
    }

    /// Time at which the next timer of a connection expires, if its timers run.
    pub fn deadline(&self, connection: u32, now: u64) -> Option<u64> {
        deadline(&self.sack_tx, connection, now)
    }

    /// Gives the transport all windows that it does not have yet.
    pub fn windows(&mut self, now: u64) {
        while self.window(now) {}
    }

    /// Gives the transport the next window that it does not have yet. Returns whether there was one.
    pub fn window(&mut self, now: u64) -> bool {
        let window = self.windows.pop_front();
        if let Some(window) = &window {
            let outcome = self.sack_tx.step(&Event { now_ticks: short(now), ..step::of_window(window) });
            self.settle(&outcome, &Listed::default(), now);
        }
        window.is_some()
    }

    /// The next packet that may be sent. Connections take turns. In a connection, packets that are sent again
    /// have priority.
    pub fn next_order(&mut self, now: u64) -> Option<Ordered> {
        loop {
            let outcome = self.sack_tx.send(short(now))?;
            if let Some(ordered) = self.order(&outcome, now) {
                return Some(ordered);
            }
        }
    }

    /// The next packet of this connection, before waiting packets of other connections. The clocked sender
    /// may send two in a turn.
    pub fn next_order_of(&mut self, connection: u32, now: u64) -> Option<Ordered> {
        let outcome = self.sack_tx.send_of(connection, short(now))?;
        self.order(&outcome, now)
    }

    #[inline(always)]
    fn order(&mut self, outcome: &sack_tx::Outcome, now: u64) -> Option<Ordered> {
        let ordered = self.settle(outcome, &Listed::default(), now)?;
        self.counters.ordered(ordered.order.again);
        Some(ordered)
    }

    /// Whether the sender must not send the bytes of an order, which were just read: the order's message may
    /// have ended, and the message's memory may belong to the host again.
    pub fn is_past(&self, connection: u32, order: &Order) -> bool {
        order.bytes > 0 && self.connections.get(connection).passed.has(order.psn, self.psns)
    }

    /// The next work request that has ended.
    pub fn sent(&mut self) -> Option<(u32, Sent)> {
        self.sent.pop_front()
    }

    /// The next connection whose freeze began (`true`) or ended.
    pub fn freeze(&mut self) -> Option<(u32, bool)> {
        self.freezes.pop_front()
    }

    /// Makes [`Self::frozen`] report freezes from now on.
    pub fn tell_frozen(&mut self) {
        self.frozen = Some(VecDeque::new());
    }

    /// The next freeze that began, as the work request of the packet whose loss caused it.
    #[inline]
    pub fn frozen(&mut self) -> Option<u32> {
        self.frozen.as_mut()?.pop_front()
    }

    /// The next connection that drains and has no more outstanding work.
    pub fn drained(&mut self) -> Option<u32> {
        self.drained.pop_front()
    }

    /// Handles an ACK and its list.
    fn ack(&mut self, event: Event, listed: &Listed, now: u64) {
        let event = Event { kind: Kind::Ack, now_ticks: short(now), ..event };
        let outcome = self.sack_tx.step(&event);
        self.settle(&outcome, listed, now);
    }

    /// Handles an event.
    #[inline(never)]
    fn transport(&mut self, event: Event, now: u64) {
        let outcome = self.sack_tx.step(&Event { now_ticks: short(now), ..event });
        self.settle(&outcome, &Listed::default(), now);
    }

    /// Applies an outcome of the transport, with the list of its ACK.
    #[inline(always)]
    fn settle(&mut self, outcome: &sack_tx::Outcome, listed: &Listed, now: u64) -> Option<Ordered> {
        let connection = outcome.connection;
        let shift = self.csr.mtu_shift & 15;
        let Counters { sack_tx_not_open_events, sack_tx_never_sent, sack_tx_stale, sack_tx_refused, .. } =
            &mut self.counters;
        let counters = [sack_tx_not_open_events, sack_tx_never_sent, sack_tx_stale, sack_tx_refused];
        counters.into_iter().zip(outcome.counts()).for_each(|(counter, one)| count(counter, one));

        let row = self.connections.row(connection);
        let heard = Heard::of(*outcome, Listing::of(listed));
        let (idle_ticks, trimming) = (self.csr.idle_ticks, self.csr.reps.trimming);
        let meaning = row.notes.take(&heard, self.psns, now as u32, idle_ticks, trimming);
        self.counters.facts(&meaning.facts);
        self.failed.extend(meaning.facts.failure());
        row.passed = meaning.passed.map_or(row.passed, |(_, passed)| passed);
        let mut packet = None;
        if let Some(found) = self.sack_tx.found() {
            self.culprit = blame(&mut row.spans, &found, Cause::of(outcome.kind));
        }
        if let Some(entry) = meaning.entry {
            packet = entry.send.then(|| row.spans.packet(&entry, &row.messages, shift));
            for at in 0..entry.count {
                let (id, ended) = step::completion(&row.messages, entry.done.wrapping_add(at));
                row.ended = ended;
                count(&mut self.counters.refused, entry.status == Status::Refused);
                self.sent.push_back((connection, Sent { id, status: entry.status }));
            }
            if entry.count > 0 && row.draining && row.posted == row.ended {
                self.drained.push_back(connection);
            }
        }
        let (mut ev, mut choice) = (0, 0);
        if let Some(news) = meaning.news {
            for entry in listed.entries().take(news.told.into()) {
                self.tell_paths(news.entry(entry), now);
            }
            if !news.silent {
                (ev, choice) = self.tell_paths(news.event(false), now);
            }
            if news.twice() {
                (ev, choice) = self.tell_paths(news.event(true), now);
            }
        }
        if let Some(feedback) = meaning.feedback {
            self.tell_window(&feedback, shift, now);
        }
        self.timers.set(connection, self.deadline(connection, now));
        packet.map(|packet| Ordered {
            connection,
            order: packet.order(ev),
            fetch: (packet.bytes > 0).then(|| packet.fetch()),
            choice,
            cause: packet.cause,
        })
    }

    /// Handles an event for REPS. Returns the entropy value and its origin.
    fn tell_paths(&mut self, event: reps::Event, now: u64) -> (u16, u8) {
        let outcome = self.reps.step(&reps::Event { now_ticks: now as u32, ..event });
        count(&mut self.counters.reps_not_open_events, !outcome.accepted);
        self.counters.decided(outcome.user());
        if outcome.turned {
            self.freezes.push_back((outcome.connection, outcome.frozen));
            if let (Some(frozen), true) = (&mut self.frozen, outcome.frozen) {
                frozen.push_back(self.connections.row(outcome.connection).messages[self.culprit].id);
            }
        }
        (outcome.ev, outcome.user() >> 4 & 3)
    }

    /// Gives the parts of the feedback to SMaRTT, the ACK first. The answers wait for the transport.
    fn tell_window(&mut self, feedback: &Feedback, shift: u8, now: u64) {
        for part in feedback.parts() {
            let event = feedback.event(part, shift);
            let outcome = self.congestion.step(&smartt::Event { now_ticks: now as u32, ..event });
            count(&mut self.counters.smartt_not_open_events, !outcome.accepted);
            let connection = outcome.connection;
            let window = &mut self.connections.row(connection).window;
            if answers(outcome.user()) {
                self.counters.window(outcome.user(), outcome.cwnd_bytes & 0x3FF_FFFF, step::mtu(shift));
            }
            if answers(outcome.user()) && window.learn(outcome.cwnd_bytes & 0x3FF_FFFF) {
                // The window goes directly to the transport.
                self.windows.push_back(Allowance { connection, bytes: window.leave() });
            }
        }
    }
}

/// Records the detection of lost packets. Returns the slot of the oldest one's message.
#[cold]
fn blame(spans: &mut Spans, found: &Found, cause: Cause) -> usize {
    let slots = found.psns().map(|psn| spans.blame(psn, cause));
    slots.reduce(|oldest, _| oldest).unwrap_or(0)
}

fn deadline(sack_tx: &sack_tx::Shaped, connection: u32, now: u64) -> Option<u64> {
    sack_tx.due_in(connection, short(now)).map(|left| now + u64::from(left))
}
