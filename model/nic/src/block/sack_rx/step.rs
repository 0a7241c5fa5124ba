//! The rules: one event of one connection, in four parts.

use super::state::{Csr, Kind, Published, Response, State, Stimulus, Tail, Verdict};
use crate::part::ring::{Ring, far};
use weft_word::{Bit, Domain, Word};

/// The connection and the place of the packet that an event finds.
#[derive(Clone, Copy, Debug)]
pub struct Place<D: Domain, const S: usize = 8, const N: usize = 9> {
    /// The published state, or its successor after an open or a close.
    pub seen: Published<D, N>,
    /// Whether the connection was open, or is opened.
    pub accepted: Bit<D>,
    /// Whether the event is a data packet, whole or trimmed, of an open connection.
    pub packet: Bit<D>,
    /// Whether the PSN is before the window: received before.
    pub old: Bit<D>,
    /// Whether the PSN is in the window.
    pub inside: Bit<D>,
    /// The slot of the PSN.
    pub slot: D::Word<S>,
    /// The turn of the PSN.
    pub turn: Bit<D>,
}

/// Rules 2 to 7: finds whether the connection is open, and the place of the PSN in the window from the
/// published cumulative PSN on.
///
/// The published PSN may be older than the present one (rule 16) without harm. The sender learns from an ACK
/// which PSNs it may send, and an ACK leaves the block after its state was published.
#[inline(always)]
pub fn place<D: Domain, const S: usize, const N: usize>(
    published: &Published<D, N>,
    stimulus: &Stimulus<D>,
) -> Place<D, S, N> {
    let opening = stimulus.is(Kind::Open);
    let closing = stimulus.is(Kind::Close);
    let accepted = published.open | opening;
    let opened = Published::<D, N> {
        open: D::lit(1),
        origin: stimulus.psn.slice::<0, N>(),
        expected: stimulus.psn,
        messages: D::lit(0),
    };
    let closed = Published::<D, N>::closed();
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
    let offset = stimulus.psn.slice::<0, N>() - published.origin;
    Place {
        seen,
        accepted,
        packet,
        old: packet & ahead.slice::<23, 1>(),
        inside: packet & ahead.shr(S).is_zero(),
        slot: offset.slice::<0, S>(),
        turn: offset.slice::<S, 1>(),
    }
}

/// Whether the receiver had the packet's PSN before (rules 5 and 6): the PSN's slot has the PSN's turn.
#[inline(always)]
pub fn received_before<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    received: Ring<D, L>,
) -> Bit<D> {
    let same = !(received.get(place.slot) ^ place.turn);
    place.old | (place.inside & same)
}

/// The ring of turns after the event. A data packet inside the window sets its slot (rule 5). An open sets
/// every slot to the turn of a PSN that has not arrived (rule 2).
#[inline(always)]
pub fn received_after<D: Domain, const S: usize, const N: usize, const L: usize>(
    place: &Place<D, S, N>,
    stimulus: &Stimulus<D>,
    received: Ring<D, L>,
) -> Ring<D, L> {
    let here = Ring::one(place.slot);
    let set = here.when(place.inside & stimulus.is(Kind::Data), Ring::none());
    let turns = (received | set).when(place.turn, received & !set);
    Ring::all().when(stimulus.is(Kind::Open), turns)
}

/// The move of the window.
#[derive(Clone, Copy, Debug)]
pub struct Advance<D: Domain, const S: usize = 8, const N: usize = 9, const L: usize = 2> {
    /// The cumulative PSN after the event.
    pub expected: D::Word<24>,
    /// Slot of the published cumulative PSN.
    pub from: D::Word<S>,
    /// Number of PSNs from the former cumulative one to the new one.
    pub run: D::Word<N>,
    /// PSNs after that which have been received, by slot.
    pub beyond: Ring<D, L>,
}

/// Rule 8: the run of received PSNs from the published one on, at most the whole window. The run depends only
/// on the ring, which is exact: all PSNs before the published PSN have been received.
#[inline(always)]
pub fn advance<D: Domain, const S: usize, const N: usize, const L: usize>(
    seen: &Published<D, N>,
    received: Ring<D, L>,
) -> Advance<D, S, N, L> {
    let from = seen.expected.slice::<0, N>() - seen.origin;
    let (slot, turn) = (from.slice::<0, S>(), from.slice::<S, 1>());
    // Slots below the window's first belong to the next turn.
    let turns = Ring::below(slot) ^ Ring::all_when(turn);
    let missing = received ^ turns;
    let (found, first) = missing.first_from(slot);
    let run = (first - slot).widen::<N>().when(found, D::lit(Ring::<D, L>::SLOTS.into()));
    Advance {
        expected: seen.expected + run.widen::<24>(),
        from: slot,
        run,
        beyond: !missing & !Ring::span(slot, run),
    }
}

/// The results of an event.
#[derive(Clone, Copy, Debug)]
pub struct Action<D: Domain, const N: usize = 9> {
    /// Whether the connection was open, or is opened.
    pub accepted: Bit<D>,
    /// [`Verdict`] by its code.
    pub verdict: D::Word<3>,
    /// [`Response`] by its code.
    pub response: D::Word<2>,
    /// Number of messages that the event completed.
    pub completed: D::Word<N>,
    /// Number of packets received beyond the cumulative PSN, saturating.
    pub out_of_order: D::Word<8>,
    /// Number of packets that waited for an ACK before the event, saturating.
    pub waited: D::Word<8>,
    /// Bit `i`: the PSN `i` after the bitmap's first (rule 17) has been received.
    pub bitmap: Ring<D>,
}

/// Rules 9 to 15: messages, counters, and the decision to answer. `fresh`: a data packet was placed.
/// `messages` counts those completed with the event.
#[inline(always)]
pub fn account<D: Domain, const S: usize, const N: usize, const L: usize>(
    csr: &Csr<D>,
    tail: &Tail<D, S>,
    stimulus: &Stimulus<D>,
    place: &Place<D, S, N>,
    before: Bit<D>,
    advance: &Advance<D, S, N, L>,
    messages: D::Word<24>,
) -> (Tail<D, S>, Action<D, N>) {
    let opening = stimulus.is(Kind::Open);
    let clear = opening | stimulus.is(Kind::Close);
    let data = place.packet & stimulus.is(Kind::Data);
    let fresh = data & place.inside & !before;
    let outside = place.packet & !place.old & !place.inside;
    let nack = outside | (place.packet & stimulus.is(Kind::Trimmed) & !before);

    let completed = (messages - tail.messages).slice::<0, N>();
    let completed = completed.when(place.accepted & !clear, D::lit(0));
    let packets = tail.pending_packets + D::lit(1);
    let packets = packets.when(!packets.is_zero(), D::lit(255));
    let counted = stimulus.bytes.when(D::lit(1023).less(stimulus.bytes), D::lit(1024));
    let bytes = tail.pending_bytes.widen::<17>() + counted.widen::<17>();
    let bytes = D::lit(0xFFFF).when(bytes.slice::<16, 1>(), bytes.slice::<0, 16>());
    // Rule 17: the bitmap of an ACK of a far PSN leaves out packets that wait.
    let ahead = far::<D>(stimulus.psn, advance.expected, 1 << S);
    let waits = fresh & !ahead.far;
    let packets = packets.when(waits, tail.pending_packets);
    let bytes = bytes.when(waits, tail.pending_bytes);

    // Rule 12: packets that are answered at once. Rule 13: packets that accumulate.
    let at_once = (data & !outside & (stimulus.ce | stimulus.request | stimulus.last))
        | (place.packet & before)
        | (fresh & ahead.far)
        | !completed.is_zero();
    let enough = fresh
        & (csr.ack_packets.at_most(packets) | (!csr.ack_bytes.is_zero() & csr.ack_bytes.at_most(bytes)));
    let flush = stimulus.is(Kind::Flush) & !tail.pending_packets.is_zero();
    let asked = place.accepted & (flush | stimulus.is(Kind::Probe));
    let ack = at_once | enough | asked;
    let answered = ack & !ahead.far;

    let keep = !clear & place.accepted;
    let initial_total = stimulus.psn.slice::<0, S>().when(opening, D::lit(0));
    let total = tail.total + fresh.widen::<S>();
    let after = Tail {
        messages: messages.when(keep, D::lit(0)),
        bytes: (tail.bytes + stimulus.bytes.widen::<32>().when(fresh, D::lit(0))).when(keep, D::lit(0)),
        total: total.when(keep, initial_total),
        pending_packets: packets.when(keep & !answered, D::lit(0)),
        pending_bytes: bytes.when(keep & !answered, D::lit(0)),
    };
    // In a closed connection the ring has no meaning.
    let beyond: D::Word<S> = after.total - advance.expected.slice::<0, S>();
    let shown = beyond.slice::<0, 8>().when(beyond.shr(8).is_zero(), D::lit(255));
    let first = advance.from + advance.run.slice::<0, S>() + ahead.offset.slice::<0, S>();
    let covered = advance.beyond.block::<S, N>(first);
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
        out_of_order: shown.when(keep, D::lit(0)),
        waited: tail.pending_packets.when(keep, D::lit(0)),
        bitmap: covered.rotated(D::lit(0) - first.slice::<0, 8>()),
    };
    (after, action)
}

/// One event of one connection: the state after it and the results. `published` is the state that the event
/// read when it entered. If the block is empty, this is `state.published`.
#[inline(always)]
pub fn step<D: Domain, const S: usize, const N: usize, const L: usize>(
    csr: &Csr<D>,
    published: &Published<D, N>,
    state: &State<D, S, N, L>,
    stimulus: &Stimulus<D>,
) -> (State<D, S, N, L>, Action<D, N>) {
    let place: Place<D, S, N> = place(published, stimulus);
    let before = received_before(&place, state.received);
    let received = received_after(&place, stimulus, state.received);
    let fresh = place.inside & stimulus.is(Kind::Data) & !before;
    // Rule 9: the end of the message is stored with the packet that is placed.
    let here = Ring::one(place.slot).when(fresh, Ring::none());
    let last = (state.last | here).when(stimulus.last, state.last & !here);
    let advance: Advance<D, S, N, L> = advance(&place.seen, received);
    let ended = (last & Ring::span(advance.from, advance.run)).count::<N>();
    let messages = place.seen.messages + ended.widen::<24>();
    let (tail, mut action) = account(csr, &state.tail, stimulus, &place, before, &advance, messages);
    let open = place.seen.open;
    let zero = Published::<D, N>::closed();
    let published = Published {
        open,
        origin: place.seen.origin.when(open, zero.origin),
        expected: advance.expected.when(open, zero.expected),
        messages: messages.when(open, zero.messages),
    };
    action.bitmap = action.bitmap.when(open, Ring::none());
    (State { published, received, last, tail }, action)
}
