//! One open connection of the oracle.

use super::PSNS;
use std::collections::{BTreeMap, VecDeque};
use weft_nic::block::sack_tx::{Event, Kind, Outcome, Reason};
use weft_params::SackTxCsr;

/// Bits of the bitmap of an ACK, and PSNs of the usual window.
pub(super) const BITS: u64 = 256;
/// Messages that wait while another is being sent.
const QUEUE: usize = 16;

/// State of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In flight, as far as the sender can know.
    InFlight,
    /// Lost, and to be sent again.
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
    /// Number of epochs of the connection that were over when the packet last left.
    left_in: u64,
}

/// Number in place of an event that does not exist.
const NEVER: u64 = u64::MAX;

/// The packet that leaves next.
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
    /// PSN of the message's last packet, once that packet was sent.
    last: Option<u64>,
}

/// The epochs of a connection.
struct Epochs {
    /// Number of epochs that are over.
    over: u64,
    /// Time at which this epoch began.
    begun: u64,
    /// Length of each epoch in ticks and the number of the event that began it, the latest last.
    lengths: Vec<(u64, u64)>,
    peak: u64,
    /// Packets that ACKs lost, and whether a NACK arrived, in this epoch and in the previous one.
    lost: [u64; 2],
    nacks: [bool; 2],
}

/// Validity of the 16 bits of a time stamp.
struct Stamps {
    /// PSN at which the newer count replaces the older one, when una reaches this PSN.
    mark: u64,
    /// Changes of bit 15 of the time, counted from two moments.
    older: u64,
    newer: u64,
    /// Time of the last event.
    seen: u64,
}

/// Counts of a connection's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Packets sent and not acknowledged.
    pub unacked: usize,
    /// Packets to be sent again.
    pub lost: usize,
}

/// An open connection.
pub struct Connection {
    /// PSNs of its window.
    psns: u64,
    /// Packets from the first on that some event may still see as not acknowledged.
    packets: BTreeMap<u64, Packet>,
    next: u64,
    messages: VecDeque<Message>,
    pub(super) cwnd: u32,
    class: usize,
    /// Beginning of a silence: a packet left, or a probe or timeout happened.
    active: u64,
    /// Latest acknowledgement time, minus the length of the epoch at that time.
    heard: u64,
    retries: u32,
    probes: u32,
    epochs: Epochs,
    stamps: Stamps,
    /// Packet that the connection would send, as decided by its last event.
    pub(super) turn: Option<Next>,
}

impl Connection {
    pub(super) fn new(event: &Event, csr: &SackTxCsr, psns: u64, number: u64, now: u64) -> Self {
        let (psn, cwnd) = (event.psn, event.cwnd_bytes);
        let class = (event.tag / 65_536 % 4) as usize;
        let first = PSNS + u64::from(psn);
        Self {
            psns,
            packets: BTreeMap::new(),
            // The offset leaves space for PSNs before the first one.
            next: first,
            messages: VecDeque::new(),
            cwnd,
            class,
            active: now,
            heard: 0,
            retries: 0,
            probes: 0,
            epochs: Epochs {
                over: 0,
                begun: now,
                lengths: vec![(number, csr.classes[class].epoch_ticks.into())],
                peak: 0,
                lost: [0; 2],
                nacks: [false; 2],
            },
            stamps: Stamps { mark: first, older: 0, newer: 0, seen: now },
            turn: None,
        }
    }

    /// Lowest PSN that is not acknowledged.
    pub fn una(&self) -> u64 {
        let waiting = self.packets.iter().find(|(_, packet)| packet.state != State::Acked);
        waiting.map_or(self.next, |(&psn, _)| psn)
    }

    /// Next PSN to assign.
    pub fn next_psn(&self) -> u64 {
        self.next
    }

    /// State of a packet at or after [`Self::una`].
    pub fn state(&self, psn: u64) -> Option<State> {
        self.packets.get(&psn).map(|packet| packet.state)
    }

    /// Messages posted and not completed.
    pub fn messages(&self) -> usize {
        self.messages.len()
    }

    /// Messages without a sent packet.
    pub fn waiting(&self) -> usize {
        self.messages.iter().filter(|message| message.sent == 0).count()
    }

    /// Timeouts in a row.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Probes since the last timeout or acknowledgement.
    pub fn probes(&self) -> u32 {
        self.probes
    }

    /// Largest recent round-trip time, and length of an epoch, in ticks.
    pub fn peak_and_epoch(&self) -> (u64, u64) {
        (self.epochs.peak, self.epoch(u64::MAX))
    }

    /// The age of a packet, 0 to 3.
    pub fn age(&self, psn: u64) -> Option<u64> {
        self.packets.get(&psn).map(|packet| (self.epochs.over - packet.left_in).min(3))
    }

    /// Length of the epoch that an event sees.
    fn epoch(&self, horizon: u64) -> u64 {
        let seen = self.epochs.lengths.iter().rev().find(|(number, _)| *number < horizon);
        seen.or(self.epochs.lengths.first()).map_or(0, |(_, length)| *length)
    }

    /// Total length of the two epochs before the one that an event sees.
    fn past(&self, horizon: u64) -> u64 {
        let seen = self.epochs.lengths.iter().rev().skip_while(|(number, _)| *number >= horizon);
        seen.skip(1).take(2).map(|(_, length)| length).sum()
    }

    /// Ticks since the last acknowledgement counted, or a packet left.
    fn quiet(&self, now: u64) -> u64 {
        now - self.active.max(self.heard)
    }

    /// Whether an epoch that ends now loses old packets: the epoch is late in a silence, before the seventh
    /// probe.
    pub(super) fn is_late(&self, now: u64) -> bool {
        let (quiet, epoch) = (self.quiet(now), self.epoch(u64::MAX));
        let enough = if self.probes < 2 { 5 * epoch / 2 } else { 5 * epoch };
        self.probes < 7 && quiet >= enough
    }

    /// A packet leaves. A silence begins with the packet, unless una has not moved for two changes of the
    /// time's bit 15.
    fn leaves(&mut self, now: u64) {
        if self.tally().unacked == 0 || self.stamps.older < 2 {
            self.active = now;
        }
    }

    /// An event enters and reads this time.
    pub(super) fn look(&mut self, now: u64) {
        let stamps = &mut self.stamps;
        let turned = (now / 32_768).abs_diff(stamps.seen / 32_768);
        stamps.older += turned;
        stamps.newer += turned;
        stamps.seen = now;
    }

    /// Whether the connection has a packet to send, and space for the packet.
    pub fn wants_to_send(&self) -> bool {
        self.turn.is_some()
    }

    /// Counts the packets by state.
    pub fn tally(&self) -> Tally {
        let count = |wanted: &dyn Fn(State) -> bool| {
            self.packets.values().filter(|packet| wanted(packet.state)).count()
        };
        Tally { unacked: count(&|state| state != State::Acked), lost: count(&|state| state == State::Lost) }
    }

    /// Drops the packets that every event from now on sees as acknowledged. The first remaining packet is
    /// then where the event's window begins.
    pub(super) fn forget(&mut self, horizon: u64) {
        while let Some(first) = self.packets.first_entry().filter(|first| first.get().acked_by < horizon) {
            first.remove();
        }
    }

    /// Window that an event sees. The caller must call [`Self::forget`] first.
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

    /// Handles an ACK. Returns the reason why the event does not count in full, whether its bitmap names PSNs
    /// never sent, and whether it answers a PSN of the window.
    pub(super) fn ack(
        &mut self,
        event: &Event,
        csr: &SackTxCsr,
        number: u64,
        horizon: u64,
    ) -> (Reason, bool, bool) {
        let (una, next) = self.window(horizon);
        let cumulative = nearest(event.psn, una);
        if cumulative > next {
            return (Reason::NeverSent, false, false);
        }
        let reason = if cumulative < una { Reason::Stale } else { Reason::None };
        let answered = nearest(event.trigger, una);
        let is_far = (cumulative + BITS..cumulative + self.psns).contains(&answered);
        let first = if is_far { answered + 1 - BITS } else { cumulative };
        if first + BITS < una {
            return (reason, false, false);
        }
        let bit = |ahead: u64| event.bitmap[ahead as usize / 64] >> (ahead % 64) & 1 == 1;
        let said = |psn: u64| psn < cumulative || (first..first + BITS).contains(&psn) && bit(psn - first);
        for (&psn, packet) in self.packets.range_mut(una..next) {
            if packet.state != State::Acked && said(psn) {
                packet.state = State::Acked;
                packet.acked_by = number;
            }
        }
        let trigger = nearest(event.trigger, una);
        let answers = (una..next).contains(&trigger);
        let rtt = u64::from(event.tag >> 16 & 0x7FFF);
        if answers && 4 * rtt < 3 * self.past(horizon) + 4 && rtt != 0x7FFF {
            let gap = u64::from(csr.classes[self.class].gap);
            let over = self.epochs.over;
            for (psn, packet) in self.packets.range_mut(una..next) {
                let age = over - packet.left_in;
                if age > 2 || age == 2 && gap > 0 && psn + gap <= trigger {
                    packet.lose();
                }
            }
        }
        if answers {
            self.epochs.peak = self.epochs.peak.max(rtt);
        }
        let beyond = (next..first + BITS).any(said);
        (reason, beyond && reason == Reason::None, answers)
    }

    /// Handles a NACK. Returns whether the connection ends, or the reason why the NACK has no effect.
    pub(super) fn nack(&mut self, event: &Event, horizon: u64) -> Result<bool, Reason> {
        let (una, next) = self.window(horizon);
        match nearest(event.psn, una) {
            psn if psn < una => Err(Reason::Stale),
            psn if psn >= next => Err(Reason::NeverSent),
            psn => {
                if let Some(packet) = self.packets.get_mut(&psn) {
                    packet.lose();
                }
                self.epochs.nacks[0] = true;
                Ok(event.denied)
            }
        }
    }

    /// Marks old packets as lost.
    fn lose_old(&mut self, horizon: u64) {
        let (una, next) = self.window(horizon);
        let over = self.epochs.over;
        let window = self.packets.range_mut(una..next).map(|(_, packet)| packet);
        window.filter(|packet| over - packet.left_in > 2).for_each(Packet::lose);
    }

    /// Handles a timeout. Returns whether the connection ends.
    pub(super) fn timeout(&mut self, csr: &SackTxCsr, now: u64, horizon: u64) -> bool {
        self.lose_old(horizon);
        if self.tally().unacked == 0 {
            return false;
        }
        self.active = now;
        self.probes = 0;
        self.retries += 1;
        self.retries > csr.classes[self.class].retry_limit
    }

    pub(super) fn probe(&mut self, now: u64, horizon: u64) {
        let (una, next) = self.window(horizon);
        if let Some(packet) = self.packets.get_mut(&una).filter(|_| una < next) {
            packet.lose();
        }
        if self.tally().unacked > 0 {
            self.active = now;
            self.probes = 7.min(self.probes + 1);
        }
    }

    /// Ends the epoch. Late in a silence old packets are lost; such an event is a probe if there are any.
    /// Returns whether the network was congested.
    pub(super) fn turn_over(
        &mut self,
        csr: &SackTxCsr,
        (number, horizon): (u64, u64),
        late: bool,
        now: u64,
    ) -> bool {
        let before = self.tally();
        if late {
            self.lose_old(horizon);
        }
        if self.tally().lost > before.lost {
            self.active = now;
            self.probes = 7.min(self.probes + 1);
        }
        let was = self.epochs.peak >= u64::from(csr.classes[self.class].high_ticks);
        let Epochs { over, begun, lengths, peak, lost, nacks } = &mut self.epochs;
        *over += 1;
        *begun = now;
        let shortest = u64::from(csr.classes[self.class].epoch_ticks);
        lengths.push((number, shortest.max((*peak + *peak / 2) / 2)));
        *peak -= *peak / 16;
        *lost = [0, lost[0]];
        *nacks = [false, nacks[0]];
        was
    }

    /// Event that the timers request.
    pub(super) fn due(&self, csr: &SackTxCsr, now: u64) -> Option<Kind> {
        let epoch = self.epoch(u64::MAX);
        if self.tally().unacked == 0 {
            return None;
        }
        let class = &csr.classes[self.class];
        let rto = u64::from(class.rto_ticks) << self.retries.min(class.backoff_limit);
        let quiet = self.quiet(now);
        let (kind, enough) = match self.probes {
            0 => (Kind::Probe, 3 * epoch),
            1 => (Kind::Probe, 6 * epoch),
            _ => (Kind::Timeout, rto),
        };
        // Time for which each timer has been due.
        let silent = quiet.checked_sub(enough);
        let over = (now - self.epochs.begun).checked_sub(epoch);
        if over.is_some() && over >= silent { Some(Kind::Epoch) } else { silent.map(|_| kind) }
    }

    /// Sends a packet. Returns its PSN, and whether it is new and the last of its message.
    pub(super) fn send(&mut self, next: Next, number: u64, now: u64) -> (u32, bool) {
        let psn = match next {
            Next::Again(psn) => {
                // The packet may have been acknowledged since it was chosen.
                let over = self.epochs.over;
                if let Some(packet) = self.packets.get_mut(&psn) {
                    packet.left_in = over;
                    if packet.state == State::Lost {
                        packet.state = State::InFlight;
                    }
                }
                self.leaves(now);
                return ((psn % PSNS) as u32, false);
            }
            Next::New => self.next,
        };
        self.leaves(now);
        if self.tally().unacked == 0 {
            self.epochs.begun = now;
            let seen = now;
            self.stamps = Stamps { mark: psn + 1, older: 0, newer: 0, seen };
        }
        let left_in = self.epochs.over;
        let packet = Packet { state: State::InFlight, sent_by: number, acked_by: NEVER, left_in };
        self.packets.insert(psn, packet);
        self.next += 1;
        let message = self.messages.iter_mut().find(|message| message.last.is_none());
        let message = message.expect("a new packet is of a message");
        message.sent += 1;
        let last = message.sent == message.packets;
        message.last = last.then_some(psn);
        ((psn % PSNS) as u32, last)
    }

    /// Next packet to send, if both windows allow it. After a probe the congestion window is ignored.
    pub(super) fn next(&self, csr: &SackTxCsr, probe: bool) -> Option<Next> {
        let Tally { unacked, lost } = self.tally();
        let in_flight = (unacked - lost) as u64;
        if !probe && in_flight > 0 && (in_flight + 1) * u64::from(csr.mtu_bytes) > u64::from(self.cwnd) {
            return None;
        }
        let lost = self.packets.iter().find(|(_, packet)| packet.state == State::Lost);
        if let Some((&psn, _)) = lost {
            return Some(Next::Again(psn));
        }
        let more = self.messages.iter().any(|message| message.last.is_none());
        (more && self.next - self.una() < self.psns).then_some(Next::New)
    }

    /// Whether a packet that was chosen some events ago may leave now; `second`: as the second packet of a
    /// turn.
    pub(super) fn allows(&self, psn: u32, fresh: bool, second: bool, horizon: u64) -> Result<Next, String> {
        let (una, next) = self.window(horizon);
        if !fresh {
            let psn = nearest(psn, una);
            return match self.state(psn) {
                _ if !(una..next).contains(&psn) => Err(format!("{psn} is not in the window {una}..{next}")),
                Some(State::InFlight) => Err(format!("{psn} is not lost")),
                _ => Ok(Next::Again(psn)),
            };
        }
        // The second packet may have been chosen without the first.
        if next + u64::from(second) < self.next || (self.next % PSNS) as u32 != psn {
            return Err(format!("{} is next", self.next));
        }
        if self.next - una >= self.psns {
            return Err(format!("the window {una}..{} is full", self.next));
        }
        if !self.messages.iter().any(|message| message.last.is_none()) {
            return Err("there is no message to send".into());
        }
        Ok(Next::New)
    }

    /// Fills in the effect of an event on packets, messages and timer. `answers`: the event was an ACK of a
    /// PSN of the window.
    pub(super) fn account(
        &mut self,
        csr: &SackTxCsr,
        before: Tally,
        answers: bool,
        (now, horizon): (u64, u64),
        outcome: &mut Outcome,
    ) {
        let after = self.tally();
        let acked = before.unacked + usize::from(outcome.fresh) - after.unacked;
        outcome.acked = acked as u16;
        outcome.lost = after.lost.saturating_sub(before.lost) as u16;
        if acked > 0 {
            self.heard = self.heard.max(now.saturating_sub(self.epoch(horizon)));
            self.retries = 0;
            self.probes = 0;
        }
        let una = self.una();
        let is_ack = outcome.kind == Kind::Ack;
        let Epochs { peak, lost, nacks, .. } = &mut self.epochs;
        lost[0] += if is_ack { u64::from(outcome.lost) } else { 0 };
        outcome.congested = *peak >= u64::from(csr.classes[self.class].high_ticks);
        let several = is_ack && outcome.lost > 0 && lost[0] + lost[1] >= 2;
        outcome.failure = several && *nacks == [false; 2] && !outcome.congested;
        outcome.unsure = is_ack && (self.stamps.older > 1 || acked > 0 && !answers);
        if una >= self.stamps.mark {
            let (mark, older, seen) = (self.next, self.stamps.newer, self.stamps.seen);
            self.stamps = Stamps { mark, older, newer: 0, seen };
        }
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
}

/// PSN without wrapping: the candidate nearest to `to`, and the lower one of two.
pub(super) fn nearest(psn: u32, to: u64) -> u64 {
    let epoch = to / PSNS;
    let numbers = [epoch - 1, epoch, epoch + 1].map(|epoch| epoch * PSNS + u64::from(psn));
    numbers.into_iter().min_by_key(|number| number.abs_diff(to)).unwrap_or(to)
}
