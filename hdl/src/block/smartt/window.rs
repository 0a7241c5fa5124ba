//! `weft_smartt_window`: the windows and all that belongs to them; reads, decides and writes.
//!
//! Two events of one connection are at least 24 clocks apart, so an event finds the state of the one
//! before it in the RAM, or in one of the last three stages.

use super::class::Class;
use super::words::{Counted, Decided, Event, State};
use crate::prelude::*;

/// The congestion windows and all that belongs to them: reads the state of an event's connection, decides what
/// the event does to it, and writes it. Two events of one connection are at least 24 clocks apart, so an event
/// finds the state of the one before it in the RAM, or in one of the last three stages.
///
/// # Parameters
///
/// `A` bits of connection number.
#[derive(LogicBlock)]
pub struct Window<const A: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// Stage 1: an event.
    pub in_valid: Signal<In, Bit>,
    /// Stage 1: an event or a close of the sweep.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: its connection.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 1: the connection's last event was issued 24, 25, 26 clocks before.
    pub in_near: Signal<In, Bits<3>>,
    /// Stage 25: marked, as far as marks count.
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
    /// Stage 25: bytes that FastIncrease adds.
    pub fast_bytes: Signal<In, Bits<18>>,
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
    /// CSR: four classes. Largest RTT that FastIncrease takes for the base RTT, ticks.
    pub all_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub all_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub all_fair_increase: Signal<In, Bits<120>>,
    /// CSR: QuickAdapt scaling, 2^-23.
    pub qa_scaling: Signal<In, Bits<24>>,
    /// CSR: weight of the newest ACK in the average, 2^-8.
    pub wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: average from which on the window may decrease, 2^-8.
    pub wtd_threshold: Signal<In, Bits<8>>,
    /// CSR: ACKs per reaction.
    pub granularity: Signal<In, Bits<6>>,
    /// CSR: which signals count.
    pub signals: Signal<In, Bits<2>>,
    /// CSR: losses count while feedback is ignored.
    pub late_losses: Signal<In, Bit>,
    /// Stage 48: an event.
    pub valid: Signal<Out, Bit>,
    /// Stage 48: its connection.
    pub id: Signal<Out, Bits<A>>,
    /// Stage 48: its kind.
    pub kind: Signal<Out, Bits<3>>,
    /// Stage 48: the connection was open, or needs not be.
    pub accepted: Signal<Out, Bit>,
    /// Stage 48: what the event did.
    pub case_code: Signal<Out, Bits<4>>,
    /// Stage 48: the window after it, whole bytes.
    pub cwnd: Signal<Out, Bits<26>>,

    ram: RamSdp<State, A>,
    live: Reg<Bits<47>>,
    valids: Reg<Bits<47>>,
    read_id: Delay<Bits<A>>,
    write_id: Delay<Bits<A>>,
    near: Delay<Bits<3>>,
    event25: Delay<Event>,
    state: Pipe<State>,
    counted: Pipe<Counted>,
    class26: Class,
    base_product: Mul<26, 24, 50>,
    average_product: Mul<13, 9, 22>,
    step_product: Mul<19, 37, 56>,
    fall_product: Mul<19, 34, 53>,
    over27: Pipe<Bit>,
    adapted27: Pipe<Bit>,
    end27: Pipe<Bits<20>>,
    counted29: Delay<Counted>,
    adapted29: Delay<Bit>,
    class29: Class,
    average29: Pipe<Bits<13>>,
    counted30: Pipe<Counted>,
    adapted30: Pipe<Bit>,
    base30: Pipe<Bits<39>>,
    average30: Pipe<Bits<13>>,
    allowed30: Pipe<Bit>,
    counted31: Pipe<Counted>,
    adapted31: Pipe<Bit>,
    base31: Pipe<Bits<39>>,
    average31: Pipe<Bits<13>>,
    allowed31: Pipe<Bit>,
    fast31: Pipe<Bit>,
    over31: Delay<Bit>,
    end31: Delay<Bits<20>>,
    fast_bytes31: Delay<Bits<18>>,
    decided: Pipe<Decided>,
    decided46: Delay<Decided>,
    quotient: Div<68, 37, 34>,
    fall46: Delay<Bits<32>>,
    decided47: Pipe<Decided>,
    change47: Pipe<Bits<36>>,
    class47: Class,
    state48: Pipe<State>,
    state49: Pipe<State>,
    state50: Pipe<State>,
    kind48: Pipe<Bits<3>>,
    accepted48: Pipe<Bit>,
    case48: Pipe<Bits<4>>,
    single: Signal<Local, Bit>,
    read: Signal<Local, State>,
    merged: Signal<Local, State>,
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
    period_over: Signal<Local, Bit>,
    is_over: Signal<Local, Bit>,
    is_adapted: Signal<Local, Bit>,
    reached: Signal<Local, Bits<26>>,
    operand: Signal<Local, Bits<37>>,
    fall_gain: Signal<Local, Bits<34>>,
    counts29: Signal<Local, Counted>,
    base: Signal<Local, Bits<39>>,
    kept: Signal<Local, Bits<13>>,
    newest: Signal<Local, Bits<13>>,
    numerator: Signal<Local, Bits<68>>,
    denominator: Signal<Local, Bits<37>>,
    counts30: Signal<Local, Counted>,
    is_fast: Signal<Local, Bit>,
    counts31: Signal<Local, Counted>,
    heard: Signal<Local, Bit>,
    waits: Signal<Local, Bit>,
    reacts: Signal<Local, Bit>,
    held: Signal<Local, Bit>,
    decision: Signal<Local, Decided>,
    case31: Signal<Local, Bits<4>>,
    decision46: Signal<Local, Decided>,
    size: Signal<Local, Bits<36>>,
    rise: Signal<Local, Bits<36>>,
    fall: Signal<Local, Bits<36>>,
    limit: Signal<Local, Bits<36>>,
    change: Signal<Local, Bits<36>>,
    decision47: Signal<Local, Decided>,
    amount: Signal<Local, Bits<39>>,
    half_up: Signal<Local, Bits<39>>,
    higher: Signal<Local, Bits<39>>,
    lower: Signal<Local, Bits<39>>,
    moved: Signal<Local, Bits<39>>,
    highest: Signal<Local, Bits<39>>,
    lowest: Signal<Local, Bits<39>>,
    bounded: Signal<Local, Bits<39>>,
    after: Signal<Local, State>,
    now48: Signal<Local, State>,
    all_alpha: Constant<Bits<9>>,
    increase26: Pipe<Bits<36>>,
    fair26: Pipe<Bits<30>>,
    decrease26: Pipe<Bits<34>>,
    event_ecn: Delay<Bit>,
}

impl<const A: usize> Default for Window<A> {
    fn default() -> Self {
        Window {
            clk: Default::default(),
            rst: Default::default(),
            run: Default::default(),
            in_valid: Default::default(),
            in_live: Default::default(),
            in_id: Default::default(),
            in_event: Default::default(),
            in_near: Default::default(),
            marked: Default::default(),
            high: Default::default(),
            quiet: Default::default(),
            multiplicative: Default::default(),
            increase: Default::default(),
            fair: Default::default(),
            decrease: Default::default(),
            fast_bytes: Default::default(),
            all_mtu: Default::default(),
            all_max_cwnd: Default::default(),
            all_fair_decrease: Default::default(),
            all_base_rtt: Default::default(),
            all_target_rtt: Default::default(),
            all_fast_rtt: Default::default(),
            all_multiplicative_increase: Default::default(),
            all_fair_increase: Default::default(),
            qa_scaling: Default::default(),
            wtd_alpha: Default::default(),
            wtd_threshold: Default::default(),
            granularity: Default::default(),
            signals: Default::default(),
            late_losses: Default::default(),
            valid: Default::default(),
            id: Default::default(),
            kind: Default::default(),
            accepted: Default::default(),
            case_code: Default::default(),
            cwnd: Default::default(),
            ram: Default::default(),
            live: Default::default(),
            valids: Default::default(),
            read_id: Delay::new(21),
            write_id: Delay::new(26),
            near: Delay::new(23),
            event25: Delay::new(24),
            state: Default::default(),
            counted: Default::default(),
            class26: Default::default(),
            base_product: Default::default(),
            average_product: Default::default(),
            step_product: Default::default(),
            fall_product: Default::default(),
            over27: Default::default(),
            adapted27: Default::default(),
            end27: Default::default(),
            counted29: Delay::new(3),
            adapted29: Delay::new(2),
            class29: Default::default(),
            average29: Default::default(),
            counted30: Default::default(),
            adapted30: Default::default(),
            base30: Default::default(),
            average30: Default::default(),
            allowed30: Default::default(),
            counted31: Default::default(),
            adapted31: Default::default(),
            base31: Default::default(),
            average31: Default::default(),
            allowed31: Default::default(),
            fast31: Default::default(),
            over31: Delay::new(4),
            end31: Delay::new(4),
            fast_bytes31: Delay::new(6),
            decided: Default::default(),
            decided46: Delay::new(14),
            quotient: Div::new(2),
            fall46: Delay::new(17),
            decided47: Default::default(),
            change47: Default::default(),
            class47: Default::default(),
            state48: Default::default(),
            state49: Default::default(),
            state50: Default::default(),
            kind48: Default::default(),
            accepted48: Default::default(),
            case48: Default::default(),
            single: Default::default(),
            read: Default::default(),
            merged: Default::default(),
            is_ack: Default::default(),
            is_loss: Default::default(),
            touched: Default::default(),
            acked_sum: Default::default(),
            calm_sum: Default::default(),
            ignores: Default::default(),
            ignored: Default::default(),
            waiting: Default::default(),
            waiting_sum: Default::default(),
            left: Default::default(),
            rest: Default::default(),
            acks: Default::default(),
            count: Default::default(),
            counts: Default::default(),
            period_over: Default::default(),
            is_over: Default::default(),
            is_adapted: Default::default(),
            reached: Default::default(),
            operand: Default::default(),
            fall_gain: Default::default(),
            counts29: Default::default(),
            base: Default::default(),
            kept: Default::default(),
            newest: Default::default(),
            numerator: Default::default(),
            denominator: Default::default(),
            counts30: Default::default(),
            is_fast: Default::default(),
            counts31: Default::default(),
            heard: Default::default(),
            waits: Default::default(),
            reacts: Default::default(),
            held: Default::default(),
            decision: Default::default(),
            case31: Default::default(),
            decision46: Default::default(),
            size: Default::default(),
            rise: Default::default(),
            fall: Default::default(),
            limit: Default::default(),
            change: Default::default(),
            decision47: Default::default(),
            amount: Default::default(),
            half_up: Default::default(),
            higher: Default::default(),
            lower: Default::default(),
            moved: Default::default(),
            highest: Default::default(),
            lowest: Default::default(),
            bounded: Default::default(),
            after: Default::default(),
            now48: Default::default(),
            all_alpha: Constant::new(256_u64.to_bits()),
            increase26: Default::default(),
            fair26: Default::default(),
            decrease26: Default::default(),
            event_ecn: Delay::new(3),
        }
    }
}

impl<const A: usize> Logic for Window<A> {
    #[hdl_gen]
    fn update(&mut self) {
        self.single.next = (self.signals.val() == 1) | (self.signals.val() == 2);

        // Stage k is bit k - 2.
        self.live.clk.next = self.clk.val();
        self.live.rst.next = self.rst.val();
        self.live.en.next = self.run.val();
        self.live.d.next = (self.live.q.val() << 1) | bit_cast::<47, 1>(self.in_live.val().into());
        self.valids.clk.next = self.clk.val();
        self.valids.rst.next = self.rst.val();
        self.valids.en.next = self.run.val();
        self.valids.d.next = (self.valids.q.val() << 1) | bit_cast::<47, 1>(self.in_valid.val().into());

        // Stages 22 to 24: the state is read; 25: or is that of an event which is not written yet.
        self.read_id.clk.next = self.clk.val();
        self.read_id.en.next = self.run.val();
        self.read_id.d.next = self.in_id.val();
        self.near.clk.next = self.clk.val();
        self.near.en.next = self.run.val();
        self.near.d.next = self.in_near.val();
        self.event25.clk.next = self.clk.val();
        self.event25.en.next = self.run.val();
        self.event25.d.next = self.in_event.val();
        self.ram.clk.next = self.clk.val();
        self.ram.re.next = self.run.val();
        self.ram.raddr.next = self.read_id.q.val();
        self.ram.oe.next = self.run.val();
        self.read.next = self.ram.rdata.val();
        self.merged.next = self.read.val();
        if self.near.q.val().get_bit(0) {
            self.merged.next = self.state48.q.val();
        } else if self.near.q.val().get_bit(1) {
            self.merged.next = self.state49.q.val();
        } else if self.near.q.val().get_bit(2) {
            self.merged.next = self.state50.q.val();
        }
        self.state.clk.next = self.clk.val();
        self.state.en.next = self.run.val();
        self.state.d.next = self.merged.val();

        // Stage 26: what the event's bytes are added to, or taken from.
        self.is_ack.next = self.state.q.val().open & (self.event25.q.val().kind == 0);
        self.is_loss.next =
            self.state.q.val().open & ((self.event25.q.val().kind == 1) | (self.event25.q.val().kind == 2));
        self.touched.next = self.is_ack.val() | self.is_loss.val();
        self.acked_sum.next =
            bit_cast::<27, 26>(self.state.q.val().acked) + bit_cast::<27, 24>(self.event25.q.val().bytes);
        self.calm_sum.next =
            bit_cast::<27, 26>(self.state.q.val().calm) + bit_cast::<27, 24>(self.event25.q.val().bytes);
        self.waiting.next = self.state.q.val().shared;
        if self.state.q.val().ignoring {
            self.waiting.next = 0.into();
        }
        self.waiting_sum.next = bit_cast::<25, 19>(self.waiting.val().get_bits::<19>(0))
            + bit_cast::<25, 24>(self.event25.q.val().bytes);
        self.left.next =
            bit_cast::<27, 26>(self.state.q.val().shared) - bit_cast::<27, 24>(self.event25.q.val().bytes);
        self.rest.next = bit_cast::<27, 26>(self.state.q.val().cwnd.get_bits::<26>(11))
            - bit_cast::<27, 24>(self.event25.q.val().bytes);
        self.acks.next = self.waiting.val().get_bits::<6>(19) + 1;
        self.counts.next.ack = self.is_ack.val();
        self.counts.next.loss = self.is_loss.val();
        self.counts.next.opening = self.event25.q.val().kind == 3;
        self.counts.next.closing = self.event25.q.val().kind == 4;
        self.counts.next.kind = self.event25.q.val().kind;
        self.counts.next.class = self.event25.q.val().class;
        self.counts.next.unacked = self.event25.q.val().unacked;
        self.counts.next.now = self.event25.q.val().now;
        self.counts.next.marked = self.marked.val();
        self.counts.next.high = self.high.val();
        self.counts.next.quiet = self.quiet.val();
        self.counts.next.open = self.state.q.val().open;
        self.counts.next.fresh = self.state.q.val().fresh;
        self.ignores.next = self.state.q.val().ignoring;
        if self.touched.val() & (self.left.val().get_bit(26) | !self.left.val().any()) {
            self.ignores.next = false;
        }
        self.ignored.next =
            self.ignores.val() & (self.is_ack.val() | (self.is_loss.val() & !self.late_losses.val()));
        self.counts.next.ignored = self.ignored.val();
        self.counts.next.trigger =
            self.state.q.val().trigger | (self.is_loss.val() & !self.ignored.val() & !self.single.val());
        self.counts.next.ignoring = self.ignores.val();
        self.counts.next.cwnd = self.state.q.val().cwnd;
        self.counts.next.acked = self.state.q.val().acked;
        if self.is_ack.val() {
            self.counts.next.acked = self.acked_sum.val().get_bits::<26>(0);
            if self.acked_sum.val().get_bit(26) {
                self.counts.next.acked = 0x3FF_FFFF.into();
            }
        }
        self.counts.next.shared = self.state.q.val().shared;
        if self.touched.val() & self.state.q.val().ignoring {
            self.counts.next.shared = self.left.val().get_bits::<26>(0);
            if self.left.val().get_bit(26) {
                self.counts.next.shared = 0.into();
            }
        }
        self.counts.next.calm = self.state.q.val().calm;
        self.counts.next.count = self.calm_sum.val().get_bits::<26>(0);
        if self.calm_sum.val().get_bit(26) {
            self.counts.next.count = 0x3FF_FFFF.into();
        }
        self.counts.next.end = self.state.q.val().end;
        self.counts.next.ahead = self.state.q.val().end - self.event25.q.val().now;
        self.counts.next.average = self.state.q.val().average;
        self.counts.next.lessened = self.rest.val().get_bits::<26>(0);
        self.counts.next.emptied = self.rest.val().get_bit(26);
        self.counts.next.sum = self.waiting_sum.val().get_bits::<19>(0);
        if self.waiting_sum.val().get_bits::<6>(19).any() {
            self.counts.next.sum = 0x7FFFF.into();
        }
        self.counts.next.acks = self.acks.val();
        self.counts.next.enough = self.acks.val() >= self.granularity.val();
        self.counts.next.full =
            (bit_cast::<37, 35>(self.multiplicative.val()) << 1) >= self.state.q.val().cwnd;
        self.counted.clk.next = self.clk.val();
        self.counted.en.next = self.run.val();
        self.counted.d.next = self.counts.val();
        self.average_product.clk.next = self.clk.val();
        self.average_product.en.next = self.run.val();
        self.average_product.a.next = self.state.q.val().average;
        self.average_product.b.next = self.all_alpha.val() - bit_cast::<9, 8>(self.wtd_alpha.val());
        self.increase26.clk.next = self.clk.val();
        self.increase26.en.next = self.run.val();
        self.increase26.d.next = self.increase.val();
        self.fair26.clk.next = self.clk.val();
        self.fair26.en.next = self.run.val();
        self.fair26.d.next = self.fair.val();
        self.decrease26.clk.next = self.clk.val();
        self.decrease26.en.next = self.run.val();
        self.decrease26.d.next = self.decrease.val();

        // Stage 27: the QuickAdapt period. Stages 27 to 29: the products.
        self.count.next = self.counted.q.val();
        self.class26.select.next = self.count.val().class;
        self.class26.all_mtu.next = self.all_mtu.val();
        self.class26.all_max_cwnd.next = self.all_max_cwnd.val();
        self.class26.all_fair_decrease.next = self.all_fair_decrease.val();
        self.class26.all_base_rtt.next = self.all_base_rtt.val();
        self.class26.all_target_rtt.next = self.all_target_rtt.val();
        self.class26.all_fast_rtt.next = self.all_fast_rtt.val();
        self.class26.all_multiplicative_increase.next = self.all_multiplicative_increase.val();
        self.class26.all_fair_increase.next = self.all_fair_increase.val();
        self.period_over.next = self.count.val().fresh
            | !self.count.val().ahead.any()
            | (bit_cast::<20, 16>(self.class26.target_rtt.val()) < self.count.val().ahead);
        self.is_over.next = self.period_over.val()
            & (self.count.val().ack | self.count.val().loss)
            & !self.count.val().ignoring;
        self.is_adapted.next = self.is_over.val() & self.count.val().trigger & !self.count.val().fresh;
        self.over27.clk.next = self.clk.val();
        self.over27.en.next = self.run.val();
        self.over27.d.next = self.is_over.val();
        self.adapted27.clk.next = self.clk.val();
        self.adapted27.en.next = self.run.val();
        self.adapted27.d.next = self.is_adapted.val();
        self.end27.clk.next = self.clk.val();
        self.end27.en.next = self.run.val();
        self.end27.d.next = self.count.val().now + bit_cast::<20, 16>(self.class26.target_rtt.val());
        self.reached.next = self.count.val().acked;
        if self.count.val().acked < bit_cast::<26, 14>(self.class26.mtu.val()) {
            self.reached.next = bit_cast::<26, 14>(self.class26.mtu.val());
        }
        self.base_product.clk.next = self.clk.val();
        self.base_product.en.next = self.run.val();
        self.base_product.a.next = self.reached.val();
        self.base_product.b.next = self.qa_scaling.val();
        self.operand.next = bit_cast::<37, 36>(self.increase26.q.val());
        if self.count.val().marked {
            self.operand.next = self.count.val().cwnd;
        } else if self.count.val().high | self.count.val().full {
            self.operand.next = bit_cast::<37, 30>(self.fair26.q.val());
        }
        self.step_product.clk.next = self.clk.val();
        self.step_product.en.next = self.run.val();
        self.step_product.a.next = self.count.val().sum;
        self.step_product.b.next = self.operand.val();
        self.fall_gain.next = 0.into();
        if self.count.val().high {
            self.fall_gain.next = self.decrease26.q.val();
        }
        self.fall_product.clk.next = self.clk.val();
        self.fall_product.en.next = self.run.val();
        self.fall_product.a.next = self.count.val().sum;
        self.fall_product.b.next = self.fall_gain.val();
        self.counted29.clk.next = self.clk.val();
        self.counted29.en.next = self.run.val();
        self.counted29.d.next = self.count.val();
        self.adapted29.clk.next = self.clk.val();
        self.adapted29.en.next = self.run.val();
        self.adapted29.d.next = self.adapted27.q.val();
        self.kept.next = self.average_product.p.val().get_bits::<13>(8);
        self.newest.next = 0.into();
        if self.event_ecn.q.val() {
            self.newest.next = bit_cast::<13, 8>(self.wtd_alpha.val()) << 5;
        }
        self.event_ecn.clk.next = self.clk.val();
        self.event_ecn.en.next = self.run.val();
        self.event_ecn.d.next = self.event25.q.val().ecn;
        self.average29.clk.next = self.clk.val();
        self.average29.en.next = self.run.val();
        self.average29.d.next = self.kept.val() + self.newest.val();

        // Stage 30: the window before the reaction. Stages 30 to 46: the division.
        self.counts29.next = self.counted29.q.val();
        self.class29.select.next = self.counts29.val().class;
        self.class29.all_mtu.next = self.all_mtu.val();
        self.class29.all_max_cwnd.next = self.all_max_cwnd.val();
        self.class29.all_fair_decrease.next = self.all_fair_decrease.val();
        self.class29.all_base_rtt.next = self.all_base_rtt.val();
        self.class29.all_target_rtt.next = self.all_target_rtt.val();
        self.class29.all_fast_rtt.next = self.all_fast_rtt.val();
        self.class29.all_multiplicative_increase.next = self.all_multiplicative_increase.val();
        self.class29.all_fair_increase.next = self.all_fair_increase.val();
        self.base.next = bit_cast::<39, 37>(self.counts29.val().cwnd);
        if self.counts29.val().closing {
            self.base.next = 0.into();
        } else if self.counts29.val().opening {
            self.base.next = bit_cast::<39, 26>(self.class29.max_cwnd.val()) << 11;
        } else if self.adapted29.q.val() {
            self.base.next = bit_cast::<39, 38>(self.base_product.p.val().get_bits::<38>(12));
        } else if self.counts29.val().loss & !self.counts29.val().ignored {
            self.base.next = (bit_cast::<39, 26>(self.counts29.val().lessened) << 11)
                | bit_cast::<39, 11>(self.counts29.val().cwnd.get_bits::<11>(0));
            if self.counts29.val().emptied {
                self.base.next = 0.into();
            }
        }
        self.numerator.next = bit_cast::<68, 56>(self.step_product.p.val()) << 13;
        self.denominator.next = self.counts29.val().cwnd;
        if self.counts29.val().marked {
            self.numerator.next = bit_cast::<68, 56>(self.step_product.p.val()) << 1;
            self.denominator.next = bit_cast::<37, 26>(self.class29.fair_decrease.val());
        }
        self.quotient.clk.next = self.clk.val();
        self.quotient.en.next = self.run.val();
        self.quotient.num.next = self.numerator.val();
        self.quotient.den.next = self.denominator.val();
        self.fall46.clk.next = self.clk.val();
        self.fall46.en.next = self.run.val();
        self.fall46.d.next = self.fall_product.p.val().get_bits::<32>(21);
        self.counted30.clk.next = self.clk.val();
        self.counted30.en.next = self.run.val();
        self.counted30.d.next = self.counts29.val();
        self.adapted30.clk.next = self.clk.val();
        self.adapted30.en.next = self.run.val();
        self.adapted30.d.next = self.adapted29.q.val();
        self.base30.clk.next = self.clk.val();
        self.base30.en.next = self.run.val();
        self.base30.d.next = self.base.val();
        self.average30.clk.next = self.clk.val();
        self.average30.en.next = self.run.val();
        self.average30.d.next = self.average29.q.val();
        self.allowed30.clk.next = self.clk.val();
        self.allowed30.en.next = self.run.val();
        self.allowed30.d.next = self.single.val()
            | (self.average29.q.val() >= (bit_cast::<13, 8>(self.wtd_threshold.val()) << 5));

        // Stage 31: FastIncrease.
        self.counts30.next = self.counted30.q.val();
        self.is_fast.next = self.counts30.val().ack
            & !self.counts30.val().ignoring
            & self.counts30.val().quiet
            & (self.base30.q.val().get_bits::<28>(11) < bit_cast::<28, 26>(self.counts30.val().count));
        self.counted31.clk.next = self.clk.val();
        self.counted31.en.next = self.run.val();
        self.counted31.d.next = self.counts30.val();
        self.adapted31.clk.next = self.clk.val();
        self.adapted31.en.next = self.run.val();
        self.adapted31.d.next = self.adapted30.q.val();
        self.base31.clk.next = self.clk.val();
        self.base31.en.next = self.run.val();
        self.base31.d.next = self.base30.q.val();
        self.average31.clk.next = self.clk.val();
        self.average31.en.next = self.run.val();
        self.average31.d.next = self.average30.q.val();
        self.allowed31.clk.next = self.clk.val();
        self.allowed31.en.next = self.run.val();
        self.allowed31.d.next = self.allowed30.q.val();
        self.fast31.clk.next = self.clk.val();
        self.fast31.en.next = self.run.val();
        self.fast31.d.next = self.is_fast.val();
        self.over31.clk.next = self.clk.val();
        self.over31.en.next = self.run.val();
        self.over31.d.next = self.over27.q.val();
        self.end31.clk.next = self.clk.val();
        self.end31.en.next = self.run.val();
        self.end31.d.next = self.end27.q.val();
        self.fast_bytes31.clk.next = self.clk.val();
        self.fast_bytes31.en.next = self.run.val();
        self.fast_bytes31.d.next = self.fast_bytes.val();

        // Stage 32: which case it is, and the state but the window.
        self.counts31.next = self.counted31.q.val();
        self.heard.next = self.counts31.val().ack & !self.counts31.val().ignoring;
        self.waits.next = self.heard.val() & !self.adapted31.q.val() & !self.fast31.q.val();
        self.reacts.next = self.waits.val() & self.counts31.val().enough;
        self.held.next = self.counts31.val().marked & !self.allowed31.q.val();

        self.case31.next = 0.into();
        if self.reacts.val() {
            if self.held.val() {
                self.case31.next = 5.into();
            } else if self.counts31.val().marked {
                self.case31.next = 1.into();
                if self.counts31.val().high {
                    self.case31.next = 2.into();
                }
            } else {
                self.case31.next = 4.into();
                if self.counts31.val().high {
                    self.case31.next = 3.into();
                }
            }
        } else if self.waits.val() {
            self.case31.next = 6.into();
        } else if self.fast31.q.val() {
            self.case31.next = 10.into();
            if self.adapted31.q.val() {
                self.case31.next = 11.into();
            }
        } else if self.adapted31.q.val() {
            self.case31.next = 9.into();
        } else if self.counts31.val().ignored {
            self.case31.next = 7.into();
        } else if self.counts31.val().loss {
            self.case31.next = 8.into();
        }

        self.decision.next.kind = self.counts31.val().kind;
        self.decision.next.class = self.counts31.val().class;
        self.decision.next.accepted = self.counts31.val().ack
            | self.counts31.val().loss
            | self.counts31.val().opening
            | (self.counts31.val().closing & self.counts31.val().open);
        self.decision.next.case_code = self.case31.val();
        self.decision.next.bounded =
            self.counts31.val().ack | self.counts31.val().loss | self.counts31.val().opening;
        self.decision.next.add = self.reacts.val() & !self.counts31.val().marked;
        self.decision.next.sub = self.reacts.val() & self.counts31.val().marked & !self.held.val();
        self.decision.next.limited = self.counts31.val().full & !self.counts31.val().high;
        self.decision.next.bytes = self.counts31.val().sum;
        self.decision.next.base = self.base31.q.val();
        if self.fast31.q.val() {
            self.decision.next.base =
                self.base31.q.val() + (bit_cast::<39, 18>(self.fast_bytes31.q.val()) << 11);
        }
        self.decision.next.open = self.counts31.val().open;
        self.decision.next.fresh = self.counts31.val().fresh & !self.over31.q.val();
        self.decision.next.trigger = self.counts31.val().trigger & !self.adapted31.q.val();
        self.decision.next.ignoring = self.counts31.val().ignoring;
        self.decision.next.acked = self.counts31.val().acked;
        if self.over31.q.val() {
            self.decision.next.acked = 0.into();
        }
        self.decision.next.shared = self.counts31.val().shared;
        if self.adapted31.q.val() {
            self.decision.next.shared = self.counts31.val().unacked;
            self.decision.next.ignoring = self.counts31.val().unacked.any();
        } else if self.reacts.val() {
            self.decision.next.shared = 0.into();
        } else if self.waits.val() {
            self.decision.next.shared = bit_cast::<26, 19>(self.counts31.val().sum)
                | (bit_cast::<26, 6>(self.counts31.val().acks) << 19);
        }
        self.decision.next.calm = self.counts31.val().calm;
        if self.fast31.q.val() {
            self.decision.next.calm = 0x3FF_FFFF.into();
        } else if self.heard.val() & self.counts31.val().quiet {
            self.decision.next.calm = self.counts31.val().count;
        } else if self.heard.val() {
            self.decision.next.calm = 0.into();
        }
        self.decision.next.end = self.counts31.val().end;
        if self.over31.q.val() {
            self.decision.next.end = self.end31.q.val();
        }
        self.decision.next.average = self.counts31.val().average;
        if self.heard.val() {
            self.decision.next.average = self.average31.q.val();
        }
        if self.counts31.val().opening | self.counts31.val().closing {
            self.decision.next.open = self.counts31.val().opening;
            self.decision.next.fresh = self.counts31.val().opening;
            self.decision.next.trigger = false;
            self.decision.next.ignoring = false;
            self.decision.next.acked = 0.into();
            self.decision.next.shared = 0.into();
            self.decision.next.calm = 0.into();
            self.decision.next.end = 0.into();
            self.decision.next.average = 0.into();
        }
        self.decided.clk.next = self.clk.val();
        self.decided.en.next = self.run.val();
        self.decided.d.next = self.decision.val();
        self.decided46.clk.next = self.clk.val();
        self.decided46.en.next = self.run.val();
        self.decided46.d.next = self.decided.q.val();

        // Stage 47: the change in 2^-12 bytes.
        self.decision46.next = self.decided46.q.val();
        self.size.next = bit_cast::<36, 19>(self.decision46.val().bytes) << 12;
        self.rise.next = bit_cast::<36, 34>(self.quotient.q.val());
        if self.decision46.val().limited {
            self.rise.next = bit_cast::<36, 34>(self.quotient.q.val()) + self.size.val();
        }
        self.fall.next = bit_cast::<36, 34>(self.quotient.q.val()) + bit_cast::<36, 32>(self.fall46.q.val());
        self.limit.next = self.size.val();
        if self.single.val() {
            self.limit.next = self.size.val() >> 1;
        }
        self.change.next = self.rise.val();
        if self.decision46.val().sub {
            self.change.next = self.fall.val();
            if self.limit.val() < self.fall.val() {
                self.change.next = self.limit.val();
            }
        }
        self.decided47.clk.next = self.clk.val();
        self.decided47.en.next = self.run.val();
        self.decided47.d.next = self.decision46.val();
        self.change47.clk.next = self.clk.val();
        self.change47.en.next = self.run.val();
        self.change47.d.next = self.change.val();

        // Stage 48: the window, within its bounds.
        self.decision47.next = self.decided47.q.val();
        self.class47.select.next = self.decision47.val().class;
        self.class47.all_mtu.next = self.all_mtu.val();
        self.class47.all_max_cwnd.next = self.all_max_cwnd.val();
        self.class47.all_fair_decrease.next = self.all_fair_decrease.val();
        self.class47.all_base_rtt.next = self.all_base_rtt.val();
        self.class47.all_target_rtt.next = self.all_target_rtt.val();
        self.class47.all_fast_rtt.next = self.all_fast_rtt.val();
        self.class47.all_multiplicative_increase.next = self.all_multiplicative_increase.val();
        self.class47.all_fair_increase.next = self.all_fair_increase.val();
        self.amount.next = bit_cast::<39, 36>(self.change47.q.val() >> 1);
        self.half_up.next = bit_cast::<39, 1>(self.change47.q.val().get_bits::<1>(0));
        self.higher.next = self.decision47.val().base + self.amount.val() + self.half_up.val();
        self.lower.next = self.decision47.val().base - self.amount.val() - self.half_up.val();
        if self.decision47.val().base < self.amount.val() + self.half_up.val() {
            self.lower.next = 0.into();
        }
        self.moved.next = self.decision47.val().base;
        if self.decision47.val().add {
            self.moved.next = self.higher.val();
        } else if self.decision47.val().sub {
            self.moved.next = self.lower.val();
        }
        self.highest.next = bit_cast::<39, 26>(self.class47.max_cwnd.val()) << 11;
        self.lowest.next = bit_cast::<39, 14>(self.class47.mtu.val()) << 11;
        self.bounded.next = self.moved.val();
        if self.highest.val() < self.moved.val() {
            self.bounded.next = self.highest.val();
        }
        if (self.moved.val() < self.lowest.val()) | (self.highest.val() < self.lowest.val()) {
            self.bounded.next = self.lowest.val();
        }
        self.after.next.open = self.decision47.val().open;
        self.after.next.fresh = self.decision47.val().fresh;
        self.after.next.trigger = self.decision47.val().trigger;
        self.after.next.ignoring = self.decision47.val().ignoring;
        self.after.next.cwnd = self.decision47.val().base.get_bits::<37>(0);
        if self.decision47.val().bounded {
            self.after.next.cwnd = self.bounded.val().get_bits::<37>(0);
        }
        self.after.next.acked = self.decision47.val().acked;
        self.after.next.shared = self.decision47.val().shared;
        self.after.next.calm = self.decision47.val().calm;
        self.after.next.end = self.decision47.val().end;
        self.after.next.average = self.decision47.val().average;
        self.state48.clk.next = self.clk.val();
        self.state48.en.next = self.run.val();
        self.state48.d.next = self.after.val();
        self.kind48.clk.next = self.clk.val();
        self.kind48.en.next = self.run.val();
        self.kind48.d.next = self.decision47.val().kind;
        self.accepted48.clk.next = self.clk.val();
        self.accepted48.en.next = self.run.val();
        self.accepted48.d.next = self.decision47.val().accepted;
        self.case48.clk.next = self.clk.val();
        self.case48.en.next = self.run.val();
        self.case48.d.next = self.decision47.val().case_code;

        // Stage 49: written; two stages more until a read finds it.
        self.write_id.clk.next = self.clk.val();
        self.write_id.en.next = self.run.val();
        self.write_id.d.next = self.read_id.q.val();
        self.ram.we.next = self.run.val() & self.live.q.val().get_bit(46);
        self.ram.waddr.next = self.write_id.q.val();
        self.ram.wdata.next = self.state48.q.val();
        self.state49.clk.next = self.clk.val();
        self.state49.en.next = self.run.val();
        self.state49.d.next = self.state48.q.val();
        self.state50.clk.next = self.clk.val();
        self.state50.en.next = self.run.val();
        self.state50.d.next = self.state49.q.val();
        self.now48.next = self.state48.q.val();
        self.valid.next = self.valids.q.val().get_bit(46);
        self.id.next = self.write_id.q.val();
        self.kind.next = self.kind48.q.val();
        self.accepted.next = self.accepted48.q.val();
        self.case_code.next = self.case48.q.val();
        self.cwnd.next = self.now48.val().cwnd.get_bits::<26>(11);
    }
}
