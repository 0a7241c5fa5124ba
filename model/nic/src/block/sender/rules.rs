//! The meaning of an outcome of the transport over words of any kind. A number of packets of a window has `N` bits.

use crate::block::sack_tx::{Kind, LONGEST, Reason};
use crate::block::{reps, smartt};
use crate::words::Status;
use weft_word::{Bit, Domain, Word};

/// The fields of an outcome on which its meaning depends, and for an ACK the numbers of its list.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<D: Domain, const N: usize = 9> {
    /// The code of the event's [`Kind`].
    pub kind: D::Word<4>,
    /// The connection was open, or the event opens it.
    pub accepted: Bit<D>,
    /// A packet may leave.
    pub send: Bit<D>,
    /// The packet has not been sent before.
    pub fresh: Bit<D>,
    /// A new packet that ends its message.
    pub last: Bit<D>,
    /// The connection gave up, or its peer denied a packet.
    pub failed: Bit<D>,
    /// The code of the [`Reason`].
    pub reason: D::Word<2>,
    /// The largest recent round-trip time shows congestion of the network.
    pub congested: Bit<D>,
    /// The packets that the ACK lost show that a path failed.
    pub failure: Bit<D>,
    /// The ACK's round-trip time may be wrong.
    pub unsure: Bit<D>,
    /// SEND: the packet's PSN. Else the lowest PSN that is not acknowledged.
    pub psn: D::Word<24>,
    /// Packets that the event acknowledged, at most the window.
    pub acked: D::Word<N>,
    /// Packets that the event lost, less the lost ones that it acknowledged.
    pub lost: D::Word<N>,
    /// Messages that end, modulo 32: completed by an ACK, or ended unfinished by another event.
    pub completed: D::Word<5>,
    /// Messages that end unfinished.
    pub errors: D::Word<5>,
    /// Packets that are neither acknowledged nor lost.
    pub in_flight: D::Word<N>,
    /// The event's tag.
    pub tag: D::Word<32>,
    /// Packets that the ACK lists; 0 for other events.
    pub listed: D::Word<5>,
    /// Marked packets among the listed ones; at most 16.
    pub marked: D::Word<5>,
}

/// The state of a connection on which the meaning of outcomes depends.
#[derive(Clone, Copy, Debug)]
pub struct Notes<D: Domain> {
    /// Class of round-trip time.
    pub class: D::Word<2>,
    /// Number of messages that ended, modulo 32.
    pub done: D::Word<5>,
    /// Slot of the message to which the next new packet belongs.
    pub cursor: D::Word<4>,
    /// Number of that message.
    pub message: D::Word<16>,
    /// Whether the first packet of the current message was sent.
    pub middle: Bit<D>,
    /// The lowest PSN that is not acknowledged.
    pub una: D::Word<24>,
    /// Time of the last SEND of a packet, or time at which the connection was opened.
    pub active: D::Word<32>,
    /// Number of packets acknowledged, at most 255, minus the entries of lists that were reported.
    pub untold: D::Word<8>,
    /// Whether a timeout found packets lost and no acknowledgement has arrived since.
    pub suspect: Bit<D>,
    /// Time of that timeout, modulo 2^20.
    pub expired: D::Word<20>,
}

/// Time and settings, which do not change while the block handles an outcome.
#[derive(Clone, Copy, Debug)]
pub struct Settings<D: Domain> {
    /// The time in ticks.
    pub now: D::Word<32>,
    /// Ticks without a packet after which a connection counts as idle; 0: never.
    pub idle_ticks: D::Word<32>,
    /// Whether switches trim.
    pub trimming: Bit<D>,
}

/// A word about messages.
#[derive(Clone, Copy, Debug)]
pub struct Entry<D: Domain> {
    /// Whether a packet leaves.
    pub send: Bit<D>,
    /// Whether the packet was sent before.
    pub again: Bit<D>,
    /// Whether the packet is the first of its message, sent for the first time.
    pub first: Bit<D>,
    /// The packet's PSN.
    pub psn: D::Word<24>,
    /// Slot of the message of a packet that was not sent before.
    pub slot: D::Word<4>,
    /// Number of that message.
    pub message: D::Word<16>,
    /// Number of messages that end.
    pub count: D::Word<5>,
    /// Number of the first ended message, modulo 32.
    pub done: D::Word<5>,
    /// The code of the [`Status`] of the ended messages.
    pub status: D::Word<3>,
    /// Whether a command closed the connection.
    pub closes: Bit<D>,
}

/// A word for the choice of paths (rule 10).
#[derive(Clone, Copy, Debug)]
pub struct News<D: Domain> {
    /// Whether the connection was idle before.
    pub idle: Bit<D>,
    /// Whether the ACK is also a failure.
    pub fails: Bit<D>,
    /// Whether the ACK acknowledges packets never sent.
    pub silent: Bit<D>,
    /// Number of entries that the ACK lists.
    pub listed: D::Word<5>,
    /// Number of listed entries that are reported.
    pub told: D::Word<5>,
    /// The code of the [`reps::Kind`].
    pub kind: D::Word<3>,
    /// Entropy value.
    pub ev: D::Word<16>,
    /// Round-trip time.
    pub rtt: D::Word<15>,
    /// ECN mark.
    pub ce: Bit<D>,
}

/// A word for the congestion window (rule 11).
#[derive(Clone, Copy, Debug)]
pub struct Feedback<D: Domain, const N: usize = 9> {
    /// Whether the feedback has more than acknowledged packets.
    pub other: Bit<D>,
    /// The code of the [`smartt::Kind`] of that.
    pub kind: D::Word<3>,
    /// ECN mark.
    pub ce: Bit<D>,
    /// Class of round-trip time.
    pub class: D::Word<2>,
    /// Round-trip time.
    pub rtt: D::Word<15>,
    /// Acknowledged packets that count as unmarked.
    pub unmarked: D::Word<N>,
    /// Acknowledged packets that count as marked.
    pub marked: D::Word<N>,
    /// Packets lost.
    pub lost: D::Word<N>,
    /// Packets in flight.
    pub in_flight: D::Word<N>,
    /// Packets in flight before those that are reported as lost.
    pub before: D::Word<N>,
}

/// Facts for the counters.
#[derive(Clone, Copy, Debug)]
pub struct Facts<D: Domain, const N: usize = 9> {
    /// Whether packets were found lost.
    pub loses: Bit<D>,
    /// Number of packets found lost.
    pub lost: D::Word<N>,
    /// Whether a packet that the last timeout found lost had arrived.
    pub spurious: Bit<D>,
    /// Whether the connection gave up.
    pub unanswered: Bit<D>,
    /// Whether the peer denied a packet.
    pub denied: Bit<D>,
    /// Whether the outcome is that of a valid ACK.
    pub answer: Bit<D>,
    /// Round-trip time of the ACK.
    pub rtt: D::Word<15>,
    /// ECN mark of the ACK.
    pub ce: Bit<D>,
}

/// The meaning of an outcome: words, and for each word whether it exists.
#[derive(Clone, Copy, Debug)]
pub struct Meaning<D: Domain, const N: usize = 9> {
    /// Facts for the counters.
    pub facts: Facts<D, N>,
    /// Whether a SEND had no effect.
    pub void: Bit<D>,
    /// A word about messages.
    pub entry: (Bit<D>, Entry<D>),
    /// A word for the choice of paths.
    pub news: (Bit<D>, News<D>),
    /// A word for the congestion window.
    pub feedback: (Bit<D>, Feedback<D, N>),
    /// The PSN before which packets no longer need to be sent (rule 23), and whether no packet needs to be
    /// sent.
    pub passed: (Bit<D>, D::Word<11>, Bit<D>),
}

/// Rule 20: number of marked packets among those that an ACK acknowledges. The ACK answers `told` packets, of
/// which `marked` were marked. The other acknowledged packets are assumed to have the same share of marks.
pub fn marked_of<D: Domain, const N: usize>(
    acked: D::Word<N>,
    told: D::Word<6>,
    marked: D::Word<5>,
) -> D::Word<N> {
    let of_one = told.widen::<N>();
    let more = |times: D::Word<N>| D::lit::<N>(1).when(times.less(acked), D::lit(0));
    let acks = more(of_one) + more(of_one.shl(1)) + more(of_one.shl(1) + of_one);
    let counted = marked.widen() + acks;
    let counted = acked.when(acked.less(counted), counted);
    D::lit(0).when(marked.is_zero(), counted)
}

impl<D: Domain, const N: usize> Outcome<D, N> {
    fn is(&self, kind: Kind) -> Bit<D> {
        self.kind.equals(D::lit(kind as u128))
    }

    fn says(&self, reason: Reason) -> Bit<D> {
        self.reason.equals(D::lit(reason as u128))
    }

    /// Whether a timer expired and lost a packet. A timer that loses no packet is ignored.
    fn expired(&self) -> Bit<D> {
        self.accepted & self.is(Kind::Timeout) & !self.failed & !self.lost.is_zero()
    }

    /// Whether an outcome is a valid ACK.
    fn answers(&self) -> Bit<D> {
        self.accepted & self.is(Kind::Ack) & !self.says(Reason::NeverSent)
    }

    /// Whether all posted messages have ended: opened, closed or failed. A close of a closed connection also
    /// counts.
    fn ended(&self) -> Bit<D> {
        let anew = self.is(Kind::Open) | self.is(Kind::Close);
        self.closes() | (self.accepted & (anew | self.failed))
    }

    /// Rule 22: whether the connection has failed at this end.
    fn fails_here(&self) -> Bit<D> {
        self.is(Kind::Close) & self.ce()
    }

    /// Whether a command closed the connection.
    fn closes(&self) -> Bit<D> {
        self.is(Kind::Close) & !self.ce()
    }

    fn opening(&self) -> Bit<D> {
        self.accepted & self.is(Kind::Open)
    }

    /// Whether the transport refused a message because the connection is closed.
    fn refused(&self) -> Bit<D> {
        self.is(Kind::Post) & (!self.accepted | self.says(Reason::Refused))
    }

    /// Number of messages that end.
    fn count(&self) -> D::Word<5> {
        D::lit(1).when(self.refused(), self.completed | self.errors)
    }

    fn ce(&self) -> Bit<D> {
        self.tag.slice::<31, 1>()
    }

    /// Rule 12.
    fn rtt(&self) -> D::Word<15> {
        D::lit(LONGEST.into()).when(self.unsure, self.tag.slice::<16, 15>())
    }

    /// Rule 5: the status of messages that end.
    fn status(&self) -> D::Word<3> {
        let code = |status: Status| D::lit::<3>(status as u128);
        let here = code(Status::Broken).when(self.tag.slice::<30, 1>(), code(Status::Breach));
        let failed = code(Status::Denied).when(self.is(Kind::Nack), code(Status::Unanswered));
        let ended = code(Status::Error).when(self.ended(), code(Status::Done));
        let other = failed.when(self.failed, here.when(self.fails_here(), ended));
        code(Status::Refused).when(self.refused(), other)
    }

    /// Whether a loss is no sign of congestion. A verdict shows congestion only if switches do not trim.
    fn calm(&self, trimming: Bit<D>) -> Bit<D> {
        let verdict = self.is(Kind::Ack) | self.is(Kind::Epoch);
        self.is(Kind::Probe) | (verdict & (trimming | !self.congested))
    }
}

impl<D: Domain> Notes<D> {
    /// Rule 19: number of the reported entries of an ACK, and number of entries that may be reported later.
    #[inline(always)]
    fn tells<const N: usize>(&self, outcome: &Outcome<D, N>) -> (D::Word<5>, D::Word<8>) {
        let sum = self.untold.widen::<12>() + outcome.acked.widen();
        let most = D::lit::<8>(255).when(D::lit(255).less(sum), sum.slice::<0, 8>());
        let few = most.less(outcome.listed.widen());
        let told = most.slice::<0, 5>().when(few, outcome.listed);
        let told = told.when(outcome.answers(), D::lit(0));
        (told, most - told.widen())
    }

    /// The notes after an outcome.
    #[inline(always)]
    pub fn learn<const N: usize>(&self, outcome: &Outcome<D, N>, now: D::Word<32>) -> Self {
        let (opening, ended, expired) = (outcome.opening(), outcome.ended(), outcome.expired());
        let fresh = outcome.send & outcome.fresh;
        let finish = fresh & outcome.last;
        let done = self.done + outcome.count();
        let anew = ended | outcome.refused();
        let cursor = (self.cursor + D::lit(1)).when(finish, self.cursor);
        let message = (self.message + D::lit(1)).when(finish, self.message);
        let acks = !outcome.acked.is_zero();
        Self {
            class: outcome.tag.slice::<16, 2>().when(opening, self.class),
            done,
            cursor: done.slice::<0, 4>().when(anew, cursor),
            message: D::lit(0).when(opening, message),
            middle: !anew & (!outcome.last).when(fresh, self.middle),
            una: outcome.psn.when(outcome.accepted & !outcome.send, self.una),
            active: now.when(outcome.send | opening, self.active),
            untold: D::lit(0).when(opening, self.tells(outcome).1),
            suspect: expired | (self.suspect & !acks & !ended),
            expired: now.slice::<0, 20>().when(expired, self.expired),
        }
    }

    /// The meaning of an outcome for a connection with these notes.
    #[inline(always)]
    pub fn meaning<const N: usize>(&self, outcome: &Outcome<D, N>, settings: &Settings<D>) -> Meaning<D, N> {
        let Settings { now, idle_ticks, trimming } = *settings;
        let (opening, ended, expired) = (outcome.opening(), outcome.ended(), outcome.expired());
        let (answer, failed) = (outcome.answers(), outcome.failed);
        let (acked, lost, rtt, ce) = (outcome.acked, outcome.lost, outcome.rtt(), outcome.ce());
        let (acks, count, closes) = (!acked.is_zero(), outcome.count(), outcome.closes());
        // A packet that was acknowledged before its turn came is not sent.
        let leaves = outcome.send & !(outcome.psn - self.una).slice::<23, 1>();
        let entry = Entry {
            send: leaves,
            again: !outcome.fresh,
            first: outcome.fresh & !self.middle,
            psn: outcome.psn,
            slot: self.cursor,
            message: self.message,
            count,
            done: self.done,
            status: outcome.status(),
            closes,
        };

        let silent = !answer & !outcome.listed.is_zero();
        let of_ack = !leaves & (answer | silent);
        let code = |kind: reps::Kind| D::lit::<3>(kind as u128);
        let of_end = code(reps::Kind::Open).when(opening, code(reps::Kind::Close));
        let of_other = code(reps::Kind::Timeout).when(expired, of_end);
        let rested = idle_ticks.at_most(now - self.active);
        let news = News {
            idle: leaves & !idle_ticks.is_zero() & rested,
            fails: of_ack & outcome.failure,
            silent,
            listed: outcome.listed,
            told: self.tells(outcome).0,
            kind: code(reps::Kind::Send).when(leaves, code(reps::Kind::Ack).when(of_ack, of_other)),
            ev: outcome.tag.slice::<0, 16>(),
            rtt: D::lit(0).when(opening, rtt),
            ce,
        };

        let calm = outcome.calm(trimming);
        let loses = !lost.is_zero() & !failed;
        let code = |kind: smartt::Kind| D::lit::<3>(kind as u128);
        let of_loss = code(smartt::Kind::Timeout).when(expired, code(smartt::Kind::Trim));
        let of_end = code(smartt::Kind::Open).when(opening, code(smartt::Kind::Close));
        let other = ended | (loses & !calm);
        let told = outcome.listed.widen::<6>() + D::lit(1);
        let marked = marked_of::<D, N>(acked, told, outcome.marked + ce.widen());
        let feedback = Feedback {
            other,
            kind: of_end.when(ended, of_loss),
            ce,
            class: outcome.tag.slice::<16, 2>().when(opening, self.class),
            rtt,
            unmarked: acked - marked,
            marked,
            lost,
            in_flight: outcome.in_flight,
            before: outcome.in_flight + D::lit(0).when(calm, lost),
        };

        let since = now.slice::<0, 20>() - self.expired;
        let facts = Facts {
            loses,
            lost,
            spurious: acks & self.suspect & since.less(rtt.widen()),
            unanswered: failed & outcome.is(Kind::Timeout),
            denied: failed & outcome.is(Kind::Nack),
            answer,
            rtt,
            ce,
        };
        let passes = (outcome.accepted & !outcome.send) | ended;
        Meaning {
            facts,
            void: outcome.is(Kind::Send) & !leaves,
            entry: (leaves | !count.is_zero() | closes, entry),
            news: (leaves | of_ack | expired | ended, news),
            feedback: (acks | other, feedback),
            passed: (passes, outcome.psn.slice::<0, 11>(), ended & !opening),
        }
    }
}
