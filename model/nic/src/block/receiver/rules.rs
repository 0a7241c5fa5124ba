//! The rules of a packet and of its outcome over words of any kind.

use crate::block::sack_rx::{self, Kind, Response, Verdict};
use crate::part::ring::far;
use crate::words::over::{Arrival, Bar, Reply};
use crate::words::{ArrivalKind, Listed};
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// Reasons of NACKs on the wire.
const TRIMMED: u128 = 0x01;
const TRIMMED_LASTHOP: u128 = 0x02;
const UNEXP_EVENT: u128 = 0x19;
/// Slots of a connection: number of messages whose last packets may arrive before the messages are complete.
pub const SLOTS: usize = 16;

/// The memory to which a connection's peer may write.
#[derive(Clone, Copy, Debug)]
pub struct Region<D: Domain> {
    /// First address.
    pub base: D::Word<64>,
    /// Bytes.
    pub length: D::Word<32>,
    /// Key.
    pub key: D::Word<32>,
}

/// Whether the packet is not permitted to write to its address, or its connection has failed.
#[derive(Clone, Copy, Debug)]
pub struct Treatment<D: Domain> {
    /// Whether the packet may not write to its address, or its connection has failed.
    pub denied: Bit<D>,
    /// Whether the packet must be sent again later.
    pub held: Bit<D>,
    /// Whether the connection has failed.
    pub failed: Bit<D>,
}

/// The outcome of an event, as `weft_sack_rx` gives it.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<D: Domain> {
    /// The code of the event's [`Kind`].
    pub kind: D::Word<3>,
    /// The connection was open, or the event opens it.
    pub accepted: Bit<D>,
    /// The code of the [`Verdict`] on the packet.
    pub verdict: D::Word<3>,
    /// The code of the [`Response`].
    pub response: D::Word<2>,
    /// The event's ECN mark.
    pub ce: Bit<D>,
    /// Bit `i`, low word first: the PSN `i` after `expected` has been received.
    pub bitmap: [D::Word<64>; 4],
    /// The first PSN that has not been received.
    pub expected: D::Word<24>,
    /// The event's PSN.
    pub psn: D::Word<24>,
    /// Messages completed since the connection was opened.
    pub messages: D::Word<24>,
    /// Bytes placed, in units of 256 rounded up.
    pub received: D::Word<24>,
    /// The event's time stamp.
    pub stamp: D::Word<16>,
    /// The event's entropy value.
    pub ev: D::Word<16>,
    /// Messages that this event completed, at most a window of 1,024.
    pub completed: D::Word<11>,
    /// Packets received beyond the cumulative PSN.
    pub out_of_order: D::Word<8>,
}

impl From<&sack_rx::Outcome> for Outcome<Concrete> {
    fn from(outcome: &sack_rx::Outcome) -> Self {
        Self {
            kind: Bits::truncated(outcome.kind as u128),
            accepted: Bits::truncated(outcome.accepted.into()),
            verdict: Bits::truncated(outcome.verdict as u128),
            response: Bits::truncated(outcome.response as u128),
            ce: Bits::truncated(outcome.ce.into()),
            bitmap: outcome.bitmap.map(|bits| Bits::truncated(bits.into())),
            expected: Bits::truncated(outcome.expected.into()),
            psn: Bits::truncated(outcome.psn.into()),
            messages: Bits::truncated(outcome.messages.into()),
            received: Bits::truncated(outcome.received.into()),
            stamp: Bits::truncated(outcome.tag.into()),
            ev: Bits::truncated((outcome.tag >> 16).into()),
            completed: Bits::truncated(outcome.completed.into()),
            out_of_order: Bits::truncated(outcome.out_of_order.into()),
        }
    }
}

impl<D: Domain> Outcome<D> {
    fn is(&self, kind: Kind) -> Bit<D> {
        self.kind.equals(D::lit(kind as u128))
    }

    fn judged(&self, verdict: Verdict) -> Bit<D> {
        self.verdict.equals(D::lit(verdict as u128))
    }

    fn answers(&self, response: Response) -> Bit<D> {
        self.response.equals(D::lit(response as u128))
    }
}

impl<D: Domain> Region<D> {
    /// Whether a packet may write to its address. Addresses wrap at 2^64.
    fn allows(&self, arrival: &Arrival<D>) -> Bit<D> {
        let ahead = arrival.address - self.base;
        let end = ahead.slice::<0, 32>().widen::<33>() + arrival.bytes.widen();
        let inside = ahead.slice::<32, 32>().is_zero() & end.at_most(self.length.widen());
        arrival.key.equals(self.key) & (arrival.bytes.is_zero() | inside)
    }

    /// Rules 4 and 17: the treatment of a packet.
    pub fn treats(&self, arrival: &Arrival<D>, bar: &Bar<D>) -> Treatment<D> {
        let data = arrival.kind.equals(D::lit(ArrivalKind::Data as u128));
        let packet = data | arrival.kind.equals(D::lit(ArrivalKind::Trimmed as u128));
        let denied = (packet & bar.failed) | (data & !self.allows(arrival));
        Treatment { denied, held: data & bar.held & !denied, failed: bar.failed }
    }
}

impl<D: Domain> Treatment<D> {
    /// The code of the answer to an outcome. A failed connection acknowledges no packet.
    pub fn answer(&self, outcome: &Outcome<D>) -> D::Word<2> {
        let refused = outcome.answers(Response::Ack) & self.denied & self.failed;
        D::lit(Response::Nack as u128).when(refused, outcome.response)
    }

    /// The code of the [`Kind`] of a packet's event. A packet that is denied or held counts as trimmed.
    pub fn kind(&self, arrival: &Arrival<D>) -> D::Word<3> {
        let is = |kind: ArrivalKind| arrival.kind.equals(D::lit(kind as u128));
        let code = |kind: Kind| D::lit::<3>(kind as u128);
        let whole = is(ArrivalKind::Data) & !self.denied & !self.held;
        let other = code(Kind::Probe).when(is(ArrivalKind::Probe), code(Kind::Reserved7));
        let packet = is(ArrivalKind::Data) | is(ArrivalKind::Trimmed);
        code(Kind::Data).when(whole, code(Kind::Trimmed).when(packet, other))
    }
}

/// Rules 6 to 8: the reply without its list, if there is an answer. `last_hop`: the packet was trimmed at the last hop.
pub fn reply<D: Domain>(outcome: &Outcome<D>, treatment: &Treatment<D>, last_hop: Bit<D>) -> Reply<D> {
    let nack = treatment.answer(outcome).equals(D::lit(Response::Nack as u128));
    // The peer has another connection: one end was opened again alone (rule 17 of the NIC).
    let unexpected = outcome.judged(Verdict::Outside) | treatment.denied;
    let trimmed = D::lit(TRIMMED_LASTHOP).when(treatment.held | last_hop, D::lit(TRIMMED));
    let reason = D::lit(UNEXP_EVENT).when(unexpected, trimmed);
    Reply {
        nack,
        cumulative: outcome.expected - D::lit(1),
        psn: outcome.psn,
        bitmap: outcome.bitmap,
        ce: outcome.ce,
        ev: outcome.ev,
        stamp: outcome.stamp,
        out_of_order: outcome.out_of_order,
        received: outcome.received,
        messages: outcome.messages,
        reason: reason.when(nack, D::lit(0)),
        probe: outcome.is(Kind::Probe),
        there: D::lit(0),
        evs: [D::lit(0); Listed::MOST],
    }
}

/// Rule 17: whether the receiver denies a packet of the window on a connection that had not failed before.
pub fn breach<D: Domain>(outcome: &Outcome<D>, treatment: &Treatment<D>) -> Bit<D> {
    let told = outcome.answers(Response::Nack) & !outcome.judged(Verdict::Outside);
    told & treatment.denied & !treatment.failed
}

/// The effect of an outcome on the ACK timer.
#[derive(Clone, Copy, Debug)]
pub struct Mark<D: Domain> {
    /// Whether a packet waits for an ACK from now on.
    pub start: Bit<D>,
    /// Whether no packet waits any more.
    pub stop: Bit<D>,
    /// Whether the connection was opened or closed.
    pub control: Bit<D>,
}

/// Rule 19: whether an outcome is of a PSN that is far (rule 17 of `weft_sack_rx`, with a window of `psns`). An answer to
/// it answers no packet that waits.
pub fn is_far<D: Domain>(outcome: &Outcome<D>, psns: u32) -> Bit<D> {
    far::<D>(outcome.psn, outcome.expected, psns).far
}

/// The effect of an outcome on the ACK timer, with a window of `psns`.
pub fn mark<D: Domain>(outcome: &Outcome<D>, psns: u32) -> Mark<D> {
    let acks = outcome.answers(Response::Ack) & !is_far(outcome, psns);
    let control = outcome.is(Kind::Open) | outcome.is(Kind::Close);
    let answered = outcome.answers(Response::Ack);
    Mark { start: outcome.judged(Verdict::Placed) & !answered, stop: acks | control, control }
}

/// Steps that an outcome takes: one for each message that it completes, at least one, and one for each slot at an open.
pub fn steps<D: Domain>(outcome: &Outcome<D>) -> D::Word<11> {
    let least = D::lit(1).when(outcome.completed.is_zero(), outcome.completed);
    D::lit(SLOTS as u128).when(outcome.is(Kind::Open), least)
}
