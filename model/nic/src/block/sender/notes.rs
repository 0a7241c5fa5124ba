//! The meaning of the transport's outcomes for messages, for the choice of paths and for the congestion
//! window.

use super::rules;
use super::state::Listing;
use crate::block::sack_tx::{Kind, Outcome, Reason};
use crate::block::{reps, smartt};
use crate::words::{Passed, Status};
use weft_word::{Bits, Concrete, Word};

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
    /// `listing` belongs to the oldest ACK whose outcome has not arrived.
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

    /// Whether the outcome makes two events: IDLE before a SEND, or TIMEOUT after an ACK.
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
    pub(super) fn joined(&self, behind: &Self, psns: u32) -> Option<Self> {
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
            u32::from(word.unmarked.max(word.marked).max(lost)) < psns
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
    /// Packets of a connection that no longer need to be sent (rule 23).
    pub(super) passed: Option<(u32, Passed)>,
}

/// The state of a connection on which the meaning of outcomes depends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notes {
    class: u8,
    /// Number of messages that ended, modulo 32.
    done: u8,
    /// Slot and number of the message to which the next new packet belongs. The first packet of that message
    /// was sent.
    cursor: u8,
    message: u16,
    middle: bool,
    /// The lowest PSN that is not acknowledged.
    una: u32,
    /// Time of the last SEND of a packet, or time at which the connection was opened.
    active: u32,
    /// Number of packets acknowledged, at most 255, minus the entries of lists that were reported.
    untold: u8,
    /// Whether a timeout found packets lost and no acknowledgement has arrived since; the time of the
    /// timeout, modulo 2^20.
    suspect: bool,
    expired: u32,
}

/// The statuses of messages, by their codes.
const STATUSES: [Status; 7] = [
    Status::Done,
    Status::Error,
    Status::Refused,
    Status::Unanswered,
    Status::Breach,
    Status::Denied,
    Status::Broken,
];

impl From<&Notes> for rules::Notes<Concrete> {
    fn from(notes: &Notes) -> Self {
        let word = |value: u32| u128::from(value);
        Self {
            class: Bits::truncated(notes.class.into()),
            done: Bits::truncated(notes.done.into()),
            cursor: Bits::truncated(notes.cursor.into()),
            message: Bits::truncated(notes.message.into()),
            middle: Bits::truncated(notes.middle.into()),
            una: Bits::truncated(word(notes.una)),
            active: Bits::truncated(word(notes.active)),
            untold: Bits::truncated(notes.untold.into()),
            suspect: Bits::truncated(notes.suspect.into()),
            expired: Bits::truncated(word(notes.expired)),
        }
    }
}

impl From<&rules::Notes<Concrete>> for Notes {
    fn from(notes: &rules::Notes<Concrete>) -> Self {
        Self {
            class: notes.class.value() as u8,
            done: notes.done.value() as u8,
            cursor: notes.cursor.value() as u8,
            message: notes.message.value() as u16,
            middle: notes.middle.decide(),
            una: notes.una.value() as u32,
            active: notes.active.value() as u32,
            untold: notes.untold.value() as u8,
            suspect: notes.suspect.decide(),
            expired: notes.expired.value() as u32,
        }
    }
}

impl<const N: usize> From<&Heard> for rules::Outcome<Concrete, N> {
    #[inline(always)]
    fn from(Heard { outcome, listing }: &Heard) -> Self {
        let bit = |value: bool| Bits::truncated(value.into());
        Self {
            kind: Bits::truncated(outcome.kind as u128),
            accepted: bit(outcome.accepted),
            send: bit(outcome.send),
            fresh: bit(outcome.fresh),
            last: bit(outcome.last),
            failed: bit(outcome.failed),
            reason: Bits::truncated(outcome.reason as u128),
            congested: bit(outcome.congested),
            failure: bit(outcome.failure),
            unsure: bit(outcome.unsure),
            psn: Bits::truncated(outcome.psn.into()),
            acked: Bits::truncated(outcome.acked.into()),
            lost: Bits::truncated(outcome.lost.into()),
            completed: Bits::truncated(outcome.completed.into()),
            errors: Bits::truncated(outcome.errors.into()),
            in_flight: Bits::truncated(outcome.in_flight.into()),
            tag: Bits::truncated(outcome.tag.into()),
            listed: Bits::truncated(listing.listed.into()),
            marked: Bits::truncated(listing.marked.into()),
        }
    }
}

impl Notes {
    /// Applies an outcome to the notes, and returns its meaning. A window has `psns`.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        heard: &Heard,
        psns: u32,
        now: u32,
        idle_ticks: u32,
        trimming: bool,
    ) -> Meaning {
        let mut meaning = match psns {
            256 => self.take_in::<9>(heard, now, idle_ticks, trimming),
            512 => self.take_in::<10>(heard, now, idle_ticks, trimming),
            _ => self.take_in::<11>(heard, now, idle_ticks, trimming),
        };
        if let Some((_, passed)) = &mut meaning.passed {
            passed.una &= Passed::modulus(psns) - 1;
        }
        meaning
    }

    /// [`Self::take`], with `N` bits for a number of packets of a window.
    #[inline(always)]
    fn take_in<const N: usize>(
        &mut self,
        heard: &Heard,
        now: u32,
        idle_ticks: u32,
        trimming: bool,
    ) -> Meaning {
        let (before, outcome) = (rules::Notes::from(&*self), rules::Outcome::<Concrete, N>::from(heard));
        let settings = rules::Settings {
            now: Bits::truncated(now.into()),
            idle_ticks: Bits::truncated(idle_ticks.into()),
            trimming: Bits::truncated(trimming.into()),
        };
        *self = (&before.learn(&outcome, settings.now)).into();
        Meaning::of(&heard.outcome, &before.meaning(&outcome, &settings))
    }
}

impl Meaning {
    /// The meaning of an outcome in numbers.
    #[inline(always)]
    fn of<const N: usize>(outcome: &Outcome, meaning: &rules::Meaning<Concrete, N>) -> Self {
        let connection = outcome.connection;
        let rules::Meaning { facts, entry, news, feedback, passed, .. } = meaning;
        let entry = entry.0.decide().then(|| {
            let entry = &entry.1;
            Entry {
                connection,
                send: entry.send.decide(),
                again: entry.again.decide(),
                first: entry.first.decide(),
                psn: entry.psn.value() as u32,
                slot: entry.slot.value() as u8,
                message: entry.message.value() as u16,
                count: entry.count.value() as u8,
                done: entry.done.value() as u8,
                status: STATUSES[entry.status.value() as usize],
                closes: entry.closes.decide(),
            }
        });
        let news = news.0.decide().then(|| {
            let news = &news.1;
            News {
                connection,
                idle: news.idle.decide(),
                fails: news.fails.decide(),
                silent: news.silent.decide(),
                listed: news.listed.value() as u8,
                told: news.told.value() as u8,
                kind: reps::Kind::ALL[news.kind.value() as usize],
                ev: news.ev.value() as u16,
                rtt: news.rtt.value() as u16,
                ce: news.ce.decide(),
            }
        });
        let feedback = feedback.0.decide().then(|| {
            let feedback = &feedback.1;
            let other = smartt::Kind::ALL[feedback.kind.value() as usize];
            Feedback {
                connection,
                other: feedback.other.decide().then_some(other),
                ce: feedback.ce.decide(),
                class: feedback.class.value() as u8,
                rtt: feedback.rtt.value() as u16,
                unmarked: feedback.unmarked.value() as u16,
                marked: feedback.marked.value() as u16,
                lost: feedback.lost.value() as u16,
                in_flight: feedback.in_flight.value() as u16,
                before: feedback.before.value() as u16,
            }
        });
        let answer = (facts.rtt.value() as u16, facts.ce.decide());
        let facts = Facts {
            lost: facts.loses.decide().then(|| Cause::of(outcome.kind)),
            packets: facts.lost.value() as u16,
            spurious: facts.spurious.decide(),
            connection,
            unanswered: facts.unanswered.decide(),
            denied: facts.denied.decide(),
            answer: facts.answer.decide().then_some(answer),
        };
        let word = Passed { una: passed.1.value() as u16, ended: passed.2.decide() };
        Self {
            facts,
            void: meaning.void.decide(),
            entry,
            news,
            feedback,
            passed: passed.0.decide().then_some((connection, word)),
        }
    }
}
