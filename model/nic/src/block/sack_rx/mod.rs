//! Receiver of the out-of-order transport (page `docs/blocks/sack_rx.md`; its rule numbers stand beside the
//! code that they force). Sources: ARCANE 4.1 (256-PSN SACK bitmaps), OFAN 4, `wire.md` 7, `nic.md` 3.
//!
//! * [`place`], [`received_after`], [`advance`] and [`account`] are one event of one connection, over any
//!   word type; each reads only what the ones before it have decided.
//! * [`SackRx`] is the transaction view: all connections.
//! * [`Clocked`] is the RTL's twin, port for port and clock for clock.

mod clocked;
mod transaction;

pub use clocked::{Clocked, Inputs, LATENCY, Outputs, PUBLISHED_AFTER};
pub use transaction::{Event, Outcome, Response, SackRx, Verdict};

use crate::part::ring::Ring;
use weft_params::SackRxCsr;
use weft_word::{Bit, Bits, Concrete, Domain, Word};

/// What an event is: the low three bits of `s_axis_event_tuser`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A data packet arrived whole, its ICRC right.
    Data = 0,
    /// A switch cut the payload off a data packet.
    Trimmed = 1,
    /// The ACK timer: acknowledge what waits.
    Flush = 2,
    /// The sender asks for an ACK without sending data.
    Probe = 3,
    /// Open the connection: all its state takes the initial values.
    Open = 4,
    /// Close the connection.
    Close = 5,
    /// Reserved: changes nothing.
    Reserved6 = 6,
    /// Reserved: changes nothing.
    Reserved7 = 7,
}

impl Kind {
    /// All kinds, by their code.
    pub const ALL: [Kind; 8] = [
        Kind::Data,
        Kind::Trimmed,
        Kind::Flush,
        Kind::Probe,
        Kind::Open,
        Kind::Close,
        Kind::Reserved6,
        Kind::Reserved7,
    ];
}

/// What an event finds of its connection when it enters the block: what the last event that is through has
/// published. It lags behind by the events that are still in the block, and may: see [`place`].
#[derive(Clone, Copy, Debug)]
pub struct Published<D: Domain> {
    /// The connection is open.
    pub open: Bit<D>,
    /// PSN of ring slot 0, modulo 512: the low bits of the first PSN.
    pub origin: D::Word<9>,
    /// The cumulative PSN: the first that has not been received.
    pub expected: D::Word<24>,
    /// Messages completed since the connection was opened.
    pub messages: D::Word<24>,
}

impl<D: Domain> Published<D> {
    /// A closed connection, what reset and [`Kind::Close`] leave.
    pub fn closed() -> Self {
        Self { open: D::lit(0), origin: D::lit(0), expected: D::lit(0), messages: D::lit(0) }
    }
}

/// What is counted per connection.
#[derive(Clone, Copy, Debug)]
pub struct Tail<D: Domain> {
    /// Messages completed, as the last event has them.
    pub messages: D::Word<24>,
    /// Bytes placed, modulo 2^32.
    pub bytes: D::Word<32>,
    /// The first PSN and the packets placed since, modulo 256.
    pub total: D::Word<8>,
    /// Packets placed and not yet acknowledged, saturating.
    pub pending_packets: D::Word<8>,
    /// Their bytes, 1 KiB each at least, saturating.
    pub pending_bytes: D::Word<16>,
}

impl<D: Domain> Tail<D> {
    /// Of a closed connection.
    pub fn closed() -> Self {
        Self {
            messages: D::lit(0),
            bytes: D::lit(0),
            total: D::lit(0),
            pending_packets: D::lit(0),
            pending_bytes: D::lit(0),
        }
    }
}

/// What one connection remembers.
///
/// Slot `i` of `received` does not say "received" but the *turn* of the PSN that was received there last:
/// bit 8 of its offset from the origin. A PSN is received when its slot has its turn. So nothing is cleared
/// when the window moves, and setting a slot does not depend on where the window is.
#[derive(Clone, Copy, Debug)]
pub struct State<D: Domain> {
    /// What the next event that enters an empty block finds.
    pub published: Published<D>,
    /// The turn of the PSN received last in each slot.
    pub received: Ring<D>,
    /// Whether that PSN ended a message.
    pub last: Ring<D>,
    /// The counters.
    pub tail: Tail<D>,
}

impl<D: Domain> State<D> {
    /// A closed connection. The rings mean nothing until it is opened.
    pub fn closed() -> Self {
        Self {
            published: Published::closed(),
            received: Ring::none(),
            last: Ring::none(),
            tail: Tail::closed(),
        }
    }
}

/// The CSRs as words: the `cfg_*` ports.
#[derive(Clone, Copy, Debug)]
pub struct Csr<D: Domain> {
    /// New packets that make an ACK.
    pub ack_packets: D::Word<8>,
    /// Bytes that make an ACK, 0 never.
    pub ack_bytes: D::Word<16>,
}

impl From<&SackRxCsr> for Csr<Concrete> {
    fn from(csr: &SackRxCsr) -> Self {
        Self { ack_packets: Bits::lit(csr.ack_packets.into()), ack_bytes: Bits::lit(csr.ack_bytes.into()) }
    }
}

/// What an event brings.
#[derive(Clone, Copy, Debug)]
pub struct Stimulus<D: Domain> {
    /// [`Kind`] by its code.
    pub kind: D::Word<3>,
    /// The packet is ECN-marked.
    pub ce: Bit<D>,
    /// The packet asks for an ACK.
    pub request: Bit<D>,
    /// The packet ends a message.
    pub last: Bit<D>,
    /// PSN of the packet; of an open: the first one.
    pub psn: D::Word<24>,
    /// Bytes of payload.
    pub bytes: D::Word<16>,
}

impl<D: Domain> Stimulus<D> {
    fn is(&self, kind: Kind) -> Bit<D> {
        self.kind.equals(D::lit(kind as u128))
    }
}

/// Where an event finds its connection and its packet.
#[derive(Clone, Copy, Debug)]
pub struct Place<D: Domain> {
    /// What was published, or what an open or a close makes of it.
    pub seen: Published<D>,
    /// The connection was open, or is opened.
    pub accepted: Bit<D>,
    /// A data packet or what was left of one, of an open connection.
    pub packet: Bit<D>,
    /// Its PSN lies before the window: received long ago.
    pub old: Bit<D>,
    /// Its PSN lies in the window.
    pub inside: Bit<D>,
    /// The slot of its PSN.
    pub slot: D::Word<8>,
    /// The turn of its PSN.
    pub turn: Bit<D>,
}

/// Rules 2 to 7: is the connection open, and where does the PSN lie in the window of 256 from the published
/// cumulative PSN on?
///
/// That the published PSN may lag (rule 16) is no fault: what a sender may send, it learned from an ACK, and an ACK
/// leaves the block after what it says was published.
pub fn place<D: Domain>(published: &Published<D>, stimulus: &Stimulus<D>) -> Place<D> {
    let opening = stimulus.is(Kind::Open);
    let closing = stimulus.is(Kind::Close);
    let accepted = published.open | opening;
    let opened = Published::<D> {
        open: D::lit(1),
        origin: stimulus.psn.slice::<0, 9>(),
        expected: stimulus.psn,
        messages: D::lit(0),
    };
    let closed = Published::<D>::closed();
    let choose = |opened: D::Word<24>, closed: D::Word<24>, old: D::Word<24>| {
        opened.when(opening, closed.when(closing, old))
    };
    let seen = Published {
        open: opening | (published.open & !closing),
        origin: opened.origin.when(opening, closed.origin.when(closing, published.origin)),
        expected: choose(opened.expected, closed.expected, published.expected),
        messages: choose(opened.messages, closed.messages, published.messages),
    };
    let packet = published.open & (stimulus.is(Kind::Data) | stimulus.is(Kind::Trimmed));
    let ahead = stimulus.psn - published.expected;
    let offset = stimulus.psn.slice::<0, 9>() - published.origin;
    Place {
        seen,
        accepted,
        packet,
        old: packet & ahead.slice::<23, 1>(),
        inside: packet & ahead.slice::<8, 16>().is_zero(),
        slot: offset.slice::<0, 8>(),
        turn: offset.slice::<8, 1>(),
    }
}

/// Whether the packet's PSN was received before (rules 5 and 6): its slot has its turn.
pub fn received_before<D: Domain>(place: &Place<D>, received: Ring<D>) -> Bit<D> {
    let same = !(received.get(place.slot) ^ place.turn);
    place.old | (place.inside & same)
}

/// The ring of turns after the event: a data packet inside the window sets its slot (rule 5), an open makes
/// every slot the one of a PSN that has not come (rule 2).
pub fn received_after<D: Domain>(place: &Place<D>, stimulus: &Stimulus<D>, received: Ring<D>) -> Ring<D> {
    let here = Ring::one(place.slot);
    let set = here.when(place.inside & stimulus.is(Kind::Data), Ring::none());
    let turns = (received | set).when(place.turn, received & !set);
    Ring::all().when(stimulus.is(Kind::Open), turns)
}

/// How far the window moves.
#[derive(Clone, Copy, Debug)]
pub struct Advance<D: Domain> {
    /// The cumulative PSN after the event.
    pub expected: D::Word<24>,
    /// Slot of the PSN that was seen as the cumulative one.
    pub from: D::Word<8>,
    /// PSNs from there to the new cumulative one.
    pub run: D::Word<9>,
    /// PSNs after that which have been received, by slot.
    pub beyond: Ring<D>,
}

/// Rule 8: the run of received PSNs from the one that was published, at most the whole window. It needs no
/// other state than the ring, which is exact: what lies before the published PSN has been received.
pub fn advance<D: Domain>(seen: &Published<D>, received: Ring<D>) -> Advance<D> {
    let from = seen.expected.slice::<0, 9>() - seen.origin;
    let (slot, turn) = (from.slice::<0, 8>(), from.slice::<8, 1>());
    // Slots below the window's first belong to the next turn.
    let turns = Ring::below(slot.widen::<9>()) ^ Ring::all_when(turn);
    let missing = received ^ turns;
    let (found, first) = missing.first_from(slot);
    let run = (first - slot).widen::<9>().when(found, D::lit(256));
    Advance {
        expected: seen.expected + run.widen::<24>(),
        from: slot,
        run,
        beyond: !missing & !Ring::span(slot, run),
    }
}

/// What an event comes to.
#[derive(Clone, Copy, Debug)]
pub struct Action<D: Domain> {
    /// The connection was open, or is opened.
    pub accepted: Bit<D>,
    /// [`Verdict`] by its code.
    pub verdict: D::Word<3>,
    /// [`Response`] by its code.
    pub response: D::Word<2>,
    /// Messages that the event completed.
    pub completed: D::Word<9>,
    /// Packets received beyond the cumulative PSN.
    pub out_of_order: D::Word<8>,
    /// Bit `i`: the PSN `i` after the cumulative one has been received.
    pub bitmap: Ring<D>,
}

/// Rules 9 to 15: messages, counters, and whether to answer. `fresh`: a data packet was placed. `messages`
/// counts those completed with the event.
pub fn account<D: Domain>(
    csr: &Csr<D>,
    tail: &Tail<D>,
    stimulus: &Stimulus<D>,
    place: &Place<D>,
    before: Bit<D>,
    advance: &Advance<D>,
    messages: D::Word<24>,
) -> (Tail<D>, Action<D>) {
    let opening = stimulus.is(Kind::Open);
    let clear = opening | stimulus.is(Kind::Close);
    let data = place.packet & stimulus.is(Kind::Data);
    let fresh = data & place.inside & !before;
    let outside = place.packet & !place.old & !place.inside;
    let nack = outside | (place.packet & stimulus.is(Kind::Trimmed) & !before);

    let completed = (messages - tail.messages).slice::<0, 9>();
    let completed = completed.when(place.accepted & !clear, D::lit(0));
    let packets = tail.pending_packets + D::lit(1);
    let packets = packets.when(!packets.is_zero(), D::lit(255));
    let counted = stimulus.bytes.when(D::lit(1023).less(stimulus.bytes), D::lit(1024));
    let bytes = tail.pending_bytes.widen::<17>() + counted.widen::<17>();
    let bytes = D::lit(0xFFFF).when(bytes.slice::<16, 1>(), bytes.slice::<0, 16>());
    let packets = packets.when(fresh, tail.pending_packets);
    let bytes = bytes.when(fresh, tail.pending_bytes);

    // Rule 12: what is answered at once; rule 13: what gathers.
    let at_once = (data & !outside & (stimulus.ce | stimulus.request | stimulus.last))
        | (place.packet & before)
        | !completed.is_zero();
    let enough = fresh
        & (csr.ack_packets.at_most(packets) | (!csr.ack_bytes.is_zero() & csr.ack_bytes.at_most(bytes)));
    let flush = stimulus.is(Kind::Flush) & !tail.pending_packets.is_zero();
    let asked = place.accepted & (flush | stimulus.is(Kind::Probe));
    let ack = at_once | enough | asked;

    let keep = !clear & place.accepted;
    let initial_total = stimulus.psn.slice::<0, 8>().when(opening, D::lit(0));
    let total = tail.total + fresh.widen::<8>();
    let after = Tail {
        messages: messages.when(keep, D::lit(0)),
        bytes: (tail.bytes + stimulus.bytes.widen::<32>().when(fresh, D::lit(0))).when(keep, D::lit(0)),
        total: total.when(keep, initial_total),
        pending_packets: packets.when(keep & !ack, D::lit(0)),
        pending_bytes: bytes.when(keep & !ack, D::lit(0)),
    };
    // Of a closed connection the ring means nothing.
    let beyond: D::Word<8> = after.total - advance.expected.slice::<0, 8>();
    let verdict = |verdict: Verdict| D::lit(verdict as u128);
    let none = verdict(Verdict::None);
    let action = Action {
        accepted: place.accepted,
        verdict: verdict(Verdict::Outside).when(
            outside,
            verdict(Verdict::Duplicate).when(
                place.packet & before,
                verdict(Verdict::Trimmed).when(nack, verdict(Verdict::Placed).when(fresh, none)),
            ),
        ),
        response: D::lit(Response::Nack as u128)
            .when(nack, D::lit(Response::Ack as u128).when(ack, D::lit(Response::None as u128))),
        completed,
        out_of_order: beyond.when(keep, D::lit(0)),
        bitmap: advance.beyond.rotated(D::lit(0) - (advance.from + advance.run.slice::<0, 8>())),
    };
    (after, action)
}

/// One event of one connection: its state after it and what it comes to. `published` is what the event found
/// when it entered; `state.published` itself when nothing is ahead of it.
pub fn step<D: Domain>(
    csr: &Csr<D>,
    published: &Published<D>,
    state: &State<D>,
    stimulus: &Stimulus<D>,
) -> (State<D>, Action<D>) {
    let place = place(published, stimulus);
    let before = received_before(&place, state.received);
    let received = received_after(&place, stimulus, state.received);
    let fresh = place.inside & stimulus.is(Kind::Data) & !before;
    // Rule 9: the message's end is remembered with the packet that is placed.
    let here = Ring::one(place.slot).when(fresh, Ring::none());
    let last = (state.last | here).when(stimulus.last, state.last & !here);
    let advance = advance(&place.seen, received);
    let ended = (last & Ring::span(advance.from, advance.run)).count();
    let messages = place.seen.messages + ended.widen::<24>();
    let (tail, mut action) = account(csr, &state.tail, stimulus, &place, before, &advance, messages);
    let open = place.seen.open;
    let zero = Published::<D>::closed();
    let published = Published {
        open,
        origin: place.seen.origin.when(open, zero.origin),
        expected: advance.expected.when(open, zero.expected),
        messages: messages.when(open, zero.messages),
    };
    action.bitmap = action.bitmap.when(open, Ring::none());
    (State { published, received, last, tail }, action)
}
