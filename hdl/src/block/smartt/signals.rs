//! `weft_smartt_signals`: the congestion that an event signals, and the bytes that an acknowledged byte adds.
//! No signal here depends on the connection.
//!
//! Stage 2 picks the class, 3 and 4 compare, 5 to 21 divide, 22 to 24 multiply, 25 adds.

use super::class::Class;
use super::words::Event;
use crate::prelude::*;

/// The congestion that an event signals, and the bytes that an acknowledged byte adds. No signal here depends
/// on the connection. Stage 2 picks the class, 3 and 4 compare, 5 to 21 divide, 22 to 24 multiply, 25 adds.
/// The outputs belong to the event of 24 clocks before; all are registers.
#[derive(LogicBlock, BlockDefault)]
pub struct Signals {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 1: RTT of the event.
    pub in_rtt: Signal<In, Bits<16>>,
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
    /// CSR: multiplicative-decrease constant, 2^-4.
    pub multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR: which signals count.
    pub signals: Signal<In, Bits<2>>,
    /// The packet is marked, and marks count.
    pub marked: Signal<Out, Bit>,
    /// RTT above the target.
    pub high: Signal<Out, Bit>,
    /// Neither marked nor delayed, and FastIncrease is on.
    pub quiet: Signal<Out, Bit>,
    /// Multiplicative increase times the window, 2^-10 bytes.
    pub multiplicative: Signal<Out, Bits<35>>,
    /// Multiplicative and fair increase times the window, 2^-10 bytes.
    pub increase: Signal<Out, Bits<36>>,
    /// Fair increase times the window, 2^-10 bytes.
    pub fair: Signal<Out, Bits<30>>,
    /// Multiplicative decrease, 2^-33; at most 1.
    pub decrease: Signal<Out, Bits<34>>,

    run: Enable,
    run_5: Enable,
    early: Class,
    late: Class,
    last: Class,
    s2_base: Pipe<Bits<16>>,
    s2_target: Pipe<Bits<16>>,
    s2_fast: Pipe<Bits<16>>,
    s2_rtt: Pipe<Bits<16>>,
    s2_ecn: Pipe<Bit>,
    s3_target: Pipe<Bits<16>>,
    s3_rtt: Pipe<Bits<16>>,
    s3_ecn: Pipe<Bit>,
    s3_quiet: Pipe<Bit>,
    s4_rtt: Pipe<Bits<16>>,
    s4_delay: Pipe<Bits<16>>,
    s4_marks: Pipe<Bits<3>>,
    #[new(2)]
    ratio: Div<49, 16, 34>,
    gain: Mul<32, 34, 66>,
    loss: Mul<8, 34, 42>,
    #[new(20)]
    class_line: Delay<Bits<2>>,
    #[new(3)]
    last_line: Delay<Bits<2>>,
    #[new(21)]
    marks_line: Delay<Bits<3>>,
    s25_multiplicative: Pipe<Bits<35>>,
    s25_increase: Pipe<Bits<36>>,
    s25_fair: Pipe<Bits<30>>,
    s25_decrease: Pipe<Bits<34>>,
    measured: Signal<Local, Bits<16>>,
    counted: Signal<Local, Bits<16>>,
    is_quiet: Signal<Local, Bit>,
    is_high: Signal<Local, Bit>,
    distance: Signal<Local, Bits<16>>,
    is_marked: Signal<Local, Bit>,
    gained: Signal<Local, Bits<35>>,
    lost: Signal<Local, Bits<38>>,
    limited: Signal<Local, Bits<34>>,
    single: Signal<Local, Bit>,
    #[new(0x2_0000_0000_u64.to_bits())]
    one: Constant<Bits<34>>,
}

impl Logic for Signals {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_5.* <- self.*: clk, rst, next_run);
        self.single.next = (self.signals.val() == 1) | (self.signals.val() == 2);

        // Stage 2: the constants of the class.
        self.early.select.next = self.in_event.val().class;
        wire!(
            self.early.all_*, self.late.all_*, self.last.all_* <- self.all_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );
        self.s2_base.pipe = self.early.base_rtt.val();
        self.s2_target.pipe = self.early.target_rtt.val();
        self.s2_fast.pipe = self.early.fast_rtt.val();
        self.s2_rtt.pipe = self.in_rtt.val();
        self.s2_ecn.pipe = self.in_event.val().ecn;

        // Stage 3: the RTT that counts.
        self.measured.next = if self.s2_rtt.q.val() < self.s2_base.q.val() {
            self.s2_base.q.val()
        } else {
            self.s2_rtt.q.val()
        };
        self.counted.next =
            if self.signals.val() == 1 { self.s2_target.q.val() } else { self.measured.val() };
        self.is_quiet.next = !self.s2_ecn.q.val()
            & !self.single.val()
            & (self.s2_rtt.q.val() <= self.s2_fast.q.val())
            & (self.s2_base.q.val() <= self.s2_fast.q.val());
        self.s3_target.pipe = self.s2_target.q.val();
        self.s3_rtt.pipe = self.counted.val();
        self.s3_ecn.pipe = self.s2_ecn.q.val();
        self.s3_quiet.pipe = self.is_quiet.val();

        // Stage 4: its distance to the target.
        self.is_high.next = self.s3_target.q.val() < self.s3_rtt.q.val();
        self.distance.next = if self.is_high.val() {
            self.s3_rtt.q.val() - self.s3_target.q.val()
        } else {
            self.s3_target.q.val() - self.s3_rtt.q.val()
        };
        self.is_marked.next = if self.signals.val() == 2 { self.is_high.val() } else { self.s3_ecn.q.val() };
        self.s4_rtt.pipe = self.s3_rtt.q.val();
        self.s4_delay.pipe = self.distance.val();
        self.s4_marks.pipe = bit_cast::<3, 1>(self.is_marked.val().into())
            | (bit_cast::<3, 1>(self.is_high.val().into()) << 1)
            | (bit_cast::<3, 1>(self.s3_quiet.q.val().into()) << 2);

        // Stages 5 to 21: distance over RTT in 2^-33.
        self.ratio.div =
            when(self.run_5.q.val(), (bit_cast::<49, 16>(self.s4_delay.q.val()) << 33, self.s4_rtt.q.val()));
        self.class_line.delay = self.in_event.val().class;

        // Stages 22 to 24: times the constants of the class.
        self.late.select.next = self.class_line.q.val();
        self.gain.mul = (self.late.multiplicative_increase.val(), self.ratio.q.val());
        self.loss.mul = (self.multiplicative_decrease.val(), self.ratio.q.val());

        // Stage 25: together.
        self.last_line.delay = self.class_line.q.val();
        self.last.select.next = self.last_line.q.val();
        self.gained.next = self.gain.p.val().get_bits::<35>(31);
        self.lost.next = self.loss.p.val().get_bits::<38>(4);
        self.limited.next = if bit_cast::<38, 34>(self.one.val()) < self.lost.val() {
            self.one.val()
        } else {
            self.lost.val().get_bits::<34>(0)
        };
        self.s25_multiplicative.pipe = self.gained.val();
        self.s25_increase.pipe =
            bit_cast::<36, 35>(self.gained.val()) + bit_cast::<36, 30>(self.last.fair_increase.val());
        self.s25_fair.pipe = self.last.fair_increase.val();
        self.s25_decrease.pipe = self.limited.val();
        self.marks_line.delay = self.s4_marks.q.val();

        self.marked.next = self.marks_line.q.val().get_bit(0);
        self.high.next = self.marks_line.q.val().get_bit(1);
        self.quiet.next = self.marks_line.q.val().get_bit(2);
        self.multiplicative.next = self.s25_multiplicative.q.val();
        self.increase.next = self.s25_increase.q.val();
        self.fair.next = self.s25_fair.q.val();
        self.decrease.next = self.s25_decrease.q.val();
    }
}
