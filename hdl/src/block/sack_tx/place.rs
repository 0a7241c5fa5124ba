//! `weft_sack_tx_place`: stages 1 to 7, the PSNs that an event acknowledges, loses or sends, relative to the
//! published state.

use super::words::{Event, Placed, Seen};
use crate::prelude::*;

/// Stages 1 to 7: the PSNs that an event acknowledges, loses or sends, relative to the published state.
/// Offsets from the lowest PSN that is not acknowledged; no state.
#[derive(LogicBlock, Default)]
pub struct Place {
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
    pub found: Signal<In, Seen>,
    /// Stage 5: slot of the event's PSN.
    pub s5_slot: Signal<Out, Bits<8>>,
    /// Stage 7: the interpretation of the event.
    pub placed: Signal<Out, Placed>,

    run: Enable,
    now: Signal<Local, Event>,
    seen: Signal<Local, Seen>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    s4_seen: Pipe<Seen>,
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
    s4_window: Pipe<Bits<9>>,
    s4_una: Pipe<Bits<8>>,
    s4_slot: Pipe<Bits<8>>,
    gap_at: Signal<Local, Bits<5>>,
    near: Signal<Local, Bit>,
    ahead: Signal<Local, Bits<9>>,
    trigger: Signal<Local, Bits<9>>,
    s5_seen: Pipe<Seen>,
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
    s5_ahead: Pipe<Bits<9>>,
    s5_behind: Pipe<Bit>,
    s5_reaches: Pipe<Bit>,
    s5_within: Pipe<Bit>,
    s5_upcoming: Pipe<Bit>,
    s5_inside: Pipe<Bit>,
    s5_triggers: Pipe<Bit>,
    s5_far: Pipe<Bit>,
    s5_recent: Pipe<Bit>,
    s5_until: Pipe<Bits<9>>,
    s5_class: Pipe<Bits<2>>,
    s5_window: Pipe<Bits<9>>,
    s5_rest: Pipe<Bits<9>>,
    s5_una: Pipe<Bits<8>>,
    s5_slot_reg: Pipe<Bits<8>>,
    reach: Signal<Local, Bits<9>>,
    never: Signal<Local, Bit>,
    usable: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    kept: Signal<Local, Seen>,
    s6_seen: Pipe<Seen>,
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
    s6_told: Pipe<Bits<9>>,
    s6_cumulative: Pipe<Bits<9>>,
    s6_current: Pipe<Bit>,
    s6_answers: Pipe<Bit>,
    s6_judges: Pipe<Bit>,
    s6_far: Pipe<Bit>,
    s6_until: Pipe<Bits<9>>,
    s6_class: Pipe<Bits<2>>,
    s6_fresh: Pipe<Bit>,
    s6_again: Pipe<Bit>,
    s6_window: Pipe<Bits<9>>,
    s6_una: Pipe<Bits<8>>,
    s6_slot: Pipe<Bits<8>>,
    s6_reason: Pipe<Bits<2>>,
    judged: Signal<Local, Bits<9>>,
    made_seen: Signal<Local, Seen>,
    made: Signal<Local, Placed>,
    s7_placed: Pipe<Placed>,
}

impl Logic for Place {
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
            self.seen.val().upcoming.get_bits::<9>(0) - self.seen.val().una.get_bits::<9>(0);
        self.s4_una.pipe = self.seen.val().una.get_bits::<8>(0) - self.seen.val().origin.get_bits::<8>(0);
        self.s4_slot.pipe = self.now.val().psn.get_bits::<8>(0) - self.seen.val().origin.get_bits::<8>(0);

        // Stage 4: before, in or behind the window.
        self.near.next = !self.s4_ahead.q.val().get_bits::<15>(9).any();
        self.ahead.next = self.s4_ahead.q.val().get_bits::<9>(0);
        self.trigger.next = self.s4_trigger.q.val().get_bits::<9>(0);
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
        self.s5_inside.pipe = self.near.val() & !self.ahead.val().get_bit(8);
        self.s5_triggers.pipe =
            !self.s4_trigger.q.val().get_bits::<15>(9).any() & (self.trigger.val() < self.s4_window.q.val());
        self.s5_far.pipe =
            self.s4_gap.q.val().any() & (bit_cast::<9, 8>(self.s4_gap.q.val()) <= self.trigger.val());
        self.s5_recent.pipe =
            (bit_cast::<16, 15>(self.s4_rtt.q.val()) <= self.s4_reach.q.val()) & !self.s4_rtt.q.val().all();
        self.s5_until.pipe = self.trigger.val() - bit_cast::<9, 8>(self.s4_gap.q.val()) + 1;
        self.s5_class.pipe = self.s4_class.q.val();
        self.s5_window.pipe = self.s4_window.q.val();
        self.s5_rest.pipe = self.s4_window.q.val() - self.ahead.val();
        self.s5_una.pipe = self.s4_una.q.val();
        self.s5_slot_reg.pipe = self.s4_slot.q.val();
        self.s5_slot.next = self.s5_slot_reg.q.val();

        // Stage 5: how far an ACK reaches, what it judges, whether a packet leaves.
        self.reach.next = bit_cast::<9, 8>(self.s5_ahead.q.val().get_bits::<8>(0));
        self.never.next = !self.s5_behind.q.val() & !self.s5_within.q.val() & !self.s5_upcoming.q.val();
        self.usable.next = self.s5_ack.q.val() & !self.never.val() & self.s5_reaches.q.val();
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
            bit_cast::<9, 1>(self.s5_opening.q.val().into()) << 8
        };
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
        self.made.next.window = self.s6_window.q.val() + bit_cast::<9, 1>(self.s6_fresh.q.val().into());
        if self.s6_anew.q.val() {
            self.made_seen.next.origin = 0.into();
            self.made_seen.next.una = 0.into();
            self.made_seen.next.upcoming = 0.into();
            self.made_seen.next.class = 0.into();
            self.made.next.una = 0.into();
            self.made.next.window = 0.into();
        }
        if self.s6_opening.q.val() {
            self.made_seen.next.origin = self.s6_psn.q.val().get_bits::<9>(0);
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
