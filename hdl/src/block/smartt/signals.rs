//! `weft_smartt_signals`: what an event says about congestion, and what that makes of an acknowledged
//! byte. Nothing here depends on the connection.
//!
//! Stage 2 picks the class, 3 and 4 compare, 5 to 21 divide, 22 to 24 multiply, 25 adds.

use super::class::Class;
use super::words::Event;
use crate::prelude::*;

/// What an event says about congestion, and what that makes of an acknowledged byte. Nothing here depends on
/// the connection. Stage 2 picks the class, 3 and 4 compare, 5 to 21 divide, 22 to 24 multiply, 25 adds. The
/// outputs belong to the event of 24 clocks before; all are registers.
#[derive(LogicBlock)]
pub struct Signals {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// Stage 1: the event.
    pub in_event: Signal<In, Event>,
    /// Stage 1: its RTT.
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
    /// CSR: four classes. Largest RTT that FastIncrease takes for the base RTT, ticks.
    pub all_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub all_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub all_fair_increase: Signal<In, Bits<120>>,
    /// CSR: multiplicative-decrease constant, 2^-4.
    pub multiplicative_decrease: Signal<In, Bits<8>>,
    /// CSR: MTUs that FastIncrease adds.
    pub fast_mtus: Signal<In, Bits<4>>,
    /// CSR: which signals count.
    pub signals: Signal<In, Bits<2>>,
    /// Marked, as far as marks count.
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
    /// Bytes that FastIncrease adds.
    pub fast_bytes: Signal<Out, Bits<18>>,

    early: Class,
    late: Class,
    s2_base: Pipe<Bits<16>>,
    s2_target: Pipe<Bits<16>>,
    s2_fast: Pipe<Bits<16>>,
    s2_mtu: Pipe<Bits<14>>,
    s2_rtt: Pipe<Bits<16>>,
    s2_ecn: Pipe<Bit>,
    s3_target: Pipe<Bits<16>>,
    s3_rtt: Pipe<Bits<16>>,
    s3_ecn: Pipe<Bit>,
    s3_quiet: Pipe<Bit>,
    s4_rtt: Pipe<Bits<16>>,
    s4_delay: Pipe<Bits<16>>,
    s4_marks: Pipe<Bits<3>>,
    fast_step: Mul<14, 4, 18>,
    ratio: Div<49, 16, 34>,
    gain: Mul<32, 34, 66>,
    loss: Mul<8, 34, 42>,
    class_line: Delay<Bits<2>>,
    fair_line: Delay<Bits<30>>,
    marks_line: Delay<Bits<3>>,
    fast_line: Delay<Bits<18>>,
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
    one: Constant<Bits<34>>,
}

impl Default for Signals {
    fn default() -> Self {
        Signals {
            clk: Default::default(),
            run: Default::default(),
            in_event: Default::default(),
            in_rtt: Default::default(),
            all_mtu: Default::default(),
            all_max_cwnd: Default::default(),
            all_fair_decrease: Default::default(),
            all_base_rtt: Default::default(),
            all_target_rtt: Default::default(),
            all_fast_rtt: Default::default(),
            all_multiplicative_increase: Default::default(),
            all_fair_increase: Default::default(),
            multiplicative_decrease: Default::default(),
            fast_mtus: Default::default(),
            signals: Default::default(),
            marked: Default::default(),
            high: Default::default(),
            quiet: Default::default(),
            multiplicative: Default::default(),
            increase: Default::default(),
            fair: Default::default(),
            decrease: Default::default(),
            fast_bytes: Default::default(),
            early: Default::default(),
            late: Default::default(),
            s2_base: Default::default(),
            s2_target: Default::default(),
            s2_fast: Default::default(),
            s2_mtu: Default::default(),
            s2_rtt: Default::default(),
            s2_ecn: Default::default(),
            s3_target: Default::default(),
            s3_rtt: Default::default(),
            s3_ecn: Default::default(),
            s3_quiet: Default::default(),
            s4_rtt: Default::default(),
            s4_delay: Default::default(),
            s4_marks: Default::default(),
            fast_step: Default::default(),
            ratio: Div::new(2),
            gain: Default::default(),
            loss: Default::default(),
            class_line: Delay::new(20),
            fair_line: Delay::new(3),
            marks_line: Delay::new(21),
            fast_line: Delay::new(20),
            s25_multiplicative: Default::default(),
            s25_increase: Default::default(),
            s25_fair: Default::default(),
            s25_decrease: Default::default(),
            measured: Default::default(),
            counted: Default::default(),
            is_quiet: Default::default(),
            is_high: Default::default(),
            distance: Default::default(),
            is_marked: Default::default(),
            gained: Default::default(),
            lost: Default::default(),
            limited: Default::default(),
            single: Default::default(),
            one: Constant::new(0x2_0000_0000_u64.to_bits()),
        }
    }
}

impl Logic for Signals {
    #[hdl_gen]
    fn update(&mut self) {
        self.single.next = (self.signals.val() == 1) | (self.signals.val() == 2);

        // Stage 2: the constants of the class.
        self.early.select.next = self.in_event.val().class;
        self.early.all_mtu.next = self.all_mtu.val();
        self.early.all_max_cwnd.next = self.all_max_cwnd.val();
        self.early.all_fair_decrease.next = self.all_fair_decrease.val();
        self.early.all_base_rtt.next = self.all_base_rtt.val();
        self.early.all_target_rtt.next = self.all_target_rtt.val();
        self.early.all_fast_rtt.next = self.all_fast_rtt.val();
        self.early.all_multiplicative_increase.next = self.all_multiplicative_increase.val();
        self.early.all_fair_increase.next = self.all_fair_increase.val();
        self.s2_base.clk.next = self.clk.val();
        self.s2_base.en.next = self.run.val();
        self.s2_base.d.next = self.early.base_rtt.val();
        self.s2_target.clk.next = self.clk.val();
        self.s2_target.en.next = self.run.val();
        self.s2_target.d.next = self.early.target_rtt.val();
        self.s2_fast.clk.next = self.clk.val();
        self.s2_fast.en.next = self.run.val();
        self.s2_fast.d.next = self.early.fast_rtt.val();
        self.s2_mtu.clk.next = self.clk.val();
        self.s2_mtu.en.next = self.run.val();
        self.s2_mtu.d.next = self.early.mtu.val();
        self.s2_rtt.clk.next = self.clk.val();
        self.s2_rtt.en.next = self.run.val();
        self.s2_rtt.d.next = self.in_rtt.val();
        self.s2_ecn.clk.next = self.clk.val();
        self.s2_ecn.en.next = self.run.val();
        self.s2_ecn.d.next = self.in_event.val().ecn;

        // Stage 3: the RTT that counts.
        self.measured.next = self.s2_rtt.q.val();
        if self.s2_rtt.q.val() < self.s2_base.q.val() {
            self.measured.next = self.s2_base.q.val();
        }
        self.counted.next = self.measured.val();
        if self.signals.val() == 1 {
            self.counted.next = self.s2_target.q.val();
        }
        self.is_quiet.next = !self.s2_ecn.q.val()
            & !self.single.val()
            & (self.s2_rtt.q.val() <= self.s2_fast.q.val())
            & (self.s2_base.q.val() <= self.s2_fast.q.val());
        self.s3_target.clk.next = self.clk.val();
        self.s3_target.en.next = self.run.val();
        self.s3_target.d.next = self.s2_target.q.val();
        self.s3_rtt.clk.next = self.clk.val();
        self.s3_rtt.en.next = self.run.val();
        self.s3_rtt.d.next = self.counted.val();
        self.s3_ecn.clk.next = self.clk.val();
        self.s3_ecn.en.next = self.run.val();
        self.s3_ecn.d.next = self.s2_ecn.q.val();
        self.s3_quiet.clk.next = self.clk.val();
        self.s3_quiet.en.next = self.run.val();
        self.s3_quiet.d.next = self.is_quiet.val();
        self.fast_step.clk.next = self.clk.val();
        self.fast_step.en.next = self.run.val();
        self.fast_step.a.next = self.s2_mtu.q.val();
        self.fast_step.b.next = self.fast_mtus.val();

        // Stage 4: its distance to the target.
        self.is_high.next = self.s3_target.q.val() < self.s3_rtt.q.val();
        self.distance.next = self.s3_target.q.val() - self.s3_rtt.q.val();
        if self.is_high.val() {
            self.distance.next = self.s3_rtt.q.val() - self.s3_target.q.val();
        }
        self.is_marked.next = self.s3_ecn.q.val();
        if self.signals.val() == 2 {
            self.is_marked.next = self.is_high.val();
        }
        self.s4_rtt.clk.next = self.clk.val();
        self.s4_rtt.en.next = self.run.val();
        self.s4_rtt.d.next = self.s3_rtt.q.val();
        self.s4_delay.clk.next = self.clk.val();
        self.s4_delay.en.next = self.run.val();
        self.s4_delay.d.next = self.distance.val();
        self.s4_marks.clk.next = self.clk.val();
        self.s4_marks.en.next = self.run.val();
        self.s4_marks.d.next = bit_cast::<3, 1>(self.is_marked.val().into())
            | (bit_cast::<3, 1>(self.is_high.val().into()) << 1)
            | (bit_cast::<3, 1>(self.s3_quiet.q.val().into()) << 2);

        // Stages 5 to 21: distance over RTT in 2^-33.
        self.ratio.clk.next = self.clk.val();
        self.ratio.en.next = self.run.val();
        self.ratio.num.next = bit_cast::<49, 16>(self.s4_delay.q.val()) << 33;
        self.ratio.den.next = self.s4_rtt.q.val();
        self.class_line.clk.next = self.clk.val();
        self.class_line.en.next = self.run.val();
        self.class_line.d.next = self.in_event.val().class;

        // Stages 22 to 24: times the constants of the class.
        self.late.select.next = self.class_line.q.val();
        self.late.all_mtu.next = self.all_mtu.val();
        self.late.all_max_cwnd.next = self.all_max_cwnd.val();
        self.late.all_fair_decrease.next = self.all_fair_decrease.val();
        self.late.all_base_rtt.next = self.all_base_rtt.val();
        self.late.all_target_rtt.next = self.all_target_rtt.val();
        self.late.all_fast_rtt.next = self.all_fast_rtt.val();
        self.late.all_multiplicative_increase.next = self.all_multiplicative_increase.val();
        self.late.all_fair_increase.next = self.all_fair_increase.val();
        self.gain.clk.next = self.clk.val();
        self.gain.en.next = self.run.val();
        self.gain.a.next = self.late.multiplicative_increase.val();
        self.gain.b.next = self.ratio.q.val();
        self.loss.clk.next = self.clk.val();
        self.loss.en.next = self.run.val();
        self.loss.a.next = self.multiplicative_decrease.val();
        self.loss.b.next = self.ratio.q.val();
        self.fair_line.clk.next = self.clk.val();
        self.fair_line.en.next = self.run.val();
        self.fair_line.d.next = self.late.fair_increase.val();

        // Stage 25: together.
        self.gained.next = self.gain.p.val().get_bits::<35>(31);
        self.lost.next = self.loss.p.val().get_bits::<38>(4);
        self.limited.next = self.lost.val().get_bits::<34>(0);
        if bit_cast::<38, 34>(self.one.val()) < self.lost.val() {
            self.limited.next = self.one.val();
        }
        self.s25_multiplicative.clk.next = self.clk.val();
        self.s25_multiplicative.en.next = self.run.val();
        self.s25_multiplicative.d.next = self.gained.val();
        self.s25_increase.clk.next = self.clk.val();
        self.s25_increase.en.next = self.run.val();
        self.s25_increase.d.next =
            bit_cast::<36, 35>(self.gained.val()) + bit_cast::<36, 30>(self.fair_line.q.val());
        self.s25_fair.clk.next = self.clk.val();
        self.s25_fair.en.next = self.run.val();
        self.s25_fair.d.next = self.fair_line.q.val();
        self.s25_decrease.clk.next = self.clk.val();
        self.s25_decrease.en.next = self.run.val();
        self.s25_decrease.d.next = self.limited.val();
        self.marks_line.clk.next = self.clk.val();
        self.marks_line.en.next = self.run.val();
        self.marks_line.d.next = self.s4_marks.q.val();
        self.fast_line.clk.next = self.clk.val();
        self.fast_line.en.next = self.run.val();
        self.fast_line.d.next = self.fast_step.p.val();

        self.marked.next = self.marks_line.q.val().get_bit(0);
        self.high.next = self.marks_line.q.val().get_bit(1);
        self.quiet.next = self.marks_line.q.val().get_bit(2);
        self.multiplicative.next = self.s25_multiplicative.q.val();
        self.increase.next = self.s25_increase.q.val();
        self.fair.next = self.s25_fair.q.val();
        self.decrease.next = self.s25_decrease.q.val();
        self.fast_bytes.next = self.fast_line.q.val();
    }
}
