//! `weft_nscc_window`: the windows and their state; reads, decides and writes.
//!
//! Two events of one connection are at least 42 clocks apart, so an event finds the state of the one before it in the RAM.

use super::words::{Added, Base, Chosen, Counted, Decided, Event, Found, Marks, State};
use crate::block::smartt::class::Class;
use crate::part::wait::Wait;
use crate::prelude::*;

/// The congestion windows and their state: reads the state of an event's connection, decides the effect of
/// the event, and writes the state. Two events of one connection are at least 42 clocks apart, so an event
/// finds the state of the one before it in the RAM.
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
    /// Stage 13: result of the comparison of the delay.
    pub marks: Signal<In, Marks>,
    /// Stage 13: addition of the bytes to the increase, 2^8 square bytes.
    pub more: Signal<In, Bits<34>>,
    /// Stage 13: addition of fast increase to the window, 2^-5 bytes.
    pub fast: Signal<In, Bits<28>>,
    /// Stage 13: addition of a period to the window, 2^-5 bytes.
    pub eta: Signal<In, Bits<25>>,
    /// Stage 16: the delay times its weight, 2^-8 ticks.
    pub newest: Signal<In, Bits<20>>,
    /// Stage 13: share of the old average, 2^-8.
    pub kept: Signal<In, Bits<9>>,
    /// CSR: four classes. Smallest window and full packet, bytes.
    pub all_mtu: Signal<In, Bits<56>>,
    /// CSR: four classes. Largest window, bytes.
    pub all_max_cwnd: Signal<In, Bits<104>>,
    /// CSR: four classes. Fast increase, 2^-20.
    pub all_fair_decrease: Signal<In, Bits<104>>,
    /// CSR: four classes. RTT of an empty network, ticks.
    pub all_base_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Target of the delay, ticks.
    pub all_target_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Largest delay that counts as none, ticks.
    pub all_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Proportional increase, 2^-12 bytes per tick.
    pub all_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. Fair increase, 2^-6 bytes.
    pub all_fair_increase: Signal<In, Bits<120>>,
    /// CSR: share of the excess delay by which the window decreases, 2^-8.
    pub gamma: Signal<In, Bits<8>>,
    /// Stage 51: an event.
    pub valid: Signal<Out, Bit>,
    /// Stage 51: connection of the event.
    pub id: Signal<Out, Bits<A>>,
    /// Stage 51: kind of the event.
    pub kind: Signal<Out, Bits<3>>,
    /// Stage 51: the connection was open, or need not be.
    pub accepted: Signal<Out, Bit>,
    /// Stage 51: the case of the event.
    pub case_code: Signal<Out, Bits<4>>,
    /// Stage 51: the window after the event, whole bytes.
    pub cwnd: Signal<Out, Bits<23>>,

    run: Enable,
    run_14: Enable,
    run_15: Enable,
    run_16: Enable,
    run_17: Enable,
    run_18: Enable,
    run_19: Enable,
    run_29: Enable,
    run_34: Enable,
    run_42: Enable,
    run_50: Enable,
    ram: RamSdp<State, A>,
    live: Reg<Bits<50>>,
    valids: Reg<Bits<50>>,
    #[new(9)]
    read_id: Delay<Bits<A>>,
    #[new(41)]
    write_id: Delay<Bits<A>>,
    event13: Wait<Event>,
    state13: Pipe<State>,
    class13: Class,
    state14: Pipe<State>,
    count14: Pipe<Counted>,
    period14: Pipe<Bits<12>>,
    class14: Class,
    state15: Pipe<State>,
    count15: Pipe<Counted>,
    found15: Pipe<Found>,
    period15: Pipe<Bits<12>>,
    class15: Class,
    state16: Pipe<State>,
    count16: Pipe<Counted>,
    chosen16: Pipe<Chosen>,
    end16: Pipe<Bits<12>>,
    reached16: Pipe<Bits<23>>,
    lessened16: Pipe<Bits<28>>,
    faster16: Pipe<Bits<29>>,
    #[new(3)]
    eta16: Delay<Bits<25>>,
    average_product: Mul<23, 9, 32>,
    decided17: Pipe<Decided>,
    base17: Pipe<Bits<29>>,
    added17: Pipe<Added>,
    down17: Pipe<Bit>,
    rested17: Pipe<Bit>,
    now17: Pipe<Bits<11>>,
    class17: Class,
    decided18: Pipe<Decided>,
    base18: Pipe<Bits<29>>,
    added18: Pipe<Added>,
    excess18: Pipe<Bits<24>>,
    down18: Pipe<Bit>,
    rested18: Pipe<Bit>,
    now18: Pipe<Bits<11>>,
    decided19: Pipe<Decided>,
    base19: Pipe<Base>,
    added19: Pipe<Added>,
    #[new(2)]
    ratio: Div<39, 23, 16>,
    base30: Wait<Base>,
    loss: Mul<8, 16, 24>,
    factor30: Pipe<Bits<17>>,
    shrunk: Mul<28, 17, 45>,
    #[new(3)]
    base33: Delay<Base>,
    decided33: Wait<Decided>,
    class18: Class,
    base34: Pipe<Bits<29>>,
    added34: Wait<Added>,
    #[new(2)]
    quotient: Div<47, 29, 30>,
    start35: Pipe<Bits<31>>,
    start49: Wait<Bits<31>>,
    decided48: Wait<Decided>,
    decided49: Pipe<Decided>,
    class49: Class,
    decided50: Pipe<Decided>,
    sum50: Pipe<Bits<31>>,
    floor50: Pipe<Bits<14>>,
    ceiling50: Pipe<Bits<23>>,
    state51: Pipe<State>,
    kind51: Pipe<Bits<3>>,
    accepted51: Pipe<Bit>,
    case51: Pipe<Bits<4>>,
    entry: Signal<Local, Event>,
    was: Signal<Local, State>,
    is_ack: Signal<Local, Bit>,
    is_trim: Signal<Local, Bit>,
    is_timeout: Signal<Local, Bit>,
    touched: Signal<Local, Bit>,
    left: Signal<Local, Bits<25>>,
    achieved_sum: Signal<Local, Bits<25>>,
    received_sum: Signal<Local, Bits<25>>,
    calm_sum: Signal<Local, Bits<25>>,
    rest: Signal<Local, Bits<25>>,
    increase_sum: Signal<Local, Bits<35>>,
    counts: Signal<Local, Counted>,
    counted: Signal<Local, State>,
    count: Signal<Local, Counted>,
    held: Signal<Local, State>,
    finds: Signal<Local, Found>,
    count_15: Signal<Local, Counted>,
    held_15: Signal<Local, State>,
    found: Signal<Local, Found>,
    heeds: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    adapts: Signal<Local, Bit>,
    reacts: Signal<Local, Bit>,
    fair: Signal<Local, Bit>,
    up: Signal<Local, Bit>,
    choice: Signal<Local, Chosen>,
    count_16: Signal<Local, Counted>,
    held_16: Signal<Local, State>,
    chosen: Signal<Local, Chosen>,
    grown: Signal<Local, Bits<29>>,
    plan: Signal<Local, Decided>,
    opened: Signal<Local, Bits<11>>,
    base: Signal<Local, Bits<29>>,
    adds: Signal<Local, Added>,
    average: Signal<Local, Bits<32>>,
    plan_17: Signal<Local, Decided>,
    plan_18: Signal<Local, Decided>,
    due: Signal<Local, Bit>,
    settled: Signal<Local, Decided>,
    leaving: Signal<Local, Base>,
    kept_share: Signal<Local, Bits<25>>,
    before_30: Signal<Local, Base>,
    before_33: Signal<Local, Base>,
    less: Signal<Local, Bits<28>>,
    floor_33: Signal<Local, Bits<28>>,
    plan_33: Signal<Local, Decided>,
    adds_34: Signal<Local, Added>,
    plan_49: Signal<Local, Decided>,
    change: Signal<Local, Bits<31>>,
    plan_50: Signal<Local, Decided>,
    lowest: Signal<Local, Bits<31>>,
    highest: Signal<Local, Bits<31>>,
    bounded: Signal<Local, Bits<28>>,
    after: Signal<Local, State>,
    now_51: Signal<Local, State>,
    #[new(0xFFF_FFFF_u64.to_bits())]
    largest: Constant<Bits<29>>,
    #[new(0x100_0000_u64.to_bits())]
    whole: Constant<Bits<25>>,
}

impl<const A: usize> Logic for Window<A> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(
            self.run.*, self.run_14.*, self.run_15.*, self.run_16.*, self.run_17.*, self.run_18.*, self.run_19.*, self.run_29.*,
            self.run_34.*, self.run_42.*, self.run_50.* <- self.*: clk, rst, next_run,
        );
        wire!(
            self.event13.*, self.base30.*, self.decided33.*, self.added34.*, self.start49.*, self.decided48.*
            <- self.*: clk, rst,
        );
        wire!(
            self.class13.all_*, self.class14.all_*, self.class15.all_*, self.class17.all_*, self.class18.all_*,
            self.class49.all_* <- self.all_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );

        // Stage k is bit k - 2.
        self.live.reg = (self.live.q.val() << 1) | bit_cast::<50, 1>(self.in_live.val().into());
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<50, 1>(self.in_valid.val().into());

        // Stages 11 to 13: the state is read.
        self.read_id.delay = self.in_id.val();
        self.event13.en.next = self.run.q.val();
        self.event13.clocks.next = 12.into();
        self.event13.word.next = self.in_event.val();
        self.entry.next = self.event13.late.val();
        self.ram.read = self.read_id.q.val();
        self.state13.pipe = self.ram.rdata.val();

        // Stage 14: the sums with the event's bytes, and the times since.
        enable!(run_14.q);
        self.was.next = self.state13.q.val();
        self.is_ack.next = self.was.val().open & (self.entry.val().kind == 0);
        self.is_trim.next = self.was.val().open & (self.entry.val().kind == 1);
        self.is_timeout.next = self.was.val().open & (self.entry.val().kind == 2);
        self.touched.next = self.is_ack.val() | self.is_trim.val() | self.is_timeout.val();
        self.left.next =
            bit_cast::<25, 23>(self.was.val().ignore) - bit_cast::<25, 24>(self.entry.val().bytes);
        self.achieved_sum.next =
            bit_cast::<25, 20>(self.was.val().achieved) + bit_cast::<25, 24>(self.entry.val().bytes);
        self.received_sum.next =
            bit_cast::<25, 17>(self.was.val().received) + bit_cast::<25, 24>(self.entry.val().bytes);
        self.calm_sum.next =
            bit_cast::<25, 23>(self.was.val().calm) + bit_cast::<25, 24>(self.entry.val().bytes);
        self.rest.next = bit_cast::<25, 23>(self.was.val().cwnd.get_bits::<23>(5))
            - bit_cast::<25, 24>(self.entry.val().bytes);
        self.increase_sum.next =
            bit_cast::<35, 29>(self.was.val().increase) + bit_cast::<35, 34>(self.more.val());
        self.counts.next.ack = self.is_ack.val();
        self.counts.next.trim = self.is_trim.val();
        self.counts.next.timeout = self.is_timeout.val();
        self.counts.next.opening = self.entry.val().kind == 3;
        self.counts.next.closing = self.entry.val().kind == 4;
        self.counts.next.heeded = (self.is_ack.val() | self.is_trim.val()) & self.marks.val().valid;
        wire!(self.counts.next.* <- self.entry.val().*: kind, class, in_flight, now);
        self.counts.next.marked = self.entry.val().ecn | self.is_trim.val();
        wire!(self.counts.next.* <- self.marks.val().*: high, quiet);
        self.counts.next.asks = self.is_trim.val() | self.marks.val().late;
        self.counts.next.ahead = self.was.val().end + !self.entry.val().now;
        self.counts.next.since_decreased = self.entry.val().now.get_bits::<11>(0) - self.was.val().decreased;
        self.counts.next.since_adjusted = self.entry.val().now.get_bits::<11>(0) - self.was.val().adjusted;
        self.counts.next.lessened = self.rest.val().get_bits::<23>(0);
        self.counts.next.emptied = self.rest.val().get_bit(24);
        self.counts.next.count = if self.calm_sum.val().get_bits::<2>(23).any() {
            0x7F_FFFF.into()
        } else {
            self.calm_sum.val().get_bits::<23>(0)
        };
        self.counts.next.sum = if self.increase_sum.val().get_bits::<6>(29).any() {
            0x1FFF_FFFF.into()
        } else {
            self.increase_sum.val().get_bits::<29>(0)
        };
        self.counts.next.faster =
            bit_cast::<29, 28>(self.was.val().cwnd) + bit_cast::<29, 28>(self.fast.val());
        self.count14.pipe = self.counts.val();
        wire!(
            self.counted.next.* <- self.was.val().*:
            open, fresh, trigger, cwnd, calm, increase, end, decreased, adjusted, average,
        );
        self.counted.next.ignore = if !self.touched.val() {
            self.was.val().ignore
        } else if self.left.val().get_bit(24) {
            0.into()
        } else {
            self.left.val().get_bits::<23>(0)
        };
        self.counted.next.achieved = if !self.is_ack.val() {
            self.was.val().achieved
        } else if self.achieved_sum.val().get_bits::<5>(20).any() {
            0xF_FFFF.into()
        } else {
            self.achieved_sum.val().get_bits::<20>(0)
        };
        self.counted.next.received = if !self.is_ack.val() {
            self.was.val().received
        } else if self.received_sum.val().get_bits::<8>(17).any() {
            0x1_FFFF.into()
        } else {
            self.received_sum.val().get_bits::<17>(0)
        };
        self.state14.pipe = self.counted.val();
        self.class13.select.next = self.entry.val().class;
        self.period14.pipe = bit_cast::<12, 10>(self.class13.base_rtt.val().get_bits::<10>(0))
            + bit_cast::<12, 10>(self.class13.target_rtt.val().get_bits::<10>(0));
        // Stages 14 to 16: the old average times its share.
        self.average_product.mul = (self.was.val().average, self.kept.val());
        self.eta16.delay = self.eta.val();

        // Stage 15: comparisons.
        enable!(run_15.q);
        self.count.next = self.count14.q.val();
        self.held.next = self.state14.q.val();
        self.class14.select.next = self.count.val().class;
        self.finds.next.ignored =
            self.count.val().heeded & self.count.val().marked & self.held.val().ignore.any();
        self.finds.next.passed = self.held.val().fresh | (self.period14.q.val() <= self.count.val().ahead);
        self.finds.next.slow = self.held.val().achieved < self.class14.max_cwnd.val().get_bits::<20>(3);
        self.finds.next.fast =
            self.count.val().quiet & (self.held.val().cwnd.get_bits::<23>(5) < self.count.val().count);
        self.finds.next.rested = bit_cast::<11, 10>(self.class14.base_rtt.val().get_bits::<10>(0))
            < self.count.val().since_decreased;
        self.finds.next.elapsed = bit_cast::<11, 10>(self.class14.base_rtt.val().get_bits::<10>(0))
            <= self.count.val().since_adjusted;
        self.finds.next.enough = (bit_cast::<17, 14>(self.class14.mtu.val()) << 3) < self.held.val().received;
        self.finds.next.above = bit_cast::<24, 23>(self.class14.max_cwnd.val().get_bits::<23>(0))
            <= self.count.val().faster.get_bits::<24>(5);
        self.finds.next.little = self.held.val().achieved < bit_cast::<20, 14>(self.class14.mtu.val());
        self.found15.pipe = self.finds.val();
        self.count15.pipe = self.count.val();
        self.state15.pipe = self.held.val();
        self.period15.pipe = self.period14.q.val();

        // Stage 16: what the event does; the windows that it may leave.
        enable!(run_16.q);
        self.count_15.next = self.count15.q.val();
        self.held_15.next = self.state15.q.val();
        self.found.next = self.found15.q.val();
        self.class15.select.next = self.count_15.val().class;
        self.heeds.next = self.count_15.val().heeded & !self.found.val().ignored;
        self.over.next = self.heeds.val() & self.found.val().passed;
        self.adapts.next = self.over.val()
            & !self.held_15.val().fresh
            & (self.held_15.val().trigger | self.count_15.val().asks)
            & self.found.val().slow;
        self.reacts.next = self.heeds.val() & self.count_15.val().ack & !self.adapts.val();
        self.fair.next = self.reacts.val() & !self.count_15.val().marked & self.count_15.val().high;
        self.up.next = self.reacts.val() & !self.count_15.val().marked & !self.count_15.val().high;
        wire!(self.choice.next.* <- self.found.val().*: ignored, rested, elapsed);
        self.choice.next.over = self.over.val();
        self.choice.next.adapted = self.adapts.val();
        self.choice.next.lost =
            self.count_15.val().timeout | (self.count_15.val().trim & self.heeds.val() & !self.adapts.val());
        self.choice.next.reacts = self.reacts.val();
        self.choice.next.fair = self.fair.val();
        self.choice.next.up = self.up.val();
        self.choice.next.fast = self.up.val() & self.found.val().fast;
        self.choice.next.down = self.reacts.val() & self.count_15.val().marked & self.count_15.val().high;
        self.choice.next.adjusts = self.reacts.val() & (self.found.val().elapsed | self.found.val().enough);
        self.chosen16.pipe = self.choice.val();
        self.count16.pipe = self.count_15.val();
        self.state16.pipe = self.held_15.val();
        self.end16.pipe = self.count_15.val().now + self.period15.q.val();
        self.reached16.pipe = if self.found.val().little {
            bit_cast::<23, 14>(self.class15.mtu.val())
        } else {
            bit_cast::<23, 20>(self.held_15.val().achieved)
        };
        self.lessened16.pipe = if self.count_15.val().emptied {
            0.into()
        } else {
            (bit_cast::<28, 23>(self.count_15.val().lessened) << 5)
                | bit_cast::<28, 5>(self.held_15.val().cwnd.get_bits::<5>(0))
        };
        self.faster16.pipe = if self.found.val().above {
            bit_cast::<29, 23>(self.class15.max_cwnd.val().get_bits::<23>(0)) << 5
        } else {
            self.count_15.val().faster
        };

        // Stage 17: all but the decrease and the adjustment.
        enable!(run_17.q);
        self.count_16.next = self.count16.q.val();
        self.held_16.next = self.state16.q.val();
        self.chosen.next = self.chosen16.q.val();
        self.grown.next = if self.chosen.val().fair | (self.chosen.val().up & !self.chosen.val().fast) {
            self.count_16.val().sum
        } else {
            self.held_16.val().increase
        };
        self.adds.next.increase = if self.chosen.val().adjusts { self.grown.val() } else { 0.into() };
        self.adds.next.eta =
            if self.chosen.val().reacts & self.chosen.val().elapsed { self.eta16.q.val() } else { 0.into() };
        wire!(self.plan.next.* <- self.count_16.val().*: kind, class);
        self.plan.next.accepted = self.count_16.val().ack
            | self.count_16.val().trim
            | self.count_16.val().timeout
            | self.count_16.val().opening
            | (self.count_16.val().closing & self.held_16.val().open);
        self.plan.next.bounded = self.count_16.val().ack
            | self.count_16.val().trim
            | self.count_16.val().timeout
            | self.count_16.val().opening;
        self.plan.next.reacts = self.chosen.val().reacts;
        self.plan.next.case_code = 0.into();
        if self.chosen.val().adapted {
            self.plan.next.case_code = 9.into();
        } else if self.chosen.val().ignored {
            self.plan.next.case_code = 7.into();
        } else if self.chosen.val().lost {
            self.plan.next.case_code = 8.into();
        } else if self.chosen.val().fair {
            self.plan.next.case_code = 3.into();
        } else if self.chosen.val().fast {
            self.plan.next.case_code = 10.into();
        } else if self.chosen.val().up {
            self.plan.next.case_code = 4.into();
        } else if self.chosen.val().reacts {
            self.plan.next.case_code = 5.into();
        }
        self.plan.next.open = self.held_16.val().open;
        self.plan.next.fresh = self.held_16.val().fresh & !self.chosen.val().over;
        self.plan.next.trigger =
            (self.held_16.val().trigger | self.count_16.val().trim) & !self.chosen.val().adapted;
        self.plan.next.ignore =
            if self.chosen.val().adapted { self.count_16.val().in_flight } else { self.held_16.val().ignore };
        self.plan.next.achieved = if self.chosen.val().over { 0.into() } else { self.held_16.val().achieved };
        self.plan.next.end = if self.chosen.val().over { self.end16.q.val() } else { self.held_16.val().end };
        self.plan.next.calm = if self.chosen.val().fast {
            0x7F_FFFF.into()
        } else if self.chosen.val().up & self.count_16.val().quiet {
            self.count_16.val().count
        } else if self.chosen.val().up | self.chosen.val().down {
            0.into()
        } else {
            self.held_16.val().calm
        };
        self.plan.next.received = self.held_16.val().received;
        self.plan.next.increase = self.grown.val();
        if self.chosen.val().adapted | self.chosen.val().ignored | self.chosen.val().adjusts {
            self.plan.next.received = 0.into();
            self.plan.next.increase = 0.into();
        }
        self.plan.next.decreased = self.held_16.val().decreased;
        self.plan.next.adjusted = if self.chosen.val().reacts & self.chosen.val().elapsed {
            self.count_16.val().now.get_bits::<11>(0)
        } else {
            self.held_16.val().adjusted
        };
        self.average.next =
            self.average_product.p.val() + ((bit_cast::<32, 20>(self.newest.val()) << 11) | 128);
        self.plan.next.average = if self.count_16.val().heeded {
            self.average.val().get_bits::<23>(8)
        } else {
            self.held_16.val().average
        };
        self.base.next = if self.chosen.val().adapted {
            bit_cast::<29, 23>(self.reached16.q.val()) << 5
        } else if self.chosen.val().lost {
            bit_cast::<29, 28>(self.lessened16.q.val())
        } else if self.chosen.val().fast {
            self.faster16.q.val()
        } else {
            bit_cast::<29, 28>(self.held_16.val().cwnd)
        };
        self.opened.next =
            if self.count_16.val().opening { self.count_16.val().now.get_bits::<11>(0) } else { 0.into() };
        if self.count_16.val().opening | self.count_16.val().closing {
            // The largest window that there is, which the bounds cut.
            self.base.next = if self.count_16.val().opening { self.largest.val() } else { 0.into() };
            self.plan.next.open = self.count_16.val().opening;
            self.plan.next.fresh = self.count_16.val().opening;
            self.plan.next.trigger = false;
            self.plan.next.ignore = 0.into();
            self.plan.next.achieved = 0.into();
            self.plan.next.received = 0.into();
            self.plan.next.calm = 0.into();
            self.plan.next.increase = 0.into();
            self.plan.next.end = 0.into();
            self.plan.next.decreased = self.opened.val();
            self.plan.next.adjusted = self.opened.val();
            self.plan.next.average = 0.into();
        }
        self.decided17.pipe = self.plan.val();
        self.base17.pipe = self.base.val();
        self.added17.pipe = self.adds.val();
        self.down17.pipe = self.chosen.val().down;
        self.rested17.pipe = self.chosen.val().rested;
        self.now17.pipe = self.count_16.val().now.get_bits::<11>(0);

        // Stage 18: the average above the target, below 0 with its highest bit.
        enable!(run_18.q);
        self.plan_17.next = self.decided17.q.val();
        self.class17.select.next = self.plan_17.val().class;
        self.excess18.pipe = bit_cast::<24, 23>(self.plan_17.val().average)
            - (bit_cast::<24, 10>(self.class17.target_rtt.val().get_bits::<10>(0)) << 11);
        self.decided18.pipe = self.plan_17.val();
        self.base18.pipe = self.base17.q.val();
        self.added18.pipe = self.added17.q.val();
        self.down18.pipe = self.down17.q.val();
        self.rested18.pipe = self.rested17.q.val();
        self.now18.pipe = self.now17.q.val();

        // Stage 19: all but the window. Stages 19 to 26: the share of the excess in the average.
        enable!(run_19.q);
        self.plan_18.next = self.decided18.q.val();
        self.due.next = self.down18.q.val()
            & self.rested18.q.val()
            & !self.excess18.q.val().get_bit(23)
            & self.excess18.q.val().any();
        self.ratio.div =
            (bit_cast::<39, 23>(self.excess18.q.val().get_bits::<23>(0)) << 16, self.plan_18.val().average);
        self.ratio.en_late.next = self.run_18.q.val();
        wire!(
            self.settled.next.* <- self.plan_18.val().*:
            kind, class, accepted, case_code, bounded, reacts, open, fresh, trigger, ignore, achieved, received, calm,
            increase, end, decreased, adjusted, average,
        );
        if self.due.val() {
            self.settled.next.case_code = 2.into();
            self.settled.next.decreased = self.now18.q.val();
        }
        self.decided19.pipe = self.settled.val();
        self.class18.select.next = self.plan_18.val().class;
        self.leaving.next.due = self.due.val();
        self.leaving.next.floor = self.class18.mtu.val();
        self.leaving.next.cwnd = self.base18.q.val();
        self.base19.pipe = self.leaving.val();
        self.added19.pipe = self.added18.q.val();
        self.base30.en.next = self.run_18.q.val();
        self.base30.clocks.next = 11.into();
        self.base30.word.next = self.base19.q.val();
        self.decided33.en.next = self.run_18.q.val();
        self.decided33.clocks.next = 14.into();
        self.decided33.word.next = self.decided19.q.val();
        self.added34.en.next = self.run_18.q.val();
        self.added34.clocks.next = 15.into();
        self.added34.word.next = self.added19.q.val();

        // Stages 27 to 29: times gamma. Stage 30: the part of the window that is left, at least a half. Stages 31 to 33: the
        // window times this part.
        enable!(run_29.q);
        self.loss.mul = (self.gamma.val(), self.ratio.q.val());
        self.kept_share.next = self.whole.val() - bit_cast::<25, 24>(self.loss.p.val());
        self.factor30.pipe = if self.kept_share.val().get_bits::<2>(23).any() {
            self.kept_share.val().get_bits::<17>(8)
        } else {
            0x8000.into()
        };
        self.before_30.next = self.base30.late.val();
        self.shrunk.mul = (self.before_30.val().cwnd.get_bits::<28>(0), self.factor30.q.val());
        self.base33.delay = self.before_30.val();

        // Stage 34: the window before the adjustment.
        enable!(run_34.q);
        self.plan_33.next = self.decided33.late.val();
        self.before_33.next = self.base33.q.val();
        self.less.next = self.shrunk.p.val().get_bits::<28>(16);
        self.floor_33.next = bit_cast::<28, 14>(self.before_33.val().floor) << 5;
        self.base34.pipe = if !self.before_33.val().due {
            self.before_33.val().cwnd
        } else if self.less.val() < self.floor_33.val() {
            bit_cast::<29, 28>(self.floor_33.val())
        } else {
            bit_cast::<29, 28>(self.less.val())
        };
        self.decided48.en.next = self.run_34.q.val();
        self.decided48.clocks.next = 15.into();
        self.decided48.word.next = self.plan_33.val();

        // Stages 35 to 49: the increase over the window.
        self.adds_34.next = self.added34.late.val();
        self.quotient.div = (bit_cast::<47, 29>(self.adds_34.val().increase) << 18, self.base34.q.val());
        self.quotient.en_late.next = self.run_42.q.val();
        self.start35.pipe =
            bit_cast::<31, 29>(self.base34.q.val()) + bit_cast::<31, 25>(self.adds_34.val().eta);
        self.start49.en.next = self.run_34.q.val();
        self.start49.clocks.next = 14.into();
        self.start49.word.next = self.start35.q.val();
        self.decided49.pipe = self.decided48.late.val();

        // Stage 50: the window, and its bounds.
        enable!(run_50.q);
        self.plan_49.next = self.decided49.q.val();
        self.class49.select.next = self.plan_49.val().class;
        self.change.next = 0.into();
        if self.plan_49.val().reacts {
            self.change.next = bit_cast::<31, 30>(self.quotient.q.val());
        }
        self.sum50.pipe = self.start49.late.val() + self.change.val();
        self.floor50.pipe = self.class49.mtu.val();
        self.ceiling50.pipe =
            if self.class49.max_cwnd.val().get_bits::<23>(0) < bit_cast::<23, 14>(self.class49.mtu.val()) {
                bit_cast::<23, 14>(self.class49.mtu.val())
            } else {
                self.class49.max_cwnd.val().get_bits::<23>(0)
            };
        self.decided50.pipe = self.plan_49.val();

        // Stage 51: the window within its bounds.
        self.plan_50.next = self.decided50.q.val();
        self.lowest.next = bit_cast::<31, 14>(self.floor50.q.val()) << 5;
        self.highest.next = bit_cast::<31, 23>(self.ceiling50.q.val()) << 5;
        self.bounded.next = if !self.plan_50.val().bounded {
            self.sum50.q.val().get_bits::<28>(0)
        } else if self.sum50.q.val() < self.lowest.val() {
            self.lowest.val().get_bits::<28>(0)
        } else if self.highest.val() < self.sum50.q.val() {
            self.highest.val().get_bits::<28>(0)
        } else {
            self.sum50.q.val().get_bits::<28>(0)
        };
        wire!(
            self.after.next.* <- self.plan_50.val().*:
            open, fresh, trigger, ignore, achieved, received, calm, increase, end, decreased, adjusted, average,
        );
        self.after.next.cwnd = self.bounded.val();
        self.state51.pipe = self.after.val();
        self.kind51.pipe = self.plan_50.val().kind;
        self.accepted51.pipe = self.plan_50.val().accepted;
        self.case51.pipe = self.plan_50.val().case_code;

        // Stage 52: written; two stages more until a read finds it.
        self.write_id.delay = self.read_id.q.val();
        self.ram.write = when(
            self.run.q.val() & self.live.q.val().get_bit(49),
            (self.write_id.q.val(), self.state51.q.val()),
        );
        self.now_51.next = self.state51.q.val();
        self.valid.next = self.valids.q.val().get_bit(49);
        self.id.next = self.write_id.q.val();
        self.kind.next = self.kind51.q.val();
        self.accepted.next = self.accepted51.q.val();
        self.case_code.next = self.case51.q.val();
        self.cwnd.next = self.now_51.val().cwnd.get_bits::<23>(5);
    }
}
