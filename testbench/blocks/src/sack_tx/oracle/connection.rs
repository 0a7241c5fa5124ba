//! One open connection of the oracle.

use super::PSNS;
use std::collections::{BTreeMap, VecDeque};
use weft_nic::block::sack_tx::{Event, Outcome, Reason};
use weft_params::SackTxCsr;

/// PSNs of a window, and bits of an ACK's bitmap.
const WINDOW: u64 = 256;
/// Messages that wait while another is being sent.
const QUEUE: usize = 16;

/// Where a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// On its way, as far as the sender knows.
    InFlight,
    /// To be sent again.
    Lost,
    /// The PSN is acknowledged.
    Acked,
}

/// A packet that was sent, and the numbers of the events that changed it.
#[derive(Clone, Copy, Debug)]
struct Packet {
    state: State,
    sent_by: u64,
    acked_by: u64,
    /// A packet is judged by the gap rule or by a timeout, and then not by the gap rule again.
    judged_by: u64,
}

/// No event did it yet.
const NEVER: u64 = u64::MAX;

/// The packet whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Again(u64),
    New,
}

/// A message that was posted and is not completed.
#[derive(Clone, Copy, Debug)]
struct Message {
    packets: u16,
    sent: u16,
    /// PSN of its last packet, once that was sent.
    last: Option<u64>,
}

/// Packets of a connection, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Sent and not acknowledged.
    pub unacked: usize,
    /// Of these, to be sent again.
    pub lost: usize,
}

/// An open connection.
pub struct Connection {
    /// Packets from the first on that some event may still see as not acknowledged.
    packets: BTreeMap<u64, Packet>,
    next: u64,
    messages: VecDeque<Message>,
    pub(super) cwnd: u32,
    since: u64,
    retries: u32,
    /// What it would send: as decided when its last event was through.
    pub(super) turn: Option<Next>,
}

impl Connection {
    pub(super) fn new(psn: u32, cwnd: u32, now: u64) -> Self {
        Self {
            packets: BTreeMap::new(),
            // Room for PSNs that lie before the first.
            next: PSNS + u64::from(psn),
            messages: VecDeque::new(),
            cwnd,
            since: now,
            retries: 0,
            turn: None,
        }
    }

    /// The lowest PSN that is not acknowledged.
    pub fn una(&self) -> u64 {
        let waiting = self.packets.iter().find(|(_, packet)| packet.state != State::Acked);
        waiting.map_or(self.next, |(&psn, _)| psn)
    }

    /// The next PSN to assign.
    pub fn next_psn(&self) -> u64 {
        self.next
    }

    /// What became of a packet at or after [`Self::una`].
    pub fn state(&self, psn: u64) -> Option<State> {
        self.packets.get(&psn).map(|packet| packet.state)
    }

    /// Messages posted and not completed.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// Messages of which no packet was sent.
    pub fn waiting(&self) -> usize {
        self.messages.iter().filter(|message| message.sent == 0).count()
    }

    /// Timeouts in a row.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Whether there is something to send, and room for it.
    pub fn wants_to_send(&self) -> bool {
        self.turn.is_some()
    }

    /// How many packets are where.
    pub fn tally(&self) -> Tally {
        let count = |wanted: &dyn Fn(State) -> bool| {
            self.packets.values().filter(|packet| wanted(packet.state)).count()
        };
        Tally { unacked: count(&|state| state != State::Acked), lost: count(&|state| state == State::Lost) }
    }

    /// Drops the packets that every event from now on sees as acknowledged: then the first is where the event's
    /// window begins.
    pub(super) fn forget(&mut self, horizon: u64) {
        while let Some(first) = self.packets.first_entry().filter(|first| first.get().acked_by < horizon) {
            first.remove();
        }
    }

    /// The window that an event sees. [`Self::forget`] came before.
    fn window(&self, horizon: u64) -> (u64, u64) {
        let first = self.packets.first_key_value().map_or(self.next, |(&psn, _)| psn);
        let unseen = self.packets.iter().find(|(_, packet)| packet.sent_by >= horizon);
        (first, unseen.map_or(self.next, |(&psn, _)| psn))
    }

    pub(super) fn post(&mut self, packets: u16) -> Reason {
        if packets == 0 || self.waiting() == QUEUE {
            return Reason::Refused;
        }
        self.messages.push_back(Message { packets, sent: 0, last: None });
        Reason::None
    }

    pub(super) fn ack(&mut self, event: &Event, gap: u32, number: u64, horizon: u64) -> (Reason, bool) {
        let (una, next) = self.window(horizon);
        let cumulative = nearest(event.psn, una);
        if cumulative > next {
            return (Reason::NeverSent, false);
        }
        let reason = if cumulative < una { Reason::Stale } else { Reason::None };
        if cumulative + WINDOW < una {
            return (reason, false);
        }
        let bit = |ahead: u64| event.bitmap[ahead as usize / 64] >> (ahead % 64) & 1 == 1;
        let said = |psn: u64| psn < cumulative || psn - cumulative < WINDOW && bit(psn - cumulative);
        for (&psn, packet) in self.packets.range_mut(una..next) {
            if packet.state != State::Acked && said(psn) {
                packet.state = State::Acked;
                packet.acked_by = number;
            }
        }
        let trigger = nearest(event.trigger, una);
        if gap > 0 && (una..next).contains(&trigger) {
            for (psn, packet) in self.packets.range_mut(una..next) {
                if psn + u64::from(gap) <= trigger && packet.judged_by >= horizon {
                    packet.judge(number);
                }
            }
        }
        let beyond = (next..cumulative + WINDOW).any(said);
        (reason, beyond && reason == Reason::None)
    }

    /// Why it does nothing; else whether the connection ends.
    pub(super) fn nack(&mut self, event: &Event, horizon: u64) -> Result<bool, Reason> {
        let (una, next) = self.window(horizon);
        match nearest(event.psn, una) {
            psn if psn < una => Err(Reason::Stale),
            psn if psn >= next => Err(Reason::NeverSent),
            psn => {
                if let Some(packet) = self.packets.get_mut(&psn) {
                    packet.lose();
                }
                Ok(event.denied)
            }
        }
    }

    /// Whether the connection ends.
    pub(super) fn timeout(&mut self, limit: u32, number: u64, now: u64, horizon: u64) -> bool {
        let (una, next) = self.window(horizon);
        for packet in self.packets.range_mut(una..next).map(|(_, packet)| packet) {
            packet.judge(number);
        }
        if self.tally().unacked == 0 {
            return false;
        }
        self.since = now;
        self.retries += 1;
        self.retries > limit
    }

    pub(super) fn expired(&self, csr: &SackTxCsr, now: u64) -> bool {
        let rto = u64::from(csr.rto_ticks) << self.retries.min(csr.backoff_limit);
        self.tally().unacked > 0 && now - self.since >= rto
    }

    /// Sends a packet: its PSN, and whether it is new and the last of its message.
    pub(super) fn send(&mut self, next: Next, number: u64, now: u64) -> (u32, bool) {
        let psn = match next {
            Next::Again(psn) => {
                // It may have been acknowledged since it was chosen.
                if let Some(packet) = self.packets.get_mut(&psn).filter(|packet| packet.state == State::Lost)
                {
                    packet.state = State::InFlight;
                }
                return ((psn % PSNS) as u32, false);
            }
            Next::New => self.next,
        };
        if self.tally().unacked == 0 {
            self.since = now;
        }
        let packet = Packet { state: State::InFlight, sent_by: number, acked_by: NEVER, judged_by: NEVER };
        self.packets.insert(psn, packet);
        self.next += 1;
        let message = self.messages.iter_mut().find(|message| message.last.is_none());
        let message = message.expect("a new packet is of a message");
        message.sent += 1;
        let last = message.sent == message.packets;
        message.last = last.then_some(psn);
        ((psn % PSNS) as u32, last)
    }

    /// What there is to send, if both windows allow it.
    pub(super) fn next(&self, csr: &SackTxCsr) -> Option<Next> {
        let Tally { unacked, lost } = self.tally();
        let in_flight = (unacked - lost) as u64;
        if in_flight > 0 && (in_flight + 1) * u64::from(csr.mtu_bytes) > u64::from(self.cwnd) {
            return None;
        }
        let lost = self.packets.iter().find(|(_, packet)| packet.state == State::Lost);
        if let Some((&psn, _)) = lost {
            return Some(Next::Again(psn));
        }
        let more = self.messages.iter().any(|message| message.last.is_none());
        (more && self.next - self.una() < WINDOW).then_some(Next::New)
    }

    /// Whether a packet that was chosen some events ago may leave now.
    pub(super) fn allows(&self, psn: u32, fresh: bool, horizon: u64) -> Result<Next, String> {
        let (una, next) = self.window(horizon);
        if !fresh {
            let psn = nearest(psn, una);
            return match self.state(psn) {
                _ if !(una..next).contains(&psn) => Err(format!("{psn} is not in the window {una}..{next}")),
                Some(State::InFlight) => Err(format!("{psn} is not lost")),
                _ => Ok(Next::Again(psn)),
            };
        }
        if next != self.next || (next % PSNS) as u32 != psn {
            return Err(format!("{} is next", self.next));
        }
        if next - una >= WINDOW {
            return Err(format!("the window {una}..{next} is full"));
        }
        if !self.messages.iter().any(|message| message.last.is_none()) {
            return Err("there is no message to send".into());
        }
        Ok(Next::New)
    }

    /// What an event did to packets, messages and the timer.
    pub(super) fn account(&mut self, before: Tally, now: u64, outcome: &mut Outcome) {
        let after = self.tally();
        let acked = before.unacked + usize::from(outcome.fresh) - after.unacked;
        outcome.acked = acked as u16;
        outcome.lost = after.lost.saturating_sub(before.lost) as u16;
        if acked > 0 {
            self.since = now;
            self.retries = 0;
        }
        let una = self.una();
        while self.messages.front().is_some_and(|message| message.last.is_some_and(|last| last < una)) {
            self.messages.pop_front();
            outcome.completed += 1;
        }
    }
}

impl Packet {
    fn lose(&mut self) {
        if self.state != State::Acked {
            self.state = State::Lost;
        }
    }

    fn judge(&mut self, number: u64) {
        self.lose();
        self.judged_by = self.judged_by.min(number);
    }
}

/// The number that does not wrap of a PSN: of those it may be, the nearest, and of two the one before.
pub(super) fn nearest(psn: u32, to: u64) -> u64 {
    let epoch = to / PSNS;
    let numbers = [epoch - 1, epoch, epoch + 1].map(|epoch| epoch * PSNS + u64::from(psn));
    numbers.into_iter().min_by_key(|number| number.abs_diff(to)).unwrap_or(to)
}
