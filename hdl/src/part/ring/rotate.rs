//! `weft_*_rotate`: a ring turned by any number of slots.

use crate::prelude::*;

/// A ring turned by any number of slots: two bits of the amount in each clock, one LUT6 a bit.
#[derive(LogicBlock, Default)]
pub struct Rotate {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The ring.
    pub vec: Signal<In, Bits<256>>,
    /// Number of slots.
    pub amount: Signal<In, Bits<8>>,
    /// Four clocks later: bit i of `vec` is bit i + `amount` modulo 256.
    pub turned: Signal<Out, Bits<256>>,

    run: Enable,
    run_late: Enable,
    by_1: Pipe<Bits<256>>,
    by_4: Pipe<Bits<256>>,
    by_16: Pipe<Bits<256>>,
    by_64: Pipe<Bits<256>>,
    s1_amount: Pipe<Bits<6>>,
    s2_amount: Pipe<Bits<4>>,
    s3_amount: Pipe<Bits<2>>,
    step_1: Signal<Local, Bits<2>>,
    step_4: Signal<Local, Bits<2>>,
    step_16: Signal<Local, Bits<2>>,
}

impl Logic for Rotate {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.run_late.* <- self.*: clk, rst, next_run);

        // Clock 1: by 0 to 3.
        self.step_1.next = self.amount.val().get_bits::<2>(0);
        self.s1_amount.pipe = self.amount.val().get_bits::<6>(2);
        self.by_1.pipe = if self.step_1.val() == 1 {
            (self.vec.val() << 1) | (self.vec.val() >> 255)
        } else if self.step_1.val() == 2 {
            (self.vec.val() << 2) | (self.vec.val() >> 254)
        } else if self.step_1.val() == 3 {
            (self.vec.val() << 3) | (self.vec.val() >> 253)
        } else {
            self.vec.val()
        };

        // Clock 2: by multiples of 4.
        self.step_4.next = self.s1_amount.q.val().get_bits::<2>(0);
        self.s2_amount.pipe = self.s1_amount.q.val().get_bits::<4>(2);
        self.by_4.pipe = if self.step_4.val() == 1 {
            (self.by_1.q.val() << 4) | (self.by_1.q.val() >> 252)
        } else if self.step_4.val() == 2 {
            (self.by_1.q.val() << 8) | (self.by_1.q.val() >> 248)
        } else if self.step_4.val() == 3 {
            (self.by_1.q.val() << 12) | (self.by_1.q.val() >> 244)
        } else {
            self.by_1.q.val()
        };

        // Clock 3: by multiples of 16.
        enable!(run_late.q);
        self.step_16.next = self.s2_amount.q.val().get_bits::<2>(0);
        self.s3_amount.pipe = self.s2_amount.q.val().get_bits::<2>(2);
        self.by_16.pipe = if self.step_16.val() == 1 {
            (self.by_4.q.val() << 16) | (self.by_4.q.val() >> 240)
        } else if self.step_16.val() == 2 {
            (self.by_4.q.val() << 32) | (self.by_4.q.val() >> 224)
        } else if self.step_16.val() == 3 {
            (self.by_4.q.val() << 48) | (self.by_4.q.val() >> 208)
        } else {
            self.by_4.q.val()
        };

        // Clock 4: by multiples of 64.
        self.by_64.pipe = if self.s3_amount.q.val() == 1 {
            (self.by_16.q.val() << 64) | (self.by_16.q.val() >> 192)
        } else if self.s3_amount.q.val() == 2 {
            (self.by_16.q.val() << 128) | (self.by_16.q.val() >> 128)
        } else if self.s3_amount.q.val() == 3 {
            (self.by_16.q.val() << 192) | (self.by_16.q.val() >> 64)
        } else {
            self.by_16.q.val()
        };
        self.turned.next = self.by_64.q.val();
    }
}
