//! `weft_*_count`: how many bits of a ring are set.

use super::compressor::Compressor;
use crate::prelude::*;

/// How many bits of a ring are set. Compresses six bits to three twice, then adds what is left.
#[derive(LogicBlock, Default)]
pub struct Count {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset of the enable.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// The ring.
    pub vec: Signal<In, Bits<256>>,
    /// Four clocks later: its set bits.
    pub total: Signal<Out, Bits<9>>,

    run: Enable,
    slots: Compressor<43>,
    counts: [Compressor<8>; 3],
    ones: [Pipe<Bits<8>>; 3],
    twos: [Pipe<Bits<8>>; 3],
    fours: [Pipe<Bits<8>>; 3],
    number: [Signal<Local, Bits<5>>; 24],
    half: [Pipe<Bits<5>>; 6],
    weight: [Pipe<Bits<6>>; 3],
    sum: Pipe<Bits<9>>,
}

impl Logic for Count {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Clock 1: 43 counts of six slots; then, of their bits of each weight, 8 counts of six.
        for i in 0..6 {
            self.slots.rows[i].next = self.vec.val().get_bits::<43>(43 * i);
            self.counts[0].rows[i].next = self.slots.ones.val().get_bits::<8>(8 * i);
            self.counts[1].rows[i].next = self.slots.twos.val().get_bits::<8>(8 * i);
            self.counts[2].rows[i].next = self.slots.fours.val().get_bits::<8>(8 * i);
        }
        for w in 0..3 {
            self.ones[w].pipe = self.counts[w].ones.val();
            self.twos[w].pipe = self.counts[w].twos.val();
            self.fours[w].pipe = self.counts[w].fours.val();
        }

        // Clock 2: of each weight, two sums of four.
        for w in 0..3 {
            for i in 0..8 {
                self.number[8 * w + i].next = (self.ones[w].q.val().get_bits::<5>(i) & 1)
                    | ((self.twos[w].q.val().get_bits::<5>(i) & 1) << 1)
                    | ((self.fours[w].q.val().get_bits::<5>(i) & 1) << 2);
            }
        }
        for i in 0..6 {
            self.half[i].pipe = (self.number[4 * i].val() + self.number[4 * i + 1].val())
                + (self.number[4 * i + 2].val() + self.number[4 * i + 3].val());
        }

        // Clock 3: one sum.
        for w in 0..3 {
            self.weight[w].pipe =
                self.half[2 * w].q.val().get_bits::<6>(0) + self.half[2 * w + 1].q.val().get_bits::<6>(0);
        }

        // Clock 4: the total.
        self.sum.pipe = bit_cast::<9, 6>(self.weight[0].q.val())
            + (bit_cast::<9, 6>(self.weight[1].q.val()) << 1)
            + (bit_cast::<9, 6>(self.weight[2].q.val()) << 2);
        self.total.next = self.sum.q.val();
    }
}
