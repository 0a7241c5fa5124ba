//! `weft_registers_count`: a page of eight counters.

use crate::prelude::*;

/// A page of eight counters: the counts at the ports of the blocks. The page's number and shape are constant
/// inputs.
#[derive(LogicBlock, BlockDefault)]
#[named]
pub struct Count {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The page's number: its offset in pages.
    pub page: Signal<In, Bits<10>>,
    /// Bit i: the page has an i-th counter.
    pub exists: Signal<In, Bits<8>>,
    /// Bit i: counter i has 24 bits; 0: it has 16 bits.
    pub wides: Signal<In, Bits<8>>,
    /// Offset of the access, in words.
    pub at: Signal<In, Bits<14>>,
    /// A counter: its page, then its place there.
    pub index: Signal<In, Bits<7>>,
    /// Counts of the blocks.
    pub counts: [Signal<In, Bits<24>>; 8],
    /// One clock later: the word at the offset is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock later: the count, or 0 if it is not in this page.
    pub count: Signal<Out, Bits<24>>,
    /// Width of the count: 1: 24 bits, 0: 16 bits.
    pub wide: Signal<Out, Bit>,

    of_two: [Signal<Local, Bits<24>>; 4],
    of_four: [Signal<Local, Bits<24>>; 2],
    of_eight: Signal<Local, Bits<24>>,
    mine: Pipe<Bit>,
    asked: Signal<Local, Bit>,
    picked: Pipe<Bits<24>>,
    many: Pipe<Bit>,
}

impl Logic for Count {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        self.mine.pipe = (self.at.val().get_bits::<10>(4) == self.page.val())
            & self.exists.val().get_bit(self.at.val().get_bits::<3>(1).index());
        self.found.next = self.mine.q.val();

        for i in 0..4 {
            self.of_two[i].next = if self.index.val().get_bit(0) {
                self.counts[2 * i + 1].val()
            } else {
                self.counts[2 * i].val()
            };
        }
        for i in 0..2 {
            self.of_four[i].next = if self.index.val().get_bit(1) {
                self.of_two[2 * i + 1].val()
            } else {
                self.of_two[2 * i].val()
            };
        }
        self.of_eight.next =
            if self.index.val().get_bit(2) { self.of_four[1].val() } else { self.of_four[0].val() };
        self.asked.next = self.index.val().get_bits::<4>(3) == self.page.val().get_bits::<4>(0);
        self.picked.pipe = if self.asked.val() { self.of_eight.val() } else { 0.into() };
        self.many.pipe =
            self.asked.val() & self.wides.val().get_bit(self.index.val().get_bits::<3>(0).index());
        self.count.next = self.picked.q.val();
        self.wide.next = self.many.q.val();
    }
}
