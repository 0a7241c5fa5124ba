//! The rules: the event of an arrival for the transport, the effects of its outcome (replies, completions),
//! and the time at which an ACK is overdue.

use super::rules::{self, SLOTS};
use super::state::{Bar, Control};
use crate::block::sack_rx::{Event, Kind, Outcome, Response, Verdict};
use crate::words::{Arrival, Listed, Received, Reply};
use weft_word::{Bits, Concrete, Word};

/// The memory to which a connection's peer may write.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Region {
    base: u64,
    length: u32,
    key: u32,
}

impl Region {
    /// The region that an open sets.
    pub(super) fn of(control: &Control) -> Self {
        let Control { base, length, key, .. } = *control;
        Self { base, length, key }
    }

    /// Rules 4 and 17: the treatment of a packet.
    pub(super) fn treats(&self, arrival: &Arrival, bar: Bar) -> Treatment {
        let region = rules::Region::<Concrete> {
            base: Bits::truncated(self.base.into()),
            length: Bits::truncated(self.length.into()),
            key: Bits::truncated(self.key.into()),
        };
        let treatment = region.treats(&arrival.into(), &(&bar).into());
        Treatment {
            denied: treatment.denied.decide(),
            held: treatment.held.decide(),
            failed: treatment.failed.decide(),
        }
    }
}

/// Whether the packet is not permitted to write to its address, or its connection has failed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Treatment {
    /// Whether the packet may not write to its address, or its connection has failed.
    pub(super) denied: bool,
    /// Whether the peer must send the packet again later.
    pub(super) held: bool,
    /// Whether the connection has failed.
    pub(super) failed: bool,
}

impl Treatment {
    fn words(&self) -> rules::Treatment<Concrete> {
        let bit = |bit: bool| Bits::truncated(bit.into());
        rules::Treatment { denied: bit(self.denied), held: bit(self.held), failed: bit(self.failed) }
    }

    /// The answer to an outcome. A failed connection acknowledges no packet.
    pub(super) fn answer(&self, outcome: &Outcome) -> Response {
        Response::ALL[self.words().answer(&outcome.into()).value() as usize]
    }

    /// The event of a packet for `weft_sack_rx`. A packet that is denied or held gets an event of a trimmed
    /// packet.
    pub(super) fn event(&self, id: u32, arrival: &Arrival) -> Event {
        let kind = Kind::ALL[self.words().kind(&arrival.into()).value() as usize];
        Event {
            bytes: arrival.bytes,
            ce: arrival.ce,
            request: arrival.request,
            last: arrival.last,
            tag: u32::from(arrival.stamp) | u32::from(arrival.ev) << 16,
            ..Event::new(kind, id, arrival.psn)
        }
    }
}

/// Entropy values of a connection's packets that wait for their ACK, oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits([u16; Listed::MOST]);

impl Waits {
    /// Rule 18: the packets that an outcome answers besides its own, and those that wait from now on.
    pub(super) fn take(&mut self, outcome: &Outcome, treatment: &Treatment, psns: u32) -> Listed {
        let waited = u32::from(outcome.waited);
        if rules::is_far::<Concrete>(&outcome.into(), psns).decide() {
            return Listed::default();
        }
        if treatment.answer(outcome) == Response::Ack {
            // The packet that a FLUSH answers is the oldest packet.
            let own = u16::from(outcome.kind == Kind::Flush);
            let there = ((1u32 << waited.min(16)) - 1) as u16 & !own;
            let mut listed = Listed { there, ..Listed::default() };
            for at in (0..Listed::MOST.min(waited as usize)).filter(|at| there >> at & 1 == 1) {
                listed.evs[at] = self.0[at];
            }
            return listed;
        }
        if outcome.verdict == Verdict::Placed
            && let Some(ev) = self.0.get_mut(usize::from(outcome.waited))
        {
            *ev = (outcome.tag >> 16) as u16;
        }
        Listed::default()
    }
}

/// Rules 6 to 8: the reply. `last_hop`: the packet was trimmed at the last hop.
pub(super) fn reply(
    outcome: &Outcome,
    treatment: &Treatment,
    last_hop: bool,
    listed: Listed,
) -> Option<Reply> {
    if treatment.answer(outcome) == Response::None {
        return None;
    }
    let last_hop = Bits::truncated(last_hop.into());
    let reply = rules::reply::<Concrete>(&outcome.into(), &treatment.words(), last_hop);
    Some(Reply::from(&reply).with_list(listed))
}

/// Rule 17: whether the receiver denies a packet of the window on a connection that had not failed before.
pub(super) fn breach(outcome: &Outcome, treatment: &Treatment) -> bool {
    rules::breach::<Concrete>(&outcome.into(), &treatment.words()).decide()
}

/// The effect of an outcome on the ACK timer.
pub(super) fn mark(outcome: &Outcome, psns: u32) -> Mark {
    let rules::Mark { start, stop, control } = rules::mark::<Concrete>(&outcome.into(), psns);
    Mark {
        id: outcome.connection,
        start: start.decide(),
        stop: stop.decide(),
        control: control.decide(),
        psn: outcome.psn,
        stamp: outcome.tag as u16,
        ev: (outcome.tag >> 16) as u16,
    }
}

/// The stored fields of a message whose last packet has arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    solicited: bool,
    number: u16,
    immediate: u32,
}

/// The messages of a connection whose last packets have arrived, by their number modulo 16.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slots([Slot; SLOTS]);

impl Slots {
    /// Rule 10: clears the state of an older connection.
    pub(super) fn forget(&mut self, slot: u16) {
        self.0[usize::from(slot)] = Slot::default();
    }

    /// Rule 10: stores the fields of a message whose last packet was placed.
    pub(super) fn keep(&mut self, arrival: &Arrival) {
        let Slot { solicited, number, immediate } = &mut self.0[usize::from(arrival.message) % SLOTS];
        (*solicited, *number, *immediate) = (arrival.solicited, arrival.message, arrival.immediate);
    }

    /// Rule 11: the report of a complete message.
    pub(super) fn completion(&self, message: u32) -> Option<Received> {
        let slot = self.0[message as usize % SLOTS];
        let reported = slot.solicited && slot.number == message as u16;
        reported.then_some(Received { immediate: slot.immediate, message })
    }
}

/// The number of the first message that an outcome completes.
pub(super) fn first_completed(outcome: &Outcome) -> u32 {
    outcome.messages.wrapping_sub(outcome.completed.into()) & 0xFF_FFFF
}

/// The effect of an outcome on the ACK timer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) id: u32,
    /// Whether a packet waits for an ACK from now on.
    pub(super) start: bool,
    /// Whether no packet waits any more.
    pub(super) stop: bool,
    /// Whether the connection was opened or closed.
    pub(super) control: bool,
    pub(super) psn: u32,
    pub(super) stamp: u16,
    pub(super) ev: u16,
}

/// The oldest packet of a connection that no ACK has answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    id: u32,
    /// Time of the packet's arrival in ticks, 24 bits.
    since: u32,
    psn: u32,
    stamp: u16,
    ev: u16,
}

impl Mark {
    /// Rule 13: stores only the first packet that waits.
    pub(super) fn apply(&self, oldest: &mut Option<Waiting>, now: u32) {
        let Self { id, psn, stamp, ev, .. } = *self;
        if self.stop {
            *oldest = None;
        } else if self.start {
            oldest.get_or_insert(Waiting { id, since: now & 0xFF_FFFF, psn, stamp, ev });
        }
    }
}

impl Waiting {
    /// Number of ticks for which the packet has waited.
    pub(super) fn age(&self, now: u32) -> u32 {
        now.wrapping_sub(self.since) & 0xFF_FFFF
    }

    /// Rule 14: the event that makes the overdue ACK of a packet.
    pub(super) fn flush(&self, age: u32) -> Event {
        let stamp = self.stamp.wrapping_add(age as u16);
        let tag = u32::from(stamp) | u32::from(self.ev) << 16;
        Event { tag, ..Event::new(Kind::Flush, self.id, self.psn) }
    }
}
