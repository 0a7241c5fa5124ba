//! `weft_*_count`: the number of bits of a ring that are set.

use super::compressor::Compressor;
use crate::prelude::*;

/// The number of bits that are set in a ring. Compresses six bits to three, a clock later those again, then
/// adds the rest.
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
    ones: Pipe<Bits<43>>,
    twos: Pipe<Bits<43>>,
    fours: Pipe<Bits<43>>,
    number: [Signal<Local, Bits<4>>; 24],
    pair: [Pipe<Bits<4>>; 12],
    weight: [Pipe<Bits<6>>; 3],
    sum: Pipe<Bits<9>>,
}

impl Logic for Count {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.* <- self.*: clk, rst, next_run);

        // Clock 1: 43 counts of six slots.
        for i in 0..6 {
            self.slots.rows[i].next = self.vec.val().get_bits::<43>(43 * i);
        }
        self.ones.pipe = self.slots.ones.val();
        self.twos.pipe = self.slots.twos.val();
        self.fours.pipe = self.slots.fours.val();

        // Clock 2: of their bits of each weight, 8 counts of six, and sums of two of these.
        for i in 0..6 {
            self.counts[0].rows[i].next = self.ones.q.val().get_bits::<8>(8 * i);
            self.counts[1].rows[i].next = self.twos.q.val().get_bits::<8>(8 * i);
            self.counts[2].rows[i].next = self.fours.q.val().get_bits::<8>(8 * i);
        }
        for w in 0..3 {
            for i in 0..8 {
                self.number[8 * w + i].next = (self.counts[w].ones.val().get_bits::<4>(i) & 1)
                    | ((self.counts[w].twos.val().get_bits::<4>(i) & 1) << 1)
                    | ((self.counts[w].fours.val().get_bits::<4>(i) & 1) << 2);
            }
        }
        for i in 0..12 {
            self.pair[i].pipe = self.number[2 * i].val() + self.number[2 * i + 1].val();
        }

        // Clock 3: one sum.
        for w in 0..3 {
            self.weight[w].pipe = (self.pair[4 * w].q.val().get_bits::<6>(0)
                + self.pair[4 * w + 1].q.val().get_bits::<6>(0))
                + (self.pair[4 * w + 2].q.val().get_bits::<6>(0)
                    + self.pair[4 * w + 3].q.val().get_bits::<6>(0));
        }

        // Clock 4: the total.
        self.sum.pipe = bit_cast::<9, 6>(self.weight[0].q.val())
            + (bit_cast::<9, 6>(self.weight[1].q.val()) << 1)
            + (bit_cast::<9, 6>(self.weight[2].q.val()) << 2);
        self.total.next = self.sum.q.val();
    }
}
