//! `weft_smartt_window`: the windows and their state; reads, decides and writes.
//!
//! Two events of one connection are at least 24 clocks apart, so an event finds the state of the one
//! before it in the RAM, or in one of the last three stages.

use super::class::Class;
use super::words::{Counted, Decided, Early, Event, Late, Planned, State};
use crate::part::wait::Wait;
use crate::prelude::*;

/// The congestion windows and their state: reads the state of an event's connection, decides the effect of
/// the event, and writes the state. Two events of one connection are at least 24 clocks apart, so an event
/// finds the state of the one before it in the RAM, or in one of the last three stages.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock, BlockDefault)]
pub struct Window<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 1: an event.
    pub in_valid: Signal<In, Bit>,
    /// Stage 1: an event or a close of the sweep.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: connection of the event.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 1: the connection's last event was issued 24 (1), 25 (2), 26 (3) clocks before.
    pub in_near: Signal<In, Bits<2>>,
    /// Stage 25: the packet is marked, and marks count.
    pub marked: Signal<In, Bit>,
    /// Stage 25: RTT above the target.
    pub high: Signal<In, Bit>,
    /// Stage 25: neither marked nor delayed, and FastIncrease is on.
    pub quiet: Signal<In, Bit>,
    /// Stage 25: multiplicative increase times the window, 2^-10 bytes.
    pub multiplicative: Signal<In, Bits<35>>,
    /// Stage 25: multiplicative and fair increase times the window, 2^-10 bytes.
    pub increase: Signal<In, Bits<36>>,
    /// Stage 25: fair increase times the window, 2^-10 bytes.
    pub fair: Signal<In, Bits<30>>,
    /// Stage 25: multiplicative decrease, 2^-33.
    pub decrease: Signal<In, Bits<34>>,
    /// CSR: four classes. Smallest window and full packet, bytes.
    pub all_mtu: Signal<In, Bits<56>>,
    /// CSR: four classes. Largest window, bytes.
    pub all_max_cwnd: Signal<In, Bits<104>>,
    /// CSR: four classes. BDP over fair-decrease constant, bytes.
    pub all_fair_decrease: Signal<In, Bits<104>>,
    /// CSR: four classes. RTT of an empty network, ticks.
    pub all_base_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Target RTT, ticks.
    pub all_target_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Largest RTT that FastIncrease treats as the base RTT, ticks.
    pub all_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub all_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub all_fair_increase: Signal<In, Bits<120>>,
    /// CSR: QuickAdapt scaling, 2^-23.
    pub qa_scaling: Signal<In, Bits<24>>,
    /// CSR: weight of the newest packet in the average, 2^-8.
    pub wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: weights of the newest 2 to 16 packets, 2^-8.
    pub wtd_alphas: Signal<In, Bits<120>>,
    /// CSR: average from which on the window may decrease, 2^-8.
    pub wtd_threshold: Signal<In, Bits<8>>,
    /// CSR: ACKs per reaction.
    pub granularity: Signal<In, Bits<6>>,
    /// CSR: MTUs that FastIncrease adds.
    pub fast_mtus: Signal<In, Bits<4>>,
    /// CSR: which signals count.
    pub signals: Signal<In, Bits<2>>,
    /// CSR: losses count while feedback is ignored.
    pub late_losses: Signal<In, Bit>,
    /// Stage 48: an event.
    pub valid: Signal<Out, Bit>,
    /// Stage 48: connection of the event.
    pub id: Signal<Out, Bits<A>>,
    /// Stage 48: kind of the event.
    pub kind: Signal<Out, Bits<3>>,
    /// Stage 48: the connection was open, or need not be.
    pub accepted: Signal<Out, Bit>,
    /// Stage 48: the case of the event.
    pub case_code: Signal<Out, Bits<4>>,
    /// Stage 48: the window after the event, whole bytes.
    pub cwnd: Signal<Out, Bits<26>>,

    run: Enable,
    run_26: Enable,
    run_27: Enable,
    run_28: Enable,
    run_30: Enable,
    run_32: Enable,
    run_38: Enable,
    run_46: Enable,
    early: RamSdp<Early, A>,
    late: RamSdp<Late, A>,
    live: Reg<Bits<47>>,
    valids: Reg<Bits<47>>,
    #[new(21)]
    read_id: Delay<Bits<A>>,
    #[new(6)]
    early_id: Delay<Bits<A>>,
    #[new(20)]
    late_id: Delay<Bits<A>>,
    #[new(23)]
    near: Delay<Bits<2>>,
    event13: Wait<Event>,
    event25: Wait<Event>,
    entry: Signal<Local, Event>,
    state: Pipe<State>,
    counted: Pipe<Counted>,
    class26: Class,
    base_product: Mul<26, 24, 50>,
    average_product: Mul<13, 9, 22>,
    step_product: Mul<19, 37, 56>,
    fall_product: Mul<19, 34, 53>,
    fast_product: Mul<14, 4, 18>,
    over27: Pipe<Bit>,
    adapted27: Pipe<Bit>,
    end27: Pipe<Bits<20>>,
    fast27: Pipe<Bit>,
    counted27: Pipe<Counted>,
    class27: Class,
    planned28: Pipe<Planned>,
    early28: Pipe<Early>,
    #[new(2)]
    divisor29: Delay<Bits<38>>,
    planned29: Pipe<Planned>,
    average29: Pipe<Bits<14>>,
    digit: Signal<Local, Bit>,
    rounded29: Pipe<Bit>,
    weighed: Signal<Local, Bits<15>>,
    enough: Signal<Local, Bits<15>>,
    planned30: Pipe<Planned>,
    base30: Pipe<Bits<39>>,
    average30: Pipe<Bits<13>>,
    allowed30: Pipe<Bit>,
    planned31: Pipe<Planned>,
    base31: Pipe<Bits<39>>,
    average31: Pipe<Bits<13>>,
    allowed31: Pipe<Bit>,
    fast31: Pipe<Bit>,
    #[new(2)]
    fast_bytes31: Delay<Bits<18>>,
    decided: Pipe<Decided>,
    decided45: Wait<Decided>,
    fall30: Pipe<Bits<32>>,
    fall45: Wait<Bits<32>>,
    class45: Class,
    #[new(2)]
    quotient: Div<69, 38, 34>,
    decided46: Pipe<Decided>,
    start46: Pipe<Bits<41>>,
    lowest46: Pipe<Bits<40>>,
    room46: Pipe<Bits<33>>,
    floor46: Pipe<Bits<14>>,
    ceiling46: Pipe<Bits<29>>,
    decided47: Pipe<Decided>,
    moved47: Pipe<Bits<40>>,
    floor47: Pipe<Bits<14>>,
    ceiling47: Pipe<Bits<29>>,
    state48: Pipe<Late>,
    state49: Pipe<Late>,
    state50: Pipe<Late>,
    kind48: Pipe<Bits<3>>,
    accepted48: Pipe<Bit>,
    case48: Pipe<Bits<4>>,
    single: Signal<Local, Bit>,
    read_early: Signal<Local, Early>,
    merged: Signal<Local, Late>,
    taken: Signal<Local, State>,
    is_ack: Signal<Local, Bit>,
    is_loss: Signal<Local, Bit>,
    touched: Signal<Local, Bit>,
    acked_sum: Signal<Local, Bits<27>>,
    calm_sum: Signal<Local, Bits<27>>,
    ignores: Signal<Local, Bit>,
    ignored: Signal<Local, Bit>,
    waiting: Signal<Local, Bits<26>>,
    waiting_sum: Signal<Local, Bits<25>>,
    left: Signal<Local, Bits<27>>,
    rest: Signal<Local, Bits<27>>,
    acks: Signal<Local, Bits<6>>,
    count: Signal<Local, Counted>,
    counts: Signal<Local, Counted>,
    heeds: Signal<Local, Bit>,
    has_passed: Signal<Local, Bit>,
    reached: Signal<Local, Bits<26>>,
    operand: Signal<Local, Bits<37>>,
    fall_gain: Signal<Local, Bits<34>>,
    is_fast: Signal<Local, Bit>,
    counts27: Signal<Local, Counted>,
    heard: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    reacts: Signal<Local, Bit>,
    plan: Signal<Local, Planned>,
    leaves: Signal<Local, Early>,
    case27: Signal<Local, Bits<4>>,
    divisor: Signal<Local, Bits<38>>,
    plan29: Signal<Local, Planned>,
    base: Signal<Local, Bits<39>>,
    kept: Signal<Local, Bits<14>>,
    newest: Signal<Local, Bits<14>>,
    numerator: Signal<Local, Bits<69>>,
    plan30: Signal<Local, Planned>,
    plan31: Signal<Local, Planned>,
    fast_step: Signal<Local, Bits<39>>,
    decision: Signal<Local, Decided>,
    decision45: Signal<Local, Decided>,
    size: Signal<Local, Bits<31>>,
    limit: Signal<Local, Bits<31>>,
    half_up: Signal<Local, Bits<42>>,
    addend: Signal<Local, Bits<42>>,
    start: Signal<Local, Bits<42>>,
    floor: Signal<Local, Bits<14>>,
    ceiling: Signal<Local, Bits<29>>,
    decision46: Signal<Local, Decided>,
    change: Signal<Local, Bits<42>>,
    changed: Signal<Local, Bits<42>>,
    is_limited: Signal<Local, Bit>,
    decision47: Signal<Local, Decided>,
    moved: Signal<Local, Bits<39>>,
    whole: Signal<Local, Bits<29>>,
    is_below: Signal<Local, Bit>,
    is_above: Signal<Local, Bit>,
    bounded: Signal<Local, Bits<37>>,
    after: Signal<Local, Late>,
    now48: Signal<Local, Late>,
    #[new(256_u64.to_bits())]
    all_alpha: Constant<Bits<9>>,
    #[new(0x1F_FFFF_FFFF_u64.to_bits())]
    largest: Constant<Bits<37>>,
    increase26: Pipe<Bits<36>>,
    fair26: Pipe<Bits<30>>,
    decrease26: Pipe<Bits<34>>,
    weights: Signal<Local, Bits<128>>,
    weight_at: Signal<Local, Bits<7>>,
    weight: Signal<Local, Bits<8>>,
    marks: Signal<Local, Bits<8>>,
    #[new(3)]
    marks29: Delay<Bits<8>>,
}

impl<const A: usize> Logic for Window<A> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(
            self.run.*, self.run_26.*, self.run_27.*, self.run_28.*, self.run_30.*, self.run_32.*, self.run_38.*,
            self.run_46.* <- self.*: clk, rst, next_run,
        );
        wire!(self.event13.*, self.event25.*, self.decided45.*, self.fall45.* <- self.*: clk, rst);
        wire!(
            self.class26.all_*, self.class27.all_*, self.class45.all_* <- self.all_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );
        self.single.next = (self.signals.val() == 1) | (self.signals.val() == 2);

        // Stage k is bit k - 2.
        self.live.reg = (self.live.q.val() << 1) | bit_cast::<47, 1>(self.in_live.val().into());
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<47, 1>(self.in_valid.val().into());

        // Stages 22 to 24: the state is read; 25: or its late part is that of an event which is not written yet.
        self.read_id.delay = self.in_id.val();
        self.near.delay = self.in_near.val();
        self.event13.en.next = self.run.q.val();
        self.event13.clocks.next = 12.into();
        self.event13.word.next = self.in_event.val();
        self.event25.en.next = self.run.q.val();
        self.event25.clocks.next = 12.into();
        self.event25.word.next = self.event13.late.val();
        self.entry.next = self.event25.late.val();
        self.early.read = self.read_id.q.val();
        self.late.read = self.read_id.q.val();
        self.read_early.next = self.early.rdata.val();
        self.merged.next = if self.near.q.val() == 1 {
            self.state48.q.val()
        } else if self.near.q.val() == 2 {
            self.state49.q.val()
        } else if self.near.q.val() == 3 {
            self.state50.q.val()
        } else {
            self.late.rdata.val()
        };
        wire!(self.taken.next.* <- self.read_early.val().*: acked, shared, end);
        wire!(self.taken.next.* <- self.merged.val().*: open, fresh, trigger, ignoring, cwnd, calm, average);
        self.state.pipe = self.taken.val();

        // Stage 26: the sum to which the event's bytes are added, or from which they are subtracted.
        enable!(run_26.q);
        self.is_ack.next = self.state.q.val().open & (self.entry.val().kind == 0);
        self.is_loss.next =
            self.state.q.val().open & ((self.entry.val().kind == 1) | (self.entry.val().kind == 2));
        self.touched.next = self.is_ack.val() | self.is_loss.val();
        self.acked_sum.next =
            bit_cast::<27, 26>(self.state.q.val().acked) + bit_cast::<27, 24>(self.entry.val().bytes);
        self.calm_sum.next =
            bit_cast::<27, 26>(self.state.q.val().calm) + bit_cast::<27, 24>(self.entry.val().bytes);
        self.waiting.next = if self.state.q.val().ignoring { 0.into() } else { self.state.q.val().shared };
        self.waiting_sum.next = bit_cast::<25, 19>(self.waiting.val().get_bits::<19>(0))
            + bit_cast::<25, 24>(self.entry.val().bytes);
        self.left.next =
            bit_cast::<27, 26>(self.state.q.val().shared) - bit_cast::<27, 24>(self.entry.val().bytes);
        self.rest.next = bit_cast::<27, 26>(self.state.q.val().cwnd.get_bits::<26>(11))
            - bit_cast::<27, 24>(self.entry.val().bytes);
        self.acks.next = self.waiting.val().get_bits::<6>(19) + 1;
        self.counts.next.ack = self.is_ack.val();
        self.counts.next.loss = self.is_loss.val();
        self.counts.next.opening = self.entry.val().kind == 3;
        self.counts.next.closing = self.entry.val().kind == 4;
        wire!(self.counts.next.* <- self.entry.val().*: kind, class, in_flight, now);
        wire!(self.counts.next.* <- self.*: marked, high, quiet);
        wire!(self.counts.next.* <- self.state.q.val().*: open, fresh);
        self.ignores.next = if self.touched.val()
            & (self.state.q.val().shared <= bit_cast::<26, 24>(self.entry.val().bytes))
        {
            false
        } else {
            self.state.q.val().ignoring
        };
        self.ignored.next =
            self.ignores.val() & (self.is_ack.val() | (self.is_loss.val() & !self.late_losses.val()));
        self.counts.next.ignored = self.ignored.val();
        self.heeds.next = self.touched.val() & !self.ignores.val();
        self.counts.next.heeded = self.heeds.val();
        self.counts.next.adapts = self.heeds.val()
            & (self.state.q.val().trigger | (self.is_loss.val() & !self.single.val()))
            & !self.state.q.val().fresh;
        self.counts.next.trigger =
            self.state.q.val().trigger | (self.is_loss.val() & !self.ignored.val() & !self.single.val());
        self.counts.next.ignoring = self.ignores.val();
        self.counts.next.cwnd = self.state.q.val().cwnd;
        self.counts.next.acked = if self.is_ack.val() {
            if self.acked_sum.val().get_bit(26) {
                0x3FF_FFFF.into()
            } else {
                self.acked_sum.val().get_bits::<26>(0)
            }
        } else {
            self.state.q.val().acked
        };
        self.counts.next.shared = if self.touched.val() & self.state.q.val().ignoring {
            if self.left.val().get_bit(26) { 0.into() } else { self.left.val().get_bits::<26>(0) }
        } else {
            self.state.q.val().shared
        };
        self.counts.next.calm = self.state.q.val().calm;
        self.counts.next.count = if self.calm_sum.val().get_bit(26) {
            0x3FF_FFFF.into()
        } else {
            self.calm_sum.val().get_bits::<26>(0)
        };
        self.counts.next.end = self.state.q.val().end;
        self.counts.next.ahead = self.state.q.val().end + !self.entry.val().now;
        self.counts.next.average = self.state.q.val().average;
        self.counts.next.lessened = self.rest.val().get_bits::<26>(0);
        self.counts.next.emptied = self.rest.val().get_bit(26);
        self.counts.next.sum = if self.waiting_sum.val().get_bits::<6>(19).any() {
            0x7FFFF.into()
        } else {
            self.waiting_sum.val().get_bits::<19>(0)
        };
        self.counts.next.acks = self.acks.val();
        self.counts.next.enough = self.acks.val() >= self.granularity.val();
        self.counts.next.full =
            (bit_cast::<37, 35>(self.multiplicative.val()) << 1) >= self.state.q.val().cwnd;
        self.counted.pipe = self.counts.val();
        self.weights.next =
            bit_cast::<128, 8>(self.wtd_alpha.val()) | (bit_cast::<128, 120>(self.wtd_alphas.val()) << 8);
        self.weight_at.next = bit_cast::<7, 4>(self.entry.val().packets) << 3;
        self.weight.next = self.weights.val().get_bits::<8>(self.weight_at.val().index());
        self.marks.next = if self.entry.val().ecn { self.weight.val() } else { 0.into() };
        self.average_product.mul =
            (self.state.q.val().average, self.all_alpha.val() - bit_cast::<9, 8>(self.weight.val()));
        self.increase26.pipe = self.increase.val();
        self.fair26.pipe = self.fair.val();
        self.decrease26.pipe = self.decrease.val();

        // Stage 27: the QuickAdapt period; FastIncrease if that is not over. Stages 27 to 29: the products.
        enable!(run_27.q);
        self.count.next = self.counted.q.val();
        self.class26.select.next = self.count.val().class;
        self.has_passed.next = bit_cast::<20, 16>(self.class26.target_rtt.val()) <= self.count.val().ahead;
        self.over27.pipe = self.count.val().heeded & (self.has_passed.val() | self.count.val().fresh);
        self.adapted27.pipe = self.count.val().adapts & self.has_passed.val();
        self.end27.pipe = self.count.val().now + bit_cast::<20, 16>(self.class26.target_rtt.val());
        self.reached.next = if self.count.val().acked < bit_cast::<26, 14>(self.class26.mtu.val()) {
            bit_cast::<26, 14>(self.class26.mtu.val())
        } else {
            self.count.val().acked
        };
        self.base_product.mul = (self.reached.val(), self.qa_scaling.val());
        self.operand.next = if self.count.val().marked {
            self.count.val().cwnd
        } else if self.count.val().high | self.count.val().full {
            bit_cast::<37, 30>(self.fair26.q.val())
        } else {
            bit_cast::<37, 36>(self.increase26.q.val())
        };
        self.step_product.mul = (self.count.val().sum, self.operand.val());
        self.fall_gain.next = if self.count.val().high { self.decrease26.q.val() } else { 0.into() };
        self.fall_product.mul = (self.count.val().sum, self.fall_gain.val());
        self.fast_product.mul = (self.class26.mtu.val(), self.fast_mtus.val());
        self.is_fast.next = self.count.val().ack
            & !self.count.val().ignoring
            & self.count.val().quiet
            & (self.count.val().cwnd.get_bits::<26>(11) < self.count.val().count);
        self.fast27.pipe = self.is_fast.val();
        self.counted27.pipe = self.count.val();
        // To the nearest: the first digit that is left out has space below the newest.
        self.kept.next = bit_cast::<14, 13>(self.average_product.p.val().get_bits::<13>(8));
        self.digit.next = self.average_product.p.val().get_bit(7);
        self.newest.next =
            (bit_cast::<14, 8>(self.marks29.q.val()) << 5) | bit_cast::<14, 1>(self.digit.val().into());
        self.rounded29.pipe = self.digit.val();
        self.marks29.delay = self.marks.val();
        self.average29.pipe = self.kept.val() + self.newest.val();

        // Stage 28: the state except window and average, as far as the quotient has no part in it.
        enable!(run_28.q);
        self.counts27.next = self.counted27.q.val();
        self.class27.select.next = self.counts27.val().class;
        self.heard.next = self.counts27.val().ack & !self.counts27.val().ignoring;
        self.waits.next = self.heard.val() & !self.adapted27.q.val() & !self.fast27.q.val();
        self.reacts.next = self.waits.val() & self.counts27.val().enough;
        self.case27.next = 0.into();
        if self.reacts.val() {
            if self.counts27.val().marked {
                self.case27.next = if self.counts27.val().high { 2.into() } else { 1.into() };
            } else {
                self.case27.next = if self.counts27.val().high { 3.into() } else { 4.into() };
            }
        } else if self.waits.val() {
            self.case27.next = 6.into();
        } else if self.adapted27.q.val() {
            self.case27.next = 9.into();
        } else if self.fast27.q.val() {
            self.case27.next = 10.into();
        } else if self.counts27.val().ignored {
            self.case27.next = 7.into();
        } else if self.counts27.val().loss {
            self.case27.next = 8.into();
        }

        wire!(self.plan.next.* <- self.counts27.val().*: kind, class);
        self.plan.next.accepted = self.counts27.val().ack
            | self.counts27.val().loss
            | self.counts27.val().opening
            | (self.counts27.val().closing & self.counts27.val().open);
        self.plan.next.case_code = self.case27.val();
        self.plan.next.bounded =
            self.counts27.val().ack | self.counts27.val().loss | self.counts27.val().opening;
        self.plan.next.add = self.reacts.val() & !self.counts27.val().marked;
        self.plan.next.sub = self.reacts.val() & self.counts27.val().marked;
        self.plan.next.limited = self.counts27.val().full & !self.counts27.val().high;
        self.plan.next.bytes = self.counts27.val().sum;
        self.plan.next.heard = self.heard.val();
        self.plan.next.adapted = self.adapted27.q.val();
        self.plan.next.fast = self.fast27.q.val() & !self.adapted27.q.val();
        self.plan.next.eager = self.adapted27.q.val() & self.heard.val() & self.counts27.val().quiet;
        self.plan.next.base = if self.counts27.val().loss & !self.counts27.val().ignored {
            if self.counts27.val().emptied {
                0.into()
            } else {
                (bit_cast::<37, 26>(self.counts27.val().lessened) << 11)
                    | bit_cast::<37, 11>(self.counts27.val().cwnd.get_bits::<11>(0))
            }
        } else {
            self.counts27.val().cwnd
        };
        self.plan.next.open = self.counts27.val().open;
        self.plan.next.fresh = self.counts27.val().fresh & !self.over27.q.val();
        self.plan.next.trigger = self.counts27.val().trigger & !self.adapted27.q.val();
        self.plan.next.ignoring = self.counts27.val().ignoring;
        self.leaves.next.acked = if self.over27.q.val() { 0.into() } else { self.counts27.val().acked };
        self.leaves.next.shared = self.counts27.val().shared;
        if self.adapted27.q.val() {
            self.leaves.next.shared = self.counts27.val().in_flight;
            self.plan.next.ignoring = self.counts27.val().in_flight.any();
        } else if self.reacts.val() {
            self.leaves.next.shared = 0.into();
        } else if self.waits.val() {
            self.leaves.next.shared = bit_cast::<26, 19>(self.counts27.val().sum)
                | (bit_cast::<26, 6>(self.counts27.val().acks) << 19);
        }
        self.plan.next.calm = if self.heard.val() & self.counts27.val().quiet {
            self.counts27.val().count
        } else if self.heard.val() {
            0.into()
        } else {
            self.counts27.val().calm
        };
        self.leaves.next.end = if self.over27.q.val() { self.end27.q.val() } else { self.counts27.val().end };
        self.plan.next.average = self.counts27.val().average;
        if self.counts27.val().opening | self.counts27.val().closing {
            // The largest window that there is, which the bounds cut.
            self.plan.next.base = if self.counts27.val().opening { self.largest.val() } else { 0.into() };
            self.plan.next.open = self.counts27.val().opening;
            self.plan.next.fresh = self.counts27.val().opening;
            self.plan.next.trigger = false;
            self.plan.next.ignoring = false;
            self.leaves.next.acked = 0.into();
            self.leaves.next.shared = 0.into();
            self.plan.next.calm = 0.into();
            self.leaves.next.end = 0.into();
            self.plan.next.average = 0.into();
        }
        self.planned28.pipe = self.plan.val();
        self.planned29.pipe = self.planned28.q.val();
        self.early28.pipe = self.leaves.val();
        self.early_id.delay = self.read_id.q.val();
        self.early.write = when(
            self.run.q.val() & self.live.q.val().get_bit(26),
            (self.early_id.q.val(), self.early28.q.val()),
        );
        self.divisor.next = bit_cast::<38, 37>(self.counts27.val().cwnd);
        if self.counts27.val().marked {
            self.divisor.next = bit_cast::<38, 26>(self.class27.fair_decrease.val()) << 12;
        }
        self.divisor29.delay = self.divisor.val();

        // Stage 30: the window before the reaction. Stages 30 to 46: the division.
        self.plan29.next = self.planned29.q.val();
        self.base.next = if self.plan29.val().adapted {
            bit_cast::<39, 38>(self.base_product.p.val().get_bits::<38>(12))
        } else {
            bit_cast::<39, 37>(self.plan29.val().base)
        };
        self.numerator.next = bit_cast::<69, 56>(self.step_product.p.val()) << 13;
        self.quotient.div = when(self.run_30.q.val(), (self.numerator.val(), self.divisor29.q.val()));
        self.quotient.en_late.next = self.run_38.q.val();
        self.fall30.pipe = self.fall_product.p.val().get_bits::<32>(21);
        self.planned30.pipe = self.plan29.val();
        self.base30.pipe = self.base.val();
        self.average30.pipe = if !self.plan29.val().heard {
            self.plan29.val().average
        } else if self.average29.q.val().get_bit(13) {
            0x1FFF.into()
        } else {
            self.average29.q.val().get_bits::<13>(0)
        };
        // An average that was rounded up to the threshold is below it.
        self.weighed.next = (bit_cast::<15, 14>(self.average29.q.val()) << 1)
            | bit_cast::<15, 1>((!self.rounded29.q.val()).into());
        self.enough.next = (bit_cast::<15, 8>(self.wtd_threshold.val()) << 6) | 1;
        self.allowed30.pipe = self.single.val() | (self.weighed.val() >= self.enough.val());

        // Stage 31: FastIncrease, also after QuickAdapt.
        self.plan30.next = self.planned30.q.val();
        self.planned31.pipe = self.plan30.val();
        self.base31.pipe = self.base30.q.val();
        self.average31.pipe = self.average30.q.val();
        self.allowed31.pipe = self.allowed30.q.val();
        self.fast31.pipe = self.plan30.val().fast
            | (self.plan30.val().eager
                & (self.base30.q.val().get_bits::<28>(11) < bit_cast::<28, 26>(self.plan30.val().calm)));
        self.fast_bytes31.delay = self.fast_product.p.val();

        // Stage 32: all but the result of the division.
        enable!(run_32.q);
        self.plan31.next = self.planned31.q.val();
        wire!(
            self.decision.next.* <- self.plan31.val().*:
            kind, class, accepted, case_code, bounded, add, limited, bytes, open, fresh, trigger, ignoring,
        );
        if self.plan31.val().sub & !self.allowed31.q.val() {
            self.decision.next.case_code = 5.into();
        } else if self.plan31.val().adapted & self.fast31.q.val() {
            self.decision.next.case_code = 11.into();
        }
        self.decision.next.sub = self.plan31.val().sub & self.allowed31.q.val();
        self.fast_step.next =
            if self.fast31.q.val() { bit_cast::<39, 18>(self.fast_bytes31.q.val()) << 11 } else { 0.into() };
        self.decision.next.base = self.base31.q.val() + self.fast_step.val();
        self.decision.next.calm =
            if self.fast31.q.val() { 0x3FF_FFFF.into() } else { self.plan31.val().calm };
        self.decision.next.average = self.average31.q.val();
        self.decided.pipe = self.decision.val();
        self.decided45.en.next = self.run_32.q.val();
        self.decided45.clocks.next = 13.into();
        self.decided45.word.next = self.decided.q.val();
        self.fall45.en.next = self.run_32.q.val();
        self.fall45.clocks.next = 15.into();
        self.fall45.word.next = self.fall30.q.val();

        // Stage 46: the value to which the quotient is added or from which it is subtracted, and the limits
        // of the result; the bounds. The unit is 2^-12 bytes, with one bit below for the carry.
        enable!(run_46.q);
        self.decision45.next = self.decided45.late.val();
        self.size.next = bit_cast::<31, 19>(self.decision45.val().bytes) << 12;
        self.limit.next = if self.single.val() { self.size.val() >> 1 } else { self.size.val() };
        self.half_up.next = 1.into();
        self.addend.next = 0.into();
        if self.decision45.val().sub {
            self.addend.next = !(bit_cast::<42, 32>(self.fall45.late.val()) << 1);
        } else if self.decision45.val().add {
            self.addend.next = self.half_up.val();
            if self.decision45.val().limited {
                self.addend.next = (bit_cast::<42, 31>(self.size.val()) << 1) | self.half_up.val();
            }
        }
        self.start.next = ((bit_cast::<42, 39>(self.decision45.val().base) << 2) | 1) + self.addend.val();
        self.class45.select.next = self.decision45.val().class;
        self.floor.next = 0.into();
        self.ceiling.next = 0x1000_0000.into();
        if self.decision45.val().bounded {
            self.floor.next = self.class45.mtu.val();
            self.ceiling.next = if self.class45.max_cwnd.val() < bit_cast::<26, 14>(self.class45.mtu.val()) {
                bit_cast::<29, 14>(self.class45.mtu.val())
            } else {
                bit_cast::<29, 26>(self.class45.max_cwnd.val())
            };
        }
        self.start46.pipe = self.start.val().get_bits::<41>(1);
        self.lowest46.pipe = bit_cast::<40, 39>(self.decision45.val().base)
            - bit_cast::<40, 30>(self.limit.val().get_bits::<30>(1));
        self.room46.pipe = bit_cast::<33, 31>(self.limit.val()) - bit_cast::<33, 32>(self.fall45.late.val());
        self.floor46.pipe = self.floor.val();
        self.ceiling46.pipe = self.ceiling.val();
        self.decided46.pipe = self.decision45.val();

        // Stage 47: the window in 2^-11 bytes, below its sign.
        self.decision46.next = self.decided46.q.val();
        self.change.next = 0.into();
        if self.decision46.val().sub {
            self.change.next = !(bit_cast::<42, 34>(self.quotient.q.val()) << 1);
        } else if self.decision46.val().add {
            self.change.next = bit_cast::<42, 34>(self.quotient.q.val()) << 1;
        }
        self.changed.next = ((bit_cast::<42, 41>(self.start46.q.val()) << 1) | 1) + self.change.val();
        self.is_limited.next = self.decision46.val().sub
            & (self.room46.q.val().get_bit(32)
                | (bit_cast::<34, 32>(self.room46.q.val().get_bits::<32>(0)) <= self.quotient.q.val()));
        self.moved47.pipe =
            if self.is_limited.val() { self.lowest46.q.val() } else { self.changed.val().get_bits::<40>(2) };
        self.floor47.pipe = self.floor46.q.val();
        self.ceiling47.pipe = self.ceiling46.q.val();
        // By another enable than the registers around it, so that they are no shift register, which takes a LUT a bit.
        self.decided47.pipe = when(self.run_38.q.val(), self.decision46.val());

        // Stage 48: the window, within its bounds.
        self.decision47.next = self.decided47.q.val();
        self.moved.next = self.moved47.q.val().get_bits::<39>(0);
        self.whole.next = bit_cast::<29, 28>(self.moved.val().get_bits::<28>(11));
        self.is_below.next = (self.decision47.val().sub & self.moved47.q.val().get_bit(39))
            | (self.whole.val() < bit_cast::<29, 14>(self.floor47.q.val()));
        self.is_above.next = self.whole.val() >= self.ceiling47.q.val();
        self.bounded.next = if self.is_below.val() {
            bit_cast::<37, 14>(self.floor47.q.val()) << 11
        } else if self.is_above.val() {
            bit_cast::<37, 29>(self.ceiling47.q.val()) << 11
        } else {
            self.moved.val().get_bits::<37>(0)
        };
        wire!(self.after.next.* <- self.decision47.val().*: open, fresh, trigger, ignoring);
        self.after.next.cwnd = self.bounded.val();
        wire!(self.after.next.* <- self.decision47.val().*: calm, average);
        self.state48.pipe = self.after.val();
        self.kind48.pipe = self.decision47.val().kind;
        self.accepted48.pipe = self.decision47.val().accepted;
        self.case48.pipe = self.decision47.val().case_code;

        // Stage 49: written; two stages more until a read finds it.
        self.late_id.delay = self.early_id.q.val();
        self.late.write = when(
            self.run.q.val() & self.live.q.val().get_bit(46),
            (self.late_id.q.val(), self.state48.q.val()),
        );
        self.state49.pipe = self.state48.q.val();
        self.state50.pipe = self.state49.q.val();
        self.now48.next = self.state48.q.val();
        self.valid.next = self.valids.q.val().get_bit(46);
        self.id.next = self.late_id.q.val();
        self.kind.next = self.kind48.q.val();
        self.accepted.next = self.accepted48.q.val();
        self.case_code.next = self.case48.q.val();
        self.cwnd.next = self.now48.val().cwnd.get_bits::<26>(11);
    }
}
