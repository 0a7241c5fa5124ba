//! `weft_registers_*`, a page of eight counters.

use crate::prelude::*;
use weft_params::registers::{COUNTERS_AT, PAGE, Page};

/// A page of eight counters: what the blocks have counted, as it stands in their ports.
#[derive(LogicBlock, BlockDefault)]
#[given(page: &Page)]
pub struct Count {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Offset of the access, in words.
    pub at: Signal<In, Bits<14>>,
    /// A counter: its page, then its place there.
    pub index: Signal<In, Bits<7>>,
    /// What the blocks have counted.
    pub counts: [Signal<In, Bits<24>>; 8],
    /// One clock later: the word at the offset is in this page.
    pub found: Signal<Out, Bit>,
    /// One clock later: the count, 0 if it is not in this page.
    pub count: Signal<Out, Bits<24>>,
    /// With it: it has 24 bits, else 16.
    pub wide: Signal<Out, Bit>,

    #[new(page.number().to_bits())]
    page: Constant<Bits<10>>,
    #[new(page.exists().to_bits())]
    exists: Constant<Bits<16>>,
    #[new(u64::from((page.offset - COUNTERS_AT) / PAGE).to_bits())]
    place: Constant<Bits<4>>,
    #[new(page.wide().to_bits())]
    wides: Constant<Bits<8>>,
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
            & self.exists.val().get_bit(self.at.val().get_bits::<4>(0).index());
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
        self.asked.next = self.index.val().get_bits::<4>(3) == self.place.val();
        self.picked.pipe = if self.asked.val() { self.of_eight.val() } else { 0.into() };
        self.many.pipe =
            self.asked.val() & self.wides.val().get_bit(self.index.val().get_bits::<3>(0).index());
        self.count.next = self.picked.q.val();
        self.wide.next = self.many.q.val();
    }
}
