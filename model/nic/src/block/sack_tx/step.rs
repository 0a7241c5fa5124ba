//! The rules: one event of one connection, in five parts. The rules about rings are in a separate file.

use super::state::{Csr, Flow, Horizon, Kind, LONGEST, Published, Reason, Stimulus};
use crate::part::ring::{Ring, SLOTS, far};
use weft_params::SackParams;
use weft_word::{Bit, Domain, Word, stored};

/// A run of PSNs, by slot.
#[derive(Clone, Copy, Debug)]
pub struct Run<D: Domain, const S: usize = 8, const N: usize = 9> {
    /// Slot of the first PSN.
    pub start: D::Word<S>,
    /// Number of PSNs, at most the window.
    pub length: D::Word<N>,
}

impl<D: Domain, const S: usize, const N: usize> Run<D, S, N> {
    #[inline(always)]
    pub(super) fn ring<const L: usize>(&self) -> Ring<D, L> {
        Ring::span(self.start, self.length)
    }
}

/// Effects of an event on the PSNs of the window.
#[derive(Clone, Copy, Debug)]
pub struct Place<D: Domain, const S: usize = 8, const N: usize = 9> {
    /// Published state (rule 18), or the state that an open or a close makes (rule 2). `next` is that after
    /// the event.
    pub seen: Published<D, N>,
    /// Whether the connection was open, or is opened.
    pub accepted: Bit<D>,
    /// Slot of the lowest PSN that is not acknowledged.
    pub una: D::Word<S>,
    /// Number of PSNs from there to the next one to assign, as published.
    pub window: D::Word<N>,
    /// Number of PSNs from `una` to the next one to assign, after the event.
    pub window_after: D::Word<N>,
    /// Number of PSNs from `una` on that the cumulative PSN of an ACK covers. An open covers all.
    pub cumulative: D::Word<N>,
    /// PSNs that the bitmap of an ACK covers.
    pub told: Run<D, S, N>,
    /// Slot of the PSN at which the ACK's bitmap begins (rule 25).
    pub bitmap_from: D::Word<S>,
    /// Whether the ACK's bitmap is not older than the window.
    pub current: Bit<D>,
    /// Number of PSNs from `una` on to which the gap applies: PSNs of age 2 or 3 are lost, unless they are
    /// acknowledged.
    pub judged: D::Word<N>,
    /// Whether old packets become lost, except acknowledged ones.
    pub judges: Bit<D>,
    /// Whether the PSN of the slot is lost, unless it is acknowledged.
    pub loses: Bit<D>,
    /// Whether the event is a valid ACK that answers a PSN of the window.
    pub answers: Bit<D>,
    /// Whether the event is a NACK of a PSN of the window.
    pub nacked: Bit<D>,
    /// Whether the receiver will never accept a packet of the window.
    pub denied: Bit<D>,
    /// Slot of the packet to send, or to mark as lost.
    pub slot: D::Word<S>,
    /// Whether a packet leaves.
    pub send: Bit<D>,
    /// Whether the packet was never sent before.
    pub fresh: Bit<D>,
    /// The code of the [`Reason`], for ACKs and NACKs.
    pub reason: D::Word<2>,
}

/// Rules 3 to 9: the PSNs that the event acknowledges, loses or sends, relative to the published state. This
/// state may be older than the present one without harm: a PSN that an ACK can acknowledge left the block
/// after its state was published.
#[inline(always)]
pub fn place<D: Domain, const S: usize, const N: usize>(
    csr: &Csr<D>,
    published: &Published<D, N>,
    stimulus: &Stimulus<D>,
) -> Place<D, S, N> {
    let opening = stimulus.is(Kind::Open);
    let closing = stimulus.is(Kind::Close);
    let accepted = published.open | opening;
    let open = published.open;
    let ack = open & stimulus.is(Kind::Ack);
    let nack = open & stimulus.is(Kind::Nack);
    let timeout = open & stimulus.is(Kind::Timeout);
    let probe = open & stimulus.is(Kind::Probe);
    let sending = open & stimulus.is(Kind::Send);

    let window24 = published.next - published.una;
    let window = window24.slice::<0, N>();
    let ahead = stimulus.psn - published.una;
    let behind = ahead.slice::<23, 1>();
    let in_window = ahead.less(window24);

    // Rule 4: an ACK of PSNs never sent has no effect. An old ACK acknowledges the part of its bitmap that is
    // in the window.
    let never = !behind & window24.less(ahead);
    let first = ahead + far::<D>(stimulus.trigger, stimulus.psn, 1 << S).offset;
    let early = first.slice::<23, 1>();
    let reach = first + D::lit(SLOTS.into());
    let reaches = !(early & reach.slice::<23, 1>());
    let reach = reach.slice::<0, N>();
    let usable = ack & !never & reaches;
    let rest = left::<D, S, N>(window24, first);
    let told = window.when(window.less(reach), reach).when(early, rest);
    let told = told.when(usable, D::lit(0));
    let all = D::lit(1 << S).when(opening, D::lit(0));
    let cumulative = ahead.slice::<0, N>().when(usable & !behind, all);

    // Rule 6: an ACK of a packet that was sent within three quarters of the two epochs before this one makes
    // old packets lost, and packets that are the gap or more before the packet that arrived.
    let trigger = stimulus.trigger - published.una;
    let trigger_sent = trigger.less(window24);
    let trigger = trigger.slice::<0, N>();
    let gap = of_class::<D, 8>(csr.gap, published.class).widen::<N>();
    let far = gap.at_most(trigger) & !gap.is_zero();
    let until = trigger - gap + D::lit(1);
    let answers = usable & trigger_sent;
    let reach = published.past - published.past.shr(2);
    let recent = stimulus.rtt.widen::<16>().at_most(reach) & !stimulus.rtt.equals(D::lit(LONGEST.into()));
    let judges = answers & recent;

    // Rules 5 and 7: a NACK loses its PSN, a probe the lowest PSN, a timeout and an epoch late in a silence
    // all old packets.
    let silent = open & stimulus.is(Kind::Epoch) & stimulus.silent;
    let nacked = nack & in_window;
    let probed = probe & !window.is_zero();
    let judged = until.when(judges & far, D::lit(0));
    let una = published.una.slice::<0, S>() - published.origin.slice::<0, S>();
    let slot = |psn: D::Word<24>| psn.slice::<0, S>() - published.origin.slice::<0, S>();
    let bitmap_from = slot(published.una + first);

    // Rules 8 and 9: a packet is sent again while its PSN is in the window. It is sent for the first time if
    // its PSN is beyond and the window has space. It may follow a packet whose SEND is not published yet.
    let sending = sending & stimulus.ready & !published.forfeit;
    let room = ahead.less(D::lit(1 << S));
    let fresh = sending & stimulus.fresh & !in_window & room;
    let again = sending & !stimulus.fresh & in_window;
    let next = published.next.when(!fresh, stimulus.psn + D::lit(1));
    let ahead = ahead.slice::<0, N>();

    let reason = |reason: Reason| D::lit::<2>(reason as u128);
    let stale = (ack & behind) | (nack & behind);
    let unknown = (ack & never) | (nack & !behind & !in_window);
    let keep = |opened: D::Word<24>, old: D::Word<24>| opened.when(opening, D::lit(0).when(closing, old));
    let anew = opening | closing;
    let window_or_none = |word: D::Word<N>| D::lit(0).when(anew, word);
    Place {
        seen: Published {
            open: opening | (open & !closing),
            forfeit: published.forfeit,
            origin: stimulus.psn.slice::<0, N>().when(opening, window_or_none(published.origin)),
            una: keep(stimulus.psn, published.una),
            next: keep(stimulus.psn, next),
            class: stimulus.class.when(opening, D::lit(0).when(closing, published.class)),
            epoch: published.epoch,
            past: published.past,
        },
        accepted,
        una: D::lit(0).when(anew, una),
        window: window_or_none(window),
        window_after: window_or_none(window.when(!fresh, ahead + D::lit(1))),
        cumulative,
        told: Run { start: una.when(early, bitmap_from), length: told },
        bitmap_from,
        current: usable & !behind,
        judged,
        judges: judges | timeout | silent,
        loses: nacked | probed,
        answers,
        nacked,
        denied: nacked & stimulus.denied,
        slot: una.when(probed, slot(stimulus.psn)),
        send: fresh | again,
        fresh,
        reason: reason(Reason::NeverSent)
            .when(unknown, reason(Reason::Stale).when(stale, reason(Reason::None))),
    }
}

/// Number of PSNs that are in the window and in a bitmap of 256 from its PSN `first` on.
#[inline(always)]
fn left<D: Domain, const S: usize, const N: usize>(window: D::Word<24>, first: D::Word<24>) -> D::Word<N> {
    let rest = (window - first).slice::<0, N>();
    let whole = 1 << S == SLOTS;
    // The largest bitmap covers the rest of the smallest window.
    let rest = if whole { rest } else { rest.when(rest.less(D::lit(SLOTS.into())), D::lit(SLOTS.into())) };
    if whole { rest } else { D::lit(0).when(window.less(first), rest) }
}

/// The value for a class.
#[inline(always)]
fn of_class<D: Domain, const W: usize>(of: [D::Word<W>; 4], class: D::Word<2>) -> D::Word<W> {
    let (low, high) = (class.slice::<0, 1>(), class.slice::<1, 1>());
    of[3].when(low, of[2]).when(high, of[1].when(low, of[0]))
}

/// The rings after the event.
#[derive(Clone, Copy, Debug)]
pub struct Survey<D: Domain, const S: usize = 8, const N: usize = 9> {
    /// Number of PSNs from `una` to the lowest that is not acknowledged.
    pub run: D::Word<N>,
    /// Number of PSNs sent and not acknowledged.
    pub unacked: D::Word<N>,
    /// Number of packets that are lost.
    pub lost: D::Word<N>,
    /// Number of PSNs from `una` to the lowest lost one, if there is one.
    pub first_lost: D::Word<S>,
}

stored! {
    /// State of a connection for the scheduler.
    #[derive(Clone, Copy, Debug)]
    pub struct Card<D: Domain> {
        /// Whether there is a packet to send and space for it in both windows.
        pub ready: Bit<D>,
        /// Whether the packet has not been sent before.
        pub fresh: Bit<D>,
        /// Whether the next packet has not been sent either, and both windows have space for both packets.
        pub pair: Bit<D>,
        /// PSN of the packet.
        pub psn: D::Word<24>,
        /// Number of packets left of the message that is being sent; 0: the next message follows from the
        /// queue.
        pub left: D::Word<16>,
        /// Place of the next message in the queue.
        pub head: D::Word<4>,
    }
}

/// Results of an event.
#[derive(Clone, Copy, Debug)]
pub struct Action<D: Domain, const N: usize = 9> {
    /// Whether the connection was open, or is opened.
    pub accepted: Bit<D>,
    /// Whether a packet leaves.
    pub send: Bit<D>,
    /// Whether the packet ends its message.
    pub last: Bit<D>,
    /// Whether the connection closed itself, because it ran out of retries or its peer denied a packet.
    pub failed: Bit<D>,
    /// [`Reason`] by its code.
    pub reason: D::Word<2>,
    /// Whether the queue has accepted a message.
    pub posted: Bit<D>,
    /// Place of the message in the queue.
    pub place: D::Word<4>,
    /// Number of packets that the event acknowledged.
    pub acked: D::Word<N>,
    /// Number of packets that the event lost, less the lost ones that it acknowledged.
    pub lost: D::Word<N>,
    /// The lowest PSN that was not acknowledged before the event.
    pub una_before: D::Word<24>,
    /// Whether the connection must enter the queue of connections with packets to send.
    pub enqueue: Bit<D>,
    /// Whether the largest recent round-trip time shows congestion of the network.
    pub congested: Bit<D>,
    /// Whether the packets that the ACK lost show that a path failed.
    pub failure: Bit<D>,
    /// Whether the ACK's round-trip time may be wrong.
    pub unsure: Bit<D>,
    /// The word for the scheduler.
    pub card: Card<D>,
}

/// Rules 8 to 16: timers, messages, retries, and whether the connection has packets to send.
#[inline(always)]
pub fn settle<D: Domain, const S: usize, const N: usize>(
    csr: &Csr<D>,
    flow: &Flow<D, N>,
    stimulus: &Stimulus<D>,
    place: &Place<D, S, N>,
    survey: &Survey<D, S, N>,
) -> (Flow<D, N>, Action<D, N>) {
    let opening = stimulus.is(Kind::Open);
    let closing = stimulus.is(Kind::Close);
    let ours = stimulus.is(Kind::Send) & !stimulus.more;
    let live = place.accepted & flow.published.open & !opening & !closing;
    let accepted = (place.accepted & flow.published.open) | opening;

    let next = flow.published.next + place.fresh.widen::<24>();
    let unacked = survey.unacked;
    let acked = flow.unacked + place.fresh.widen::<N>() - unacked;
    let lost = (survey.lost - flow.lost).when(flow.lost.less(survey.lost), D::lit(0));

    // Rules 5 and 13: a packet that leaves begins a silence while una is young, and progress reduces the
    // silence to an epoch. An epoch that loses a packet counts as a probe.
    let turn = live & stimulus.is(Kind::Epoch);
    let waits = live & !unacked.is_zero();
    let timeout = waits & stimulus.is(Kind::Timeout);
    let probe = waits & stimulus.is(Kind::Probe) | turn & !lost.is_zero();
    let class = place.seen.class;
    let spent = of_class::<D, 10>(csr.retry_limit, class).at_most(flow.retries);
    let failed = timeout & spent | live & place.denied;
    let progress = live & !acked.is_zero();
    let first = place.fresh & flow.unacked.is_zero();
    let back = stimulus.now - place.seen.epoch.widen::<24>();
    let una = place.seen.una + survey.run.widen::<24>();
    let (horizon, far) = look::<D, S, N>(&flow.horizon, stimulus.now, una, next, live & first);
    let begins = live & (first | place.send & !far) | timeout | probe;
    let since = back.when(progress & back.after(flow.since), flow.since);
    let since = stimulus.now.when(begins, since);
    let retries = (flow.retries + D::lit(1)).when(timeout, flow.retries);
    let retries = D::lit(0).when(progress, retries);
    let probed = (flow.probes + D::lit(1)).when(probe & !flow.probes.equals(D::lit(7)), flow.probes);
    let probes = D::lit(0).when(progress | timeout, probed);

    // Rules 21 and 22: the epoch, and the losses judged in this epoch and the previous one.
    let peak = stimulus.rtt.when(live & place.answers & flow.peak.less(stimulus.rtt), flow.peak);
    let congested = of_class::<D, 15>(csr.high, class).at_most(peak);
    let peak = (peak - peak.shr(4)).when(turn, peak);
    let pace = flow.peak.when(turn, flow.pace.when(!opening, D::lit(0)));
    let wide = pace.widen::<16>() + pace.shr(1).widen::<16>();
    let stretched = wide.slice::<1, 15>();
    let shortest = of_class::<D, 15>(csr.epoch, class);
    let epoch = stretched.when(shortest.less(stretched), shortest);
    let by_ack = lost.when(live & stimulus.is(Kind::Ack), D::lit(0));
    let (one, several) = (!by_ack.is_zero(), D::lit(1).less(by_ack));
    let again = one & !flow.verdicts.is_zero();
    let verdicts = D::lit(2).when(several | again, D::lit(1).when(one, flow.verdicts));
    let enough = several | again | one & !flow.verdicts_before.is_zero();
    let nacked = flow.nacked | live & place.nacked;
    let failure = enough & !nacked & !flow.nacked_before & !congested;
    let begun = stimulus.now.slice::<0, 16>().when(turn | live & first, flow.begun);
    // The epochs that are over. The published value of the present epoch is over too, as a connection never
    // has two EPOCHs in the block at once.
    let over = place.seen.epoch;
    let past = (over.widen::<16>() + flow.former.widen::<16>()).when(turn, flow.published.past);
    let former = over.when(turn, flow.former);

    // Rules 11 and 12: messages and their packets.
    let post = live & stimulus.is(Kind::Post);
    let depth = D::lit(u128::from(SackParams::QUEUE));
    let full = (flow.tail - flow.head).equals(depth);
    let empty = stimulus.packets.is_zero();
    let posted = post & !full & !empty;
    let refused = post & (full | empty);
    let left = (stimulus.packets - D::lit(1)).when(live & place.fresh, flow.left);
    let head = flow.head + (live & place.fresh & stimulus.taken).widen::<5>();
    let tail = flow.tail + posted.widen::<5>();
    let cwnd = stimulus.cwnd.when(live & stimulus.is(Kind::Window), flow.cwnd);

    let keep = live & !failed;
    let unsure = live & stimulus.is(Kind::Ack) & (far | progress & !place.answers);
    let word = |opened: D::Word<24>, kept: D::Word<24>| opened.when(opening, kept.when(keep, D::lit(0)));
    let after = Flow::<D, N> {
        published: Published {
            open: opening | keep,
            forfeit: flow.queued.when(opening, flow.published.forfeit & !ours),
            origin: place.seen.origin.when(opening | keep, D::lit(0)),
            una: word(place.seen.una, una),
            next: word(place.seen.next, next),
            class: class.when(opening | keep, D::lit(0)),
            epoch: epoch.when(opening | keep, D::lit(0)),
            past: past.when(keep, D::lit(0)),
        },
        queued: flow.queued & !ours,
        left: left.when(keep, D::lit(0)),
        head: head.when(keep, D::lit(0)),
        tail: tail.when(keep, D::lit(0)),
        cwnd: stimulus.cwnd.when(opening, cwnd.when(keep, D::lit(0))),
        since: stimulus.now.when(opening, since.when(keep, D::lit(0))),
        retries: retries.when(keep, D::lit(0)),
        probes: probes.when(keep, D::lit(0)),
        begun: begun.when(keep, D::lit(0)),
        peak: peak.when(keep, D::lit(0)),
        pace: pace.when(keep, D::lit(0)),
        former: former.when(keep, D::lit(0)),
        verdicts: D::lit(0).when(turn, verdicts).when(keep, D::lit(0)),
        verdicts_before: flow.verdicts.when(turn, flow.verdicts_before).when(keep, D::lit(0)),
        nacked: nacked & !turn & keep,
        nacked_before: flow.nacked.when(turn, flow.nacked_before) & keep,
        horizon: horizon.when(keep, Horizon::at(stimulus, opening)),
        unacked: unacked.when(keep, D::lit(0)),
        lost: survey.lost.when(keep, D::lit(0)),
    };

    // Rules 14 to 16: lost packets first. The congestion window does not limit the only packet in flight, or
    // a probe's.
    let in_flight: D::Word<N> = after.unacked - after.lost;
    let one_more: D::Word<N> = in_flight + D::lit(1);
    let bytes: D::Word<25> = one_more.widen::<11>().times(csr.mtu);
    let exempt = in_flight.is_zero() | probe;
    let gate = exempt | bytes.widen::<26>().at_most(after.cwnd);
    let span: D::Word<24> = after.published.next - after.published.una;
    let messages = !after.left.is_zero() | !after.head.equals(after.tail);
    let again = !after.lost.is_zero();
    let both = bytes.widen::<26>() + csr.mtu.widen::<26>();
    let room_for_both = !(span + D::lit(1)).slice::<S, 1>();
    let ready = after.published.open & gate & (again | (messages & !span.slice::<S, 1>()));
    let enqueue = ready & !after.queued;
    let card = Card {
        ready,
        fresh: !again,
        pair: ready & !again & both.at_most(after.cwnd) & room_for_both,
        psn: (place.seen.una + survey.first_lost.widen::<24>()).when(again, after.published.next),
        left: after.left,
        head: after.head.slice::<0, 4>(),
    };
    let action = Action {
        accepted,
        send: live & place.send,
        last: live & place.fresh & stimulus.packets.equals(D::lit(1)),
        failed,
        reason: D::lit(Reason::Refused as u128)
            .when(refused, place.reason.when(live, D::lit(Reason::None as u128))),
        posted,
        place: flow.tail.slice::<0, 4>(),
        acked: acked.when(live, D::lit(0)),
        lost: lost.when(live, D::lit(0)),
        una_before: flow.published.una,
        enqueue,
        congested: congested & live,
        failure,
        unsure,
        card,
    };
    (Flow { queued: after.queued | ready, ..after }, action)
}

/// Rule 23: the limits of the age of the window's packets after the event, and whether a packet may have been
/// too old for a time stamp before the event.
#[inline(always)]
fn look<D: Domain, const S: usize, const N: usize>(
    horizon: &Horizon<D, N>,
    now: D::Word<24>,
    una: D::Word<24>,
    next: D::Word<24>,
    first: Bit<D>,
) -> (Horizon<D, N>, Bit<D>) {
    let phase = now.slice::<15, 9>();
    let turns = phase - horizon.phase;
    let (once, often) = (turns.equals(D::lit(1)), !turns.slice::<1, 8>().is_zero());
    let more =
        |count: D::Word<2>| D::lit(2).when(often, count + (once & !count.slice::<1, 1>()).widen::<2>());
    let (older, newer) = (more(horizon.older), more(horizon.newer));
    let ahead = horizon.mark - una.slice::<0, N>();
    let reached = ahead.is_zero() | ahead.slice::<S, 1>() & !ahead.slice::<0, S>().is_zero();
    let moves = first | reached;
    let after = Horizon {
        mark: next.slice::<0, N>().when(moves, horizon.mark),
        older: D::lit(0).when(first, newer.when(reached, older)),
        newer: D::lit(0).when(moves, newer),
        phase,
    };
    (after, older.slice::<1, 1>())
}

impl<D: Domain, const N: usize> Horizon<D, N> {
    /// The limits of a connection that opens now, or is closed.
    #[inline(always)]
    fn at(stimulus: &Stimulus<D>, opening: Bit<D>) -> Self {
        let mark = stimulus.psn.slice::<0, N>().when(opening, D::lit(0));
        Self {
            mark,
            older: D::lit(0),
            newer: D::lit(0),
            phase: stimulus.now.slice::<15, 9>().when(opening, D::lit(0)),
        }
    }

    #[inline(always)]
    fn when(self, condition: Bit<D>, otherwise: Self) -> Self {
        Self {
            mark: self.mark.when(condition, otherwise.mark),
            older: self.older.when(condition, otherwise.older),
            newer: self.newer.when(condition, otherwise.newer),
            phase: self.phase.when(condition, otherwise.phase),
        }
    }
}
