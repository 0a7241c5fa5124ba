//! `weft_sack_tx_place`: stages 1 to 7, the PSNs that an event acknowledges, loses or sends, relative to the
//! published state.

use super::words::{Event, Placed, Seen};
use crate::prelude::*;

/// Stages 1 to 7: which PSNs an event acknowledges, loses or sends, seen from what is published. Offsets from
/// the lowest PSN that is not acknowledged; no state.
///
/// # Parameters
///
/// `S` bits of a slot's number, `N = S + 1`, `O = N + 1`, `E` = 1 for windows above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Place<const S: usize = 8, const N: usize = 9, const O: usize = 10, const E: usize = 0> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// CSR: SACK gap of each class, 0 never.
    pub gap: Signal<In, Bits<32>>,
    /// Stage 3: the event.
    pub entry: Signal<In, Event>,
    /// Stage 3: the published state.
    pub found: Signal<In, Seen<N>>,
    /// Stage 5: slot of the event's PSN.
    pub s5_slot: Signal<Out, Bits<S>>,
    /// Stage 5: slot at which the bitmap begins, modulo 256.
    pub s5_from: [Signal<Out, Bits<8>>; E],
    /// Stage 7: the interpretation of the event.
    pub placed: Signal<Out, Placed<S, N>>,

    run: Enable,
    #[new((1u64 << S).to_bits())]
    whole: Constant<Bits<N>>,
    s4_gone: [Pipe<Bits<24>>; E],
    s4_answered: [Pipe<Bits<S>>; E],
    far: [Signal<Local, Bit>; E],
    start: [Signal<Local, Bits<24>>; E],
    place: [Signal<Local, Bits<S>>; E],
    s5_start: [Pipe<Bits<24>>; E],
    s5_place: [Pipe<Bits<S>>; E],
    s6_place: [Pipe<Bits<S>>; E],
    end: [Signal<Local, Bits<24>>; E],
    early: [Signal<Local, Bit>; E],
    upto: [Signal<Local, Bits<N>>; E],
    rest: [Signal<Local, Bits<N>>; E],
    told: [Signal<Local, Bits<N>>; E],
    s6_early: [Pipe<Bit>; E],
    now: Signal<Local, Event>,
    seen: Signal<Local, Seen<N>>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    s4_seen: Pipe<Seen<N>>,
    s4_psn: Pipe<Bits<24>>,
    s4_opening: Pipe<Bit>,
    s4_closing: Pipe<Bit>,
    s4_ack: Pipe<Bit>,
    s4_nack: Pipe<Bit>,
    s4_denies: Pipe<Bit>,
    s4_ages: Pipe<Bit>,
    s4_probe: Pipe<Bit>,
    s4_epoch: Pipe<Bit>,
    s4_fresh: Pipe<Bit>,
    s4_again: Pipe<Bit>,
    s4_ahead: Pipe<Bits<24>>,
    s4_trigger: Pipe<Bits<24>>,
    s4_gap: Pipe<Bits<8>>,
    s4_reach: Pipe<Bits<16>>,
    s4_rtt: Pipe<Bits<15>>,
    s4_class: Pipe<Bits<2>>,
    s4_window: Pipe<Bits<N>>,
    s4_una: Pipe<Bits<S>>,
    s4_slot: Pipe<Bits<S>>,
    gap_at: Signal<Local, Bits<5>>,
    near: Signal<Local, Bit>,
    ahead: Signal<Local, Bits<N>>,
    trigger: Signal<Local, Bits<N>>,
    s5_seen: Pipe<Seen<N>>,
    s5_psn: Pipe<Bits<24>>,
    s5_opening: Pipe<Bit>,
    s5_closing: Pipe<Bit>,
    s5_ack: Pipe<Bit>,
    s5_nack: Pipe<Bit>,
    s5_denies: Pipe<Bit>,
    s5_ages: Pipe<Bit>,
    s5_probe: Pipe<Bit>,
    s5_epoch: Pipe<Bit>,
    s5_fresh: Pipe<Bit>,
    s5_again: Pipe<Bit>,
    s5_ahead: Pipe<Bits<N>>,
    s5_behind: Pipe<Bit>,
    s5_reaches: Pipe<Bit>,
    s5_within: Pipe<Bit>,
    s5_upcoming: Pipe<Bit>,
    s5_inside: Pipe<Bit>,
    s5_triggers: Pipe<Bit>,
    s5_far: Pipe<Bit>,
    s5_recent: Pipe<Bit>,
    s5_until: Pipe<Bits<N>>,
    s5_class: Pipe<Bits<2>>,
    s5_window: Pipe<Bits<N>>,
    s5_rest: Pipe<Bits<N>>,
    s5_una: Pipe<Bits<S>>,
    s5_slot_reg: Pipe<Bits<S>>,
    reach: Signal<Local, Bits<N>>,
    never: Signal<Local, Bit>,
    usable: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    kept: Signal<Local, Seen<N>>,
    s6_seen: Pipe<Seen<N>>,
    s6_psn: Pipe<Bits<24>>,
    s6_opening: Pipe<Bit>,
    s6_closing: Pipe<Bit>,
    s6_anew: Pipe<Bit>,
    s6_nacked: Pipe<Bit>,
    s6_denied: Pipe<Bit>,
    s6_ages: Pipe<Bit>,
    s6_probed: Pipe<Bit>,
    s6_epoch: Pipe<Bit>,
    s6_behind: Pipe<Bit>,
    s6_told: Pipe<Bits<N>>,
    s6_cumulative: Pipe<Bits<N>>,
    s6_current: Pipe<Bit>,
    s6_answers: Pipe<Bit>,
    s6_judges: Pipe<Bit>,
    s6_far: Pipe<Bit>,
    s6_until: Pipe<Bits<N>>,
    s6_class: Pipe<Bits<2>>,
    s6_fresh: Pipe<Bit>,
    s6_again: Pipe<Bit>,
    s6_window: Pipe<Bits<N>>,
    s6_una: Pipe<Bits<S>>,
    s6_slot: Pipe<Bits<S>>,
    s6_reason: Pipe<Bits<2>>,
    judged: Signal<Local, Bits<N>>,
    made_seen: Signal<Local, Seen<N>>,
    made: Signal<Local, Placed<S, N>>,
    s7_placed: Pipe<Placed<S, N>>,
}

impl<const S: usize, const N: usize, const O: usize, const E: usize> Logic for Place<S, N, O, E> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);
        // Stage 3: everything from the lowest PSN that is not acknowledged on.
        self.now.next = self.entry.val();
        self.seen.next = self.found.val();
        self.opening.next = self.now.val().kind == 4;
        self.closing.next = self.now.val().kind == 5;
        self.s4_seen.pipe = self.seen.val();
        self.s4_psn.pipe = self.now.val().psn;
        self.s4_opening.pipe = self.opening.val();
        self.s4_closing.pipe = self.closing.val();
        self.s4_ack.pipe = self.seen.val().open & (self.now.val().kind == 1);
        self.s4_nack.pipe = self.seen.val().open & (self.now.val().kind == 2);
        self.s4_denies.pipe = self.now.val().second.get_bit(0);
        // A timeout, or an epoch late in a silence.
        self.s4_ages.pipe = self.seen.val().open
            & self.now.val().own
            & ((self.now.val().kind == 7) | ((self.now.val().kind == 8) & self.now.val().silent));
        self.s4_probe.pipe = self.seen.val().open & self.now.val().own & (self.now.val().kind == 9);
        self.s4_epoch.pipe = self.seen.val().open & self.now.val().own & (self.now.val().kind == 8);
        self.s4_fresh.pipe = self.seen.val().open
            & self.now.val().own
            & (self.now.val().kind == 6)
            & self.now.val().ready
            & !self.seen.val().forfeit
            & self.now.val().fresh;
        self.s4_again.pipe = self.seen.val().open
            & self.now.val().own
            & (self.now.val().kind == 6)
            & self.now.val().ready
            & !self.seen.val().forfeit
            & !self.now.val().fresh;
        self.s4_ahead.pipe = self.now.val().psn - self.seen.val().una;
        self.s4_trigger.pipe = self.now.val().second.get_bits::<24>(0) - self.seen.val().una;
        self.gap_at.next = bit_cast::<5, 2>(self.seen.val().class) << 3;
        self.s4_gap.pipe = self.gap.val().get_bits::<8>(self.gap_at.val().index());
        self.s4_reach.pipe = self.seen.val().past - (self.seen.val().past >> 2);
        self.s4_rtt.pipe = self.now.val().tag.get_bits::<15>(16);
        self.s4_class.pipe = self.now.val().tag.get_bits::<2>(16);
        self.s4_window.pipe =
            self.seen.val().upcoming.get_bits::<N>(0) - self.seen.val().una.get_bits::<N>(0);
        self.s4_una.pipe = self.seen.val().una.get_bits::<S>(0) - self.seen.val().origin.get_bits::<S>(0);
        self.s4_slot.pipe = self.now.val().psn.get_bits::<S>(0) - self.seen.val().origin.get_bits::<S>(0);
        for e in 0..E {
            self.s4_gone[e].pipe = self.now.val().second.get_bits::<24>(0) - self.now.val().psn;
            self.s4_answered[e].pipe =
                self.now.val().second.get_bits::<S>(0) - self.seen.val().origin.get_bits::<S>(0);
        }

        // Stage 4: before, in or behind the window.
        for n in N..O {
            self.near.next = !self.s4_ahead.q.val().get_bits::<15>(n).any();
        }
        self.ahead.next = self.s4_ahead.q.val().get_bits::<N>(0);
        self.trigger.next = self.s4_trigger.q.val().get_bits::<N>(0);
        self.s5_seen.pipe = self.s4_seen.q.val();
        self.s5_psn.pipe = self.s4_psn.q.val();
        self.s5_opening.pipe = self.s4_opening.q.val();
        self.s5_closing.pipe = self.s4_closing.q.val();
        self.s5_ack.pipe = self.s4_ack.q.val();
        self.s5_nack.pipe = self.s4_nack.q.val();
        self.s5_denies.pipe = self.s4_denies.q.val();
        self.s5_ages.pipe = self.s4_ages.q.val();
        self.s5_probe.pipe = self.s4_probe.q.val();
        self.s5_epoch.pipe = self.s4_epoch.q.val();
        self.s5_fresh.pipe = self.s4_fresh.q.val();
        self.s5_again.pipe = self.s4_again.q.val();
        self.s5_ahead.pipe = self.ahead.val();
        self.s5_behind.pipe = self.s4_ahead.q.val().get_bit(23);
        self.s5_reaches.pipe =
            !self.s4_ahead.q.val().get_bit(23) | self.s4_ahead.q.val().get_bits::<16>(8).all();
        self.s5_within.pipe = self.near.val() & (self.ahead.val() < self.s4_window.q.val());
        self.s5_upcoming.pipe = self.near.val() & (self.ahead.val() == self.s4_window.q.val());
        for s in S..N {
            self.s5_inside.pipe = self.near.val() & !self.ahead.val().get_bit(s);
        }
        for n in N..O {
            self.s5_triggers.pipe = !self.s4_trigger.q.val().get_bits::<15>(n).any()
                & (self.trigger.val() < self.s4_window.q.val());
        }
        self.s5_far.pipe =
            self.s4_gap.q.val().any() & (bit_cast::<N, 8>(self.s4_gap.q.val()) <= self.trigger.val());
        self.s5_recent.pipe =
            (bit_cast::<16, 15>(self.s4_rtt.q.val()) <= self.s4_reach.q.val()) & !self.s4_rtt.q.val().all();
        self.s5_until.pipe = self.trigger.val() - bit_cast::<N, 8>(self.s4_gap.q.val()) + 1;
        self.s5_class.pipe = self.s4_class.q.val();
        self.s5_window.pipe = self.s4_window.q.val();
        self.s5_rest.pipe = self.s4_window.q.val() - self.ahead.val();
        self.s5_una.pipe = self.s4_una.q.val();
        self.s5_slot_reg.pipe = self.s4_slot.q.val();
        self.s5_slot.next = self.s5_slot_reg.q.val();
        for e in 0..E {
            // The bitmap begins 255 PSNs before a trigger that is far.
            for s in S..N {
                self.far[e].next = self.s4_gone[e].q.val().get_bits::<16>(8).any()
                    & !self.s4_gone[e].q.val().get_bits::<16>(s).any();
            }
            self.start[e].next = self.s4_ahead.q.val();
            self.place[e].next = self.s4_slot.q.val();
            if self.far[e].val() {
                self.start[e].next = self.s4_trigger.q.val() - 255;
                self.place[e].next = self.s4_answered[e].q.val() - 255;
            }
            self.s5_start[e].pipe = self.start[e].val();
            self.s5_place[e].pipe = self.place[e].val();
            self.s5_from[e].next = self.s5_place[e].q.val().get_bits::<8>(0);
            self.s6_place[e].pipe = self.s5_place[e].q.val();
        }

        // Stage 5: how far an ACK reaches, what it judges, whether a packet leaves.
        self.reach.next = bit_cast::<N, 8>(self.s5_ahead.q.val().get_bits::<8>(0));
        self.never.next = !self.s5_behind.q.val() & !self.s5_within.q.val() & !self.s5_upcoming.q.val();
        self.usable.next = self.s5_ack.q.val() & !self.never.val() & self.s5_reaches.q.val();
        for e in 0..E {
            self.end[e].next = self.s5_start[e].q.val() + 256;
            self.early[e].next = self.s5_start[e].q.val().get_bit(23);
            self.usable.next = self.s5_ack.q.val()
                & !self.never.val()
                & !(self.early[e].val() & self.end[e].val().get_bit(23));
        }
        // Beyond what is published: the next PSN, or the one behind it if the SEND of that is still in the block.
        self.leaves.next = self.s5_fresh.q.val() & self.s5_inside.q.val() & !self.s5_within.q.val();
        self.kept.next = self.s5_seen.q.val();
        if self.leaves.val() {
            self.kept.next.upcoming = self.s5_psn.q.val();
        }
        self.s6_seen.pipe = self.kept.val();
        self.s6_psn.pipe = self.s5_psn.q.val();
        self.s6_opening.pipe = self.s5_opening.q.val();
        self.s6_closing.pipe = self.s5_closing.q.val();
        self.s6_anew.pipe = self.s5_opening.q.val() | self.s5_closing.q.val();
        self.s6_nacked.pipe = self.s5_nack.q.val() & self.s5_within.q.val();
        self.s6_denied.pipe = self.s5_nack.q.val() & self.s5_within.q.val() & self.s5_denies.q.val();
        self.s6_ages.pipe = self.s5_ages.q.val();
        self.s6_probed.pipe = self.s5_probe.q.val() & self.s5_window.q.val().any();
        self.s6_epoch.pipe = self.s5_epoch.q.val();
        self.s6_behind.pipe = self.s5_behind.q.val();
        self.s6_told.pipe = if !self.usable.val() {
            0.into()
        } else if !self.s5_behind.q.val() {
            self.s5_rest.q.val()
        } else if self.reach.val() <= self.s5_window.q.val() {
            self.reach.val()
        } else {
            self.s5_window.q.val()
        };
        self.s6_cumulative.pipe = if self.usable.val() & !self.s5_behind.q.val() {
            self.s5_ahead.q.val()
        } else {
            bit_cast::<N, 1>(self.s5_opening.q.val().into()) << 8
        };
        for e in 0..E {
            self.upto[e].next = self.end[e].val().get_bits::<N>(0);
            self.rest[e].next = self.s5_window.q.val() - self.s5_start[e].q.val().get_bits::<N>(0);
            self.told[e].next = 256.into();
            if self.early[e].val() {
                self.told[e].next = self.s5_window.q.val();
                if self.upto[e].val() <= self.s5_window.q.val() {
                    self.told[e].next = self.upto[e].val();
                }
            } else if bit_cast::<24, N>(self.s5_window.q.val()) < self.s5_start[e].q.val() {
                self.told[e].next = 0.into();
            } else if self.rest[e].val() < 256 {
                self.told[e].next = self.rest[e].val();
            }
            self.s6_told.d.next = 0.into();
            self.s6_cumulative.d.next = 0.into();
            if self.usable.val() {
                self.s6_told.d.next = self.told[e].val();
            }
            if self.usable.val() & !self.s5_behind.q.val() {
                self.s6_cumulative.d.next = self.s5_ahead.q.val();
            } else if self.s5_opening.q.val() {
                self.s6_cumulative.d.next = self.whole.val();
            }
            self.s6_early[e].pipe = self.early[e].val();
        }
        self.s6_current.pipe = self.usable.val() & !self.s5_behind.q.val();
        self.s6_answers.pipe = self.usable.val() & self.s5_triggers.q.val();
        self.s6_judges.pipe = self.usable.val() & self.s5_triggers.q.val() & self.s5_recent.q.val();
        self.s6_far.pipe = self.s5_far.q.val();
        self.s6_until.pipe = self.s5_until.q.val();
        self.s6_class.pipe = self.s5_class.q.val();
        self.s6_fresh.pipe = self.leaves.val();
        self.s6_again.pipe = self.s5_again.q.val() & self.s5_within.q.val();
        self.s6_window.pipe = if self.leaves.val() { self.s5_ahead.q.val() } else { self.s5_window.q.val() };
        self.s6_una.pipe = self.s5_una.q.val();
        self.s6_slot.pipe = self.s5_slot_reg.q.val();
        self.s6_reason.pipe = if (self.s5_ack.q.val() & self.never.val())
            | (self.s5_nack.q.val() & !self.s5_behind.q.val() & !self.s5_within.q.val())
        {
            1.into()
        } else if (self.s5_ack.q.val() | self.s5_nack.q.val()) & self.s5_behind.q.val() {
            2.into()
        } else {
            0.into()
        };

        // Stage 6: the words after the event.
        self.judged.next = 0.into();
        if self.s6_judges.q.val() & self.s6_far.q.val() {
            self.judged.next = self.s6_until.q.val();
        }
        self.made_seen.next.open =
            self.s6_opening.q.val() | (self.s6_seen.q.val().open & !self.s6_closing.q.val());
        self.made_seen.next.forfeit = self.s6_seen.q.val().forfeit;
        self.made_seen.next.origin = self.s6_seen.q.val().origin;
        self.made_seen.next.una = self.s6_seen.q.val().una;
        self.made_seen.next.upcoming =
            self.s6_seen.q.val().upcoming + bit_cast::<24, 1>(self.s6_fresh.q.val().into());
        self.made_seen.next.class = self.s6_seen.q.val().class;
        self.made_seen.next.epoch = self.s6_seen.q.val().epoch;
        self.made_seen.next.past = self.s6_seen.q.val().past;
        self.made.next.una = self.s6_una.q.val();
        self.made.next.window = self.s6_window.q.val() + bit_cast::<N, 1>(self.s6_fresh.q.val().into());
        if self.s6_anew.q.val() {
            self.made_seen.next.origin = 0.into();
            self.made_seen.next.una = 0.into();
            self.made_seen.next.upcoming = 0.into();
            self.made_seen.next.class = 0.into();
            self.made.next.una = 0.into();
            self.made.next.window = 0.into();
        }
        if self.s6_opening.q.val() {
            self.made_seen.next.origin = self.s6_psn.q.val().get_bits::<N>(0);
            self.made_seen.next.una = self.s6_psn.q.val();
            self.made_seen.next.upcoming = self.s6_psn.q.val();
            self.made_seen.next.class = self.s6_class.q.val();
        }
        self.made.next.seen = self.made_seen.val();
        self.made.next.accepted = self.s6_seen.q.val().open | self.s6_opening.q.val();
        self.made.next.opening = self.s6_opening.q.val();
        self.made.next.closing = self.s6_closing.q.val();
        self.made.next.told_start =
            if self.s6_behind.q.val() { self.s6_una.q.val() } else { self.s6_slot.q.val() };
        for e in 0..E {
            self.made.next.told_start = self.s6_place[e].q.val();
            if self.s6_early[e].q.val() {
                self.made.next.told_start = self.s6_una.q.val();
            }
        }
        self.made.next.told_length = self.s6_told.q.val();
        self.made.next.cumulative = self.s6_cumulative.q.val();
        self.made.next.current = self.s6_current.q.val();
        self.made.next.judged = self.judged.val();
        self.made.next.judges = self.s6_judges.q.val() | self.s6_ages.q.val();
        self.made.next.loses = self.s6_nacked.q.val() | self.s6_probed.q.val();
        self.made.next.answers = self.s6_answers.q.val();
        self.made.next.nacked = self.s6_nacked.q.val();
        self.made.next.epoch = self.s6_epoch.q.val();
        self.made.next.denied = self.s6_denied.q.val();
        self.made.next.slot = if self.s6_probed.q.val() { self.s6_una.q.val() } else { self.s6_slot.q.val() };
        self.made.next.send = self.s6_fresh.q.val() | self.s6_again.q.val();
        self.made.next.fresh = self.s6_fresh.q.val();
        self.made.next.reason = self.s6_reason.q.val();
        self.s7_placed.pipe = self.made.val();
        self.placed.next = self.s7_placed.q.val();
    }
}
