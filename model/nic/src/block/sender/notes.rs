//! The rules about the meaning of the transport's outcomes for messages, for the choice of paths and for the
//! congestion window.

use super::state::Listing;
use crate::block::sack_tx::{Kind, LONGEST, Outcome, Reason};
use crate::block::{reps, smartt};
use crate::words::{Passed, Status};

/// Unpacks an outcome from the port of the transport ([`Outcome::data`], [`Outcome::user`]).
pub(super) fn outcome(connection: u32, data: [u64; 3], user: u16) -> Outcome {
    let low = u128::from(data[0]) | u128::from(data[1]) << 64;
    let field = |at: u32| (low >> at) as u16;
    let flag = |bit: u32| user >> bit & 1 == 1;
    Outcome {
        kind: Kind::ALL[usize::from(user & 7 | user >> 8 & 8)],
        connection,
        accepted: flag(3),
        send: flag(4),
        fresh: flag(5),
        last: flag(6),
        failed: flag(7),
        reason: Reason::ALL[usize::from(user >> 8 & 3)],
        beyond: flag(10),
        congested: flag(12),
        failure: flag(13),
        unsure: flag(14),
        psn: low as u32 & 0xFF_FFFF,
        acked: field(24),
        lost: field(40),
        completed: field(56),
        errors: field(72),
        unacked: field(88),
        in_flight: field(104),
        tag: (low >> 120) as u32 | (data[2] as u32) << 8,
    }
}

/// An outcome and, for an ACK, the numbers of its list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub(super) outcome: Outcome,
    pub(super) listing: Listing,
}

impl Heard {
    /// `listing` is that of the oldest ACK whose outcome has not come.
    pub(super) fn of(outcome: Outcome, listing: Listing) -> Self {
        let listing = if outcome.kind == Kind::Ack { listing } else { Listing::default() };
        Self { outcome, listing }
    }
}

/// An entry about messages: a packet leaves, or messages end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) connection: u32,
    pub(super) send: bool,
    pub(super) again: bool,
    /// Whether the packet is the first of its message, sent for the first time.
    pub(super) first: bool,
    pub(super) psn: u32,
    /// Slot and number of the message, for a packet that was not sent before.
    pub(super) slot: u8,
    pub(super) message: u16,
    /// Number of messages that end, the first of them modulo 32, and their status.
    pub(super) count: u8,
    pub(super) done: u8,
    pub(super) status: Status,
    /// Whether a command closed the connection.
    pub(super) closes: bool,
}

/// A report for the choice of paths (rule 10).
#[derive(Clone, Copy, Debug)]
pub(super) struct News {
    pub(super) connection: u32,
    /// Whether the connection was idle before.
    pub(super) idle: bool,
    /// Whether the ACK is also a failure.
    pub(super) fails: bool,
    /// Whether the ACK acknowledges packets never sent.
    pub(super) silent: bool,
    /// Number of entries that the ACK lists, and number of those that are reported.
    pub(super) listed: u8,
    pub(super) told: u8,
    pub(super) kind: reps::Kind,
    pub(super) ev: u16,
    pub(super) rtt: u16,
    pub(super) ce: bool,
}

impl Default for News {
    fn default() -> Self {
        Self {
            connection: 0,
            idle: false,
            fails: false,
            silent: false,
            listed: 0,
            told: 0,
            kind: reps::Kind::Send,
            ev: 0,
            rtt: 0,
            ce: false,
        }
    }
}

impl News {
    /// The event for REPS, at time 0, of an entry of the list: entropy value and mark.
    pub(super) fn entry(&self, (ev, ecn): (u16, bool)) -> reps::Event {
        let connection = self.connection;
        reps::Event { kind: reps::Kind::Ack, connection, ev, ecn, rtt_ticks: 0, now_ticks: 0 }
    }

    /// Whether there are two events: the IDLE before a SEND, or the TIMEOUT behind an ACK.
    pub(super) fn twice(&self) -> bool {
        self.idle || self.fails
    }

    /// The event for REPS, at time 0: the first or the second. A single event counts as the first.
    pub(super) fn event(&self, second: bool) -> reps::Event {
        let kind = match () {
            () if self.idle && !second => reps::Kind::Idle,
            () if self.fails && second => reps::Kind::Timeout,
            () => self.kind,
        };
        let ecn = self.ce && kind == self.kind;
        let (connection, ev, rtt_ticks) = (self.connection, self.ev, self.rtt);
        reps::Event { kind, connection, ev, ecn, rtt_ticks, now_ticks: 0 }
    }
}

/// A report for the congestion window (rule 11): an ACK of packets without marks, an ACK of packets with
/// marks, and then another event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Feedback {
    pub(super) connection: u32,
    pub(super) other: Option<smartt::Kind>,
    pub(super) ce: bool,
    pub(super) class: u8,
    pub(super) rtt: u16,
    pub(super) unmarked: u16,
    pub(super) marked: u16,
    pub(super) lost: u16,
    /// Number of packets in the network after all parts, and before the packets that are reported as lost.
    pub(super) in_flight: u16,
    pub(super) before: u16,
}

/// A part of a [`Feedback`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Unmarked,
    Marked,
    Other,
}

impl Feedback {
    /// The parts of the feedback, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> {
        let there = [self.unmarked != 0, self.marked != 0, self.other.is_some()];
        let parts = [Part::Unmarked, Part::Marked, Part::Other];
        parts.into_iter().zip(there).filter_map(|(part, there)| there.then_some(part))
    }

    /// Whether the feedback acknowledges packets.
    fn acks(&self) -> bool {
        self.unmarked != 0 || self.marked != 0
    }

    /// Rule 21: this feedback, which is not yet reported, joined with the next one.
    pub(super) fn joined(&self, behind: &Self) -> Option<Self> {
        let trim = Some(smartt::Kind::Trim);
        let acks = self.other.is_none() && (behind.other.is_none() || behind.other == trim);
        let trims = self.other == trim && behind.other == trim && !self.acks() && !behind.acks();
        let joined = Self {
            unmarked: self.unmarked + behind.unmarked,
            marked: self.marked + behind.marked,
            lost: if trims { self.lost + behind.lost } else { behind.lost },
            ..*behind
        };
        let fits = [self, behind].iter().all(|word| {
            let lost = if trims { word.lost } else { 0 };
            word.unmarked.max(word.marked).max(lost) < 1 << 8
        });
        (self.connection == behind.connection && (acks || trims) && fits).then_some(joined)
    }

    /// The event for SMaRTT of a part, at time 0.
    pub(super) fn event(&self, part: Part, mtu_shift: u8) -> smartt::Event {
        let (kind, packets, ecn) = match (part, self.other) {
            (Part::Other, Some(kind)) => (kind, self.lost, self.ce),
            (Part::Unmarked, _) => (smartt::Kind::Ack, self.unmarked, false),
            _ => (smartt::Kind::Ack, self.marked, true),
        };
        // At that time, the feedback of the later parts is still in the network.
        let in_flight = match part {
            Part::Unmarked => self.before + self.marked,
            Part::Marked => self.before,
            Part::Other => self.in_flight,
        };
        smartt::Event {
            kind,
            connection: self.connection,
            class: self.class,
            ecn,
            packets: if kind == smartt::Kind::Ack { packets.clamp(1, 16) as u8 } else { 1 },
            bytes: u32::from(packets) << mtu_shift & 0xFF_FFFF,
            rtt_ticks: self.rtt,
            in_flight_bytes: u32::from(in_flight) << mtu_shift,
            now_ticks: 0,
        }
    }
}

/// Rule 20: number of marked packets among those that an ACK acknowledges. The ACK answers `told` packets, of
/// which `marked` were marked. The other acknowledged packets are assumed to have the same share of marks.
fn marked_of(acked: u16, told: u16, marked: u16) -> u16 {
    if marked == 0 {
        return 0;
    }
    let acks = (1..4).filter(|times| acked > times * told).count() as u16;
    acked.min(marked + acks)
}

/// The detection of a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A NACK: the packet was trimmed or refused.
    #[default]
    Nack,
    /// ACKs of packets that were sent later, or an epoch late in a silence.
    Verdict,
    /// A timeout.
    Timeout,
    /// A probe that was not answered.
    Probe,
}

impl Cause {
    /// All causes, by their numbers.
    pub const ALL: [Self; 4] = [Self::Nack, Self::Verdict, Self::Timeout, Self::Probe];

    /// The cause for the kind of the outcome that found the loss.
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Nack => Self::Nack,
            Kind::Timeout => Self::Timeout,
            Kind::Probe => Self::Probe,
            _ => Self::Verdict,
        }
    }
}

/// The facts of an outcome for the counters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// The detection of a loss, if packets were found lost.
    pub(super) lost: Option<Cause>,
    pub(super) packets: u16,
    /// Whether a packet that the last timeout found lost had arrived.
    pub(super) spurious: bool,
    /// The connection that gave up, or whose peer denied a packet.
    pub(super) connection: u32,
    pub(super) unanswered: bool,
    pub(super) denied: bool,
    /// Round-trip time and mark of a valid ACK.
    pub(super) answer: Option<(u16, bool)>,
}

impl Facts {
    /// The connection that failed by an answer of its peer, or without an answer, and its status.
    pub(super) fn failure(&self) -> Option<(u32, Status)> {
        let status = if self.denied { Status::Denied } else { Status::Unanswered };
        (self.denied || self.unanswered).then_some((self.connection, status))
    }
}

/// The whole meaning of an outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning {
    pub(super) facts: Facts,
    /// Whether a SEND had no effect.
    pub(super) void: bool,
    pub(super) entry: Option<Entry>,
    pub(super) news: Option<News>,
    pub(super) feedback: Option<Feedback>,
    /// Packets of a connection that are not to be sent any more (rule 23).
    pub(super) passed: Option<(u32, Passed)>,
}

/// The state of a connection on which the meaning of outcomes depends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notes {
    class: u8,
    /// Number of messages that ended, modulo 32.
    done: u8,
    /// Slot and number of the message to which the next new packet belongs. Its first packet was sent.
    cursor: u8,
    message: u16,
    middle: bool,
    /// The lowest PSN that is not acknowledged.
    una: u32,
    /// Time at which a packet was last sent, or the connection opened.
    active: u32,
    /// Number of packets acknowledged, at most 255, less the entries of lists that were reported.
    untold: u8,
    /// Time, modulo 2^20, of a timeout that found packets lost, if no acknowledgement came since.
    suspect: Option<u32>,
}

/// Whether a timer expired and lost a packet. A timer that loses no packet is ignored.
fn expired(outcome: &Outcome) -> bool {
    outcome.accepted && outcome.kind == Kind::Timeout && !outcome.failed && outcome.lost != 0
}

/// Whether an outcome is a valid ACK.
fn answers(outcome: &Outcome) -> bool {
    outcome.accepted && outcome.kind == Kind::Ack && outcome.reason != Reason::NeverSent
}

/// The bits of a stored time.
const TIME: u32 = 0xF_FFFF;

/// Whether all posted messages have ended: opened, closed or failed. A close of a connection that was not
/// open counts too.
fn ended(outcome: &Outcome) -> bool {
    let anew = matches!(outcome.kind, Kind::Open | Kind::Close);
    closes(outcome) || outcome.accepted && (anew || outcome.failed)
}

/// Rule 22: whether the connection has failed at this end.
fn fails_here(outcome: &Outcome) -> bool {
    outcome.kind == Kind::Close && outcome.tag >> 31 == 1
}

/// Whether a command closed the connection.
fn closes(outcome: &Outcome) -> bool {
    outcome.kind == Kind::Close && !fails_here(outcome)
}

fn opening(outcome: &Outcome) -> bool {
    outcome.accepted && outcome.kind == Kind::Open
}

/// Whether the transport refused a message, as the connection is closed.
fn refused(outcome: &Outcome) -> bool {
    outcome.kind == Kind::Post && (!outcome.accepted || outcome.reason == Reason::Refused)
}

/// Number of messages that end.
fn count(outcome: &Outcome) -> u8 {
    if refused(outcome) { 1 } else { (outcome.completed | outcome.errors) as u8 & 31 }
}

impl Notes {
    /// Applies an outcome to the notes, and returns its meaning.
    #[inline(always)]
    pub(super) fn take(&mut self, heard: &Heard, now: u32, idle_ticks: u32, trimming: bool) -> Meaning {
        let before = *self;
        self.learn(heard, now);
        before.meaning(heard, now, idle_ticks, trimming)
    }

    /// Rule 19: number of the reported entries of an ACK, and number of entries that may be reported later.
    #[inline(always)]
    fn tells(&self, Heard { outcome, listing }: &Heard) -> (u8, u8) {
        let acked = outcome.acked;
        let untold = (u16::from(self.untold) + acked).min(255) as u8;
        let told = if answers(outcome) { listing.listed.min(untold) } else { 0 };
        (told, untold - told)
    }

    #[inline(always)]
    fn learn(&mut self, heard: &Heard, now: u32) {
        let outcome = &heard.outcome;
        self.untold = if opening(outcome) { 0 } else { self.tells(heard).1 };
        let (send, fresh, last) = (outcome.send, outcome.send && outcome.fresh, outcome.last);
        self.done = (self.done + count(outcome)) & 31;
        if fresh {
            self.middle = !last;
            self.cursor = (self.cursor + u8::from(last)) & 15;
            self.message = self.message.wrapping_add(u16::from(last));
        }
        if outcome.accepted && !send {
            self.una = outcome.psn;
        }
        if send || opening(outcome) {
            self.active = now;
        }
        if ended(outcome) || refused(outcome) {
            self.cursor = self.done & 15;
            self.middle = false;
        }
        if expired(outcome) {
            self.suspect = Some(now & TIME);
        } else if outcome.acked != 0 || ended(outcome) {
            self.suspect = None;
        }
        if opening(outcome) {
            self.class = (outcome.tag >> 16) as u8 & 3;
            self.message = 0;
        }
    }

    /// The meaning of an outcome for a connection with these notes.
    #[inline(always)]
    fn meaning(&self, heard: &Heard, now: u32, idle_ticks: u32, trimming: bool) -> Meaning {
        let Heard { outcome, listing } = heard;
        let connection = outcome.connection;
        let (kind, failed) = (outcome.kind, outcome.failed);
        let (fresh, psn) = (outcome.fresh, outcome.psn);
        // A packet that was acknowledged before its turn came is not sent.
        let leaves = outcome.send && psn.wrapping_sub(self.una) & 0x80_0000 == 0;
        let (ended, opening) = (ended(outcome), opening(outcome));
        let (acked, lost) = (outcome.acked, outcome.lost);
        let expired = expired(outcome);
        let tag = outcome.tag;
        let ce = tag >> 31 == 1;
        // Rule 12.
        let rtt = if outcome.unsure { LONGEST } else { (tag >> 16) as u16 & 0x7FFF };
        let count = count(outcome);

        let entry = Entry {
            connection,
            send: leaves,
            again: !fresh,
            first: fresh && !self.middle,
            psn,
            slot: self.cursor,
            message: self.message,
            count,
            done: self.done,
            // Rule 5.
            status: match () {
                () if refused(outcome) => Status::Refused,
                () if failed && kind == Kind::Nack => Status::Denied,
                () if failed => Status::Unanswered,
                () if fails_here(outcome) && tag >> 30 & 1 == 1 => Status::Broken,
                () if fails_here(outcome) => Status::Breach,
                () if ended => Status::Error,
                () => Status::Done,
            },
            closes: closes(outcome),
        };

        let answer = answers(outcome);
        let silent = !answer && listing.listed != 0;
        let told = match () {
            () if leaves => Some(reps::Kind::Send),
            () if answer || silent => Some(reps::Kind::Ack),
            () if expired => Some(reps::Kind::Timeout),
            () if opening => Some(reps::Kind::Open),
            () if ended => Some(reps::Kind::Close),
            () => None,
        };
        let news = told.map(|kind| News {
            connection,
            idle: leaves && idle_ticks != 0 && now.wrapping_sub(self.active) >= idle_ticks,
            fails: kind == reps::Kind::Ack && outcome.failure,
            silent,
            listed: listing.listed,
            told: self.tells(heard).0,
            kind,
            ev: tag as u16,
            rtt: if opening { 0 } else { rtt },
            ce,
        });

        // The meaning of a loss. A verdict shows congestion only if switches do not trim.
        let (verdict, probe) = (matches!(kind, Kind::Ack | Kind::Epoch), kind == Kind::Probe);
        let silent = probe || verdict && (trimming || !outcome.congested);
        let other = match () {
            () if opening => Some(smartt::Kind::Open),
            () if ended => Some(smartt::Kind::Close),
            () if lost == 0 || failed || silent => None,
            () if expired => Some(smartt::Kind::Timeout),
            () => Some(smartt::Kind::Trim),
        };
        let (told, marks) = (1 + u16::from(listing.listed), u16::from(ce) + u16::from(listing.marked));
        let marked = marked_of(acked, told, marks);
        let feedback = Feedback {
            connection,
            other,
            ce,
            class: if opening { (tag >> 16) as u8 & 3 } else { self.class },
            rtt,
            unmarked: acked - marked,
            marked,
            lost,
            in_flight: outcome.in_flight,
            before: outcome.in_flight + if silent { 0 } else { lost },
        };
        let ticks = |since: u32| now.wrapping_sub(since) & TIME;
        let facts = Facts {
            lost: (lost != 0 && !failed).then_some(Cause::of(kind)),
            packets: lost,
            spurious: acked != 0 && self.suspect.is_some_and(|since| ticks(since) < rtt.into()),
            connection,
            unanswered: failed && kind == Kind::Timeout,
            denied: failed && kind == Kind::Nack,
            answer: answer.then_some((rtt, ce)),
        };
        let passed = Passed { una: psn as u16 & 0x3FF, ended: ended && !opening };
        Meaning {
            passed: (outcome.accepted && !outcome.send || ended).then_some((connection, passed)),
            facts,
            void: kind == Kind::Send && !leaves,
            entry: (leaves || count != 0 || entry.closes).then_some(entry),
            news,
            feedback: (acked != 0 || other.is_some()).then_some(feedback),
        }
    }
}
