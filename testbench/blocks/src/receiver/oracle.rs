//! Duties of a receiver towards peers and host, in simple data structures: sets of PSNs, bytes at addresses.
//! The oracle uses neither clocks nor bitmaps. The oracle is right for peers that obey the window (rule 16 of
//! `docs/blocks/sack_rx.md`).

use super::tally::Tally;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_nic::block::receiver::{Bar, Control, Outputs};
use weft_nic::words::{Arrival, ArrivalKind, Listed, Offer, Received, Reply, Write};
use weft_params::ReceiverCsr;

/// PSNs of an ACK's bitmap.
const BITMAP: i64 = 256;
/// Packets that the timer may be about to answer.
const REMEMBERED: usize = 64;

/// An event of a connection.
#[derive(Clone, Copy, Debug)]
enum Event {
    Open(Control),
    Close,
    Packet(Arrival),
    Bar(Bar),
}

/// Effect of an event.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// The payload must be written; otherwise it must not be (rule 5).
    placed: bool,
    /// Messages with immediates that the event completed.
    completed: Vec<Received>,
    reply: Option<Reply>,
    /// The receiver reports a breach: it denied a packet of the window on a connection that had not failed.
    breach: bool,
}

/// A connection. PSNs are counted from the first one and never wrap.
#[derive(Clone, Debug, Default)]
struct Peer {
    control: Option<Control>,
    /// Treatment of the connection's packets. Opens and closes do not change this treatment.
    bar: Bar,
    /// Number of opens.
    openings: u32,
    /// PSNs of a window.
    psns: i64,
    received: BTreeSet<i64>,
    /// First PSN that has not been received.
    expected: i64,
    /// Last packets of messages, by PSN.
    ends: BTreeSet<i64>,
    /// Immediates of messages that make completions, by number of the message.
    immediates: BTreeMap<u32, u32>,
    messages: u32,
    bytes: u64,
    pending_packets: u32,
    pending_bytes: u32,
    /// Entropy values of the packets that wait for an ACK, the oldest first.
    waiting: Vec<u16>,
    /// Oldest packets that waited for an ACK; the last one may still wait. The timer may request the ACK of a
    /// packet that another ACK overtakes. The timer's ACK then answers the packets that wait at that time.
    oldest: VecDeque<Arrival>,
}

impl Peer {
    fn apply(&mut self, csr: &ReceiverCsr, event: Event) -> Effect {
        match event {
            // Rule 2: a connection that is opened begins again from any state.
            Event::Open(control) => {
                let Self { openings, bar, psns, .. } = *self;
                let control = Some(control);
                *self = Self { control, openings: openings + 1, bar, psns, ..Self::default() };
                Effect::default()
            }
            Event::Close => {
                let Self { openings, bar, psns, .. } = *self;
                *self = Self { openings, bar, psns, ..Self::default() };
                Effect::default()
            }
            Event::Bar(bar) => {
                self.bar = bar;
                Effect::default()
            }
            Event::Packet(arrival) => match self.control {
                Some(control) => {
                    // A packet beyond the window comes from an end that was opened again, so it is no breach.
                    let beyond = self.number(&control, arrival.psn) >= self.expected + self.psns;
                    let effect = self.packet(csr, &control, &arrival);
                    let told = effect.reply.is_some_and(|reply| reply.reason == 0x19);
                    Effect { breach: told && !beyond && !self.bar.failed, ..effect }
                }
                None => Effect::default(),
            },
        }
    }

    /// The PSN without wrapping: the one nearest to the expected PSN.
    fn number(&self, control: &Control, psn: u32) -> i64 {
        let ahead = (i64::from(psn) - i64::from(control.psn) - self.expected) & 0xFF_FFFF;
        self.expected + if ahead < 1 << 23 { ahead } else { ahead - (1 << 24) }
    }

    /// Rule 17 of sack_rx: whether a PSN is of the window and beyond the bitmap that begins at the first missing one.
    fn is_far(&self, number: i64) -> bool {
        (BITMAP..self.psns).contains(&(number - self.expected))
    }

    fn denies(&self, control: &Control, arrival: &Arrival) -> bool {
        match arrival.kind {
            ArrivalKind::Data => self.bar.failed || !allowed(control, arrival),
            ArrivalKind::Trimmed => self.bar.failed,
            _ => false,
        }
    }

    fn packet(&mut self, csr: &ReceiverCsr, control: &Control, arrival: &Arrival) -> Effect {
        let number = self.number(control, arrival.psn);
        // Reason why the packet cannot be placed, if any.
        let reason = match arrival.kind {
            ArrivalKind::Data | ArrivalKind::Trimmed if self.denies(control, arrival) => Some(0x19),
            ArrivalKind::Data if self.bar.held => Some(0x02),
            ArrivalKind::Data => None,
            ArrivalKind::Trimmed => Some(if arrival.last_hop { 0x02 } else { 0x01 }),
            ArrivalKind::Probe => return self.answer(control, arrival, None, true, Vec::new()),
            ArrivalKind::None => return Effect::default(),
        };
        if number >= self.expected + self.psns {
            return self.answer(control, arrival, Some(0x19), false, Vec::new());
        }
        if number < self.expected || self.received.contains(&number) {
            // A connection that has failed acknowledges no packet. Packets that waited for an ACK no longer
            // wait.
            let denied = self.bar.failed.then_some(0x19);
            return self.answer(control, arrival, denied, true, Vec::new());
        }
        if reason.is_some() {
            return self.answer(control, arrival, reason, false, Vec::new());
        }
        self.received.insert(number);
        self.bytes += u64::from(arrival.bytes);
        let far = self.is_far(number);
        if !far {
            if self.pending_packets == 0 {
                self.oldest.push_front(*arrival);
                self.oldest.truncate(REMEMBERED);
            }
            self.pending_packets = (self.pending_packets + 1).min(255);
            self.pending_bytes = (self.pending_bytes + u32::from(arrival.bytes).max(1024)).min(0xFFFF);
        }
        if arrival.last {
            self.ends.insert(number);
            if arrival.solicited {
                self.immediates.insert(arrival.message.into(), arrival.immediate);
            }
        }
        let mut completed = Vec::new();
        let before = self.messages;
        while self.received.contains(&self.expected) {
            if self.ends.remove(&self.expected) {
                let immediate = self.immediates.remove(&(self.messages & 0xFFFF));
                completed.extend(immediate.map(|immediate| Received { immediate, message: self.messages }));
                self.messages += 1;
            }
            self.expected += 1;
        }
        // A PSN far behind counts as received.
        self.received = self.received.split_off(&self.expected);
        let sack = &csr.sack;
        // Whether an ACK is one of the timer: a packet waits, and the ACK's time stamp contains the waiting
        // time.
        let due = arrival.ce || arrival.request || arrival.last || self.messages > before;
        let gathered = self.pending_packets >= sack.ack_packets
            || sack.ack_bytes > 0 && self.pending_bytes >= sack.ack_bytes;
        let effect = self.answer(control, arrival, None, far || due || gathered, completed);
        if effect.reply.is_none() {
            self.waiting.push(arrival.ev);
        }
        Effect { placed: true, ..effect }
    }

    fn answer(
        &mut self,
        control: &Control,
        arrival: &Arrival,
        nack: Option<u8>,
        ack: bool,
        completed: Vec<Received>,
    ) -> Effect {
        let reply = (nack.is_some() || ack).then(|| self.reply(control, arrival, nack, 0));
        // Rule 19: the answer to a PSN that is far answers no packet that waits.
        if ack && !self.is_far(self.number(control, arrival.psn)) {
            (self.pending_packets, self.pending_bytes) = (0, 0);
            self.waiting.clear();
        }
        Effect { completed, reply, ..Effect::default() }
    }

    /// A reply. The reply leaves out the first `skipped` of the waiting packets.
    fn reply(&self, control: &Control, arrival: &Arrival, nack: Option<u8>, skipped: usize) -> Reply {
        let mut listed = Listed::default();
        let number = self.number(control, arrival.psn);
        let far = self.is_far(number);
        if nack.is_none() && !far {
            for (at, ev) in self.waiting.iter().enumerate().take(16).skip(skipped) {
                listed.there |= 1 << at;
                listed.evs[at] = *ev;
            }
        }
        let mut bitmap = [0; 4];
        let first = if far { number - BITMAP + 1 } else { self.expected };
        for number in self.received.range(first..first + BITMAP) {
            let ahead = (number - first) as usize;
            bitmap[ahead / 64] |= 1 << (ahead % 64);
        }
        let reply = Reply {
            nack: nack.is_some(),
            cumulative: (i64::from(control.psn) + self.expected - 1) as u32 & 0xFF_FFFF,
            psn: arrival.psn,
            bitmap,
            ce: arrival.ce,
            ev: arrival.ev,
            stamp: arrival.stamp,
            out_of_order: self.received.len().min(255) as u8,
            received: self.bytes.div_ceil(256) as u32 & 0xFF_FFFF,
            messages: self.messages,
            reason: nack.unwrap_or(0),
            probe: arrival.kind == ArrivalKind::Probe,
            ..Reply::default()
        };
        reply.with_list(listed)
    }

    /// Whether an ACK is one of the timer: a packet waits, and the time stamp holds its waiting time.
    fn is_flush(&self, csr: &ReceiverCsr, reply: &Reply) -> bool {
        let Some(control) = self.control.filter(|_| self.pending_packets > 0 && csr.ack_timeout_ticks > 0)
        else {
            return false;
        };
        let asked = self.oldest.iter().find(|arrival| (arrival.psn, arrival.ev) == (reply.psn, reply.ev));
        asked.is_some_and(|arrival| {
            let waited = reply.stamp.wrapping_sub(arrival.stamp);
            // The timer answers the oldest packet itself.
            let due = Reply { stamp: reply.stamp, ..self.reply(&control, arrival, None, 1) };
            waited >= csr.ack_timeout_ticks && due == *reply
        })
    }
}

/// Whether every byte is inside the region. Addresses wrap.
fn allowed(control: &Control, arrival: &Arrival) -> bool {
    let inside =
        |at: u64| arrival.address.wrapping_add(at).wrapping_sub(control.base) < u64::from(control.length);
    let bytes = u64::from(arrival.bytes);
    arrival.key == control.key && (bytes == 0 || inside(0) && inside(bytes - 1))
}

/// A payload to be written.
#[derive(Clone, Debug)]
struct Payload {
    id: u32,
    arrival: Arrival,
    bytes: Vec<u8>,
}

/// Checks the accepted words of every stream.
#[derive(Clone, Debug)]
pub struct Oracle {
    csr: ReceiverCsr,
    /// Connections after all accepted words.
    ahead: Vec<Peer>,
    /// Connections as of the last reply, and the events since.
    behind: Vec<(Peer, VecDeque<Event>)>,
    writes: VecDeque<Payload>,
    /// Bytes of the packet that is being written.
    writing: Vec<u8>,
    written: u64,
    /// Messages, and the number of packets that must be written before each.
    received: VecDeque<(u32, Received, u64)>,
    /// Connections whose packets were not permitted to write to their address, in the order of the packets.
    breaches: VecDeque<u32>,
    /// Packets that must have been written in total.
    promised: u64,
    /// Counts of a run.
    pub tally: Tally,
    /// First fault found.
    pub complaint: Option<String>,
}

impl Oracle {
    /// An oracle of closed connections, with windows of `psns`.
    pub fn new(connections: u32, psns: u32, csr: ReceiverCsr) -> Self {
        let peer = Peer { psns: psns.into(), ..Peer::default() };
        Self {
            csr,
            ahead: vec![peer.clone(); connections as usize],
            behind: vec![(peer, VecDeque::new()); connections as usize],
            writes: VecDeque::new(),
            writing: Vec::new(),
            written: 0,
            received: VecDeque::new(),
            breaches: VecDeque::new(),
            promised: 0,
            tally: Tally::default(),
            complaint: None,
        }
    }

    /// First PSN that has not been received, after all accepted words.
    pub fn expected(&self, id: u32) -> Option<u32> {
        let peer = &self.ahead[id as usize];
        peer.control.map(|control| (i64::from(control.psn) + peer.expected) as u32 & 0xFF_FFFF)
    }

    /// Number of opens of a connection: now, and as of its last reply.
    pub fn openings(&self, id: u32) -> (u32, u32) {
        (self.ahead[id as usize].openings, self.behind[id as usize].0.openings)
    }

    /// A control word was accepted. No reply of a closed connection may be left (rule 16).
    pub fn control(&mut self, id: u32, control: Control) {
        if control.open {
            self.tally.opened += 1;
            self.ahead[id as usize].apply(&self.csr, Event::Open(control));
            self.behind[id as usize].1.push_back(Event::Open(control));
            return;
        }
        self.tally.closed += 1;
        if let Some(reply) = self.due(id) {
            self.complain(format!("the close of {id} was taken before {reply:?}"));
        }
        if self.writes.iter().any(|payload| payload.id == id) {
            self.complain(format!("the close of {id} was taken before its payload"));
        }
        if self.received.iter().any(|message| message.0 == id) {
            self.complain(format!("the close of {id} was taken before its completions"));
        }
        if self.breaches.contains(&id) {
            self.complain(format!("the close of {id} was taken before its breach was told"));
        }
        self.ahead[id as usize].apply(&self.csr, Event::Close);
        self.behind[id as usize].0.apply(&self.csr, Event::Close);
    }

    /// First reply that is still due for accepted words.
    fn due(&mut self, id: u32) -> Option<Reply> {
        let (peer, events) = &mut self.behind[id as usize];
        let mut due = None;
        while let Some(event) = events.pop_front() {
            due = due.or(peer.apply(&self.csr, event).reply);
        }
        due
    }

    /// A packet was accepted, with its payload.
    pub fn arrival(&mut self, id: u32, arrival: Arrival, bytes: &[u8]) {
        let peer = &mut self.ahead[id as usize];
        self.tally.arrivals += 1;
        self.tally.not_open += u64::from(peer.control.is_none());
        let denied = peer.control.is_some_and(|control| peer.denies(&control, &arrival));
        self.tally.denied += u64::from(denied);
        let held = peer.bar.held && arrival.kind == ArrivalKind::Data;
        self.tally.held += u64::from(held && !denied && peer.control.is_some());
        let effect = peer.apply(&self.csr, Event::Packet(arrival));
        self.breaches.extend(effect.breach.then_some(id));
        self.behind[id as usize].1.push_back(Event::Packet(arrival));
        if effect.placed && !bytes.is_empty() {
            self.writes.push_back(Payload { id, arrival, bytes: bytes.to_vec() });
            self.promised += 1;
        }
        self.tally.discards += u64::from(!effect.placed && !bytes.is_empty());
        self.tally.at_once_max = self.tally.at_once_max.max(effect.completed.len());
        self.received.extend(effect.completed.iter().map(|&received| (id, received, self.promised)));
    }

    /// Changes the treatment of a connection's packets that are accepted from now on.
    pub fn bar(&mut self, id: u32, bar: Bar) {
        self.ahead[id as usize].apply(&self.csr, Event::Bar(bar));
        self.behind[id as usize].1.push_back(Event::Bar(bar));
    }

    /// The block reported a packet that may not write to its address.
    pub fn breach(&mut self, id: u32) {
        self.tally.breaches += 1;
        match self.breaches.pop_front() {
            Some(due) if due == id => {}
            due => self.complain(format!("a breach of {id} instead of {due:?}")),
        }
    }

    /// Checks the outputs of a clock in which these streams were ready.
    pub fn outputs(&mut self, outputs: &Outputs, reply: bool, write: bool, received: bool) {
        // Messages are checked first: a payload written in this clock is too late for them.
        if outputs.received.valid {
            self.message(&outputs.received, received);
        }
        if let Some((id, word)) = outputs.write.get().filter(|_| write) {
            self.word(id, &word);
        }
        if let Some((id, word)) = outputs.reply.get().filter(|_| reply) {
            self.reply(id, &word);
        }
    }

    fn complain(&mut self, what: String) {
        self.complaint.get_or_insert(what);
    }

    /// Rule 12: a message is offered when all payload before it was accepted, and not earlier.
    fn message(&mut self, offer: &Offer<Received>, ready: bool) {
        match self.received.front() {
            Some(&(id, word, after)) if id == offer.id && word == offer.word => {
                if after > self.written {
                    self.complain(format!("message {word:?} of {id} reported before its data"));
                }
            }
            other => self.complain(format!("message {offer:?} instead of {other:?}")),
        }
        if ready {
            self.received.pop_front();
            self.tally.received += 1;
        }
    }

    /// Rule 9: payload is written in the order of the packets.
    fn word(&mut self, id: u32, word: &Write) {
        self.writing.extend(word.beat.bytes());
        let Some(payload) = self.writes.front() else {
            return self.complain(format!("{word:?} of {id} is nowhere to be written"));
        };
        let arrival = &payload.arrival;
        if (id, word.place.address, word.place.bytes) != (payload.id, arrival.address, arrival.bytes) {
            return self.complain(format!("{word:?} of {id} instead of {payload:?}"));
        }
        if !word.beat.last {
            return;
        }
        if self.writing != payload.bytes {
            let writing = self.writing.clone();
            return self.complain(format!("{writing:?} instead of {payload:?}"));
        }
        self.writing.clear();
        self.writes.pop_front();
        self.written += 1;
        self.tally.writes += 1;
    }

    /// Rule 6: a reply answers the first event of its connection that requires a reply and has none.
    fn reply(&mut self, id: u32, reply: &Reply) {
        let (peer, events) = &mut self.behind[id as usize];
        self.tally.replies += 1;
        self.tally.nacks += u64::from(reply.nack);
        self.tally.out_of_order_max = self.tally.out_of_order_max.max(reply.out_of_order);
        loop {
            if peer.is_flush(&self.csr, reply) {
                (peer.pending_packets, peer.pending_bytes) = (0, 0);
                peer.waiting.clear();
                self.tally.flushes += 1;
                return;
            }
            let Some(event) = events.pop_front() else {
                return self.complain(format!("{reply:?} of {id} answers nothing"));
            };
            if let Some(due) = peer.apply(&self.csr, event).reply {
                if due != *reply {
                    self.complain(format!("{reply:?} of {id} instead of {due:?}"));
                }
                return;
            }
        }
    }

    /// Reports due words that did not leave. The caller must first leave enough time for all of them.
    pub fn end(&mut self) {
        let (writes, received, breaches) = (self.writes.len(), self.received.len(), self.breaches.len());
        if writes + received + breaches > 0 {
            self.complain(format!("{writes} packets, {received} messages, {breaches} breaches never came"));
        }
        for id in 0..self.behind.len() {
            let due = self.due(id as u32);
            let waits = self.csr.ack_timeout_ticks > 0 && self.behind[id].0.pending_packets > 0;
            if due.is_some() || waits {
                self.complain(format!("no reply of {id}: {due:?}, or one of the timer"));
            }
        }
    }
}
