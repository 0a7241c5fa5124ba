//! `weft_nscc_signals`: the delay of an event and the increases that follow from it. No signal here depends
//! on the connection.

use super::words::{Event, Marks};
use crate::block::smartt::class::Class;
use crate::prelude::*;

/// The delay of an event and the increases that follow from it. No signal here depends on the connection.
/// Stages 2 to 5 compare, 5 to 9 make the gain of a byte, 10 to 13 multiply by the bytes. The outputs belong
/// to the event of 12 clocks before; all are registers.
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
    /// CSR: weight of the newest packet in the average, 2^-8.
    pub wtd_alpha: Signal<In, Bits<8>>,
    /// CSR: weights of the newest 2 to 16 packets, 2^-8.
    pub wtd_alphas: Signal<In, Bits<120>>,
    /// CSR: growth of a period, 2^-12 of the fair increase.
    pub eta_share: Signal<In, Bits<8>>,
    /// CSR: a delay above four targets lets QuickAdapt set the window.
    pub by_delay: Signal<In, Bit>,
    /// Comparisons of the delay.
    pub marks: Signal<Out, Marks>,
    /// Addition of the bytes to the increase, 2^8 square bytes.
    pub more: Signal<Out, Bits<34>>,
    /// Addition of fast increase to the window, 2^-5 bytes.
    pub fast: Signal<Out, Bits<28>>,
    /// Addition of a period to the window, 2^-5 bytes.
    pub eta: Signal<Out, Bits<25>>,
    /// The delay times its weight, 2^-8 ticks; belongs to the event of 15 clocks before.
    pub newest: Signal<Out, Bits<20>>,
    /// Share of the old average, 2^-8.
    pub kept: Signal<Out, Bits<9>>,

    run: Enable,
    run_9: Enable,
    early: Class,
    #[new(3)]
    class_line: Delay<Bits<2>>,
    late: Class,
    #[new(7)]
    class_late: Delay<Bits<2>>,
    last: Class,
    s2_base: Pipe<Bits<16>>,
    s2_target: Pipe<Bits<10>>,
    s2_calm: Pipe<Bits<10>>,
    s2_rtt: Pipe<Bits<16>>,
    s2_kind: Pipe<Bits<3>>,
    s2_packets: Pipe<Bits<4>>,
    s2_class: Pipe<Bits<2>>,
    s3_above: Pipe<Bits<17>>,
    s3_base: Pipe<Bits<10>>,
    s3_target: Pipe<Bits<10>>,
    s3_calm: Pipe<Bits<10>>,
    s3_valid: Pipe<Bit>,
    s3_trim: Pipe<Bit>,
    s3_alpha: Pipe<Bits<8>>,
    s4_delay: Pipe<Bits<12>>,
    s4_target: Pipe<Bits<10>>,
    s4_calm: Pipe<Bits<10>>,
    s4_valid: Pipe<Bit>,
    s4_alpha: Pipe<Bits<8>>,
    s5_marks: Pipe<Marks>,
    s5_room: Pipe<Bits<10>>,
    newest_product: Mul<12, 8, 20>,
    #[new(9)]
    newest_line: Delay<Bits<20>>,
    #[new(8)]
    alpha_line: Delay<Bits<8>>,
    s13_kept: Pipe<Bits<9>>,
    gain_product: Mul<32, 10, 42>,
    #[new(4)]
    high_line: Delay<Bit>,
    #[new(7)]
    bytes_line: Delay<Bits<24>>,
    s9_size: Pipe<Bits<17>>,
    s9_gain: Pipe<Bits<30>>,
    s9_fair: Pipe<Bits<30>>,
    s9_fast: Pipe<Bits<26>>,
    more_product: Mul<17, 30, 47>,
    fast_product: Mul<17, 26, 43>,
    eta_product: Mul<30, 8, 38>,
    s13_more: Pipe<Bits<34>>,
    s13_fast: Pipe<Bits<28>>,
    s13_eta: Pipe<Bits<25>>,
    #[new(8)]
    marks_line: Delay<Marks>,
    weights: Signal<Local, Bits<128>>,
    weight_at: Signal<Local, Bits<7>>,
    heard: Signal<Local, Bits<12>>,
    compared: Signal<Local, Marks>,
    room: Signal<Local, Bits<12>>,
    gain: Signal<Local, Bits<36>>,
    rounded: Signal<Local, Bits<48>>,
    #[new(0x2000_u64.to_bits())]
    half: Constant<Bits<48>>,
    #[new(256_u64.to_bits())]
    all: Constant<Bits<9>>,
}

impl Logic for Signals {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_9.* <- self.*: clk, rst, next_run);
        wire!(
            self.early.all_*, self.late.all_*, self.last.all_* <- self.all_*:
            mtu, max_cwnd, fair_decrease, base_rtt, target_rtt, fast_rtt, multiplicative_increase,
            fair_increase,
        );

        // Stage 2: the constants of the class.
        self.early.select.next = self.in_event.val().class;
        self.s2_base.pipe = bit_cast::<16, 10>(self.early.base_rtt.val().get_bits::<10>(0));
        self.s2_target.pipe = self.early.target_rtt.val().get_bits::<10>(0);
        self.s2_calm.pipe = self.early.fast_rtt.val().get_bits::<10>(0);
        self.s2_rtt.pipe = self.in_rtt.val();
        self.s2_kind.pipe = self.in_event.val().kind;
        self.s2_packets.pipe = self.in_event.val().packets;
        self.s2_class.pipe = self.in_event.val().class;

        // Stage 3: the delay, below 0 with its highest bit; the weight of the packets.
        self.s3_above.pipe =
            bit_cast::<17, 16>(self.s2_rtt.q.val()) - bit_cast::<17, 16>(self.s2_base.q.val());
        self.s3_base.pipe = self.s2_base.q.val().get_bits::<10>(0);
        self.s3_target.pipe = self.s2_target.q.val();
        self.s3_calm.pipe = self.s2_calm.q.val();
        self.s3_trim.pipe = self.s2_kind.q.val() == 1;
        self.s3_valid.pipe =
            (self.s2_kind.q.val() == 1) | ((self.s2_kind.q.val() == 0) & self.s2_rtt.q.val().any());
        self.weights.next =
            bit_cast::<128, 8>(self.wtd_alpha.val()) | (bit_cast::<128, 120>(self.wtd_alphas.val()) << 8);
        self.weight_at.next = bit_cast::<7, 4>(self.s2_packets.q.val()) << 3;
        self.s3_alpha.pipe = self.weights.val().get_bits::<8>(self.weight_at.val().index());

        // Stage 4: the delay within its bounds; that of a trimmed packet.
        self.heard.next = if self.s3_trim.q.val() {
            bit_cast::<12, 10>(self.s3_base.q.val())
        } else if self.s3_above.q.val().get_bit(16) {
            0.into()
        } else if self.s3_above.q.val().get_bits::<4>(12).any() {
            0xFFF.into()
        } else {
            self.s3_above.q.val().get_bits::<12>(0)
        };
        self.s4_delay.pipe = self.heard.val();
        self.s4_target.pipe = self.s3_target.q.val();
        self.s4_calm.pipe = self.s3_calm.q.val();
        self.s4_valid.pipe = self.s3_valid.q.val();
        self.s4_alpha.pipe = self.s3_alpha.q.val();

        // Stage 5: comparisons of the delay, and its space to the target. Stages 5 to 7: the delay times its weight.
        self.compared.next.valid = self.s4_valid.q.val();
        self.compared.next.high = bit_cast::<12, 10>(self.s4_target.q.val()) <= self.s4_delay.q.val();
        self.compared.next.quiet = self.s4_delay.q.val() <= bit_cast::<12, 10>(self.s4_calm.q.val());
        self.compared.next.late =
            self.by_delay.val() & ((bit_cast::<12, 10>(self.s4_target.q.val()) << 2) < self.s4_delay.q.val());
        self.s5_marks.pipe = self.compared.val();
        self.room.next = bit_cast::<12, 10>(self.s4_target.q.val()) - self.s4_delay.q.val();
        self.s5_room.pipe = self.room.val().get_bits::<10>(0);
        self.newest_product.mul = (self.s4_delay.q.val(), self.s4_alpha.q.val());
        self.alpha_line.delay = self.s4_alpha.q.val();

        // Stages 6 to 8: proportional increase.
        self.class_line.delay = self.s2_class.q.val();
        self.late.select.next = self.class_line.q.val();
        self.gain_product.mul = (self.late.multiplicative_increase.val(), self.s5_room.q.val());
        self.high_line.delay = self.compared.val().high;
        self.bytes_line.delay = self.in_event.val().bytes;
        self.class_late.delay = self.in_event.val().class;

        // Stage 9: the gain of a byte, and the bytes that count.
        enable!(run_9.q);
        self.last.select.next = self.class_late.q.val();
        self.gain.next = self.gain_product.p.val().get_bits::<36>(6);
        self.s9_gain.pipe = if self.high_line.q.val() {
            self.last.fair_increase.val()
        } else if self.gain.val().get_bits::<6>(30).any() {
            0x3FFF_FFFF.into()
        } else {
            self.gain.val().get_bits::<30>(0)
        };
        self.s9_size.pipe = if self.bytes_line.q.val().get_bits::<7>(17).any() {
            0x1_FFFF.into()
        } else {
            self.bytes_line.q.val().get_bits::<17>(0)
        };
        self.s9_fair.pipe = self.last.fair_increase.val();
        self.s9_fast.pipe = self.last.fair_decrease.val();

        // Stages 10 to 12: times the bytes. Stage 13: in the units of the window and of the increase.
        self.more_product.mul = (self.s9_size.q.val(), self.s9_gain.q.val());
        self.fast_product.mul = (self.s9_size.q.val(), self.s9_fast.q.val());
        self.eta_product.mul = (self.s9_fair.q.val(), self.eta_share.val());
        self.rounded.next = bit_cast::<48, 47>(self.more_product.p.val()) + self.half.val();
        self.s13_more.pipe = self.rounded.val().get_bits::<34>(14);
        self.s13_fast.pipe = self.fast_product.p.val().get_bits::<28>(15);
        self.s13_eta.pipe = self.eta_product.p.val().get_bits::<25>(13);
        self.newest_line.delay = self.newest_product.p.val();
        self.s13_kept.pipe = self.all.val() - bit_cast::<9, 8>(self.alpha_line.q.val());
        self.marks_line.delay = self.s5_marks.q.val();

        self.marks.next = self.marks_line.q.val();
        self.more.next = self.s13_more.q.val();
        self.fast.next = self.s13_fast.q.val();
        self.eta.next = self.s13_eta.q.val();
        self.newest.next = self.newest_line.q.val();
        self.kept.next = self.s13_kept.q.val();
    }
}
